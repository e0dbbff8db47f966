"""Primitives over JSON: values keep numbers as written, and are immutable nested tuples with a tag."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from dabhand.language.declarations import primitive
from dabhand.language.kinds import JSON, LINES, NUMBER, TEXT, WORD, EvalError
from dabhand.language.numbers import read_number

if TYPE_CHECKING:
    from dabhand.language.kinds import Number

Json = tuple[Any, ...]
Lines = tuple[str, ...]

MAX_DEPTH = 100


class _Number(str):
    """A number of a JSON text, as written there."""


class _Pairs(list[Any]):
    """The fields of an object, in order."""


@lru_cache(maxsize=1024)
def read_json(text: str) -> Json:
    """The value that a JSON text is.

    Raises:
        EvalError: it is none.
    """
    import json

    def refuse(word: str) -> Any:
        raise ValueError(f"{word} is not JSON")

    try:
        found = json.loads(
            text.removeprefix("\ufeff"),
            parse_int=_Number,
            parse_float=_Number,
            parse_constant=refuse,
            object_pairs_hook=_Pairs,
        )
        return _tagged(found, 0)
    except (ValueError, RecursionError) as error:
        raise EvalError(f"this is not JSON: {error}") from error


def _tagged(value: Any, depth: int) -> Json:
    if depth > MAX_DEPTH:
        raise ValueError("nested too deeply")
    if isinstance(value, _Pairs):
        fields = {key: _tagged(item, depth + 1) for key, item in value}
        return ("object", tuple(fields.items()))
    if isinstance(value, list):
        return ("array", tuple([_tagged(item, depth + 1) for item in value]))
    if isinstance(value, _Number):
        return ("number", str(value))
    if isinstance(value, str):
        return ("string", value)
    return ("null",) if value is None else ("true",) if value else ("false",)


def write_json(value: Json) -> str:
    """A value as compact JSON text, letters outside ASCII as they are, numbers as they were written."""
    import json

    match value:
        case ("object", fields):
            inner = ", ".join(f"{json.dumps(key, ensure_ascii=False)}: {write_json(item)}" for key, item in fields)
            return f"{{{inner}}}"
        case ("array", items):
            return f"[{', '.join(map(write_json, items))}]"
        case ("string", text):
            return json.dumps(text, ensure_ascii=False)
        case ("number", text):
            return str(text)
    return str(value[0])


@primitive([TEXT], JSON, cost=2)
def json(text: str) -> Json:
    """The value that a JSON text is."""
    return read_json(text)


@primitive([WORD, JSON], JSON)
def key(word: str, value: Json) -> Json:
    """The field of an object with a name."""
    if value[0] == "object":
        for name, item in value[1]:
            if name == word:
                return item  # type: ignore[no-any-return]
    raise EvalError(f"there is no field {word!r}")


def items(value: Json) -> tuple[Json, ...]:
    """The values in an array, or of the fields of an object.

    Raises:
        EvalError: it is neither.
    """
    if value[0] == "array":
        return value[1]  # type: ignore[no-any-return]
    if value[0] == "object":
        return tuple([item for _, item in value[1]])
    raise EvalError(f"a {value[0]} has no items")


@primitive([WORD, JSON], JSON)
def each_key(word: str, value: Json) -> Json:
    """Of an array of objects, the array of the fields with a name; objects without it left out."""
    found = [item for row in items(value) if row[0] == "object" for name, item in row[1] if name == word]
    return ("array", tuple(found))


@primitive([WORD, NUMBER, JSON], JSON)
def items_above(word: str, number: Number, value: Json) -> Json:
    """Of an array of objects, those whose field with a name is a number larger than a number."""
    found = [row for row in items(value) if _larger(row, word, number)]
    return ("array", tuple(found))


def _larger(row: Json, word: str, number: Any) -> bool:
    fields = row[1] if row[0] == "object" else ()
    return any(name == word and item[0] == "number" and number_of(item) > number for name, item in fields)


def number_of(value: Json) -> Any:
    """The number that a value is.

    Raises:
        EvalError: it is none, or too large.
    """
    if value[0] != "number":
        raise EvalError(f"a {value[0]} is not a number")
    text = value[1]
    if "e" not in text.lower():
        return read_number(text)
    from decimal import Decimal, InvalidOperation

    try:
        number = Decimal(text)
    except InvalidOperation as error:
        raise EvalError(f"{text} is not a number") from error
    if abs(number.adjusted()) > 300:
        raise EvalError("the number is too large")
    return read_number(format(number, "f"))


@primitive([WORD, WORD, JSON], JSON)
def items_where(word: str, other: str, value: Json) -> Json:
    """Of an array of objects, those whose field with a name is a string equal to a word."""
    found = [row for row in items(value) if row[0] == "object" and (word, ("string", other)) in row[1]]
    return ("array", tuple(found))


@primitive([JSON], LINES, cost=1)
def scalars(value: Json) -> Lines:
    """The items of an array, one a line: strings as they are, other values as JSON."""
    return tuple([item[1] if item[0] == "string" else write_json(item) for item in items(value)])


@primitive([JSON], LINES, cost=2)
def keys(value: Json) -> Lines:
    """The names of the fields of an object, in order."""
    if value[0] != "object":
        raise EvalError(f"a {value[0]} has no fields")
    return tuple([name for name, _ in value[1]])


@primitive([JSON], WORD, cost=2)
def as_json(value: Json) -> str:
    """A value as JSON in one line."""
    return write_json(value)


@primitive([JSON], WORD, cost=1)
def scalar(value: Json) -> str:
    """A value as a word: a string as it is, another value as JSON."""
    return str(value[1]) if value[0] == "string" else write_json(value)


@primitive([JSON], NUMBER, cost=1)
def item_count(value: Json) -> int:
    """How many items an array has, or fields an object."""
    return len(items(value))
