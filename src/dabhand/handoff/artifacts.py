"""Artifacts: the full raw result of every run, with plan, environment, timings and audit trace, on disk for a time.

Raw results lie under the SHA-256 of their bytes, records under that of their own text, so neither can change unnoticed
and equal results are kept once. Everything is private. The oldest go first when the quota is exceeded, never one of the
last hour; their ids are remembered, so that an artifact that expired is told from one that never was.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import msgspec
import stringzilla

from dabhand.errors import DabhandError, UsageError
from dabhand.handoff.raw import Raw
from dabhand.workspace.confined import reason

QUOTA = 1 << 30
"""Bytes kept in all."""
YOUNG = 3600.0
"""Seconds for which nothing expires."""
_LOOKED = 600.0
"""Seconds after which the quota is looked at again, however little was kept."""
_REMEMBERED = 100_000
_ID = 16
_NO_NAME = getattr(os, "O_TMPFILE", 0)


class UnknownArtifact(UsageError):
    """There never was such an artifact."""

    code = "unknown_artifact"


class ExpiredArtifact(DabhandError):
    """The artifact was there and made room for newer ones."""

    code = "expired_artifact"


class DamagedArtifact(DabhandError):
    """What lies on disk is not what was kept."""

    code = "damaged_artifact"


class NotKept(DabhandError):
    """There is no room, or no permission, to keep results."""

    code = "not_kept"


class Kept(msgspec.Struct, frozen=True):
    """One artifact.

    Attributes:
        id: hexadecimal.
        time: when it was kept, in seconds since 1970.
        raw: SHA-256 of the raw result.
        bytes: its size.
        lines: how many lines it has.
        record: everything else: request, plan, status, environment, timings, audit trace.
    """

    id: str
    time: float
    raw: str
    bytes: int
    lines: int
    record: dict[str, Any]


class Pruned(msgspec.Struct, frozen=True):
    """What was let go, and what is left."""

    removed: int
    freed: int
    left: int
    bytes: int


class Artifacts:
    """The artifacts in a folder, which is made when something is kept.

    Args:
        directory: where they lie.
        quota: bytes for all.
    """

    def __init__(self, directory: Path, quota: int = QUOTA) -> None:
        self.directory, self.quota = directory, quota
        self._objects, self._records = directory / "objects", directory / "records"

    def new_file(self) -> int:
        """A descriptor of a fresh file that has no name, for results too large for memory.

        Raises:
            NotKept: there is no place for it.
        """
        with _keeping(self.directory):
            self._make()
            if _NO_NAME:
                with contextlib.suppress(OSError):
                    return os.open(self._objects, _NO_NAME | os.O_RDWR | os.O_CLOEXEC, 0o600)
            path = self._objects / f"new-{os.getpid()}-{time.monotonic_ns()}"
            fd = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600)
            path.unlink()
            return fd

    def keep(self, raw: Raw, record: dict[str, Any], now: float) -> Kept:
        """Keep a raw result and what is known of it.

        Raises:
            NotKept: it is larger than the quota, or cannot be written.
        """
        if raw.size > self.quota:
            raise NotKept(
                f"The raw result has {raw.size} bytes, more than the {self.quota} that are kept.", "Ask for a part."
            )
        with _keeping(self.directory):
            self._make()
            self._keep_raw(raw)
            about = {"time": now, "raw": raw.digest, "bytes": raw.size, "lines": raw.lines, "record": record}
            text = json.dumps(about | {"by": f"{os.getpid()}-{time.monotonic_ns()}"}, allow_nan=False).encode()
            name = _digest(text)[:_ID]
            _place(self._records / f"{name}.json", [text])
            self._prune_now_and_then(raw.size, now)
        return Kept(name, now, raw.digest, raw.size, raw.lines, record)

    def raw_path(self, kept: Kept) -> Path:
        """Where the raw result lies."""
        return self._objects / kept.raw

    def _make(self) -> None:
        try:
            self._records.stat()
        except FileNotFoundError:
            for folder in (self.directory, self._objects, self._records):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                folder.chmod(0o700)

    def _keep_raw(self, raw: Raw) -> None:
        path = self._objects / raw.digest
        try:
            if path.stat().st_size == raw.size:
                os.utime(path)
                return
        except FileNotFoundError:
            pass
        if not raw.linked(str(path)):
            _place(path, raw.pieces())

    def all(self) -> list[Kept]:
        """All artifacts, newest first."""
        found = []
        for name in self._names():
            with contextlib.suppress(DabhandError):
                found.append(self.get(name))
        return sorted(found, key=lambda each: (-each.time, each.id))

    def _names(self) -> list[str]:
        try:
            return [each.stem for each in self._records.iterdir() if each.suffix == ".json"]
        except FileNotFoundError:
            return []

    def get(self, name: str) -> Kept:
        """The artifact of that id.

        Raises:
            UnknownArtifact: there never was one.
            ExpiredArtifact: it is no longer kept.
            DamagedArtifact: its record was changed.
        """
        if len(name) != _ID or not all(letter in "0123456789abcdef" for letter in name):
            raise UnknownArtifact(f"{name!r} is no id of an artifact.", "See: dabhand artifact list")
        try:
            text = (self._records / f"{name}.json").read_bytes()
        except FileNotFoundError:
            if name in self._expired():
                raise ExpiredArtifact(
                    f"The artifact {name} expired and is no longer kept.", "Ask for the result again."
                ) from None
            raise UnknownArtifact(f"There is no artifact {name}.", "See: dabhand artifact list") from None
        if _digest(text)[:_ID] != name:
            raise DamagedArtifact(f"The record of the artifact {name} was changed.", "Ask for the result again.")
        try:
            about = json.loads(text, parse_constant=_no_number)
            return msgspec.convert({"id": name} | {field: about[field] for field in _FIELDS}, Kept)
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise DamagedArtifact(f"The record of the artifact {name} is none: {error}.") from error

    def open_raw(self, kept: Kept) -> int:
        """A descriptor of the raw result.

        Raises:
            DamagedArtifact: it is not what was kept.
        """
        try:
            fd = os.open(self.raw_path(kept), os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise DamagedArtifact(f"The raw result of {kept.id} cannot be read: {reason(error)}.") from error
        if os.fstat(fd).st_size != kept.bytes:
            os.close(fd)
            raise DamagedArtifact(f"The raw result of {kept.id} has another size than it had.")
        return fd

    def _expired(self) -> list[str]:
        try:
            return (self.directory / "expired").read_text("ascii").split()
        except FileNotFoundError:
            return []

    def _prune_now_and_then(self, added: int, now: float) -> None:
        looked = self.directory / "looked"
        try:
            recent = abs(now - looked.stat().st_mtime) < _LOOKED
        except FileNotFoundError:
            recent = False
        if not recent or added > self.quota >> 6:
            _place(looked, [])
            self.prune(now)

    def prune(self, now: float, quota: int | None = None) -> Pruned:
        """Let the oldest go until the quota is kept, but nothing of the last hour."""
        quota = self.quota if quota is None else quota
        if (used := _size_of(self._objects) + _size_of(self._records)) <= quota:
            return Pruned(0, 0, len(self._names()), used)
        kept = self.all()
        users: dict[str, int] = {}
        for each in kept:
            users[each.raw] = users.get(each.raw, 0) + 1
        self._sweep(users.keys(), now)
        left = _size_of(self._objects) + _size_of(self._records)
        gone: list[str] = []
        for each in reversed(kept):
            if left <= quota or now - each.time < YOUNG:
                break
            users[each.raw] -= 1
            gone.append(each.id)
            left -= self._removed(self._records / f"{each.id}.json")
            if not users[each.raw]:
                left -= self._removed(self._objects / each.raw)
        if gone:
            self._note_expired(gone)
        return Pruned(len(gone), used - left, len(kept) - len(gone), left)

    def _removed(self, path: Path) -> int:
        """Remove a file; how many bytes that freed."""
        try:
            size = path.stat().st_size
            path.unlink()
        except FileNotFoundError:
            return 0
        return size

    def _sweep(self, used: Collection[str], now: float) -> None:
        """Remove raw results that no record is about; one that was just written may be about to get its record."""
        with contextlib.suppress(FileNotFoundError):
            for entry in list(os.scandir(self._objects)):
                with contextlib.suppress(FileNotFoundError):
                    if entry.name not in used and now - entry.stat(follow_symlinks=False).st_mtime > YOUNG:
                        Path(entry.path).unlink()

    def _note_expired(self, names: list[str]) -> None:
        every = [*self._expired(), *names][-_REMEMBERED:]
        _place(self.directory / "expired", [("\n".join(every) + "\n").encode("ascii")])


_FIELDS = ("time", "raw", "bytes", "lines", "record")


def _no_number(name: str) -> None:
    """NaN and the infinities are no JSON; older records may hold them."""


def _digest(text: bytes) -> str:
    """SHA-256 in hexadecimal; StringZilla is loaded anyway, and OpenSSL would be only for this."""
    made = stringzilla.Sha256()
    made.update(text)
    return str(made.hexdigest())


def _size_of(folder: Path) -> int:
    """Bytes of the files in a folder."""
    size = 0
    with contextlib.suppress(FileNotFoundError), os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(FileNotFoundError):
                size += entry.stat(follow_symlinks=False).st_size
    return size


def _place(path: Path, pieces: Iterator[bytes] | list[bytes]) -> None:
    """Write a private file as a whole or not at all."""
    new = path.with_name(f"{path.name}.{os.getpid()}-{time.monotonic_ns()}.new")
    fd = os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(fd, "wb", buffering=0) as file:
            for piece in pieces:
                view = memoryview(piece)
                while view:
                    view = view[file.write(view) :]
        new.replace(path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            new.unlink()
        raise


@contextlib.contextmanager
def _keeping(directory: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        hint = "Make room: dabhand artifact prune" if full else "Name another place with --store."
        raise NotKept(f"Results cannot be kept in {str(directory)!r}: {reason(error)}.", hint) from error
