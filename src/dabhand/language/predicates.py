"""Primitives that say yes or no about texts, lines, words and numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dabhand.language.declarations import primitive
from dabhand.language.kinds import BOOL, LINES, NUMBER, TEXT, WORD
from dabhand.language.lines import Lines, sort
from dabhand.language.numbers import NUMBER_TEXT

if TYPE_CHECKING:
    from dabhand.language.kinds import Number


@primitive([TEXT], BOOL, cost=1, python="not {0}")
def empty(text: str) -> bool:
    """Whether the text is empty."""
    return not text


@primitive([TEXT], BOOL, cost=1, python="{0}.endswith('\\n')")
def ends_in_newline(text: str) -> bool:
    """Whether the text ends in a newline."""
    return text.endswith("\n")


@primitive([TEXT], BOOL, cost=1)
def is_unicode(text: str) -> bool:
    """Whether all bytes of the text are characters in UTF-8, and none is NUL."""
    return (text.isascii() or not any("\udc80" <= char <= "\udcff" for char in text)) and "\0" not in text


@primitive([TEXT, TEXT], BOOL, cost=2)
def same(text: str, other: str) -> bool:
    """Whether two texts are equal."""
    return text == other


@primitive([WORD, TEXT], BOOL, cost=2)
def contains(word: str, text: str) -> bool:
    """Whether a word, taken literally, occurs in a text."""
    return word in text


@primitive([LINES], BOOL, cost=2)
def is_sorted(lines: Lines) -> bool:
    """Whether the lines are in byte order."""
    return sort(lines) == lines


@primitive([LINES], BOOL, cost=2)
def has_repeats(lines: Lines) -> bool:
    """Whether some line occurs twice."""
    return len(set(lines)) < len(lines)


@primitive([LINES], BOOL, cost=1, python="not {0}")
def none(lines: Lines) -> bool:
    """Whether there are no lines."""
    return not lines


@primitive([LINES], BOOL, cost=2)
def all_numbers(lines: Lines) -> bool:
    """Whether every line is a number."""
    return all(NUMBER_TEXT.match(line) for line in lines)


@primitive([WORD, WORD], BOOL, cost=2, suggests={0: ("-",)})
def begins(word: str, other: str) -> bool:
    """Whether the second word begins with the first."""
    return other.startswith(word)


@primitive([WORD, WORD], BOOL, cost=2, suggests={0: ("/", "\\")})
def within(word: str, other: str) -> bool:
    """Whether the first word occurs in the second."""
    return word in other


@primitive([NUMBER, NUMBER], BOOL, cost=2, suggests={0: (0,)})
def less(number: Number, other: Number) -> bool:
    """Whether the first number is smaller than the second."""
    return number < other
