"""Going through what is in a folder, and below it, by descriptors alone: no link is followed, no name leads out."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from typing import Literal

import msgspec

from dabhand.handoff.packet import Skipped
from dabhand.workspace.confined import reason
from dabhand.workspace.state import encode_text

DEEPEST = 250
"""Levels of folders that are gone down at most: each holds a descriptor, of which a process has 1,024 or so."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
What = Literal["file", "folder", "link", "other"]


class Entry(msgspec.Struct, frozen=True):
    """Something in a folder.

    Attributes:
        path: below the folder that the walk began in.
        name: the last part of the path.
        what: what it is; a link is not followed.
        folder: a descriptor of the folder that it is in, good until the walk goes on.
        stat: what the system says of it.
    """

    path: str
    name: str
    what: What
    folder: int
    stat: os.stat_result


class Walk:
    """Entries of a folder, by code point, each folder before what is in it.

    Args:
        fd: the folder, which is not closed.
        depth: levels to go down; 1 is the folder itself, None is all.
        enters: which folders are entered, by name.

    Attributes:
        skipped: what could not be looked into.
    """

    def __init__(self, fd: int, depth: int | None, enters: Callable[[str], bool]) -> None:
        self._fd, self._depth, self._enters = fd, depth, enters
        self.skipped: list[Skipped] = []

    def entries(self) -> Iterator[Entry]:
        """Each entry once."""
        yield from self._in(self._fd, "", 1)

    def _in(self, fd: int, at: str, level: int) -> Iterator[Entry]:
        for name in self._names(fd, at):
            path = at + name
            try:
                found = os.stat(encode_text(name), dir_fd=fd, follow_symlinks=False)
            except OSError as error:
                self.skipped.append(Skipped(path, reason(error)))
                continue
            what = _what(found.st_mode)
            yield Entry(path, name, what, fd, found)
            if what == "folder" and (self._depth is None or level < self._depth) and self._enters(name):
                yield from self._below(fd, name, path, level)

    def _below(self, fd: int, name: str, path: str, level: int) -> Iterator[Entry]:
        if level >= DEEPEST:
            self.skipped.append(Skipped(path, f"more than {DEEPEST} folders deep"))
            return
        try:
            below = os.open(encode_text(name), _FOLDER, dir_fd=fd)
        except OSError as error:
            self.skipped.append(Skipped(path, reason(error)))
            return
        try:
            yield from self._in(below, path + "/", level + 1)
        finally:
            os.close(below)

    def _names(self, fd: int, at: str) -> list[str]:
        """Names in the order that whole paths have: what is in a folder `a` comes after a file `a-b`."""
        try:
            with os.scandir(fd) as found:
                names = [entry.name + "/" * entry.is_dir(follow_symlinks=False) for entry in found]
            return [
                name.rstrip("/")
                for name in sorted(os.fsencode(each).decode("utf-8", "surrogateescape") for each in names)
            ]
        except OSError as error:
            self.skipped.append(Skipped(at.rstrip("/"), reason(error)))
            return []


def _what(mode: int) -> What:
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "folder"
    return "link" if stat.S_ISLNK(mode) else "other"
