"""Small terms as values: what a list is sorted, chosen or changed by, element for element."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from dabhand.errors import LanguageError
from dabhand.language.evaluation import FAILED, FAILURES
from dabhand.language.kinds import FUNCTIONS, EvalError, Kind, Value
from dabhand.language.terms import Const, Term, Var, cost, show, variables

NAMES = ("it", "other")
MAX_KNOWN = 4096
"""How many results a function remembers."""


@cache
def parameters(kind: Kind) -> tuple[Var, ...]:
    """The slots of a function's body: `it`, and `other` where it takes two."""
    return tuple([Var(name, each) for name, each in zip(NAMES, FUNCTIONS[kind][0], strict=False)])


class Function:
    """A term over `it` (and `other`), as a value; two are equal when their terms are.

    Raises:
        LanguageError: the body is of another kind, or reads anything else.
    """

    __slots__ = ("_hash", "_known", "_run", "body", "cost", "kind")

    def __init__(self, body: Term, kind: Kind) -> None:
        slots = parameters(kind)
        if body.kind is not FUNCTIONS[kind][1] or not set(variables(body)) <= set(slots):
            raise LanguageError(f"{show(body)} is no {kind}")
        self.body = body
        self.kind = kind
        self.cost = max(cost(body), 1)
        self._hash = hash((body, kind))
        self._known: dict[tuple[Value, ...], Value] = {}
        self._run: Callable[[tuple[Any, ...]], Any] | None = None

    def __call__(self, *given: Value) -> Value:
        """The value of the body.

        Raises:
            EvalError: it has none.
        """
        known = self._known.get(given)
        if known is None:
            known = self._known_now(given)
        if known is FAILED:
            raise EvalError("no value for an element")
        return known

    def _known_now(self, given: tuple[Value, ...]) -> Value:
        if self._run is None:
            self._run = compiled(self.body)
        if len(self._known) > MAX_KNOWN:
            self._known.clear()
        try:
            made = self._run(given)
        except FAILURES:
            made = FAILED
        self._known[given] = made
        return made

    def __eq__(self, other: object) -> bool:
        return type(other) is Function and self.kind is other.kind and self.body == other.body

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        return f"{{{show(self.body)}}}"

    def __repr__(self) -> str:
        return f"Function({self.body!r}, {self.kind})"


def compiled(body: Term) -> Callable[[tuple[Any, ...]], Any]:
    """A body as a Python function of the tuple of its arguments."""
    match body:
        case Var():
            place = NAMES.index(body.name)
            return lambda given: given[place]
        case Const():
            value = body.value
            return lambda given: value
    meaning, parts = body.primitive.meaning, [compiled(each) for each in body.args]
    if body.primitive.reads_folder:
        raise LanguageError(f"{body.name} reads the folder, which is not there for each element")
    if len(parts) == 1:
        only = parts[0]
        return lambda given: meaning(only(given))
    if len(parts) == 2:
        left, right = parts
        return lambda given: meaning(left(given), right(given))
    return lambda given: meaning(*[part(given) for part in parts])
