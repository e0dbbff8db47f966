"""What commands did to a folder that a layer was laid over: the layer says it all, and costs only what they changed.

The layer is reached through a descriptor that no command has, and walked without following a link; contents are read
through the current directory, in which both are seen as one. Nothing else is alive meanwhile. What marks a folder as
hiding the one below, and a name as gone, is said in the kernel's overlayfs.rst ("whiteouts and opaque directories").
"""

# ruff: noqa: PTH101
# Paths are bytes here.
from __future__ import annotations

import errno
import os
import stat

from dabhand.sandbox.inside.protocol import FOLDER, LINK, MORE, OPAQUE, WHITEOUT, Entry
from dabhand.sandbox.inside.scene import DEEPEST, LONGEST, file_entry, special_kind

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_HIDES = "user.overlay.opaque"


class Layer:
    """Everything that a layer holds, as entries; a folder comes before what lies in it.

    Args:
        upper: the layer, an open folder.
        capture: how much of any one file is read.
        most: how many entries are read.
    """

    def __init__(self, upper: int, capture: int, most: int) -> None:
        self._upper = upper
        self._capture = capture
        self._most = most
        self._opened: list[tuple[bytes, int]] = []
        self.entries: list[Entry] = []

    def read(self) -> list[Entry]:
        """Walk it; permissions that had to be changed for that are put back."""
        folder = os.open(".", _FOLDER, dir_fd=self._upper)
        try:
            self._walk(folder, b"", 0)
        finally:
            os.close(folder)
            for path, mode in reversed(self._opened):
                os.chmod(path, mode)
        return self.entries

    def _walk(self, folder: int, prefix: bytes, depth: int) -> None:
        for name in sorted(os.fsencode(name) for name in os.listdir(folder)):
            if len(self.entries) >= self._most or depth > DEEPEST or len(prefix) > LONGEST:
                self.entries.append((MORE, prefix or b".", b""))
                return
            self._add(folder, name, prefix + name, depth)

    def _add(self, folder: int, name: bytes, path: bytes, depth: int) -> None:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if stat.S_ISDIR(status.st_mode):
            inner = self._open(folder, name, path, status.st_mode)
            try:
                self.entries.append((OPAQUE if _hides(inner) else FOLDER, path, b""))
                self._walk(inner, path + b"/", depth + 1)
            finally:
                os.close(inner)
        elif stat.S_ISREG(status.st_mode):
            self.entries.append(file_entry(path, self._capture))
        elif stat.S_ISLNK(status.st_mode):
            self.entries.append((LINK, path, os.readlink(name, dir_fd=folder)))
        elif stat.S_ISCHR(status.st_mode) and status.st_rdev == 0:
            self.entries.append((WHITEOUT, path, b""))
        else:
            self.entries.append((special_kind(status.st_mode), path, b""))

    def _open(self, folder: int, name: bytes, path: bytes, mode: int) -> int:
        """A folder of the layer; one that may not be looked into is opened up until the walk is over."""
        if mode & 0o500 != 0o500:
            self._opened.append((path, stat.S_IMODE(mode)))
            os.chmod(path, 0o700)
        return os.open(name, _FOLDER, dir_fd=folder)


def _hides(folder: int) -> bool:
    """Whether nothing of the folder below shows through."""
    try:
        return os.getxattr(folder, _HIDES) == b"y"
    except OSError as error:
        if error.errno == errno.ENODATA:
            return False
        raise
