"""The single acts a transaction is made of: each on one entry, each refusing what it did not expect to find."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
from collections.abc import Iterable

from dabhand.errors import Conflict, NotConfined
from dabhand.workspace.confined import ConfinedFolder, Place, listed, read_regular
from dabhand.workspace.journal import Image
from dabhand.workspace.state import encode_text

Staged = tuple[str, str]
"""Folder and name of a staged content."""


def holds(folder: ConfinedFolder, path: str, image: Image | None) -> bool:
    """Whether exactly `image` (nothing, for None) is at the physical `path`; modes other than executability aside."""
    try:
        with folder.place(path, follow=False) as place:
            return _place_holds(place, image)
    except (FileNotFoundError, NotADirectoryError, NotConfined):
        return image is None  # a link or a file is where a folder above it would have to be


def stage(folder: ConfinedFolder, staged: Staged, image: Image, data: bytes) -> None:
    """Write a file or link, whole and synced, under a name of its own beside where it will go."""
    with folder.folder(staged[0], follow=False) as parent:
        name = encode_text(staged[1])
        if image.kind == "link":
            os.symlink(bytes.fromhex(image.link), name, dir_fd=parent)
            return
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        # The umask is applied by the kernel to this mode; one that is to be kept is set exactly below.
        fd = os.open(name, flags, 0o777 if image.executable else 0o666, dir_fd=parent)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(fd, view) :]
            _dress(fd, image)
            os.fsync(fd)
        finally:
            os.close(fd)


def discard_staged(folder: ConfinedFolder, above: str, prefix: str) -> None:
    """Remove all staged contents whose names begin with `prefix` from the folder `above`, if it is there."""
    try:
        with folder.folder(above, follow=False) as fd:
            for name in listed(fd):
                if name.startswith(prefix):
                    os.unlink(encode_text(name), dir_fd=fd)
    except (FileNotFoundError, NotADirectoryError, NotConfined):
        return


def remove(folder: ConfinedFolder, path: str, expected: Image) -> None:
    """Remove an entry; a folder must be empty by now.

    Raises:
        Conflict: when it is not what is expected.
    """
    with folder.place(path, follow=False) as place:
        _require(place, path, expected)
        if expected.kind != "folder":
            os.unlink(place.raw, dir_fd=place.folder)
            return
        try:
            os.rmdir(place.raw, dir_fd=place.folder)
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
            raise Conflict(f"Somebody put something into {path!r} meanwhile, so it was not deleted.") from error


def arrive(folder: ConfinedFolder, path: str, image: Image, staged: Staged | None) -> None:
    """Put an entry where nothing is.

    Raises:
        Conflict: when something is there by now.
    """
    with folder.place(path, follow=False) as place:
        _require(place, path, None)
        try:
            if staged is None:
                os.mkdir(place.raw, 0o777, dir_fd=place.folder)
            else:
                _move_in(folder, place, staged)
        except FileExistsError as error:
            raise Conflict(f"Somebody made {path!r} meanwhile.") from error


def replace(folder: ConfinedFolder, path: str, expected: Image, image: Image, staged: Staged | None) -> None:
    """Replace a file or link by one of its kind in one step, or only change a file's mode.

    Raises:
        Conflict: when it is not what is expected.
    """
    with folder.place(path, follow=False) as place:
        _require(place, path, expected)
        if staged is None:
            fd = os.open(place.raw, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=place.folder)
            try:
                _dress(fd, image)
                os.fsync(fd)
            finally:
                os.close(fd)
            return
        with folder.folder(staged[0], follow=False) as source:
            os.rename(encode_text(staged[1]), place.raw, src_dir_fd=source, dst_dir_fd=place.folder)


def sync_folders(folder: ConfinedFolder, paths: Iterable[str]) -> None:
    """Make the entries of folders durable; those that are gone need nothing."""
    for path in paths:
        try:
            with folder.folder(path, follow=False) as fd:
                os.fsync(fd)
        except (FileNotFoundError, NotADirectoryError, NotConfined):
            continue


def _move_in(folder: ConfinedFolder, place: Place, staged: Staged) -> None:
    """Move a staged content to a name that must be free: a hard link refuses to replace anything, a rename does not."""
    name = encode_text(staged[1])
    with folder.folder(staged[0], follow=False) as source:
        try:
            os.link(name, place.raw, src_dir_fd=source, dst_dir_fd=place.folder, follow_symlinks=False)
        except FileExistsError:
            raise
        except OSError as error:
            if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.ENOSYS):
                raise
            os.rename(name, place.raw, src_dir_fd=source, dst_dir_fd=place.folder)
        else:
            os.unlink(name, dir_fd=source)


def _require(place: Place, path: str, image: Image | None) -> None:
    if not _place_holds(place, image):
        raise Conflict(f"{path!r} was changed by somebody else meanwhile.", "Nothing is left changed; ask again.")


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
    return hashlib.sha256(read_regular(place)).hexdigest() == image.blob


def _dress(fd: int, image: Image) -> None:
    """Give an open file the owner, mode and time it is to have."""
    if image.owner is not None:
        with contextlib.suppress(PermissionError):
            os.fchown(fd, *image.owner)
    if image.mode is not None:
        os.fchmod(fd, image.mode)
    if image.modified is not None:
        os.utime(fd, ns=(image.modified, image.modified))


def dress_folder(folder: ConfinedFolder, path: str, image: Image) -> None:
    """Give a folder that arrived, once it is filled, the owner, mode and time it is to have."""
    with folder.folder(path, follow=False) as fd:
        _dress(fd, image)
