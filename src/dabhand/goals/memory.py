"""Goal memory: language is used once, then remembered.

Of a request that was carried out its shape is kept, and what it said as a pattern over the slots of that shape; the
next request of exactly that shape says the same of what its own slots hold. What the grammar read is kept as all the
ways in which it can be read, and held against the folder each time as the grammar does it; so a hit refuses and doubts
what the grammar would. It is kept only if the grammar, asked with other names, words and numbers, in the other case and
wider spaced, reads exactly what the pattern says.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from dabhand.errors import DabhandError, StoreError
from dabhand.goals.acts import Acts
from dabhand.goals.goal import Goal
from dabhand.goals.grammar import Parsed, only_goal, parse_request, readings_in
from dabhand.goals.names import require_plain_names
from dabhand.goals.pattern import acts_filled, pattern_of
from dabhand.goals.possible import require_possible
from dabhand.goals.shape import Shape, Watched, fresh_values, retold, shape_of
from dabhand.goals.vocabulary import fingerprint
from dabhand.goals.wanted import Wanted, wanted_goal
from dabhand.language import FolderView
from dabhand.store import GoalShape

MAX_SHAPES = 2_000
"""How many shapes are kept; a near shape is looked for among all of them."""
WORDING = "\t"
"""Ends the part of a shape that the grammar sees; what follows are words of it that belong to the wording."""


class ShapeStore(Protocol):
    """What keeps shapes; the store does."""

    def goal_shapes(self, key: str | None = None) -> list[GoalShape]:
        """The shapes with this key, alone or with what follows a tab after it; all of them without a key."""

    def save_goal_shape(self, shape: GoalShape) -> None:
        """Keep a shape in place of one that is equal; their uses add up."""

    def use_goal_shape(self, shape: str, time: float) -> None:
        """Count one more use of a shape."""

    def forget_goal_shapes(self, most: int) -> None:
        """Drop those used least and longest ago, until there are this many at most."""

    def count_goal_shapes(self) -> int:
        """How many there are."""


class Said(msgspec.Struct, frozen=True, tag=True):
    """Every way in which the grammar can read requests of a shape, and the grammar that does."""

    readings: Any
    grammar: str


Pattern = Said | Wanted


class Remembered(msgspec.Struct, frozen=True):
    """One shape as it is kept.

    Attributes:
        wording: bare words that belong to the wording, by slot; other bare words are values.
    """

    name: str
    key: str
    wording: dict[int, str]
    pattern: Pattern
    origin: str


class Known:
    """Shapes that are remembered, each taken in only when something cheap says that it may be the one sought.

    What was itself found to be a rewording is left out, so that wordings do not drift.
    """

    def __init__(self, rows: Sequence[GoalShape]) -> None:
        self._rows = [row for row in rows if row.origin != "near"]
        self._taken_in: dict[str, Remembered | None] = {}

    def with_slots_of(self, key: str) -> Iterator[Remembered]:
        """Those with as many slots of each sort (bare words apart) as a shape."""
        opened = [key.count(each) for each in _OPENED]
        return self._those(lambda row: [_key_of(row).count(each) for each in _OPENED] == opened)

    def with_word(self, word: str) -> Iterator[Remembered]:
        """Those in which a word may occur."""
        ways = {word, json.dumps(word)[1:-1]}  # in the key, or in the wording
        return self._those(lambda row: any(way in row.shape for way in ways))

    def _those(self, apply: Callable[[GoalShape], bool]) -> Iterator[Remembered]:
        for row in filter(apply, self._rows):
            if row.shape not in self._taken_in:
                self._taken_in[row.shape] = _remembered(row)
            if (found := self._taken_in[row.shape]) is not None:
                yield found


_OPENED = ("<p", "<q", "<t", "<n")
"""How slots begin in a key: paths, quoted texts, targets, numbers."""


def _key_of(row: GoalShape) -> str:
    return row.shape.partition(WORDING)[0]


class GoalMemory:
    """The shapes of requests that were carried out."""

    def __init__(self, store: ShapeStore) -> None:
        self._store = store

    def __len__(self) -> int:
        return self._store.count_goal_shapes()

    def known(self) -> Known:
        """All that is remembered."""
        return Known(self._store.goal_shapes())

    def matching(self, shape: Shape) -> list[Remembered]:
        """What is remembered of exactly this shape."""
        rows = self._store.goal_shapes(shape.key)
        found = [one for row in rows if (one := _remembered(row)) is not None]
        words = shape.plain_words
        return [one for one in found if all(words.get(slot) == word for slot, word in one.wording.items())]

    def recall(self, shape: Shape, folder: FolderView) -> tuple[Goal, Remembered] | None:
        """The goal of a request whose shape is remembered; None when it is not.

        Raises:
            NotUnderstood, Refused: as the grammar would.
        """
        goals: dict[Goal, Remembered] = {}
        for one in self.matching(shape):
            try:
                goal = goal_in(one.pattern, shape, folder)
            except StoreError:
                continue  # a damaged row costs itself; the request is read anew
            if goal is not None:
                goals.setdefault(goal, one)
        return next(iter(goals.items())) if len(goals) == 1 else None

    def use(self, one: Remembered, time: float) -> None:
        """Note that a request of a remembered shape was carried out."""
        self._store.use_goal_shape(one.name, time)

    def remember_reading(
        self, shape: Shape, folder: FolderView, targets: Mapping[str, str] | None, time: float
    ) -> bool:
        """Keep the shape of a request that the grammar understood; whether that was possible."""
        pattern = _said(shape, folder, targets)
        if pattern is not None:
            self._keep(shape, {}, pattern, "grammar", time)
        return pattern is not None

    def remember_goal(self, shape: Shape, wanted: tuple[Wanted, frozenset[int]], origin: str, time: float) -> None:
        """Keep the shape of a request that something else translated: what it wants, and the slots that says."""
        pattern, used = wanted
        wording = {slot: word for slot, word in shape.plain_words.items() if slot not in used}
        self._keep(shape, wording, pattern, origin, time)

    def remember_rewording(self, shape: Shape, wording: dict[int, str], pattern: Pattern, time: float) -> None:
        """Keep the shape of a request that was found to be another wording of a remembered one."""
        self._keep(shape, wording, pattern, "near", time)

    def _keep(self, shape: Shape, wording: dict[int, str], pattern: Pattern, origin: str, time: float) -> None:
        name = shape.key + (WORDING + json.dumps(sorted(wording.items())) if wording else "")
        goal = msgspec.json.encode(pattern).decode()
        self._store.save_goal_shape(GoalShape(name, goal, origin, shape.request, 1, time))
        self._store.forget_goal_shapes(MAX_SHAPES)


def _remembered(row: GoalShape) -> Remembered | None:
    """A row as it is used; None when it is damaged, or another grammar read it."""
    key, _, wording = row.shape.partition(WORDING)
    try:
        pattern = msgspec.json.decode(row.goal, type=Pattern)
        words = msgspec.json.decode(wording, type=list[tuple[int, str]]) if wording else []
    except (msgspec.DecodeError, UnicodeError, TypeError):
        return None
    if isinstance(pattern, Said) and pattern.grammar != fingerprint():
        return None
    return Remembered(row.shape, key, dict(words), pattern, row.origin)


def goal_in(pattern: Pattern, shape: Shape, folder: FolderView) -> Goal | None:
    """What a pattern comes to for a request, in a folder; None where it says nothing of such a folder.

    Raises:
        NotUnderstood, Refused: as the grammar would.
        StoreError: the pattern is damaged.
    """
    if isinstance(pattern, Wanted):
        goal = wanted_goal(pattern, shape, folder)
        if goal is not None:
            require_possible(goal, folder)
        return goal
    acts = acts_filled(pattern.readings, shape.values, shape.numbers)
    require_plain_names(shape.every, shape.request, folder)
    return only_goal(readings_in(Parsed(shape.every, acts), folder))


def _said(shape: Shape, folder: FolderView, targets: Mapping[str, str] | None) -> Said | None:
    """What the grammar reads, as a pattern; None where the slots do not determine it."""
    values = fresh_values(shape, 1)
    first = _read_as(shape, folder, targets, values, loud=False)
    if first is None:
        return None
    pattern = pattern_of(first[0], values, first[1].numbers)
    others = fresh_values(shape, 2)
    second = _read_as(shape, folder, targets, others, loud=True)
    if second is None or second[0] != acts_filled(pattern, others, second[1].numbers):
        return None
    read = _parsed(shape, folder, targets)
    return None if read != acts_filled(pattern, shape.values, shape.numbers) else Said(pattern, fingerprint())


def _read_as(
    shape: Shape, folder: FolderView, targets: Mapping[str, str] | None, values: Sequence[str], *, loud: bool
) -> tuple[tuple[Acts, ...], Shape] | None:
    """What the grammar reads when the slots hold other values, None where that is no request of the same shape."""
    other = retold(shape, folder, targets, values, loud=loud)
    same = shape_of(other.request, other.folder, other.targets)
    if same is None or same.key != shape.key or same.values != other.values:
        return None
    read = _parsed(same, other.folder, other.targets)
    return None if read is None else (read, same)


def _parsed(shape: Shape, folder: FolderView, targets: Mapping[str, str] | None) -> tuple[Acts, ...] | None:
    """What the grammar reads; None where that rests on more of the folder than what is at the names in the request."""
    plain, watched = Watched(folder), Watched(folder)
    try:
        require_plain_names(shape.every, shape.request, plain)
        parsed = parse_request(shape.request, watched, targets)
    except DabhandError:
        return None
    named = {one.token.text.rstrip("/") for one in shape.elements}
    return None if watched.contents or watched.kinds - plain.kinds - named else parsed.acts
