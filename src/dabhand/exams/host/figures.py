"""What coding tasks ask for, in plain Python: sums and averages, tables and records, words and letters.

Numbers are fractions, so nothing is lost on the way; they are written out as people write them.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

Number = Fraction


def read(texts: Iterable[str]) -> list[Number]:
    """The numbers that texts are; those that hold nothing are left out."""
    return [Fraction(text.strip()) for text in texts if text.strip()]


def plain(number: Number) -> str:
    """A number with a finite number of digits, without zeros at its end.

    Raises:
        ValueError: it has no end.
    """
    for places in range(20):
        scaled = number * 10**places
        if scaled.denominator == 1:
            return _pointed(int(scaled), places)
    raise ValueError(f"{number} cannot be written out")


def rounded(number: Number, places: int) -> str:
    """A number to so many places after the point."""
    scaled = number * 10**places
    return _pointed(int(scaled + Fraction(1, 2)) if scaled >= 0 else -int(-scaled + Fraction(1, 2)), places)


def _pointed(digits: int, places: int) -> str:
    if not places:
        return str(digits)
    sign, text = "-" if digits < 0 else "", str(abs(digits)).rjust(places + 1, "0")
    return f"{sign}{text[:-places]}.{text[-places:]}"


def mean(numbers: Sequence[Number]) -> Number:
    """The average."""
    return sum(numbers, Fraction(0)) / len(numbers)


def middle(numbers: Sequence[Number]) -> Number:
    """The median."""
    ordered = sorted(numbers)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def most_frequent(things: Sequence[str]) -> list[str]:
    """Those that occur most often, in alphabetical order."""
    most = max(things.count(thing) for thing in things)
    return sorted({thing for thing in things if things.count(thing) == most})


def longest(lines: Sequence[str]) -> list[str]:
    """The lines with most characters, in the order of the text."""
    most = max(len(line) for line in lines)
    return [line for line in lines if len(line) == most]


def count_of(letters: str, text: str) -> int:
    """How many characters of a text are among some."""
    return sum(character in letters for character in text)


def titled(text: str) -> str:
    """A text with a capital at the beginning of every word, and small letters after it."""
    made, inside = "", False
    for character in text:
        made += character if character.isspace() else character.lower() if inside else character.upper()
        inside = not character.isspace()
    return made


def table_of(text: str) -> list[dict[str, str]]:
    """The rows of a table with a header; cells that are not there are empty."""
    return list(csv.DictReader(io.StringIO(text), restval=""))


def table_text(names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table as a text, quoted where it has to be."""
    made = io.StringIO()
    csv.writer(made, lineterminator="\n").writerows([names, *rows])
    return made.getvalue()


def cells(text: str, name: str, keep: Callable[[dict[str, str]], bool] = lambda row: True) -> list[str]:
    """The cells of a column that hold something, of the rows that are kept."""
    return [row[name] for row in table_of(text) if row[name].strip() and keep(row)]


def fields(text: str, name: str, keep: Callable[[dict[str, Any]], bool]) -> list[str]:
    """A field of the records that are kept."""
    return [str(record[name]) for record in json.loads(text) if keep(record) and name in record]
