"""Which lines a pattern hits, fast: RE2 finds those that may, in one pass over the text; Python's engine decides.

RE2 is linear in the text but knows no look-around and only ASCII letters. So it is given a wider pattern: without
look-around and word boundaries, with classes of Unicode. It can only hit more lines, never fewer.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

_AROUND = ("(?=", "(?!", "(?<=", "(?<!")
_SPACE = r" \t\r\f\v\x1c-\x1f\x{85}\p{Z}"
_MEMORY = 64 << 20  # bytes for RE2's states of one pattern


def widened(pattern: str) -> str:
    """A pattern for RE2 that matches in every line in which Python's matches."""
    out: list[str] = []
    at = 0
    in_class = False
    while at < len(pattern):
        if not in_class and pattern.startswith(_AROUND, at):
            at = _end_of_group(pattern, at)
            continue
        char = pattern[at]
        if char == "\\":
            out.append(_escape(pattern[at + 1], in_class))
            at += 2
            continue
        if char == "[" and not in_class:
            in_class = True
            out.append("[")
            at += 1
            if pattern[at : at + 1] == "^":
                out.append("^")
                at += 1
            if pattern[at : at + 1] == "]":
                out.append(r"\]")
                at += 1
            continue
        if char == "]" and in_class:
            in_class = False
        out.append(r"\[" if char == "[" and in_class else char)
        at += 1
    return "".join(out)


def _escape(letter: str, in_class: bool) -> str:
    match letter:
        case "b" if not in_class:
            return ""
        case "w":
            return r"\pL\pN_\p{M}" if in_class else r"[\pL\pN_\p{M}]"
        case "s":
            return _SPACE if in_class else f"[{_SPACE}]"
        case "d":
            return r"\p{Nd}"
        case _:
            return "\\" + letter


def _end_of_group(pattern: str, start: int) -> int:
    depth = 0
    at = start
    in_class = False
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at += 2
            continue
        if char == "[" and not in_class:
            in_class = True
            if pattern[at + 1 : at + 2] == "]" or pattern[at + 1 : at + 3] == "^]":
                at += 2
        elif char == "]" and in_class:
            in_class = False
        elif not in_class and char == "(":
            depth += 1
        elif not in_class and char == ")":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    raise ValueError(f"A group of {pattern!r} does not end.")


@lru_cache(maxsize=200)
def wide(pattern: str) -> Any:
    """A widened pattern, for RE2; it searches bytes."""
    # Imported here: only long logs need it.
    import re2

    options = re2.Options()
    options.max_mem = _MEMORY
    options.log_errors = False
    return re2.compile(f"(?m:{widened(pattern)})", options)


def may_hit(pattern: str, text: bytes, starts: list[int]) -> Iterator[int]:
    """The places of the lines in which a pattern may match, in order.

    Args:
        pattern: for Python's engine, without flags.
        text: UTF-8.
        starts: where each line begins in it, in bytes.
    """
    search = wide(pattern).search
    at = 0
    place = 0
    while (match := search(text, at)) is not None:
        place = bisect_right(starts, match.start(), lo=place) - 1
        yield place
        if place + 1 >= len(starts):
            return
        at = starts[place + 1]


def hits(pattern: str, lines: list[str]) -> Iterator[int]:
    """The places of the lines in which a pattern matches."""
    search = re.compile(pattern).search
    return (place for place, line in enumerate(lines) if search(line))
