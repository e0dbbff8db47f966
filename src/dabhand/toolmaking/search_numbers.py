"""Wanted numbers out of two that were found, and wanted yes and no out of a number and where it is cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from dabhand.language import NUMBER, Call, Const, EvalError, Term
from dabhand.language.numbered import Entry
from dabhand.language.numbers import exact, quotient
from dabhand.toolmaking.search_task import roundest

MOST = 90
"""So many numbers, the cheapest, are tried in pairs: with more, chance would find pairs that mean nothing."""

Values = tuple[Any, ...]


class Sums:
    """Pairs of numbers whose sum, difference, product or quotient is wanted; looked up, not tried out."""

    def __init__(self, goal: Sequence[Any]) -> None:
        self.goal = tuple(goal)
        self.known: dict[Values, Entry] = {}

    def add(self, entry: Entry, values: Values) -> Iterator[Term]:
        """Remember a number; terms of it and an earlier one that have the wanted values."""
        if len(self.known) >= MOST or not (_are_numbers(self.goal) and _are_numbers(values)):
            return
        self.known.setdefault(values, entry)
        for name, is_first, needed in self._needed(values):
            other = self.known.get(needed)
            if other is not None:
                pair = (entry, other) if is_first else (other, entry)
                yield Call(name, (pair[0].term(), pair[1].term()))

    def _needed(self, values: Values) -> Iterator[tuple[str, bool, Values]]:
        """Operations, whether these values stand first, and the values that the other number must have."""
        pairs = list(zip(self.goal, values, strict=True))
        yield "plus", True, tuple([exact("subtract", goal, value) for goal, value in pairs])
        yield "minus", True, tuple([exact("subtract", value, goal) for goal, value in pairs])
        yield "minus", False, tuple([exact("add", value, goal) for goal, value in pairs])
        try:
            if all(values):
                yield "times", True, tuple([quotient(goal, value) for goal, value in pairs])
                yield "over", False, tuple([exact("multiply", value, goal) for goal, value in pairs])
            if all(self.goal) and all(values):
                yield "over", True, tuple([quotient(value, goal) for goal, value in pairs])
        except EvalError:
            return


def _are_numbers(values: Values) -> bool:
    """Whether each of them is a number: a goal that is wanted of one example alone has no value in the others."""
    return all(isinstance(value, int | Decimal) for value in values)


def cuts(entry: Entry, values: Values, goal: Sequence[bool]) -> Iterator[Term]:
    """Comparisons of a number with a constant that hold exactly where they are wanted."""
    yes = [value for value, wanted in zip(values, goal, strict=True) if wanted]
    no = [value for value, wanted in zip(values, goal, strict=True) if not wanted]
    if not yes or not no:
        return
    if max(no) < min(yes):
        for place in roundest(max(no), _below(min(yes))):
            yield Call("less", (Const(place, NUMBER), entry.term()))
    elif max(yes) < min(no):
        for place in roundest(_above(max(yes)), min(no)):
            yield Call("less", (entry.term(), Const(place, NUMBER)))


def _below(number: Any) -> Any:
    """The largest whole number below one."""
    return -(-number // 1) - 1 if number % 1 else number - 1


def _above(number: Any) -> Any:
    """The smallest whole number above one."""
    return number // 1 + 1
