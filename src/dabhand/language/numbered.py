"""Values by number, terms by the numbers of their values, and what primitives gave for which numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from dabhand.language.declarations import Primitive
from dabhand.language.evaluation import FAILED, FAILURES
from dabhand.language.kinds import Kind, Value
from dabhand.language.terms import Call, Term

Signature = tuple[int, ...]
"""The numbers of a term's values on the panel; 0 stands for FAILED."""


class Entry:
    """A kept term; the term itself is only built when it is asked for."""

    __slots__ = ("arguments", "cost", "is_open", "kind", "made", "primitive", "signature")

    def __init__(
        self,
        kind: Kind,
        cost: int,
        signature: Signature,
        is_open: bool,
        made: Term | None,
        primitive: Primitive | None = None,
        arguments: tuple[Entry, ...] = (),
    ) -> None:
        self.kind = kind
        self.cost = cost
        self.signature = signature
        self.is_open = is_open
        self.made = made
        self.primitive = primitive
        self.arguments = arguments

    def term(self) -> Term:
        """The term."""
        if self.made is None:
            assert self.primitive is not None
            self.made = Call(self.primitive.name, tuple([argument.term() for argument in self.arguments]))
        return self.made


class Values:
    """Values by number, each once for its kind; number 0 is FAILED."""

    def __init__(self) -> None:
        self.known: list[Value] = [FAILED]
        self.numbers: dict[Kind, dict[Value, int]] = {kind: {} for kind in Kind}

    def number(self, value: Value, kind: Kind) -> int:
        """The number of a value among those of its kind, a new one where it is new."""
        numbers = self.numbers[kind]
        found = numbers.get(value)
        if found is None:
            found = numbers[value] = len(self.known)
            self.known.append(value)
        return found


class Memory(dict[int, int]):
    """What a primitive gave for which (numbers of) values of its last argument; what is not there is found out.

    Args:
        primitive: which.
        values: by number.
        first: the arguments before the last, the same on every example.
    """

    __slots__ = ("known", "meaning", "numbers")

    def __init__(self, primitive: Primitive, values: Values, first: tuple[Value, ...] = ()) -> None:
        super().__init__({0: 0})
        self.meaning: Callable[..., Any] = partial(primitive.meaning, *first) if first else primitive.meaning
        self.known = values.known
        self.numbers = values.numbers[primitive.gives]

    def __missing__(self, key: int) -> int:
        # Written out, not a method: half the time of enumeration is spent here.
        known, numbers = self.known, self.numbers
        try:
            value = self.meaning(known[key])
        except FAILURES:
            self[key] = 0
            return 0
        number = numbers.get(value, 0)
        if not number:
            number = numbers[value] = len(known)
            known.append(value)
        self[key] = number
        return number
