"""Words that were learned to say the same: where two remembered requests differ in one word and want one thing."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from dabhand.errors import DabhandError
from dabhand.goals.goal import Goal
from dabhand.goals.grammar import Parsed, only_goal, readings_in
from dabhand.goals.memory import Known, Pattern, Remembered
from dabhand.goals.pattern import acts_filled, filled
from dabhand.goals.schema import goal_from_json
from dabhand.goals.wanted import Wanted
from dabhand.goals.wording import FUNCTION_WORDS

Deed = frozenset[tuple[str, str]]
"""What kinds of things a pattern does, names and words apart."""
Frame = tuple[str, ...]


class Synonyms:
    """Pairs of words, and the deeds in which they say the same."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._framed: dict[str, Mapping[Frame, list[Remembered]]] = {}
        self._deeds_of: dict[frozenset[str], frozenset[Deed]] = {}

    def same(self, one: str, other: str, base: Remembered) -> bool:
        """Whether two words say the same in requests that do what this one does."""
        words = frozenset((one, other))
        if words not in self._deeds_of:
            self._deeds_of[words] = frozenset(self._learned(one, other))
        return _deed(base) in self._deeds_of[words] if self._deeds_of[words] else False

    def _learned(self, one: str, other: str) -> Iterator[Deed]:
        """The deeds of two requests that differ in these words only and want the same."""
        frames = self._framing(one)
        if not frames:
            return
        for frame, seconds in self._framing(other).items():
            for pair in itertools.product(frames.get(frame, ()), seconds):
                if _want_the_same(*pair):
                    yield from map(_deed, pair)

    def _framing(self, word: str) -> Mapping[Frame, list[Remembered]]:
        """Requests with a word, by what stands around it."""
        if word in self._framed:
            return self._framed[word]
        self._framed[word] = frames = defaultdict[Frame, list[Remembered]](list)
        if word.isalpha() and word not in FUNCTION_WORDS:
            for one in self._known.with_word(word):
                texts = _texts(one)
                for at in (at for at, text in enumerate(texts) if text == word):
                    frames[(*texts[:at], "_", *texts[at + 1 :])].append(one)
        return frames


def _deed(one: Remembered) -> Deed:
    return frozenset(_deeds(msgspec.to_builtins(one.pattern)))


def _texts(one: Remembered) -> tuple[str, ...]:
    """The pieces of a shape, its wording put in; slots numbered anew, so that equal shapes have equal pieces."""
    key, _, ranked = one.key.partition(" |")
    made = []
    for text in key.split(" "):
        slot = text[2:-1] if text.startswith("<w") else ""
        made.append(one.wording[int(slot)] if slot.isdecimal() and int(slot) in one.wording else text)
    return (*_renumbered(made), "|" + ranked if ranked else "|")


def _renumbered(texts: Sequence[str]) -> tuple[str, ...]:
    numbers: dict[str, str] = {}

    def number(part: str) -> str:
        return numbers.setdefault(part, str(len(numbers) + 1)) if part.isdecimal() else part

    made = []
    for text in texts:
        if not text.startswith("<"):
            made.append(text)
            continue
        head, mark, tail = text[2:-1].partition("=")
        made.append(f"{text[:2]}{'/'.join(map(number, head.split('/')))}{mark}{tail}>")
    return tuple(made)


def _deeds(pattern: Any) -> set[tuple[str, str]]:
    match pattern:
        case dict():
            named = {(key, pattern[key]) for key in ("type", "operation", "is") if isinstance(pattern.get(key), str)}
            return named.union(*map(_deeds, pattern.values()))
        case list() | tuple():
            return set().union(*map(_deeds, pattern))
    return set()


def _want_the_same(one: Remembered, other: Remembered) -> bool:
    """Whether two requests come to one goal when their slots hold the same, in a folder as both need it."""
    first, second = _standard_goal(one), _standard_goal(other)
    return first is not None and second is not None and set(first.conditions) == set(second.conditions)


def _standard_goal(one: Remembered) -> Goal | None:
    """The goal with standard values in the slots, in order of the shape, and standard things at their names."""
    slots = _slots_in_order(one)
    values = [""] * max([0, *slots])
    numbers = {}
    for place, slot in enumerate(slots):
        values[slot - 1] = f"name{place}"
        numbers[slot] = 3 + place
    try:
        return _goal(one.pattern, values, numbers, _Standard(_things(one, values)))
    except DabhandError:
        return None


def _goal(pattern: Pattern, values: Sequence[str], numbers: Mapping[int, int], folder: _Standard) -> Goal:
    if isinstance(pattern, Wanted):
        return goal_from_json(filled(pattern.goal, values, numbers))
    return only_goal(readings_in(Parsed((), acts_filled(pattern.readings, values, numbers)), folder))


def _slots_in_order(one: Remembered) -> list[int]:
    found: dict[int, None] = {}
    for text in one.key.partition(" |")[0].split(" "):
        if text.startswith("<"):
            parts = text[2:-1].partition("=")[0].partition("~")[0].split("/")
            found |= {int(part): None for part in parts if part.isdecimal() and int(part) not in one.wording}
    return list(found)


def _things(one: Remembered, values: Sequence[str]) -> dict[str, str]:
    """What is at each name of a shape."""
    found = {}
    for text in one.key.partition(" |")[0].split(" "):
        if text.startswith("<") and "=" in text:
            head, _, kind = text[2:-1].partition("=")
            parts = [values[int(part) - 1] if part.isdecimal() else part for part in head.partition("~")[0].split("/")]
            found["/".join(parts)] = kind
    return found


class _Standard:
    """A folder with something at some names."""

    def __init__(self, things: Mapping[str, str]) -> None:
        above = {path[:at]: "folder" for path in things for at, letter in enumerate(path) if letter == "/"}
        self._things = {**above, **things}

    def text(self, path: str) -> str:
        return "fig 2\napple 10\n" if self.kind(path) == "file" else ""

    def names(self, path: str) -> tuple[str, ...] | None:
        return () if self.kind(path) == "folder" else None

    def kind(self, path: str) -> str:
        return "folder" if path in ("", ".") else self._things.get(path, "missing")
