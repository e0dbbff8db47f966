"""Primitives over lists of lines: order, repetition, choice.

A line may carry the newline that ends it (`records`) or not (`lines`): what looks into a line works on the part before
a final newline and keeps the end.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import groupby, takewhile
from operator import eq
from typing import TYPE_CHECKING, Any

from dabhand.language.declarations import primitive
from dabhand.language.kinds import LINES, NUMBER, NUMBERS, WORD, EvalError
from dabhand.language.limits import to_bytes

if TYPE_CHECKING:
    from dabhand.language.kinds import Number

Lines = tuple[str, ...]


def whole(number: Number) -> int:
    """The number as an int.

    Raises:
        EvalError: it is not a whole number.
    """
    if isinstance(number, int):
        return number
    raise EvalError(f"{number} is not a whole number")


def place(number: Number) -> int:
    """The number as that of a line, counted from 1.

    Raises:
        EvalError: it is none.
    """
    if not isinstance(number, int) or number < 1:
        raise EvalError(f"there is no line number {number}")
    return number


# Order


@primitive([LINES], LINES, python="tuple(sorted({0}, key=lambda line: line.encode('utf-8', 'surrogateescape')))")
def sort(lines: Lines) -> Lines:
    """The lines in byte order."""
    # Of characters, the order of code points is that of their bytes in UTF-8; bytes that are none are surrogates here.
    everything = "".join(lines)
    has_raw = not everything.isascii() and _RAW_BYTE.search(everything) is not None
    return tuple(sorted(lines, key=to_bytes if has_raw else None))


_RAW_BYTE = re.compile("[\udc80-\udcff]")


_LEADING_NUMBER = re.compile(r"[ \t]*(-?)([0-9]*)(?:\.([0-9]*))?")


@lru_cache(maxsize=65536)
def leading_number(line: str) -> tuple[Any, bytes]:
    """Sort key: the number a line begins with (blanks, a minus, digits, a point, digits; else 0), then the bytes."""
    found = _LEADING_NUMBER.match(line)
    sign, before, after = found.groups("") if found else ("", "", "")
    after = after.rstrip("0")
    if not after and len(before) < 300:
        return int(sign + (before or "0")), to_bytes(line)
    from decimal import Decimal

    return Decimal(f"{sign}{before or '0'}.{after or '0'}"), to_bytes(line)


@primitive([LINES], LINES)
def sort_numbers(lines: Lines) -> Lines:
    """The lines in order of the number that each begins with (none counts as 0), equal ones in byte order."""
    return tuple(sorted(lines, key=leading_number))


@lru_cache(maxsize=65536)
def _folded_key(line: str) -> tuple[bytes, bytes]:
    data = to_bytes(line)
    return data.upper(), data


@primitive([LINES], LINES, cost=3)
def sort_folded(lines: Lines) -> Lines:
    """The lines sorted as if a-z were A-Z, equal ones in byte order."""
    return tuple(sorted(lines, key=_folded_key))


@primitive([LINES], LINES, python="{0}[::-1]")
def reverse(lines: Lines) -> Lines:
    """The lines, last one first."""
    return lines[::-1]


# Repetition


@primitive([LINES], LINES)
def unique(lines: Lines) -> Lines:
    """The lines without those that equal the line just before."""
    return tuple([line for line, _ in groupby(lines)]) if has_neighbours(lines) else lines


@primitive([LINES], LINES, python="tuple(dict.fromkeys({0}))")
def distinct(lines: Lines) -> Lines:
    """The lines without those that occurred anywhere before."""
    return tuple(dict.fromkeys(lines))


def has_neighbours(lines: Lines) -> bool:
    """Whether some line equals the one before; most lists have none, and this is much quicker than their runs."""
    return any(map(eq, lines, lines[1:]))


def runs(lines: Lines) -> list[tuple[int, str]]:
    """Runs of equal neighbours: how many, and which line."""
    return [(len(list(run)), line) for line, run in groupby(lines)]


@primitive([LINES], LINES, cost=3)
def repeated(lines: Lines) -> Lines:
    """One line of each run of two or more equal neighbours."""
    return tuple([line for size, line in runs(lines) if size > 1]) if has_neighbours(lines) else ()


@primitive([LINES], LINES, cost=3)
def single(lines: Lines) -> Lines:
    """The lines that differ from both neighbours."""
    return tuple([line for size, line in runs(lines) if size == 1]) if has_neighbours(lines) else lines


@primitive([LINES], LINES, cost=3)
def tally(lines: Lines) -> Lines:
    """One line of each run of equal neighbours, after the run's length in seven columns and a space."""
    if has_neighbours(lines):
        return tuple([f"{size:7d} {line}" for size, line in runs(lines)])
    return tuple(["      1 " + line for line in lines])


