"""The value of one term, given the slots' values and a view of the folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from dabhand.errors import LanguageError
from dabhand.language.declarations import FolderView
from dabhand.language.kinds import EvalError, Value, conforms
from dabhand.language.terms import Call, Const, Term, Var

FAILURES = (EvalError, UnicodeError, ArithmeticError, RecursionError, MemoryError)
"""What a meaning function may end in: its own refusal, or the limits of Python on absurd values."""


class _Failed:
    """The type of FAILED."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "FAILED"

    def __bool__(self) -> bool:
        return False

    def __reduce__(self) -> str:
        return "FAILED"


FAILED: Final = _Failed()
"""Stands where a term has no value."""


class Env:
    """Where terms have values: what fills the slots, and the folder.

    Attributes:
        slots: values by slot name; paths, words and texts are str, numbers int or Decimal.
        folder: what `text(P)` and `names(P)` read.
    """

    __slots__ = ("folder", "slots")

    def __init__(self, slots: Mapping[str, Value], folder: FolderView) -> None:
        self.slots = slots
        self.folder = folder

    def __repr__(self) -> str:
        return f"Env({dict(self.slots)!r}, {self.folder!r})"


def slot_value(variable: Var, slots: Mapping[str, Value]) -> Value:
    """What fills a slot.

    Raises:
        EvalError: nothing does, or a value of another kind.
    """
    if variable.name not in slots:
        raise EvalError(f"nothing fills the slot {variable.name}")
    value = slots[variable.name]
    if not conforms(value, variable.kind):
        raise EvalError(f"the slot {variable.name} takes a {variable.kind}, not {value!r}")
    return value


def guarded(meaning: Callable[..., Any], args: tuple[Any, ...]) -> Value:
    """The value of a primitive, every failure an EvalError."""
    try:
        return meaning(*args)
    except EvalError:
        raise
    except FAILURES as error:
        raise EvalError(f"no value: {error}") from error


def evaluate(term: Term, slots: Mapping[str, Value], folder: FolderView) -> Value:
    """The value of a term; shared subterms are evaluated once.

    Raises:
        EvalError: it has none here.
    """
    known: dict[Term, Value] = {}

    def value(node: Term) -> Value:
        if node in known:
            return known[node]
        match node:
            case Var():
                made = slot_value(node, slots)
            case Const():
                made = node.value
            case Call():
                args = tuple(map(value, node.args))
                made = guarded(node.primitive.meaning, (folder, *args) if node.primitive.reads_folder else args)
        known[node] = made
        return made

    try:
        return value(term)
    except LanguageError:
        raise
    except RecursionError as error:
        raise EvalError("the term is nested too deeply") from error
