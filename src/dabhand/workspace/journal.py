"""The written record of one transaction on a real folder, kept so that it can be finished, taken back or undone.

A record is a folder `JOURNAL/ID/` with `record.json` (what was to be done), `blobs/` (what was replaced or deleted, by
SHA-256) and an empty file whose *name* is the status, so that no change of status ever needs room on the disk. It is
written under another name, synced, and appears by one rename: a record that can be seen is whole.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Literal, get_args

import msgspec

from dabhand.errors import DabhandError, StoreError, UsageError
from dabhand.workspace.durable import sync_many, sync_path, write_all
from dabhand.workspace.record import RECORD_VERSION, Record

Status = Literal["applying", "performed", "done", "rolled_back", "undone", "conflicted"]
FINAL: frozenset[Status] = frozenset({"done", "rolled_back", "undone", "conflicted"})
QUOTA = 1 << 30
"""Bytes of pre-images that are kept where nobody said otherwise: dozens of runs on ordinary folders."""

_MARK = "is."
_UNDOES = "undoes."
_NEW = ".new-"
_DROPPED = ".dropped-"
_CHUNK = 1 << 20
_READ = os.O_RDONLY | os.O_CLOEXEC


class UnknownRun(UsageError):
    """No run has that id."""

    code = "unknown_run"


class NoLongerKept(DabhandError):
    """What a run replaced was dropped to stay within the quota, so it cannot be undone."""

    code = "no_longer_kept"


class Draft:
    """A record that is being written; it counts only once `publish` returns.

    Args:
        home: its folder, under a name that is no record's.
    """

    def __init__(self, home: Path) -> None:
        self.home = home
        self._made: list[Path] = []

    def keep(self, chunks: Iterable[bytes]) -> str:
        """Keep a content; return its SHA-256."""
        digest = hashlib.sha256()
        unnamed = self.home / "blobs" / "unnamed"
        fd = os.open(unnamed, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            for chunk in chunks:
                digest.update(chunk)
                write_all(fd, chunk)
        finally:
            os.close(fd)
        blob = digest.hexdigest()
        unnamed.rename(self.home / "blobs" / blob)
        self._made.append(self.home / "blobs" / blob)
        return blob

    def write(self, record: Record) -> None:
        """Write the record itself, and sync all of it: together, which costs far less than one by one."""
        marks = [_MARK + "applying"] + ([_UNDOES + record.undoes] if record.undoes else [])
        for name, data in (("record.json", msgspec.json.encode(record)), *((mark, b"") for mark in marks)):
            (self.home / name).write_bytes(data)
            (self.home / name).chmod(0o600)
            self._made.append(self.home / name)
        sync_many(partial(os.open, path, _READ) for path in (*self._made, self.home / "blobs", self.home))


class Journal:
    """All records of a store.

    Args:
        folder: where they are kept; created when first written to.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def ids(self) -> tuple[str, ...]:
        """Ids of all records, oldest first (ids sort by time).

        Raises:
            StoreError: when the journal is there and cannot be read.
        """
        return tuple(record_id for record_id in self._names() if self._word(record_id) is not None)

    def _names(self) -> list[str]:
        """What may be a record, oldest first."""
        try:
            return sorted(item.name for item in self.folder.iterdir() if item.name[:1] == "r")
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StoreError(
                f"The journal {str(self.folder)!r} cannot be read: {error.strerror}.",
                "Make it a folder that you may read, or name another store with --store.",
            ) from error

    def reserve(self, seconds: float) -> str:
        """An id that no other process gets, and that sorts by time.

        Args:
            seconds: the present, in seconds since the epoch.

        Raises:
            StoreError: when the journal cannot be written to.
        """
        stem = f"r{int(seconds * 1000):013d}"
        with self._writable():
            self._make()
            number = 0
            while True:
                with contextlib.suppress(FileExistsError):
                    (self.folder / f"{stem}-{number}").mkdir(mode=0o700)
                    return f"{stem}-{number}"
                number += 1

    @contextlib.contextmanager
    def drafting(self, record_id: str) -> Iterator[tuple[Draft, Callable[[Record], None]]]:
        """Write a record down; it appears, durably and whole, when the second of the pair is called with it.

        Raises:
            OSError: of the system; nothing is left then.
            StoreError: when the id is taken.
        """
        self._make()
        draft = Draft(self.folder / (_NEW + record_id))
        with self._held(fcntl.LOCK_SH):
            _clear(draft.home)
            draft.home.mkdir(mode=0o700)
            (draft.home / "blobs").mkdir(mode=0o700)

            def publish(record: Record) -> None:
                draft.write(record)
                try:
                    draft.home.rename(self.folder / record_id)  # over nothing, or over the empty folder of `reserve`
                except OSError as error:
                    if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                        raise
                    raise StoreError(f"The run {record_id!r} is recorded already.") from error
                try:
                    sync_path(self.folder)
                except BaseException:
                    (self.folder / record_id).rename(draft.home)  # nothing is to be taken back of what was not begun
                    raise

            try:
                yield draft, publish
            finally:
                _clear(draft.home)

    def mark(self, record_id: str, status: Status) -> None:
        """Replace a record's status, durably.

        Raises:
            UnknownRun: when there is no such record.
            OSError: of the system; the old status stays.
        """
        home, now = self.folder / record_id, self.status(record_id)
        if now != status:
            (home / (_MARK + now)).rename(home / (_MARK + status))
        sync_path(home)

    def status(self, record_id: str) -> Status:
        """A record's status.

        Raises:
            UnknownRun: when there is no such record.
        """
        word = self._word(record_id)
        if word is None:
            raise UnknownRun(f"There is no run {record_id!r} to undo.", "See: dabhand undo --list")
        return word

    def is_performed(self, record_id: str) -> bool:
        """Whether a transaction counts and is not finished yet; not so of one whose record is gone."""
        return self._word(record_id) == "performed"

    def record(self, record_id: str) -> Record:
        """What a transaction does.

        Raises:
            UnknownRun: when there is no such record.
            StoreError: when it was damaged, or a newer dabhand wrote it.
        """
        self.status(record_id)
        try:
            record = msgspec.json.decode((self.folder / record_id / "record.json").read_bytes(), type=Record)
        except (OSError, msgspec.MsgspecError, ValueError) as error:
            raise StoreError(f"The journal of run {record_id!r} cannot be read.") from error
        if record.version != RECORD_VERSION:
            raise StoreError(f"The journal of run {record_id!r} was written by another version of dabhand.")
        return record

    def undone(self) -> dict[str, str]:
        """For each transaction that stands undone, the one that did it; from names alone, for it is asked often."""
        found = {}
        for record_id in self.ids():
            marks = self._marks(record_id)
            undoes = [mark.removeprefix(_UNDOES) for mark in marks if mark.startswith(_UNDOES)]
            if undoes and not {_MARK + "performed", _MARK + "done"}.isdisjoint(marks):
                found[undoes[0]] = record_id
        return found

    def blob(self, record_id: str, blob: str) -> Iterator[bytes]:
        """A kept content, in pieces.

        Raises:
            NoLongerKept: when it was dropped.
            StoreError: when it was damaged; by then pieces of it were handed out.
        """
        digest = hashlib.sha256()
        try:
            with (self.folder / record_id / "blobs" / blob).open("rb") as stream:
                while chunk := stream.read(_CHUNK):
                    digest.update(chunk)
                    yield chunk
        except FileNotFoundError as error:
            raise NoLongerKept(*self._dropped(record_id)) from error
        except OSError as error:
            raise StoreError(f"What run {record_id!r} kept for undoing cannot be read: {error.strerror}.") from error
        if digest.hexdigest() != blob:
            raise StoreError(f"What run {record_id!r} kept for undoing was damaged.")

    def require_kept(self, record: Record) -> None:
        """Make sure that all that undoing a run needs is there.

        Raises:
            NoLongerKept: when it is not.
        """
        blobs = self.folder / record.id / "blobs"
        if not all((blobs / blob).is_file() for blob in record.kept):
            raise NoLongerKept(*self._dropped(record.id))

    def unfinished(self) -> tuple[str, ...]:
        """Ids of transactions that were cut short, oldest first."""
        words = ((record_id, self._word(record_id)) for record_id in self._names())
        return tuple(record_id for record_id, word in words if word is not None and word not in FINAL)

    def forget(self, record_id: str) -> None:
        """Drop a finished record with all that it keeps, because its folder is no more: there is nothing to undo."""
        if self._word(record_id) in FINAL:
            dropped = self.folder / (_DROPPED + record_id)
            with self._writable():
                (self.folder / record_id).rename(dropped)
            _clear(dropped)

    # quota -----------------------------------------------------------------------------------------------------------

    @property
    def quota(self) -> int:
        """Bytes of pre-images to keep."""
        try:
            return int((self.folder / "quota").read_text("ascii"))
        except (OSError, ValueError):
            return QUOTA

    def set_quota(self, count: int) -> None:
        """Keep at most so many bytes of pre-images from now on."""
        with self._writable():
            self._make()
            fresh = self.folder / ".quota"
            fresh.write_text(str(count), "ascii")
            sync_path(fresh)
            fresh.replace(self.folder / "quota")
            sync_path(self.folder)

    def kept_bytes(self) -> int:
        """Bytes of all pre-images."""
        return sum(_size(self.folder / record_id / "blobs") for record_id in self.ids())

    def tidy(self) -> tuple[str, ...]:
        """Remove what crashes left behind, and the oldest pre-images beyond the quota; return which runs lost theirs.

        Runs that are not finished keep theirs, and so does the newest of those that are.
        """
        if not self.folder.is_dir():
            return ()
        with self._held(fcntl.LOCK_EX | fcntl.LOCK_NB) as held:
            if not held:
                return ()  # somebody is writing a record right now, and will tidy when done
            for item in self.folder.iterdir():
                if item.name.startswith((_NEW, _DROPPED)):
                    _clear(item)
                elif item.name[:1] == "r":
                    with contextlib.suppress(OSError):
                        item.rmdir()  # reserved and never used; one that holds anything stays
            return tuple(self._drop_oldest())

    def _drop_oldest(self) -> Iterator[str]:
        sizes = {record_id: _size(self.folder / record_id / "blobs") for record_id in self.ids()}
        left, quota = sum(sizes.values()), self.quota
        finished = [record_id for record_id in sizes if self._word(record_id) in FINAL]
        for record_id in finished[:-1]:
            if left <= quota:
                return
            if sizes[record_id]:
                left -= sizes[record_id]
                dropped = self.folder / (_DROPPED + record_id)
                (self.folder / record_id / "blobs").rename(dropped)  # at once, so that no part is taken for the whole
                _clear(dropped)
                yield record_id

    def _dropped(self, record_id: str) -> tuple[str, str]:
        return (
            f"What run {record_id!r} replaced or deleted is no longer kept, so it cannot be undone.",
            f"The oldest are dropped beyond {self.quota} bytes; keep more with: dabhand undo --quota SIZE",
        )

    def _word(self, record_id: str) -> Status | None:
        marks = self._marks(record_id)
        return next((word for word in get_args(Status) if _MARK + word in marks), None)

    def _marks(self, record_id: str) -> list[str]:
        try:
            return os.listdir(self.folder / record_id)  # noqa: PTH208  (names are all that is wanted, of thousands)
        except (OSError, ValueError):
            return []

    def _make(self) -> None:
        """Make the journal's folder, durably, if it is missing."""
        missing = [self.folder, *self.folder.parents]
        missing = missing[: next(count for count, path in enumerate(missing) if path.is_dir())]
        for path in reversed(missing):
            path.mkdir(mode=0o700, exist_ok=True)
            sync_path(path.parent)

    @contextlib.contextmanager
    def _writable(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StoreError(
                f"The journal {str(self.folder)!r} cannot be written to: {error.strerror}.",
                "Nothing was changed. Make it writable, or name another store with --store.",
            ) from error

    @contextlib.contextmanager
    def _held(self, how: int) -> Iterator[bool]:
        """Hold the journal, shared with other writers or alone; False when that cannot be had at once."""
        fd = os.open(self.folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            try:
                fcntl.flock(fd, how)
            except BlockingIOError:
                yield False
            else:
                yield True
        finally:
            os.close(fd)


def journal_in(store: Path) -> Journal:
    """The journal that a store keeps."""
    return Journal(store / "journal")


def _size(folder: Path) -> int:
    try:
        with os.scandir(folder) as found:
            return sum(entry.stat(follow_symlinks=False).st_size for entry in found)
    except FileNotFoundError:
        return 0


def _clear(folder: Path) -> None:
    """Remove a folder of ours that counts for nothing; what cannot be removed now is tried again next time."""
    shutil.rmtree(folder, ignore_errors=True)
