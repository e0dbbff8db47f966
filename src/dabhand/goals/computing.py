"""What people ask about the numbers, words, columns and records of a text, as terms."""

from __future__ import annotations

from dabhand.goals.operations import OPERATIONS, Operation, lines_of, number, word
from dabhand.language import Call, Term
from dabhand.language.numbers import read_number


def _operation(function: Operation) -> Operation:
    OPERATIONS[function.__name__.strip("_")] = function
    return function


def _within(text: Term, *layers: str) -> Term | None:
    """What a text was made of by these primitives, the outermost first; None when it was not."""
    for name in layers:
        if not isinstance(text, Call) or text.name != name:
            return None
        text = text.args[0]
    return text


def items_of(text: Term) -> Term:
    """The lines of a text; of one that was put together from a list, that list."""
    return _within(text, "unlines") or lines_of(text)


def value_of(text: Term) -> Term:
    """The number that a text of one line is."""
    return _within(text, "line", "digits") or Call("number", (Call("content", (text,)),))


def table_of(text: Term) -> Term:
    """The table that a text is."""
    return _within(text, "as_csv") or Call("csv", (text,))


def records_of(text: Term) -> Term:
    """The JSON value that a text is."""
    return _within(text, "line", "as_json") or Call("json", (text,))


def _line(amount: Term) -> Term:
    return Call("line", (Call("digits", (amount,)),))


def _number(given: str | int) -> Term:
    return number(read_number(str(given)))


# -- numbers ----------------------------------------------------------------------------------------------------------

SEPARATE = ("lines", "words", "among")
"""How the numbers of a text are told apart: one a line, one a word, or one a line where a line is one at all."""


def numbers_of(text: Term, apart: str) -> Term:
    """The numbers in a text."""
    chosen = _within(text, "unlines", "written")
    if chosen is not None:
        return chosen
    match apart:
        case "among":
            return Call("numbers_among", (items_of(text),))
        case "words":
            return Call("numbers", (Call("words", (text,)),))
        case _:
            return Call("numbers", (items_of(text),))


FIGURES = {"total": "sum", "average": "mean", "median": "median", "largest": "largest", "smallest": "smallest"}
"""Single numbers out of many, and their primitives."""

LISTS = ("column", "even", "odd", "above", "below")
"""Operations that choose values, each a line, in the order in which they are."""
SINGLE = (*FIGURES, "rounded", "most_common", "longest", "shortest")
"""Operations that give one line."""


def _figure(name: str, primitive: str) -> None:
    OPERATIONS[name] = lambda text, apart: _line(Call(primitive, (numbers_of(text, str(apart)),)))


def _chosen(name: str, primitive: str) -> None:
    def operation(text: Term, apart: str, *limit: str | int) -> Term:
        kept = Call(primitive, (*map(_number, limit), numbers_of(text, apart)))
        return Call("unlines", (Call("written", (kept,)),))

    OPERATIONS[name] = operation


for _name, _primitive in FIGURES.items():
    _figure(_name, _primitive)
for _name in ("even", "odd", "above", "below"):
    _chosen(_name, _name)


@_operation
def rounded(text: Term, places: int, said: str = "rounded") -> Term:
    """A number rounded to so many places after the point; `said`: how it is asked for, "rounded" or "written"."""
    return _line(Call("rounded_half_up", (number(places), value_of(text))))


# -- words, lines, values ---------------------------------------------------------------------------------------------


def pieces_of(text: Term, unit: str) -> Term:
    """The words, lines or values of a text; of lines and values those that hold something."""
    return Call("words", (text,)) if unit == "words" else Call("nonblank", (items_of(text),))


def _pick(name: str, primitive: str) -> None:
    """An operation that picks one of many; of several that are equal the first, the last, or by the alphabet."""

    def operation(text: Term, unit: str, tie: str = "") -> Term:
        pieces = pieces_of(text, unit)
        if tie == "last":
            pieces = Call("reverse", (pieces,))
        elif tie == "alphabet":
            pieces = Call("sort", (pieces,))
        return Call("line", (Call(primitive, (pieces,)),))

    OPERATIONS[name] = operation


for _name in ("most_common", "longest", "shortest"):
    _pick(_name, _name)


@_operation
def title(text: Term) -> Term:
    """The first letter of every word a capital, the others small."""
    return Call("capitalized", (Call("lower", (text,)),))


@_operation
def capitalized(text: Term) -> Term:
    """The first letter of every word a capital, the others as they are."""
    return Call("capitalized", (text,))


# -- columns and records ----------------------------------------------------------------------------------------------

BOUNDS = ("above", "below", "from")


@_operation
def column(text: Term, name: str | int) -> Term:
    """The cells of a column of CSV, one a line."""
    table = table_of(text)
    cells = Call("column_at", (number(name), table)) if isinstance(name, int) else Call("column", (word(name), table))
    return Call("unlines", (cells,))


@_operation
def field(text: Term, name: str) -> Term:
    """The fields with a name of a JSON array of objects, one a line."""
    return Call("unlines", (Call("scalars", (Call("each_key", (word(name), records_of(text))),)),))


@_operation
def rows_where(text: Term, name: str, value: str) -> Term:
    """The rows of CSV whose cell is a value."""
    return Call("as_csv", (Call("rows_where", (word(name), word(value), table_of(text))),))


@_operation
def items_where(text: Term, name: str, value: str) -> Term:
    """The objects of a JSON array whose field is a value."""
    kept = Call("items_where", (word(name), word(value), records_of(text)))
    return Call("line", (Call("as_json", (kept,)),))


for _bound in BOUNDS:
    OPERATIONS["rows_" + _bound] = lambda text, name, limit, _bound=_bound: Call(
        "as_csv", (Call("rows_" + _bound, (word(name), _number(limit), table_of(text))),)
    )
    OPERATIONS["items_" + _bound] = lambda text, name, limit, _bound=_bound: Call(
        "line", (Call("as_json", (Call("items_" + _bound, (word(name), _number(limit), records_of(text))),)),)
    )
