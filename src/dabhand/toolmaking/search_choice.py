"""Two terms that are each right on some examples, and a condition that says which one holds where."""

from __future__ import annotations

from collections.abc import Iterator

from dabhand.language import NUMBER, TEXT, WORD, Call, Kind, Term
from dabhand.language.numbered import Entry

NAMES = {WORD: "word_if", NUMBER: "number_if", TEXT: "text_if"}
MAX_HALVES = 200
MAX_CONDITIONS = 800

MANY = 8
"""Of more examples than these, a half is right on a fifth at least."""


class Choice:
    """What is right in part, and what may decide, as bit sets over the examples."""

    def __init__(self, kind: Kind, examples: int) -> None:
        self.name = NAMES.get(kind)
        self.all = (1 << examples) - 1
        self.halves: dict[int, Entry] = {}
        self.conditions: dict[int, Entry] = {}
        self.is_changed = False

    def add_half(self, entry: Entry, right: int) -> None:
        """Remember a term of the wanted kind that is right on some examples."""
        if self.all.bit_count() > MANY and right.bit_count() * 5 < self.all.bit_count():
            return
        if right not in self.halves and len(self.halves) < MAX_HALVES:
            self.halves[right] = entry
            self.is_changed = True

    def add_condition(self, entry: Entry, truth: int) -> None:
        """Remember a condition that holds on some examples and not on others."""
        if truth not in self.conditions and len(self.conditions) < MAX_CONDITIONS and truth not in (0, self.all):
            self.conditions[truth] = entry
            self.is_changed = True

    def whole(self) -> Iterator[tuple[int, Term, int]]:
        """Terms that are right everywhere: cost, term, and on how many examples the rarer half is needed."""
        self.is_changed = False
        if self.name is None:
            return
        made: list[tuple[int, Entry, Entry, Entry, int]] = []
        halves = sorted(self.halves.items(), key=lambda one: one[1].cost)
        for truth, condition in self.conditions.items():
            rest = self.all & ~truth
            one = next((entry for right, entry in halves if not truth & ~right), None)
            other = next((entry for right, entry in halves if not rest & ~right), None)
            if one is not None and other is not None and one is not other:
                fewest = min(truth.bit_count(), rest.bit_count())
                made.append((condition.cost + one.cost + other.cost, condition, one, other, fewest))
        made.sort(key=lambda each: (each[0], -each[4]))
        for cost, condition, one, other, fewest in made[:3]:
            yield cost, Call(self.name, (condition.term(), one.term(), other.term())), fewest
