"""Blocks that choose: one of two values, fields of tables and JSON by size, and yes and no combined."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dabhand.language.declarations import block
from dabhand.language.json_values import Json, items, number_of
from dabhand.language.kinds import BOOL, JSON, LINES, NUMBER, TABLE, TEXT, WORD, EvalError
from dabhand.language.numbers import exact_sum, read_number

if TYPE_CHECKING:
    from dabhand.language.kinds import Number

Table = tuple[tuple[str, ...], ...]
Lines = tuple[str, ...]


@block([BOOL, WORD, WORD], WORD, cost=2, python="({1} if {0} else {2})")
def word_if(choice: bool, word: str, other: str) -> str:
    """One of two words."""
    return word if choice else other


@block([BOOL, NUMBER, NUMBER], NUMBER, cost=2, python="({1} if {0} else {2})")
def number_if(choice: bool, number: Number, other: Number) -> Number:
    """One of two numbers."""
    return number if choice else other


@block([BOOL, TEXT, TEXT], TEXT, cost=3, python="({1} if {0} else {2})")
def text_if(choice: bool, text: str, other: str) -> str:
    """One of two texts."""
    return text if choice else other


@block([BOOL], BOOL, cost=1, python="(not {0})")
def not_(choice: bool) -> bool:
    """Whether something is not so."""
    return not choice


@block([BOOL, BOOL], BOOL, cost=2, python="({0} and {1})")
def both(choice: bool, other: bool) -> bool:
    """Whether both are so."""
    return choice and other


@block([BOOL, BOOL], BOOL, cost=2, python="({0} or {1})")
def either(choice: bool, other: bool) -> bool:
    """Whether at least one is so."""
    return choice or other


@block([WORD, NUMBER, TABLE], TABLE)
def rows_below(word: str, number: Number, table: Table) -> Table:
    """The rows whose cell in a column is a number smaller than a number, under the header."""
    index = _index(word, table)
    return (table[0], *[row for row in table[1:] if _filled(row, index) and read_number(row[index]) < number])


@block([WORD, NUMBER, TABLE], TABLE, cost=3)
def rows_from(word: str, number: Number, table: Table) -> Table:
    """The rows whose cell in a column is a number not smaller than a number, under the header."""
    index = _index(word, table)
    return (table[0], *[row for row in table[1:] if _filled(row, index) and read_number(row[index]) >= number])


def _index(word: str, table: Table) -> int:
    if not table or word not in table[0]:
        raise EvalError(f"there is no column {word!r}")
    return table[0].index(word)


def _filled(row: Lines, index: int) -> bool:
    return len(row) > index and bool(row[index].strip())


@block([WORD, WORD, WORD, TABLE], LINES, cost=3, suggests={0: (",", ": ", " ")})
def totals(mark: str, word: str, other: str, table: Table) -> Lines:
    """For each cell of one column, in order of first occurrence, that cell, a word, and the sum of another column."""
    key, value = _index(word, table), _index(other, table)
    groups: dict[str, list[Number]] = {}
    for row in table[1:]:
        if _filled(row, key) and _filled(row, value):
            groups.setdefault(row[key], []).append(read_number(row[value]))
    return tuple([f"{name}{mark}{_shown(exact_sum(tuple(numbers)))}" for name, numbers in groups.items()])


def _shown(number: Number) -> str:
    return str(number) if isinstance(number, int) else format(number, "f")


@block([WORD, NUMBER, JSON], JSON)
def items_below(word: str, number: Number, value: Json) -> Json:
    """Of an array of objects, those whose field with a name is a number smaller than a number."""
    return ("array", tuple([row for row in items(value) if any(each < number for each in _numbers(row, word))]))


@block([WORD, NUMBER, JSON], JSON, cost=3)
def items_from(word: str, number: Number, value: Json) -> Json:
    """Of an array of objects, those whose field with a name is a number not smaller than a number."""
    return ("array", tuple([row for row in items(value) if any(each >= number for each in _numbers(row, word))]))


def _numbers(row: Json, word: str) -> list[Number]:
    fields = row[1] if row[0] == "object" else ()
    return [number_of(item) for name, item in fields if name == word and item[0] == "number"]
