"""Other texts of the same form: JSON, a table or numbers, where plain lines in their place would mean nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

from dabhand.errors import LanguageError
from dabhand.language.numbers import NUMBER_TEXT
from dabhand.language.tables import as_csv, read_csv

FEWEST, MOST = 4, 9
"""Rows, items or numbers in the place of those that are there."""
SPREAD = 12
"""How far numbers lie on either side of those that are there and of those that the goal speaks of."""
AGAIN = 0.25
"""How often something is there twice."""
NAMES = ("Zora", "abel", "Quin", "mara", "Ulm", "Bern, W")


def formed_text(text: str, seed: str, words: Sequence[str], numbers: Sequence[int]) -> str | None:
    """Another text of the same form.

    Args:
        text: what a file holds.
        seed: of what is drawn, so that the same is drawn again.
        words: that the goal speaks of.
        numbers: that the goal speaks of.

    Returns:
        None where the text is no JSON, no table and no list of numbers.
    """
    drawing = _Drawing(Random(seed), tuple(word for word in words if "\n" not in word), tuple(numbers))
    end = "\n" if text.endswith("\n") else ""
    if text.lstrip()[:1] in ("[", "{"):
        try:
            return json.dumps(drawing.json(json.loads(text)), ensure_ascii=False) + end
        except (ValueError, RecursionError):
            return None
    lines = [line for line in text.split("\n") if line.strip()]
    if lines and all(map(NUMBER_TEXT.match, lines)):
        return "\n".join(drawing.numbers_like(lines)) + end
    try:
        table = read_csv(text)
        if len(table[0]) > 1 and all(len(row) == len(table[0]) for row in table):
            return as_csv((table[0], *drawing.rows(table[1:], table[0])))
    except LanguageError:
        pass
    return None


class _Drawing:
    """Draws values in the place of others.

    Args:
        rng: where chance comes from.
        words, numbers: that the goal speaks of.
    """

    def __init__(self, rng: Random, words: Sequence[str], numbers: Sequence[int]) -> None:
        self.rng = rng
        self.words = words
        self.marks = numbers

    def _size(self) -> int:
        return self.rng.randint(FEWEST, MOST)

    def number(self, own: Sequence[str]) -> str:
        """A number near one of some others, or near one that the goal speaks of; with as many decimals."""
        rng = self.rng
        some = rng.choice(own).strip()
        places = len(some.partition(".")[2])
        near = float(rng.choice(self.marks) if self.marks and rng.random() < 0.5 else float(some))
        made = near + rng.randint(-SPREAD, SPREAD)
        if places:
            return f"{made + rng.randint(0, 9) / 10:.{places}f}"
        return str(round(made))

    def numbers_like(self, own: Sequence[str]) -> list[str]:
        """Numbers in the place of others, in no order, some twice."""
        made = [self.number(own) for _ in range(self._size())]
        return self._doubled(made)

    def _doubled(self, items: list[Any]) -> list[Any]:
        for item in list(items):
            if self.rng.random() < AGAIN:
                items.insert(self.rng.randint(0, len(items)), item)
        return items

    def word(self, own: Sequence[str]) -> str:
        """A word in the place of some others: one of them, one of the goal's, or another."""
        if own and self.rng.random() < 0.5:
            return self.rng.choice(own)
        return self.rng.choice((*self.words, *NAMES))

    def rows(self, rows: Sequence[Sequence[str]], header: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """Rows in the place of others, cell by cell of the same sort."""
        columns = [[row[place] for row in rows] for place in range(len(header))]
        made = [tuple([self._cell(column) for column in columns]) for _ in range(self._size())]
        return tuple(self._doubled(made))

    def _cell(self, column: Sequence[str]) -> str:
        numeric = [cell for cell in column if NUMBER_TEXT.match(cell)]
        if any(not cell.strip() for cell in column) and self.rng.random() < AGAIN:
            return ""
        return self.number(numeric) if numeric else self.word([cell for cell in column if cell.strip()])

    def json(self, value: Any) -> Any:
        """A value in the place of another: the same names, other numbers and words, more or fewer items."""
        match value:
            case bool():
                return self.rng.random() < 0.5
            case int() | float():
                drawn = self.number([str(value)]) if "e" not in str(value).lower() else str(value)
                return float(drawn) if "." in drawn else int(drawn)
            case str():
                return self.word([value])
            case list() if value:
                return self._doubled([self.json(self.rng.choice(value)) for _ in range(self._size())])
            case dict():
                return {name: self.json(each) for name, each in value.items()}
        return value
