"""A real folder reached only through directory descriptors, so that no name and no swapped link leads out of it.

Every component is opened relative to the descriptor of the one before and never follows a link on its own; links are
read and walked by us, with `..` answered from the descriptors already held (what openat2(2) calls RESOLVE_BENEATH and
RESOLVE_NO_MAGICLINKS, here for every kernel). Swapping a component while it is walked can make a step fail, never
make it land outside.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import msgspec

from dabhand.closing import Closing
from dabhand.errors import Conflict, NotConfined, UsageError
from dabhand.workspace.resolve import MAX_LINKS
from dabhand.workspace.state import encode_text

_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_CHUNK = 1 << 20
_BETWEEN_TRIES = 0.05
LOCK_PATIENCE = 5.0
"""Seconds to wait for another dabhand in the same folder: longer than most take, shorter than anybody wonders."""
_ROOT_HINT = "Give an existing folder with --root."


class Place(msgspec.Struct, frozen=True):
    """Where an entry is: the open folder that holds it and its name there; name "" is the folder itself."""

    folder: int
    name: str

    @property
    def raw(self) -> bytes:
        """The name as the kernel has it."""
        return encode_text(self.name) if self.name else b"."


class ConfinedFolder(Closing):
    """An open folder; a context manager. Paths are relative, "/"-separated, possibly holding lone surrogates.

    Args:
        root: the folder; links in *this* path are the caller's own and are followed.

    Raises:
        UsageError: when it does not exist, is no folder or cannot be opened.
    """

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self.path = Path(root).absolute()
        self._locked = False
        try:
            self._fd = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError as error:
            raise UsageError(f"The folder {str(root)!r} does not exist.", _ROOT_HINT) from error
        except NotADirectoryError as error:
            raise UsageError(f"{str(root)!r} is not a folder.", _ROOT_HINT) from error
        except (OSError, ValueError) as error:
            raise UsageError(f"The folder {str(root)!r} cannot be opened: {reason(error)}.") from error

    def close(self) -> None:
        """Let go of the folder (and of its lock)."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd, self._locked = -1, False

    @property
    def identity(self) -> tuple[int, int]:
        """Device and inode of the folder that is open."""
        found = os.fstat(self._fd)
        return found.st_dev, found.st_ino

    def require_in_place(self) -> None:
        """Make sure that the path still names the folder that was opened.

        Raises:
            Conflict: when it was removed, renamed or replaced (by a link, say).
        """
        try:
            now = self.path.stat()
        except OSError as error:
            raise Conflict(f"The folder {str(self.path)!r} is no longer there.") from error
        if (now.st_dev, now.st_ino) != self.identity:
            raise Conflict(f"The folder {str(self.path)!r} was replaced by another one meanwhile.")

    def lock(self, patience: float = LOCK_PATIENCE) -> None:
        """Take the folder for this process: advisory, no file is made for it, let go with `close` or when it dies.

        Args:
            patience: seconds to wait for another dabhand to be done.

        Raises:
            Conflict: when another dabhand works in it for longer than that.
            UsageError: when the file system has no locks for folders.
        """
        deadline = time.monotonic() + patience
        while not self._try_lock():
            if time.monotonic() >= deadline:
                raise Conflict(
                    f"Another dabhand is working in {str(self.path)!r}.", "Wait until it is done, then ask again."
                )
            time.sleep(_BETWEEN_TRIES)
        self._locked = True

    @property
    def locked(self) -> bool:
        """Whether this process holds the folder's lock."""
        return self._locked

    def require_locked(self) -> None:
        """Make sure that nobody else can be in the middle of something here.

        Raises:
            RuntimeError: when `lock` was not called or did not succeed: a fault of the caller's, no outcome.
        """
        if not self._locked:
            raise RuntimeError(f"The lock of {str(self.path)!r} is not held.")

    def _try_lock(self) -> bool:
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            raise UsageError(
                f"The folder {str(self.path)!r} cannot be locked: {reason(error)}.", "Copy it to a local disk."
            ) from error
        return True

    @contextlib.contextmanager
    def place(self, path: str, *, follow: bool = True) -> Iterator[Place]:
        """The open parent folder and the name of the entry at `path`; the entry itself may be missing.

        Args:
            path: relative; "" is the folder itself.
            follow: walk links (inside the root) in the parents and of the entry itself. Without it no component may
                be a link, which is what the physical paths of a `State` need; the entry itself may be one.

        Raises:
            NotConfined: for `..`, an absolute path, a link that leads out, a loop, or a component swapped meanwhile.
            FileNotFoundError, NotADirectoryError: when a parent is missing or is no folder.
        """
        held = [os.dup(self._fd)]
        try:
            name = _walk(held, deque(_components(path)), path, follow)
            yield Place(held[-1], name)
        finally:
            for fd in held:
                os.close(fd)

    @contextlib.contextmanager
    def folder(self, path: str, *, follow: bool = True) -> Iterator[int]:
        """A readable descriptor of the folder at `path`.

        Raises:
            NotConfined: as `place`.
            OSError: when it is missing or no folder.
        """
        with self.place(path, follow=follow) as place:
            fd = os.open(place.raw, _FOLDER_FLAGS, dir_fd=place.folder)
        try:
            yield fd
        finally:
            os.close(fd)

    def stat(self, path: str, *, follow: bool = False) -> os.stat_result | None:
        """What is at `path` (of a last link: the link itself, unless followed); None when nothing is."""
        try:
            with self.place(path, follow=follow) as place:
                return os.stat(place.raw, dir_fd=place.folder, follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError):
            return None

    def read(self, path: str, *, limit: int | None = None, follow: bool = True) -> bytes:
        """The bytes of the regular file at `path`, at most `limit` of them.

        Raises:
            NotConfined: as `place`.
            OSError: when it is missing, unreadable or no regular file.
        """
        with self.place(path, follow=follow) as place:
            return read_regular(place, limit)

    def target(self, path: str) -> bytes:
        """What the link at the physical `path` points to."""
        with self.place(path, follow=False) as place:
            return os.readlink(place.raw, dir_fd=place.folder)

    def names(self, path: str = "", *, follow: bool = True) -> tuple[str, ...]:
        """Names in the folder at `path`, sorted by code point."""
        with self.folder(path, follow=follow) as fd:
            return listed(fd)


