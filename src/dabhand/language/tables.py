"""Primitives over tables: columns of delimited lines, and CSV with quoting and a header."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from dabhand.language.declarations import primitive
from dabhand.language.each_line import body_and_end
from dabhand.language.kinds import LINES, NUMBER, TABLE, TEXT, WORD, EvalError
from dabhand.language.limits import to_bytes
from dabhand.language.lines import Lines, whole
from dabhand.language.numbers import read_number

if TYPE_CHECKING:
    from dabhand.language.kinds import Number

Table = tuple[tuple[str, ...], ...]


@primitive([WORD, NUMBER, LINES], LINES, suggests={0: (",", "\t", " "), 1: (1, 2)})
def field(word: str, number: Number, lines: Lines) -> Lines:
    """Of every line the field with a number, between delimiters; lines without the delimiter stay whole."""
    index = whole(number)
    if index < 1 or len(to_bytes(word)) > 1:
        raise EvalError(f"there are no fields {index} between {word!r}")
    delimiter = word or "\0"
    made = []
    has_ends = "\n" in "".join(lines)
    for line in lines:
        body, end = body_and_end(line) if has_ends else (line, "")
        parts = body.split(delimiter)
        made.append((body if len(parts) == 1 else parts[index - 1] if index <= len(parts) else "") + end)
    return tuple(made)


@lru_cache(maxsize=1024)
def read_csv(text: str) -> Table:
    """Header and rows of comma-separated values (RFC 4180 quoting), blank lines left out.

    Raises:
        EvalError: it is none, or has no header.
    """
    import csv
    import io

    # A StringIO ends its lines at \n, \r and \r\n alone; str.splitlines would end them at U+2028 and others too.
    try:
        rows = tuple(
            [tuple(row) for row in csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True) if row]
        )
    except csv.Error as error:
        raise EvalError(f"this is not CSV: {error}") from error
    if not rows:
        raise EvalError("there is no header in an empty table")
    return rows


@primitive([TEXT], TABLE, cost=2)
def csv(text: str) -> Table:
    """The table that a text of comma-separated values is, header first."""
    return read_csv(text)


@primitive([TABLE], LINES, cost=2, python="{0}[0]")
def header(table: Table) -> Lines:
    """The names of the columns."""
    if not table:
        raise EvalError("there is no header in an empty table")
    return table[0]


def _column(word: str, table: Table) -> int:
    if not table or word not in table[0]:
        raise EvalError(f"there is no column {word!r}")
    return table[0].index(word)


@primitive([WORD, TABLE], LINES)
def column(word: str, table: Table) -> Lines:
    """The cells of the column with a name, without the header; rows too short for it left out."""
    index = _column(word, table)
    return tuple([row[index] for row in table[1:] if len(row) > index])


@primitive([NUMBER, TABLE], LINES, suggests={0: (1, 2, 3)})
def column_at(number: Number, table: Table) -> Lines:
    """The cells of the column with a number, without the header; rows too short for it left out."""
    index = whole(number) - 1
    if not table or not 0 <= index < len(table[0]):
        raise EvalError(f"there is no column number {index + 1}")
    return tuple([row[index] for row in table[1:] if len(row) > index])


@primitive([WORD, WORD, TABLE], TABLE)
def rows_where(word: str, other: str, table: Table) -> Table:
    """The rows whose cell in a column equals a word, under the header."""
    index = _column(word, table)
    return table[:1] + tuple([row for row in table[1:] if len(row) > index and row[index] == other])


@primitive([WORD, NUMBER, TABLE], TABLE)
def rows_above(word: str, number: Number, table: Table) -> Table:
    """The rows whose cell in a column is a number larger than a number, under the header."""
    index = _column(word, table)
    return table[:1] + tuple([row for row in table[1:] if _larger(row, index, number)])


def _larger(row: tuple[str, ...], index: int, number: Any) -> bool:
    return len(row) > index and bool(row[index].strip()) and bool(read_number(row[index]) > number)


@primitive([TABLE], TEXT, cost=2)
def as_csv(table: Table) -> str:
    """The table as comma-separated values, quoted where necessary."""
    import csv
    import io

    made = io.StringIO()
    try:
        csv.writer(made, lineterminator="\n").writerows(table)
    except csv.Error as error:
        raise EvalError(f"this is no table: {error}") from error
    return made.getvalue()
