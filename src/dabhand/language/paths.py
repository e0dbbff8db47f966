"""Primitives over paths, and those that look into the folder."""

from __future__ import annotations

from dabhand.language.declarations import FolderView, primitive
from dabhand.language.kinds import BOOL, LINES, PATH, TEXT, WORD, EvalError
from dabhand.language.lines import Lines


@primitive([PATH], TEXT, cost=1, reads_folder=True)
def text(folder: FolderView, path: str) -> str:
    """The text of a file."""
    found = folder.text(path)
    if found is None:
        raise EvalError("there is no such file")
    return found


@primitive([PATH], LINES, cost=2, reads_folder=True)
def names(folder: FolderView, path: str) -> Lines:
    """The names in a folder, hidden ones too, in byte order."""
    found = folder.names(path)
    if found is None:
        raise EvalError("there is no such folder")
    return found


@primitive([LINES], LINES, cost=1, python="tuple(name for name in {0} if not name.startswith('.'))")
def visible(names: Lines) -> Lines:
    """The names that do not begin with a point."""
    return tuple([name for name in names if name[:1] != "."])


@primitive([PATH], WORD, cost=2)
def name(path: str) -> str:
    """The last part of a path."""
    bare = path.rstrip("/")
    return bare.rpartition("/")[2] if bare else path[:1]


@primitive([PATH], PATH, cost=2)
def parent(path: str) -> str:
    """The path without its last part; "." where there is only one part."""
    bare = path.rstrip("/")
    if not bare:
        return path[:1] or "."
    head, slash, _ = bare.rpartition("/")
    return head.rstrip("/") or slash or "."


@primitive([PATH, WORD], PATH, cost=2)
def inside(path: str, word: str) -> str:
    """The path of a name in a folder."""
    return word if path == "." else f"{path.rstrip('/')}/{word}"


@primitive([PATH], WORD, cost=1, python="{0}")
def spelled(path: str) -> str:
    """A path as a word, as it is written."""
    return path


@primitive([WORD], PATH, cost=3, python="{0}")
def path(word: str) -> str:
    """A word as a path."""
    return word


@primitive([WORD], WORD, cost=3)
def stem(word: str) -> str:
    """A file name without its last suffix: what is before the last point, unless that begins the name."""
    before, point, _ = word.rpartition(".")
    return before if point and before.strip(".") else word


@primitive([WORD], WORD, cost=3)
def suffix(word: str) -> str:
    """The last suffix of a file name, with its point; empty where it has none."""
    before, point, after = word.rpartition(".")
    return point + after if point and before.strip(".") else ""


@primitive([PATH], BOOL, cost=1, reads_folder=True)
def is_file(folder: FolderView, path: str) -> bool:
    """Whether there is a file."""
    return folder.kind(path) == "file"


@primitive([PATH], BOOL, cost=1, reads_folder=True)
def is_folder(folder: FolderView, path: str) -> bool:
    """Whether there is a folder."""
    return folder.kind(path) == "folder"


@primitive([PATH, PATH], BOOL, cost=1)
def same_path(path: str, other: str) -> bool:
    """Whether two paths are spelled alike."""
    return path == other