def listed(folder: int) -> tuple[str, ...]:
    """Names in an open folder, whatever the locale says, sorted by code point."""
    return tuple(sorted(os.fsencode(name).decode("utf-8", "surrogateescape") for name in os.listdir(folder)))


def read_regular(place: Place, limit: int | None = None) -> bytes:
    """The bytes of a regular file; anything else is never opened for reading (a pipe would wait, a device may act).

    Raises:
        OSError: when it is missing, unreadable or no regular file.
    """
    fd = open_regular(place)
    try:
        return _read_all(fd, limit)
    finally:
        os.close(fd)


def open_regular(place: Place) -> int:
    """A descriptor that reads a regular file.

    Raises:
        OSError: as `read_regular`.
    """
    before = os.stat(place.raw, dir_fd=place.folder, follow_symlinks=False)
    if not stat.S_ISREG(before.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", place.name)
    fd = os.open(place.raw, _READ_FLAGS, dir_fd=place.folder)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(errno.EINVAL, "not a regular file", place.name)
    return fd


def reason(error: BaseException) -> str:
    """What the system says of an error, as words for a sentence."""
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text[:1].lower() + text[1:]


def _read_all(fd: int, limit: int | None) -> bytes:
    parts: list[bytes] = []
    left = limit if limit is not None else -1
    while left:
        chunk = os.read(fd, _CHUNK if left < 0 else min(_CHUNK, left))
        if not chunk:
            break
        parts.append(chunk)
        left = left - len(chunk) if left > 0 else left
    return b"".join(parts)


def _components(path: str) -> list[str]:
    if path.startswith("/"):
        raise NotConfined(f"{path!r} is an absolute path.", "Give paths relative to the folder.")
    if "\0" in path:
        raise NotConfined(f"{path!r} holds a null character, which no path can.")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise NotConfined(f"{path!r} may lead out of the folder.", "Give paths without '..'.")
    return parts


def _walk(held: list[int], pending: deque[str], path: str, follow: bool) -> str:
    """Walk `pending` from the last descriptor in `held`, which grows; returns the name left to open, "" for none."""
    links = 0
    while pending:
        part = pending.popleft()
        if part == "..":
            if len(held) == 1:
                raise NotConfined(f"{path!r} leads out of the folder.")
            os.close(held.pop())
            continue
        target = _link_target(held[-1], part) if follow or pending else None
        if target is not None:
            links += 1
            pending.extendleft(reversed(_linked_components(path, target, links, follow)))
        elif not pending:
            return part
        else:
            held.append(_step(held[-1], part, path))
    return ""


def _link_target(folder: int, name: str) -> str | None:
    try:
        return os.readlink(encode_text(name), dir_fd=folder).decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno == errno.EINVAL:
            return None
        raise


def _linked_components(path: str, target: str, links: int, follow: bool) -> list[str]:
    if not follow:
        raise NotConfined(f"A folder on the way to {path!r} became a link meanwhile.")
    if target.startswith("/"):
        raise NotConfined(f"{path!r} leads out of the folder through a link.")
    if links > MAX_LINKS:
        raise NotConfined(f"{path!r} is a loop of links.")
    return [part for part in target.split("/") if part not in ("", ".")]


def _step(folder: int, name: str, path: str) -> int:
    try:
        return os.open(encode_text(name), _FOLDER_FLAGS, dir_fd=folder)
    except OSError as error:
        if error.errno == errno.ELOOP or (error.errno == errno.ENOTDIR and _link_target(folder, name) is not None):
            raise NotConfined(f"A folder on the way to {path!r} was swapped for a link meanwhile.") from error
        raise
