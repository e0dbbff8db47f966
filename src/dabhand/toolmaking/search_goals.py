"""Backwards from what is wanted: values of other kinds that printing makes into it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from dabhand.language import LINES, NUMBER, NUMBERS, TABLE, TEXT, WORD, Call, Const, EvalError, Kind, Term, Value
from dabhand.language.numbers import digits, read_number
from dabhand.language.tables import as_csv, read_csv

SEPARATORS = (", ", ",", " ", "\t", "; ", " - ", "-", "/", ".", "")


class Goal(msgspec.Struct, frozen=True):
    """Values that some term is to have, and how the whole is made of that term."""

    kind: Kind
    values: tuple[Value, ...]
    finish: Callable[[Term], Term]


def goals_of(kind: Kind, values: Sequence[Value]) -> list[Goal]:
    """The wanted values themselves, and all that lead to them by printing alone."""
    made = [Goal(kind, tuple(values), lambda term: term)]
    for goal in made:  # grows while it is gone through
        made += [one for one in _before(goal) if (one.kind, one.values) not in {(g.kind, g.values) for g in made}]
    return made


def _before(goal: Goal) -> Iterator[Goal]:
    def step(kind: Kind, values: Sequence[Value], *calls: Callable[[Term], Term]) -> Goal:
        def finish(term: Term) -> Term:
            for call in calls:
                term = call(term)
            return goal.finish(term)

        return Goal(kind, tuple(values), finish)

    values = goal.values
    if goal.kind is TEXT:
        yield from _texts(values, step)
    elif goal.kind is WORD:
        numbers = _read(values)
        if numbers is not None:
            yield step(NUMBER, numbers, _call("digits"))
        for mark in SEPARATORS:
            if mark and sum(mark in value for value in values) > len(values) // 2 and all(values):
                pieces = [tuple(value.split(mark)) for value in values]
                yield step(LINES, pieces, lambda term, mark=mark: Call("joined", (Const(mark, WORD), term)))  # type: ignore[misc]
    elif goal.kind is LINES:
        lists = [_read(value) for value in values]
        if any(values) and None not in lists:
            yield step(NUMBERS, [tuple(each or ()) for each in lists], _call("written"))


def _texts(values: Sequence[str], step: Callable[..., Goal]) -> Iterator[Goal]:
    if all(value.endswith("\n") and "\n" not in value[:-1] for value in values):
        yield step(WORD, [value[:-1] for value in values], _call("line"))
    if all("\n" not in value for value in values):
        yield step(WORD, values, _call("just"))
    if all(value.endswith("\n") for value in values if value):
        yield step(LINES, [tuple(value.split("\n")[:-1]) for value in values], _call("unlines"))
    elif not any(value.endswith("\n") for value in values) and any("\n" in value for value in values):
        lines = [tuple(value.split("\n")) if value else () for value in values]
        yield step(LINES, lines, lambda term: Call("just", (Call("joined", (Const("\n", WORD), term)),)))
    tables = [_table(value) for value in values]
    if None not in tables:
        yield step(TABLE, tables, _call("as_csv"))


def _call(name: str) -> Callable[[Term], Term]:
    return lambda term: Call(name, (term,))


def _read(words: Sequence[str]) -> list[Value] | None:
    """The numbers that words are, if all are written as numbers are printed."""
    made = []
    for word in words:
        try:
            number = read_number(word)
        except EvalError:
            return None
        if digits(number) != word:
            return None
        made.append(number)
    return made


def _table(text: str) -> Value | None:
    if "," not in text:
        return None
    try:
        table = read_csv(text)
        return table if as_csv(table) == text and len(table[0]) > 1 else None
    except EvalError:
        return None
