"""What the tasks ask for, in plain Python: the host's own idea of a sorted file, a line count and so on.

A text is lines that end at a newline; the last may lack it and is a line all the same. What is made of lines is written
with a newline after each of them.
"""

from __future__ import annotations

from collections.abc import Iterable


def lines_of(text: str) -> list[str]:
    """The lines of a text, without their newlines."""
    found = text.split("\n")
    return found[:-1] if found[-1] == "" else found


def written(lines: Iterable[str]) -> str:
    """A text of these lines."""
    return "".join(line + "\n" for line in lines)


def containing(word: str, lines: Iterable[str]) -> list[str]:
    """The lines in which a word occurs."""
    return [line for line in lines if word in line]


def without(word: str, lines: Iterable[str]) -> list[str]:
    """The lines in which a word does not occur."""
    return [line for line in lines if word not in line]


def by_number(lines: Iterable[str]) -> list[str]:
    """Lines that are whole numbers, smallest first."""
    return sorted(lines, key=int)


def distinct(lines: Iterable[str]) -> list[str]:
    """Each line once, in alphabetical order (by code point)."""
    return sorted(set(lines))


def mirrored(lines: Iterable[str]) -> list[str]:
    """Each line with its characters in reverse order."""
    return [line[::-1] for line in lines]


def numbered(lines: Iterable[str]) -> list[str]:
    """Each line with its number before it, as tables of contents have it: right-aligned in six columns, then a tab."""
    return [f"{number:6}\t{line}" for number, line in enumerate(lines, 1)]


def beside(left: list[str], right: list[str]) -> list[str]:
    """Two columns with a tab between; the shorter one is filled up with nothing."""
    rows = max(len(left), len(right))
    return ["\t".join(column[row] if row < len(column) else "" for column in (left, right)) for row in range(rows)]


def words_of(text: str) -> list[str]:
    """The words of a text: what stands between blanks."""
    return text.split()


def size_of(text: str) -> int:
    """Bytes of a text."""
    return len(text.encode())
