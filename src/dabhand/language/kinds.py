"""The kinds of values that terms are about, and which Python values are of which kind."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeAlias

from dabhand.errors import LanguageError

if TYPE_CHECKING:
    from decimal import Decimal

    Number: TypeAlias = int | Decimal

Value: TypeAlias = Any
"""A value of some kind: str, int, Decimal, bool or a tuple of values; always hashable. `conforms` decides."""


class EvalError(LanguageError):
    """A term has no value here: a missing file, text that is no number, a pattern that is invalid."""

    code = "no_value"

    def __init__(self, message: str, hint: str = "") -> None:
        # Raised very often while hypotheses are tested, so the base classes' initialisers are not walked through.
        self.args = (message,)
        self.message = message
        self.hint = hint


class Kind(str, Enum):  # noqa: UP042 (StrEnum's format and hash are the slower ones)
    """What a value is.

    Strings inside the language are text decoded from UTF-8 with "surrogateescape", so any bytes are representable.
    """

    PATH = "path"
    WORD = "word"
    TEXT = "text"
    LINES = "lines"
    NUMBER = "number"
    NUMBERS = "numbers"
    BOOL = "bool"
    PATTERN = "pattern"
    TABLE = "table"
    JSON = "json"
    WORD_TO_WORD = "word=>word"
    WORD_TO_NUMBER = "word=>number"
    WORD_TO_BOOL = "word=>bool"
    NUMBER_TO_NUMBER = "number=>number"
    NUMBER_TO_BOOL = "number=>bool"
    TWO_TO_NUMBER = "number,number=>number"
    TWO_TO_BOOL = "number,number=>bool"
    ROW_TO_WORD = "row=>word"
    ROW_TO_BOOL = "row=>bool"

    __hash__ = str.__hash__

    def __str__(self) -> str:
        return str.__str__(self)

    def __repr__(self) -> str:
        return self.name


PATH, WORD, TEXT, LINES = Kind.PATH, Kind.WORD, Kind.TEXT, Kind.LINES
NUMBER, NUMBERS, BOOL = Kind.NUMBER, Kind.NUMBERS, Kind.BOOL
PATTERN, TABLE, JSON = Kind.PATTERN, Kind.TABLE, Kind.JSON

FUNCTIONS: dict[Kind, tuple[tuple[Kind, ...], Kind]] = {
    Kind.WORD_TO_WORD: ((WORD,), WORD),
    Kind.WORD_TO_NUMBER: ((WORD,), NUMBER),
    Kind.WORD_TO_BOOL: ((WORD,), BOOL),
    Kind.NUMBER_TO_NUMBER: ((NUMBER,), NUMBER),
    Kind.NUMBER_TO_BOOL: ((NUMBER,), BOOL),
    Kind.TWO_TO_NUMBER: ((NUMBER, NUMBER), NUMBER),
    Kind.TWO_TO_BOOL: ((NUMBER, NUMBER), BOOL),
    Kind.ROW_TO_WORD: ((LINES,), WORD),
    Kind.ROW_TO_BOOL: ((LINES,), BOOL),
}
"""The kinds of small terms that are applied to every element of a list: what they take, and what they give."""

KINDS_OF_STRING = frozenset({PATH, WORD, TEXT})


def is_number(value: object) -> bool:
    """Whether the value is an int or a finite Decimal (True and False are not)."""
    if isinstance(value, int):
        return not isinstance(value, bool)
    return type(value).__name__ == "Decimal" and value.is_finite()  # type: ignore[attr-defined]


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _tuple_of(check: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, tuple) and all(map(check, value))


def _is_pattern(value: object) -> bool:
    return _tuple_of(_is_text)(value) and len(value) == 3  # type: ignore[arg-type]


def _is_json(value: object) -> bool:
    if not isinstance(value, tuple) or not value:
        return False
    tag, *rest = value
    match tag, rest:
        case "null", []:
            return True
        case (("true" | "false"), []):
            return True
        case (("string" | "number"), [str()]):
            return True
        case "array", [tuple() as items]:
            return all(map(_is_json, items))
        case "object", [tuple() as pairs]:
            return all(isinstance(p, tuple) and len(p) == 2 and _is_text(p[0]) and _is_json(p[1]) for p in pairs)
    return False


_CHECKS: dict[Kind, Callable[[object], bool]] = {
    PATH: _is_text,
    WORD: _is_text,
    TEXT: _is_text,
    LINES: _tuple_of(_is_text),
    NUMBER: is_number,
    NUMBERS: _tuple_of(is_number),
    BOOL: lambda value: isinstance(value, bool),
    PATTERN: _is_pattern,
    TABLE: _tuple_of(_tuple_of(_is_text)),
    JSON: _is_json,
}


def conforms(value: object, kind: Kind) -> bool:
    """Whether a Python value is a value of this kind."""
    if kind in FUNCTIONS:
        return getattr(value, "kind", None) is kind
    return _CHECKS[kind](value)
