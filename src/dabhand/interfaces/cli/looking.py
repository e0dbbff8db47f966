"""A look at a file or a folder: bounded, and with everything that a terminal would act on shown as an escape."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from dabhand.errors import DabhandError
from dabhand.workspace import ConfinedFolder

PAGE = 20
"""Lines, or names, that are shown at once."""
MAX_BYTES = 1 << 20
"""Of a file, that are looked at."""
MAX_WIDTH = 400
"""Characters of a line, at most."""


class Look(msgspec.Struct, frozen=True):
    """A part of a file or folder.

    Attributes:
        path: which.
        lines: with their numbers (of names in a folder as well).
        total: how many there are; of a file of more than `MAX_BYTES`, in its beginning.
        following: where to go on; None at the end.
        note: what else is to be said of it.
    """

    path: str
    lines: tuple[tuple[int, str], ...]
    total: int
    following: int | None = None
    note: str = ""


def look_at(root: Path, path: str, start: int = 1) -> Look:
    """Look at an entry of a folder.

    Raises:
        DabhandError: it is not there, leads out of the folder, or cannot be read.
    """
    with ConfinedFolder(root) as folder:
        inside = "" if path == "." else path
        if not inside or _is_folder(folder, inside):
            page = _page(path, folder.names(inside), start, empty="it is empty")
            return msgspec.structs.replace(page, lines=tuple(_marked(folder, inside, *line) for line in page.lines))
        data = folder.read(path, limit=MAX_BYTES + 1)
    if b"\0" in data[:8192]:
        size = f"{len(data)} bytes" if len(data) <= MAX_BYTES else f"more than {MAX_BYTES} bytes"
        return Look(path, (), 0, note=f"it is no text: {size}")
    cut = len(data) > MAX_BYTES
    text = data[:MAX_BYTES].decode("utf-8", "surrogateescape")
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return _page(path, lines, start, empty="it is empty", note=f"only its first {MAX_BYTES} bytes" if cut else "")


def _is_folder(folder: ConfinedFolder, path: str) -> bool:
    try:
        with folder.folder(path):
            return True
    except (DabhandError, OSError):
        return False


def _marked(folder: ConfinedFolder, inside: str, number: int, name: str) -> tuple[int, str]:
    """A name, with a slash where it is that of a folder."""
    path = f"{inside}/{name}" if inside else name
    return number, name + "/" if _is_folder(folder, path) else name


def _page(path: str, lines: Sequence[str], start: int, *, empty: str, note: str = "") -> Look:
    shown = [(number, _bounded(line)) for number, line in enumerate(lines, 1)][start - 1 : start - 1 + PAGE]
    following = start + PAGE if start - 1 + PAGE < len(lines) else None
    return Look(path, tuple(shown), len(lines), following, note or ("" if lines else empty))


def _bounded(line: str) -> str:
    return line if len(line) <= MAX_WIDTH else f"{line[:MAX_WIDTH]}… ({len(line)} characters)"
