"""The single acts a transaction is made of: each on one entry, each refusing what it did not expect to find.

What is displaced is first moved aside and then looked at, so that what somebody else wrote in the last moment is found
there and moved back, never lost.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from functools import partial

import msgspec

from dabhand.errors import Conflict, NotConfined
from dabhand.workspace.confined import ConfinedFolder, Place, open_regular
from dabhand.workspace.durable import sync, sync_many, write_all
from dabhand.workspace.record import Image
from dabhand.workspace.renaming import exchange, exchange_back, move_to_free
from dabhand.workspace.snapshot import Stamp
from dabhand.workspace.state import encode_text

_CHUNK = 1 << 20
_WITHOUT_ATTRIBUTES = frozenset({errno.ENOTSUP, errno.EPERM, errno.EACCES, errno.ENODATA})
_ALWAYS_READ = 1 << 20
"""Of files up to this size the content is compared as well, lest a file system with coarse times hides an edit."""


class Waiting(msgspec.Struct, frozen=True):
    """Where an entry's contents wait: a folder that is there before and after, and two names in it.

    Attributes:
        fresh: what will be there; after an exchange what was there.
        old: what was there.
    """

    above: str
    fresh: str
    old: str


class Expected(msgspec.Struct, frozen=True):
    """What an act expects to find: an image, and the stamp of the very entry where it is known."""

    image: Image
    stamp: Stamp | None = None


def holds(folder: ConfinedFolder, path: str, image: Image | None) -> bool:
    """Whether exactly `image` (nothing, for None) is at the physical `path`; modes other than executability aside."""
    try:
        with folder.place(path, follow=False) as place:
            return _place_holds(place, image)
    except (FileNotFoundError, NotADirectoryError, NotConfined):
        return image is None  # a link or a file is where a folder above it would have to be


def content(folder: ConfinedFolder, path: str) -> Iterator[bytes]:
    """The bytes of a regular file, in pieces."""
    with folder.place(path, follow=False) as place:
        yield from _pieces(place)


def attributes(folder: ConfinedFolder, path: str) -> dict[str, str]:
    """The extended attributes of a regular file by name, as hex, where the system and the file system have any."""
    if not hasattr(os, "listxattr"):
        return {}
    with folder.place(path, follow=False) as place:
        fd = open_regular(place)
        try:
            return {name: os.getxattr(fd, name).hex() for name in os.listxattr(fd)}
        except OSError as error:
            if error.errno not in _WITHOUT_ATTRIBUTES:
                raise
            return {}
        finally:
            os.close(fd)


def stage(folder: ConfinedFolder, waiting: Waiting, image: Image, chunks: Iterable[bytes]) -> None:
    """Write a file or link, whole, under a name of its own near where it will go; `sync_staged` follows."""
    with folder.folder(waiting.above, follow=False) as parent:
        name = encode_text(waiting.fresh)
        if image.kind == "link":
            os.symlink(bytes.fromhex(image.link), name, dir_fd=parent)
            return
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        # The umask is applied by the kernel to this mode; one that is to be kept is set exactly below.
        fd = os.open(name, flags, 0o777 if image.executable else 0o666, dir_fd=parent)
        try:
            for chunk in chunks:
                write_all(fd, chunk)
            _dress(fd, image)
        finally:
            os.close(fd)


def sync_staged(folder: ConfinedFolder, staged: Iterable[Waiting]) -> None:
    """Make staged files durable, before any of them takes the place of another."""
    sync_many(partial(_opened, folder, waiting) for waiting in staged)


def _opened(folder: ConfinedFolder, waiting: Waiting) -> int:
    with folder.folder(waiting.above, follow=False) as parent:
        return open_regular(Place(parent, waiting.fresh))


def set_aside(folder: ConfinedFolder, path: str, expected: Expected, waiting: Waiting) -> None:
    """Move a file or link out of the way; remove a folder, which must be empty by now.

    Raises:
        Conflict: when it is not what is expected; it is where it was, then.
    """
    with folder.place(path, follow=False) as place, folder.folder(waiting.above, follow=False) as parent:
        _require(place, path, expected)
        if expected.image.kind == "folder":
            _remove_folder(place, path)
            return
        aside = Place(parent, waiting.old)
        move_to_free((place.folder, place.raw), (parent, aside.raw))
        if not _is(aside, expected):
            move_to_free((parent, aside.raw), (place.folder, place.raw))
            raise _changed(path)


def make_folder(folder: ConfinedFolder, path: str) -> None:
    """Make a folder where nothing is.

    Raises:
        Conflict: when something is there by now.
    """
    with folder.place(path, follow=False) as place, _made_meanwhile(path):
        os.mkdir(place.raw, 0o777, dir_fd=place.folder)


def arrive(folder: ConfinedFolder, path: str, above: str, name: str) -> None:
    """Move what waits under a name to where nothing is.

    Raises:
        Conflict: when something is there by now.
    """
    with (
        folder.place(path, follow=False) as place,
        folder.folder(above, follow=False) as parent,
        _made_meanwhile(path),
    ):
        move_to_free((parent, encode_text(name)), (place.folder, place.raw))


def replace(folder: ConfinedFolder, path: str, expected: Expected, above: str, name: str, spare: str) -> None:
    """Put what waits under `name` in the place of a file or link; that is under `name` or `spare` afterwards.

    Raises:
        Conflict: when it is not what is expected; everything is where it was, then.
    """
    with folder.place(path, follow=False) as place, folder.folder(above, follow=False) as parent:
        _require(place, path, expected)
        one, other = (parent, encode_text(name)), (place.folder, place.raw)
        try:
            where = exchange(one, other, (parent, encode_text(spare)))
        except FileNotFoundError as error:
            raise _changed(path) from error
        if not _is(Place(parent, name if where == one else spare), expected):
            exchange_back(one, other, where)
            raise _changed(path)


def change_mode(folder: ConfinedFolder, path: str, expected: Expected, image: Image) -> None:
    """Only change a file's permission bits.

    Raises:
        Conflict: when it is not what is expected.
    """
    with folder.place(path, follow=False) as place:
        _require(place, path, expected)
        fd = open_regular(place)
        try:
            if expected.stamp is not None and Stamp.of(os.fstat(fd)).identity != expected.stamp.identity:
                raise _changed(path)
            _dress(fd, image)
            sync(fd)
        finally:
            os.close(fd)


def bring_back(folder: ConfinedFolder, path: str, above: str, name: str, where: str) -> None:
    """Take a `replace` back: what is under `where` returns to `path`, and what was put there to `name`."""
    with folder.place(path, follow=False) as place, folder.folder(above, follow=False) as parent:
        exchange_back((parent, encode_text(name)), (place.folder, place.raw), (parent, encode_text(where)))


def withdraw(folder: ConfinedFolder, path: str, above: str, name: str) -> None:
    """Take an `arrive` back."""
    with folder.place(path, follow=False) as place, folder.folder(above, follow=False) as parent:
        move_to_free((place.folder, place.raw), (parent, encode_text(name)))


def remove_folder(folder: ConfinedFolder, path: str) -> None:
    """Remove an empty folder.

    Raises:
        Conflict: when something is in it.
    """
    with folder.place(path, follow=False) as place:
        _remove_folder(place, path)


def discard(folder: ConfinedFolder, above: str, name: str) -> None:
    """Remove what waits under a name, if anything does."""
    try:
        with folder.folder(above, follow=False) as parent:
            # Looked for first, because a read-only file system refuses to remove even what is not there.
            os.stat(encode_text(name), dir_fd=parent, follow_symlinks=False)
            os.unlink(encode_text(name), dir_fd=parent)
    except (FileNotFoundError, NotADirectoryError, NotConfined):
        return


def sync_folders(folder: ConfinedFolder, paths: Iterable[str]) -> None:
    """Make the entries of folders durable; those that are gone need nothing."""
    sync_many(partial(_opened_folder, folder, path) for path in paths if _is_folder(folder, path))


def _opened_folder(folder: ConfinedFolder, path: str) -> int:
    with folder.folder(path, follow=False) as fd:
        return os.dup(fd)


def _is_folder(folder: ConfinedFolder, path: str) -> bool:
    return not path or holds(folder, path, Image("folder"))


def dress_folder(folder: ConfinedFolder, path: str, image: Image) -> None:
    """Give a folder, once it is filled, the owner, mode and time it is to have."""
    with folder.folder(path, follow=False) as fd:
        _dress(fd, image)


def _require(place: Place, path: str, expected: Expected) -> None:
    if not _is(place, expected):
        raise _changed(path)


def _changed(path: str) -> Conflict:
    return Conflict(f"{path!r} was changed by somebody else meanwhile.", "Nothing is left changed; ask again.")


def _is(place: Place, expected: Expected) -> bool:
    """Whether the very entry that is expected is there."""
    stamp = expected.stamp
    if stamp is None:
        return _place_holds(place, expected.image)
    try:
        found = Stamp.of(os.stat(place.raw, dir_fd=place.folder, follow_symlinks=False))
    except FileNotFoundError:
        return False
    if found.identity != stamp.identity:
        return False
    small = expected.image.kind != "file" or found.size <= _ALWAYS_READ
    return not small or _place_holds(place, expected.image)


def _place_holds(place: Place, image: Image | None) -> bool:
    try:
        found = os.stat(place.raw, dir_fd=place.folder, follow_symlinks=False)
    except FileNotFoundError:
        return image is None
    if image is None:
        return False
    if image.kind == "folder":
        return stat.S_ISDIR(found.st_mode)
    if image.kind == "link":
        return stat.S_ISLNK(found.st_mode) and os.readlink(place.raw, dir_fd=place.folder).hex() == image.link
    if not stat.S_ISREG(found.st_mode) or bool(found.st_mode & stat.S_IXUSR) != image.executable:
        return False
    digest = hashlib.sha256()
    for chunk in _pieces(place):
        digest.update(chunk)
    return digest.hexdigest() == image.blob


def _pieces(place: Place) -> Iterator[bytes]:
    fd = open_regular(place)
    try:
        while chunk := os.read(fd, _CHUNK):
            yield chunk
    finally:
        os.close(fd)


def _remove_folder(place: Place, path: str) -> None:
    try:
        os.rmdir(place.raw, dir_fd=place.folder)
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise
        raise Conflict(f"Somebody put something into {path!r} meanwhile, so it was not deleted.") from error


@contextlib.contextmanager
def _made_meanwhile(path: str) -> Iterator[None]:
    try:
        yield
    except FileExistsError as error:
        raise Conflict(f"Somebody made {path!r} meanwhile.", "Nothing is left changed; ask again.") from error


def _dress(fd: int, image: Image) -> None:
    """Give an open file the owner, mode and time it is to have; nothing is touched that is so already."""
    found = os.fstat(fd)
    if image.owner not in (None, (found.st_uid, found.st_gid)):
        assert image.owner is not None
        with contextlib.suppress(PermissionError):
            os.fchown(fd, *image.owner)  # which may take bits off the mode
            found = os.fstat(fd)
    for name, value in image.attributes.items():
        with contextlib.suppress(OSError):  # such as those that only the kernel or an administrator may set
            os.setxattr(fd, name, bytes.fromhex(value))
            found = os.fstat(fd)
    if image.mode not in (None, stat.S_IMODE(found.st_mode)):
        assert image.mode is not None
        os.fchmod(fd, image.mode)
    if image.modified not in (None, found.st_mtime_ns):
        assert image.modified is not None
        os.utime(fd, ns=(image.modified, image.modified))
