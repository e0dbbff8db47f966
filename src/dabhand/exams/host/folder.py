"""A real folder, made from a task and read back, with the operating system's own calls and nothing between."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from dabhand.exams.form import Item


class Found(msgspec.Struct, frozen=True):
    """What is at a path.

    Attributes:
        kind: what it is; "other" also where it may not be read.
        mode: permission bits (of a link: 0, since they mean nothing).
        data: a file's bytes, or the bytes of what a link points to.
    """

    kind: Literal["file", "folder", "link", "other"]
    mode: int = 0
    data: bytes = b""

    @property
    def executable(self) -> bool:
        """Whether its owner may execute it."""
        return bool(self.mode & stat.S_IXUSR)


def make(root: Path, folder: Mapping[str, Item]) -> None:
    """Fill an empty folder."""
    for path, item in folder.items():  # parents come first
        place = os.path.join(os.fsencode(root), path.encode("utf-8", "surrogateescape"))  # noqa: PTH118
        match item.kind:
            case "folder":
                os.mkdir(place)  # noqa: PTH102
            case "link":
                os.symlink(item.data, place)  # noqa: PTH211
            case "file":
                _write(place, item.data, 0o777 if item.executable else 0o666)


def _write(place: bytes, data: bytes, mode: int) -> None:
    with os.fdopen(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode), "wb") as stream:
        stream.write(data)


def read_back(root: Path) -> dict[str, Found]:
    """Everything below a folder, links not followed."""
    found: dict[str, Found] = {}
    _read_into(found, os.fsencode(root), "")
    return found


def _read_into(found: dict[str, Found], folder: bytes, prefix: str) -> None:
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208
    except PermissionError:  # so nothing in it can be as it was to be, and the verdict says that it is gone
        return
    for name in names:
        place = os.path.join(folder, name)  # noqa: PTH118
        path = prefix + name.decode("utf-8", "surrogateescape")
        found[path] = one = _look(place)
        if one.kind == "folder":
            _read_into(found, place, path + "/")


def _look(place: bytes) -> Found:
    status = os.lstat(place)
    mode = stat.S_IMODE(status.st_mode)
    if stat.S_ISLNK(status.st_mode):
        return Found("link", data=os.readlink(place))  # noqa: PTH115
    if stat.S_ISDIR(status.st_mode):
        return Found("folder", mode)
    if stat.S_ISREG(status.st_mode):
        try:
            with open(place, "rb") as stream:  # noqa: PTH123
                return Found("file", mode, stream.read())
        except PermissionError:
            return Found("other", mode)
    return Found("other", mode)
