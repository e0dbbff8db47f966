"""What changes would look like, as a unified diff for people and for `patch`-minded programs."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator

from dabhand.workspace import Change, File, Link, Node

LONGEST = 64 << 10
MOST_LINES = 2000
"""A file larger than this, before or after, is said in one line: comparing takes long, and nobody reads that much."""

MOST_DELETED = 20
"""Lines of a file that is deleted which are shown; one with more is said in one line."""


def unified(changes: Iterable[Change]) -> str:
    """The difference, path by path; what is no text, or too long, in one line each."""
    return "".join(line + "\n" for change in changes for line in _of(change))


def _of(change: Change) -> Iterator[str]:
    before, after = change.before, change.after
    name = shown_name(change.path)
    if change.kind == "mode" and isinstance(after, File):
        yield f"{name} becomes {'' if after.executable else 'not '}executable"
    elif _is_text(before) and _is_text(after) and (before is None or after is None or before != after):
        yield from _lines(name, before, after)
    else:
        yield f"{_what(before)} {name} becomes {_what(after)}" if before and after else _in_one_line(name, change)


def _in_one_line(name: str, change: Change) -> str:
    if change.before is None:
        return f"new {_what(change.after)} {name}"
    return f"deleted {_what(change.before)} {name}"


def _lines(name: str, before: Node | None, after: Node | None) -> Iterator[str]:
    assert not isinstance(before, Link) and not isinstance(after, Link)
    old, new = _split(before), _split(after)
    sides = ("/dev/null" if before is None else f"a/{name}", "/dev/null" if after is None else f"b/{name}")
    if after is None and len(old) > MOST_DELETED:
        yield f"deleted file of {len(old):,} lines {name}"
        return
    if not old and not new:
        yield f"{'deleted' if after is None else 'new'} empty file {name}"
        return
    for line in difflib.unified_diff(old, new, *sides, lineterm=""):
        if line.endswith("\n") or line.startswith(("---", "+++", "@@")):
            yield line.removesuffix("\n")
        else:
            yield line
            yield "\\ No newline at end of file"


def _split(node: Node | None) -> list[str]:
    r"""Lines with their ends, which is "\n" alone: what else looks like an end is part of a line."""
    if not isinstance(node, File):
        return []
    parts = node.text.split("\n")
    return [part + "\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _is_text(node: Node | None) -> bool:
    """Nothing, or a file that can be shown line by line."""
    if node is None:
        return True
    if not isinstance(node, File) or len(node.data) > LONGEST or b"\0" in node.data:
        return False
    try:
        return node.data.decode().count("\n") <= MOST_LINES
    except UnicodeDecodeError:
        return False


def _what(node: Node | None) -> str:
    match node:
        case None:
            return "nothing"
        case File(data):
            kind = "file" if _is_plain(data) else "binary file"
            return f"{kind} of {len(data):,} bytes"
        case Link(target):
            return f"link to {shown_name(target)}"
        case _:
            return "folder"


def _is_plain(data: bytes) -> bool:
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False


def shown_name(path: str) -> str:
    r"""A path in a line of its own: with what is not printable, such as a newline, as an escape."""
    if path.isprintable() and "\\" not in path:
        return path
    escaped = "".join(letter if letter.isprintable() else _escape(letter) for letter in path.replace("\\", "\\\\"))
    return f'"{escaped}"'


def _escape(letter: str) -> str:
    return "".join(f"\\{byte:03o}" for byte in letter.encode("utf-8", "surrogateescape"))