@primitive([LINES], WORD, cost=3)
def most_common(lines: Lines) -> str:
    """The line that occurs most often; the first of them when several do."""
    if not lines:
        raise EvalError("there is no most common line of none")
    return Counter(lines).most_common(1)[0][0]


# Choice by place


@primitive([NUMBER, LINES], LINES, cost=1, suggests={0: (1,)})
def first(number: Number, lines: Lines) -> Lines:
    """The first so many lines; a negative number leaves out so many at the end."""
    return lines[: number if type(number) is int else whole(number)]


@primitive([NUMBER, LINES], LINES, cost=1, suggests={0: (1,)})
def last(number: Number, lines: Lines) -> Lines:
    """The last so many lines (a minus makes no difference)."""
    size = number if type(number) is int and number > 0 else abs(whole(number))
    return lines[-size:] if size else ()


@primitive([NUMBER, LINES], LINES, cost=2)
def without_last(number: Number, lines: Lines) -> Lines:
    """The lines except the last so many."""
    return lines[: max(len(lines) - abs(whole(number)), 0)]


@primitive([NUMBER, LINES], LINES, cost=2, suggests={0: (2,)})
def starting(number: Number, lines: Lines) -> Lines:
    """The lines from a line number on; the first line has number 1 (0 means the same)."""
    start = whole(number)
    if start < 0:
        raise EvalError(f"there is no line number {start}")
    return lines[max(start - 1, 0) :]


@primitive([NUMBER, NUMBER, LINES], LINES, cost=2)
def between(number: Number, to: Number, lines: Lines) -> Lines:
    """The lines from one line number to another, both included, and at least the first of them."""
    start = place(number)
    return lines[start - 1 : max(start, whole(to))]


@primitive([NUMBER, LINES], LINES, cost=2)
def without(number: Number, lines: Lines) -> Lines:
    """The lines except the one with a line number."""
    skip = place(number)
    return lines[: skip - 1] + lines[skip:]


@primitive([NUMBER, LINES], WORD, cost=2, suggests={0: (1,)})
def item(number: Number, lines: Lines) -> str:
    """The line with a line number, as a word."""
    index = place(number)
    if index > len(lines):
        raise EvalError(f"there is no line {index} among {len(lines)}")
    return lines[index - 1]


# Choice by content


@primitive([LINES], LINES, cost=3, python="tuple(line for line in {0} if line.strip())")
def nonblank(lines: Lines) -> Lines:
    """The lines that hold more than white space."""
    return tuple([line for line in lines if line and not line.isspace()])


@primitive([LINES], LINES, cost=3)
def squeeze_empty(lines: Lines) -> Lines:
    """The lines with every run of empty ones made a single one."""
    pairs = zip(("x", *lines), lines, strict=False)
    return tuple([line for before, line in pairs if line.strip("\n") or before.strip("\n")])


@primitive([LINES], WORD, cost=3)
def longest(lines: Lines) -> str:
    """The line with most characters; the first of them when several have as many."""
    if not lines:
        raise EvalError("there is no longest line of none")
    return max(lines, key=len)


@primitive([LINES], WORD, cost=3)
def shortest(lines: Lines) -> str:
    """The line with fewest characters; the first of them when several have as many."""
    if not lines:
        raise EvalError("there is no shortest line of none")
    return min(lines, key=len)


@primitive([LINES, LINES], LINES, cost=3)
def absent(lines: Lines, others: Lines) -> Lines:
    """The lines of the first list that do not occur in the second."""
    known = set(others)
    return tuple([line for line in lines if line not in known])


@primitive([LINES, LINES], LINES, cost=3)
def common(lines: Lines, others: Lines) -> Lines:
    """The lines of the first list that also occur in the second."""
    known = set(others)
    return tuple([line for line in lines if line in known])


def is_legible(line: str) -> bool:
    """Whether all bytes of a line are characters."""
    return line.isascii() or not any("\udc80" <= char <= "\udcff" for char in line)


@primitive([LINES], LINES, cost=1)
def legible(lines: Lines) -> Lines:
    """The lines without those that hold bytes which are no character."""
    return lines if "".join(lines).isascii() else tuple([line for line in lines if is_legible(line)])


@primitive([LINES], LINES, cost=1)
def before_illegible(lines: Lines) -> Lines:
    """The lines before the first that holds bytes which are no character."""
    return lines if "".join(lines).isascii() else tuple(takewhile(is_legible, lines))


# Measure


@primitive([LINES], NUMBER, cost=1, python="len({0})")
def count(lines: Lines) -> int:
    """How many lines there are."""
    return len(lines)


@primitive([LINES], NUMBERS, cost=3, python="tuple(map(len, {0}))")
def lengths(lines: Lines) -> tuple[int, ...]:
    """How many characters each line has."""
    return tuple(map(len, lines))
