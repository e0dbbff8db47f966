"""Blocks over lists of lines: every so many of them, numbered, those that come again, each several times."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dabhand.language.declarations import block
from dabhand.language.kinds import LINES, NUMBER, WORD
from dabhand.language.limits import check_size
from dabhand.language.lines import Lines, place

if TYPE_CHECKING:
    from dabhand.language.kinds import Number


@block([NUMBER, LINES], LINES, cost=2, suggests={0: (2, 3)})
def every(number: Number, lines: Lines) -> Lines:
    """The first line, and then always the line that comes so many further on."""
    return lines[:: place(number)]


@block([NUMBER, LINES], LINES, cost=2, suggests={0: (2, 3)})
def every_last(number: Number, lines: Lines) -> Lines:
    """Of every so many lines the last one."""
    return lines[place(number) - 1 :: place(number)]


@block([WORD, LINES], LINES, cost=3, suggests={0: (". ", ": ", " ", "\t", ") ")})
def counted(word: str, lines: Lines) -> Lines:
    """Every line after its number (the first is 1) and a word."""
    check_size(len(word) * len(lines))
    return tuple([f"{number}{word}{line}" for number, line in enumerate(lines, 1)])


@block([LINES], LINES, cost=3)
def recurring(lines: Lines) -> Lines:
    """The lines that occur more than once, each once, in order of first occurrence."""
    return tuple([line for line, size in Counter(lines).items() if size > 1])


@block([LINES], LINES, cost=3)
def unrepeated(lines: Lines) -> Lines:
    """The lines that occur only once."""
    counts = Counter(lines)
    return tuple([line for line in lines if counts[line] == 1])


@block([NUMBER, LINES], LINES, cost=3, suggests={0: (2,)})
def echoed(number: Number, lines: Lines) -> Lines:
    """Every line so many times."""
    times = place(number)
    check_size(times * sum(map(len, lines)))
    return tuple([line for line in lines for _ in range(times)])


@block([LINES], LINES, cost=3, python="tuple(line for line in {0} if not line)")
def empty_ones(lines: Lines) -> Lines:
    """The lines that hold nothing."""
    return tuple([line for line in lines if not line])


@block([LINES], LINES)
def consonants(lines: Lines) -> Lines:
    """Those of the lines that are one consonant: a letter from a to z, small or capital, and no vowel."""
    return tuple([line for line in lines if len(line) == 1 and line.lower() in "bcdfghjklmnpqrstvwxyz"])
