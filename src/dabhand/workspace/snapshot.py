"""Taking a real folder as a value, within bounds, and noticing later whether it was changed since."""

from __future__ import annotations

import os
import stat

import msgspec

from dabhand.errors import Conflict, NotConfined, UsageError
from dabhand.workspace.confined import ConfinedFolder, Place, listed, read_regular, reason
from dabhand.workspace.state import FOLDER, File, Link, Node, State

_OWNER_EXECUTES = stat.S_IXUSR
_KINDS = {stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}


class FolderTooLarge(UsageError):
    """The folder is larger than what one run may take in."""

    code = "too_large"


class SnapshotLimits(msgspec.Struct, frozen=True):
    """How much of a folder one snapshot takes in.

    Attributes:
        entries: files, folders and links altogether.
        bytes: of all files that are taken in.
        file_bytes: a larger file is left out and reported as odd, so it can be neither read nor changed.
        depth: nested folders.
    """

    entries: int = 20_000
    bytes: int = 256 << 20
    file_bytes: int = 32 << 20
    depth: int = 100


class Stamp(msgspec.Struct, frozen=True):
    """What tells whether an entry was touched since: identity, permission bits, owner, size and times (nanoseconds)."""

    device: int
    inode: int
    mode: int
    owner: tuple[int, int]
    size: int
    modified: int
    changed: int

    @classmethod
    def of(cls, found: os.stat_result) -> Stamp:
        """The stamp of an entry that was looked at."""
        owner = (found.st_uid, found.st_gid)
        # A folder's own size and times change whenever something is put into it, which its children tell better.
        if stat.S_ISDIR(found.st_mode):
            return cls(found.st_dev, found.st_ino, found.st_mode, owner, 0, 0, 0)
        times = (found.st_mtime_ns, found.st_ctime_ns)
        return cls(found.st_dev, found.st_ino, found.st_mode, owner, found.st_size, *times)

    @property
    def identity(self) -> tuple[int, ...]:
        """What stays when an entry is only renamed: all but the time of its last change of any kind."""
        return self.device, self.inode, self.mode, *self.owner, self.size, self.modified


class Odd(msgspec.Struct, frozen=True):
    """An entry that was left out of the state, and why; it is never touched."""

    path: str
    why: str


class Snapshot(msgspec.Struct, frozen=True):
    """A folder at one moment: its state, the stamp of every entry in it, and what was left out."""

    state: State
    stamps: dict[str, Stamp]
    odd: tuple[Odd, ...] = ()

    def odd_at_or_below(self, path: str) -> tuple[Odd, ...]:
        """What was left out at `path` or below it."""
        return tuple(odd for odd in self.odd if odd.path == path or odd.path.startswith(path + "/"))

    def odd_above(self, path: str) -> tuple[Odd, ...]:
        """What was left out on the way to `path`."""
        return tuple(odd for odd in self.odd if path.startswith(odd.path + "/"))


def take_snapshot(folder: ConfinedFolder, limits: SnapshotLimits | None = None) -> Snapshot:
    """Read a whole folder.

    Raises:
        FolderTooLarge: when it holds more than `limits` allow.
        Conflict: when it changes so much while it is read that no one moment can be had.
    """
    taker = Taker(limits or SnapshotLimits())
    with folder.folder("") as fd:
        taker.take(fd, "", 0)
    return taker.snapshot()


class Taker:
    """Collects entries while a folder is walked, and counts them against the limits."""

    def __init__(self, limits: SnapshotLimits) -> None:
        self.limits = limits
        self.nodes: dict[str, Node] = {}
        self.stamps: dict[str, Stamp] = {}
        self.odd: list[Odd] = []
        self._bytes = 0

    def snapshot(self) -> Snapshot:
        """What was taken in so far."""
        nodes = {path: self.nodes[path] for path in sorted(self.nodes)}
        return Snapshot(State.trusted(nodes), self.stamps, tuple(sorted(self.odd, key=lambda odd: odd.path)))

    def take(self, fd: int, prefix: str, depth: int) -> None:
        """Take in everything in an open folder, whose path is `prefix` with a slash behind it."""
        if depth > self.limits.depth:
            raise FolderTooLarge(f"{prefix!r} is nested more than {self.limits.depth} folders deep.")
        for name in listed(fd):
            self.take_entry(Place(fd, name), prefix + name, depth)

    def take_entry(self, place: Place, path: str, depth: int) -> None:
        """Take in one entry, with everything in it."""
        self._count_entry()
        try:
            found = os.stat(place.raw, dir_fd=place.folder, follow_symlinks=False)
            if stat.S_ISDIR(found.st_mode):
                self._take_folder(place, path, depth)
            elif stat.S_ISLNK(found.st_mode):
                target = os.readlink(place.raw, dir_fd=place.folder)
                self.add(path, Link(target.decode("utf-8", "surrogateescape")), found)
            elif stat.S_ISREG(found.st_mode):
                self._take_file(place, path, found)
            else:
                self.odd.append(Odd(path, f"it is {_KINDS.get(stat.S_IFMT(found.st_mode), 'of an unknown kind')}"))
        except FileNotFoundError:
            return  # it was removed between listing and looking: at this moment it is not there
        except OSError as error:
            self.odd.append(Odd(path, f"it cannot be read: {reason(error)}"))

    def _take_folder(self, place: Place, path: str, depth: int) -> None:
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
        fd = os.open(place.raw, flags, dir_fd=place.folder)
        try:
            self.add(path, FOLDER, os.fstat(fd))
            self.take(fd, path + "/", depth + 1)
        finally:
            os.close(fd)

    def _take_file(self, place: Place, path: str, found: os.stat_result) -> None:
        if found.st_size > self.limits.file_bytes:
            self.odd.append(Odd(path, f"it is larger than {self.limits.file_bytes} bytes"))
            return
        for _ in range(3):
            data = read_regular(place, self.limits.file_bytes)
            now = os.stat(place.raw, dir_fd=place.folder, follow_symlinks=False)
            if Stamp.of(now) == Stamp.of(found) and len(data) == now.st_size:
                self._count_bytes(len(data))
                self.add(path, File(data, bool(now.st_mode & _OWNER_EXECUTES)), now)
                return
            found = now
        raise Conflict(f"{path!r} keeps changing while it is read.", "Ask again when nothing writes to it.")

    def add(self, path: str, node: Node, found: os.stat_result) -> None:
        """Take in one entry that was looked at already."""
        self.nodes[path] = node
        self.stamps[path] = Stamp.of(found)

    def _count_entry(self) -> None:
        if len(self.nodes) + len(self.odd) >= self.limits.entries:
            raise FolderTooLarge(f"The folder holds more than {self.limits.entries} entries.", "Use a smaller --root.")

    def _count_bytes(self, count: int) -> None:
        self._bytes += count
        if self._bytes > self.limits.bytes:
            raise FolderTooLarge(f"The folder holds more than {self.limits.bytes} bytes.", "Use a smaller --root.")


def changed_since(folder: ConfinedFolder, snapshot: Snapshot, path: str) -> bool:
    """Whether the entry at the physical `path` is not the one the snapshot saw (or not absent, as it was)."""
    try:
        found = folder.stat(path)
    except NotConfined:
        found = None  # a link is where a folder above it would have to be
    stamp = snapshot.stamps.get(path)
    return stamp != (None if found is None else Stamp.of(found))
