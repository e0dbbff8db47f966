"""What a request says as plain data with holes: filled with what the slots of another request hold, it says that.

In the data `{"slot": [1, "/", 2]}` stands for a text put together of slots and of what is always there, and
`{"number": 3}` for the number that a slot comes to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from dabhand.errors import StoreError
from dabhand.goals.acts import Acts

SLOT, NUMBER = "slot", "number"


def pattern_of(value: object, values: Sequence[str], numbers: Mapping[int, int]) -> Any:
    """Plain data with holes in place of the values of slots.

    Args:
        value: what is said, of a request whose slots hold values that occur nowhere else.
        values: those, slot 1 first.
        numbers: what the slots that are numbers come to.
    """
    holes = {held: slot for slot, held in enumerate(values, 1)}
    found = re.compile("(" + "|".join(sorted(map(re.escape, holes), key=len, reverse=True)) + ")") if holes else None
    counts = {number: slot for slot, number in numbers.items()}
    return _opened(msgspec.to_builtins(value), holes, found, counts)


def _opened(value: Any, holes: Mapping[str, int], found: re.Pattern[str] | None, counts: Mapping[int, int]) -> Any:
    match value:
        case bool() | None:
            return value
        case int():
            return {NUMBER: counts[value]} if value in counts else value
        case str() if found is not None and found.search(value):
            return {SLOT: [holes.get(piece, piece) for piece in found.split(value) if piece]}
        case dict():
            return {key: _opened(inner, holes, found, counts) for key, inner in value.items()}
        case list() | tuple():
            return [_opened(inner, holes, found, counts) for inner in value]
    return value


def filled(pattern: Any, values: Sequence[str], numbers: Mapping[int, int]) -> Any:
    """The data without holes.

    Raises:
        StoreError: it speaks of slots that are not there.
    """
    try:
        return _filled(pattern, values, numbers)
    except (KeyError, IndexError, TypeError, RecursionError) as error:
        raise StoreError("A remembered request is damaged.") from error


def _filled(pattern: Any, values: Sequence[str], numbers: Mapping[int, int]) -> Any:
    match pattern:
        case {"slot": [*pieces]} if len(pattern) == 1:
            return "".join(piece if isinstance(piece, str) else values[piece - 1] for piece in pieces)
        case {"number": int(slot)} if len(pattern) == 1:
            return numbers[slot]
        case dict():
            return {key: _filled(inner, values, numbers) for key, inner in pattern.items()}
        case list():
            return [_filled(inner, values, numbers) for inner in pattern]
    return pattern


def acts_filled(pattern: Any, values: Sequence[str], numbers: Mapping[int, int]) -> tuple[Acts, ...]:
    """What a request may say, from a pattern of that.

    Raises:
        StoreError: the pattern is damaged, or other code made it.
    """
    try:
        return msgspec.convert(filled(pattern, values, numbers), tuple[Acts, ...])
    except msgspec.ValidationError as error:
        raise StoreError(f"A remembered request is damaged: {error}.") from error


def slots_in(pattern: Any) -> frozenset[int]:
    """The slots that a pattern speaks of."""
    match pattern:
        case {"slot": [*pieces]} if len(pattern) == 1:
            return frozenset(piece for piece in pieces if isinstance(piece, int))
        case {"number": int(slot)} if len(pattern) == 1:
            return frozenset({slot})
        case dict():
            return frozenset().union(*map(slots_in, pattern.values()))
        case list():
            return frozenset().union(*map(slots_in, pattern))
    return frozenset()
