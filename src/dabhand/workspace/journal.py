"""The written record of one transaction on a real folder, kept so that it can be finished, taken back or undone.

A record is a folder `JOURNAL/ID/` with `record.json` (what was to be done, written once and synced before anything is
touched), `blobs/` (pre-images and new contents by SHA-256) and `status` (one word, replaced atomically).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from dabhand.errors import StoreError
from dabhand.workspace.snapshot import Stamp
from dabhand.workspace.state import File, Folder, Link, Node, encode_text

Status = Literal["applying", "done", "rolled_back", "undone", "conflicted"]
FINAL: frozenset[Status] = frozenset({"done", "rolled_back", "undone", "conflicted"})
RECORD_VERSION = 1


class Image(msgspec.Struct, frozen=True):
    """What is, or will be, at one path.

    Attributes:
        kind: file, folder or link.
        blob: SHA-256 of a file's bytes.
        link: hex of what a link points to (it need not be UTF-8).
        mode: permission bits to have; None takes the usual ones of the process.
        modified: modification time in nanoseconds to have; None takes the present.
        executable: of a file.
        owner: user and group to have, where the process may give them; None takes its own.
    """

    kind: Literal["file", "folder", "link"]
    blob: str = ""
    link: str = ""
    mode: int | None = None
    modified: int | None = None
    executable: bool = False
    owner: tuple[int, int] | None = None


class Entry(msgspec.Struct, frozen=True):
    """One path of a transaction, as hex of its bytes, with what is there before and after."""

    path_hex: str
    before: Image | None
    after: Image | None

    @property
    def path(self) -> str:
        """The path as text."""
        return bytes.fromhex(self.path_hex).decode("utf-8", "surrogateescape")


class Record(msgspec.Struct, frozen=True):
    """What one transaction does, to which folder; `undoes` names the transaction that it takes back."""

    id: str
    root: str
    device: int
    inode: int
    entries: tuple[Entry, ...]
    undoes: str = ""
    version: int = RECORD_VERSION


class Journal:
    """All records of a store.

    Args:
        folder: where they are kept; created when first written to.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def ids(self) -> tuple[str, ...]:
        """Ids of all whole records, oldest first (ids sort by time)."""
        if not self.folder.is_dir():
            return ()
        return tuple(sorted(item.name for item in self.folder.iterdir() if (item / "status").is_file()))

    def begin(self, record: Record, contents: dict[str, bytes]) -> None:
        """Write a record down durably with status "applying"; until this returns, nothing counts as begun."""
        home = self.folder / record.id
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        home.mkdir(mode=0o700)
        (home / "blobs").mkdir(mode=0o700)
        for blob, data in contents.items():
            _write_synced(home / "blobs" / blob, data)
        _sync_folder(home / "blobs")
        _write_synced(home / "record.json", msgspec.json.encode(record))
        self.mark(record.id, "applying")
        _sync_folder(self.folder)

    def mark(self, record_id: str, status: Status) -> None:
        """Replace a record's status, durably."""
        home = self.folder / record_id
        _write_synced(home / "status.new", status.encode())
        (home / "status.new").replace(home / "status")
        _sync_folder(home)

    def status(self, record_id: str) -> Status:
        """A record's status.

        Raises:
            StoreError: when there is no such record.
        """
        try:
            word: Status = msgspec.convert((self.folder / record_id / "status").read_text("utf-8"), Status)
        except (OSError, UnicodeDecodeError, msgspec.ValidationError) as error:
            raise StoreError(f"There is no run {record_id!r}.", "Name a run that this store has recorded.") from error
        return word

    def record(self, record_id: str) -> Record:
        """What a transaction does.

        Raises:
            StoreError: when there is no such record, or a newer dabhand wrote it.
        """
        self.status(record_id)
        try:
            record = msgspec.json.decode((self.folder / record_id / "record.json").read_bytes(), type=Record)
        except (OSError, msgspec.MsgspecError) as error:
            raise StoreError(f"The journal of run {record_id!r} cannot be read.") from error
        if record.version > RECORD_VERSION:
            raise StoreError(f"The journal of run {record_id!r} was written by a newer dabhand.")
        return record

    def blob(self, record_id: str, blob: str) -> bytes:
        """A kept content.

        Raises:
            StoreError: when it is no longer kept, or was damaged.
        """
        try:
            data = (self.folder / record_id / "blobs" / blob).read_bytes()
        except OSError as error:
            raise StoreError(f"What run {record_id!r} kept for undoing is no longer there.") from error
        if hashlib.sha256(data).hexdigest() != blob:
            raise StoreError(f"What run {record_id!r} kept for undoing was damaged.")
        return data

    def unfinished(self) -> Iterator[Record]:
        """Records of transactions that were cut short."""
        for record_id in self.ids():
            if self.status(record_id) not in FINAL:
                yield self.record(record_id)

    def forget(self, record_id: str) -> None:
        """Drop a finished record with its contents; it can no longer be undone."""
        home = self.folder / record_id
        with contextlib.suppress(FileNotFoundError):
            (home / "status").unlink()
        shutil.rmtree(home, ignore_errors=True)


def image_of(node: Node, stamp: Stamp | None = None, *, timed: bool = True) -> tuple[Image, dict[str, bytes]]:
    """The image of a node with the mode, owner and (if `timed`) time of a stamp, and the content to keep for it."""
    mode = None if stamp is None else stat.S_IMODE(stamp.mode)
    modified = stamp.modified if stamp is not None and timed and stamp.modified else None
    owner = None if stamp is None else stamp.owner
    match node:
        case Folder():
            return Image("folder", mode=mode, owner=owner), {}
        case Link(target):
            return Image("link", link=encode_text(target).hex(), owner=owner), {}
        case File(data, executable):
            blob = hashlib.sha256(data).hexdigest()
            if mode is not None and bool(mode & stat.S_IXUSR) != executable:
                mode = mode | (0o111 & (mode >> 2 | 0o100)) if executable else mode & ~0o111
            return Image("file", blob, mode=mode, modified=modified, executable=executable, owner=owner), {blob: data}


def _write_synced(path: Path, data: bytes) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(fd, view) :]
        os.fsync(fd)
    finally:
        os.close(fd)


def _sync_folder(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
