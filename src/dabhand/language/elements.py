"""Blocks that do something with every element of a list: change, choose, order, measure, combine."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from dabhand.language.declarations import block
from dabhand.language.kinds import LINES, NUMBER, NUMBERS, TABLE, WORD, EvalError, Kind
from dabhand.language.lines import Lines
from dabhand.language.numbers import NUMBER_TEXT, Numbers, read_number

if TYPE_CHECKING:
    from dabhand.language.kinds import Number

Table = tuple[tuple[str, ...], ...]
Each = Callable[..., Any]


@block([Kind.WORD_TO_WORD, LINES], LINES, cost=1, python="tuple(map({0}, {1}))")
def each(function: Each, lines: Lines) -> Lines:
    """What comes of every line."""
    return tuple(map(function, lines))


@block([Kind.WORD_TO_BOOL, LINES], LINES, cost=1, python="tuple(filter({0}, {1}))")
def where(function: Each, lines: Lines) -> Lines:
    """The lines of which something is so."""
    return tuple(filter(function, lines))


@block([Kind.WORD_TO_BOOL, LINES], LINES, cost=2)
def where_not(function: Each, lines: Lines) -> Lines:
    """The lines of which something is not so."""
    return tuple([line for line in lines if not function(line)])


@block([Kind.WORD_TO_NUMBER, LINES], NUMBERS, cost=1, python="tuple(map({0}, {1}))")
def measured(function: Each, lines: Lines) -> Numbers:
    """The number that comes of every line."""
    return tuple(map(function, lines))


@block([Kind.WORD_TO_NUMBER, LINES], LINES, cost=2, python="tuple(sorted({1}, key={0}))")
def ordered_by(function: Each, lines: Lines) -> Lines:
    """The lines in order of the number that comes of each, equal ones as they were."""
    return tuple(sorted(lines, key=function))


@block([Kind.WORD_TO_NUMBER, LINES], LINES, cost=2, python="tuple(sorted({1}, key={0}, reverse=True))")
def ordered_down_by(function: Each, lines: Lines) -> Lines:
    """The lines in order of the number that comes of each, the largest first, equal ones as they were."""
    return tuple(sorted(lines, key=function, reverse=True))


@block([Kind.WORD_TO_WORD, LINES], LINES, cost=2, python="tuple(sorted({1}, key={0}))")
def ordered_as(function: Each, lines: Lines) -> Lines:
    """The lines in order of the word that comes of each, equal ones as they were."""
    return tuple(sorted(lines, key=function))


@block([Kind.NUMBER_TO_NUMBER, NUMBERS], NUMBERS, cost=1, python="tuple(map({0}, {1}))")
def each_number(function: Each, numbers: Numbers) -> Numbers:
    """What comes of every number."""
    return tuple(map(function, numbers))


@block([Kind.NUMBER_TO_BOOL, NUMBERS], NUMBERS, cost=1, python="tuple(filter({0}, {1}))")
def numbers_where(function: Each, numbers: Numbers) -> Numbers:
    """The numbers of which something is so."""
    return tuple(filter(function, numbers))


@block([Kind.TWO_TO_NUMBER, NUMBER, NUMBERS], NUMBERS, cost=1)
def each_number_with(function: Each, number: Number, numbers: Numbers) -> Numbers:
    """What comes of every number together with one and the same number."""
    return tuple([function(one, number) for one in numbers])


@block([Kind.TWO_TO_BOOL, NUMBER, NUMBERS], NUMBERS, cost=1)
def numbers_where_with(function: Each, number: Number, numbers: Numbers) -> Numbers:
    """The numbers of which something is so, together with one and the same number."""
    return tuple([one for one in numbers if function(one, number)])


@block([Kind.TWO_TO_NUMBER, NUMBERS, NUMBERS], NUMBERS, cost=1)
def paired(function: Each, numbers: Numbers, others: Numbers) -> Numbers:
    """What comes of every two numbers at the same place of two lists, as far as both go."""
    return tuple(map(function, numbers, others))


@block([Kind.TWO_TO_NUMBER, NUMBERS], NUMBERS, cost=1)
def running(function: Each, numbers: Numbers) -> Numbers:
    """The first number, and then what comes of the last result and each further number."""
    return tuple(accumulate(numbers, function))


# Rows of tables: a row is the list of its cells


def _rows(table: Table) -> Table:
    if not table:
        raise EvalError("there is no header in an empty table")
    return table[1:]


@block([Kind.ROW_TO_WORD, TABLE], LINES, cost=1, python="tuple(map({0}, {1}[1:]))")
def each_row(function: Each, table: Table) -> Lines:
    """What comes of every row below the header."""
    return tuple(map(function, _rows(table)))


@block([Kind.ROW_TO_BOOL, TABLE], TABLE, cost=1)
def rows_such(function: Each, table: Table) -> Table:
    """The rows of which something is so, under the header."""
    rows = _rows(table)
    return (table[0], *[row for row in rows if function(row)])


@block([TABLE], TABLE, cost=2, python="{0}[1:]")
def body(table: Table) -> Table:
    """The rows below the header."""
    return _rows(table)


@block([WORD, TABLE], TABLE, cost=2)
def rows_by(word: str, table: Table) -> Table:
    """The rows in order of their cells in a column, numbers by size and before words, under the header."""
    if not table or word not in table[0]:
        raise EvalError(f"there is no column {word!r}")
    index = table[0].index(word)
    return (table[0], *sorted([row for row in table[1:] if len(row) > index], key=lambda row: cell_key(row[index])))


def cell_key(cell: str) -> tuple[int, Any, str]:
    """How cells are ordered: numbers by size, then words."""
    return (0, read_number(cell), "") if NUMBER_TEXT.match(cell) else (1, 0, cell)
