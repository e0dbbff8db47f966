"""Primitives over numbers: exact (int or Decimal), read from words and lines, printed plainly."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from dabhand.language.declarations import primitive
from dabhand.language.kinds import LINES, NUMBER, NUMBERS, WORD, EvalError
from dabhand.language.limits import MAX_ITEMS
from dabhand.language.lines import Lines, whole

if TYPE_CHECKING:
    from dabhand.language.kinds import Number

Numbers = tuple[Any, ...]

NUMBER_TEXT = re.compile(r"\ufeff?[ \t\r\n]*([+-]?(?:[0-9]{1,200}(?:\.[0-9]{0,200})?|\.[0-9]{1,200}))[ \t\r\n]*\Z")
_LARGEST = 10**400


def read_number(word: str) -> Any:
    """The number that a word is, white space around it left out.

    Raises:
        EvalError: it is none.
    """
    found = NUMBER_TEXT.match(word)
    if found is None:
        raise EvalError("this is not a number")
    if "." not in found[1]:
        return int(found[1])
    from decimal import Decimal

    return normal(Decimal(found[1]))


def normal(number: Any) -> Any:
    """The one way to represent a number: an int where it is whole, else a Decimal without zeros at the end.

    Raises:
        EvalError: it is too large, or too long.
    """
    if not isinstance(number, int):
        if abs(number.adjusted()) > 500:
            raise EvalError("the number is too large or too small")
        if number == int(number):
            number = int(number)
        else:
            sign, digits, exponent = number.as_tuple()
            zeros = len(digits) - len(bytes(digits).rstrip(b"\0"))
            number = type(number)((sign, digits[: len(digits) - zeros], exponent + zeros))
    if abs(number) > _LARGEST:
        raise EvalError("the number is too large")
    return number


def exact(operation: str, number: Any, other: Any) -> Any:
    """A sum, difference or product ("add", "subtract", "multiply"), exact up to 1,000 digits."""
    if type(number) is int and type(other) is int:  # much the most frequent, and much the quickest
        match operation:
            case "add":
                return normal(number + other)
            case "subtract":
                return normal(number - other)
        return normal(number * other)
    from decimal import Context, Decimal

    return normal(getattr(Context(prec=1000), operation)(Decimal(number), Decimal(other)))


def exact_sum(numbers: Numbers) -> Any:
    """The exact sum."""
    total = sum([number for number in numbers if type(number) is int])
    for number in numbers:
        if type(number) is not int:
            total = exact("add", total, number)
    return normal(total)


def quotient(number: Any, by: Any) -> Any:
    """The quotient: exact where it has at most 28 digits, else rounded to 12, two places after the point at least."""
    if by == 0:
        raise EvalError("division by zero")
    if type(number) is int and type(by) is int and number % by == 0:
        return number // by
    from decimal import Context, Decimal, Inexact

    context = Context(prec=28)
    made = context.divide(Decimal(number), Decimal(by))
    if context.flags[Inexact]:
        made = Context(prec=max(12, made.adjusted() + 3)).divide(Decimal(number), Decimal(by))
    return normal(made)


# Between words and numbers


@primitive([WORD], NUMBER, cost=3)
def number(word: str) -> Number:
    """The number that a word is."""
    return read_number(word)  # type: ignore[no-any-return]


@primitive([NUMBER], WORD, cost=1)
def digits(number: Number) -> str:
    """The number written out, as short as it is exact."""
    return str(number) if isinstance(number, int) else format(number, "f")


@primitive([LINES], NUMBERS, cost=1)
def numbers(lines: Lines) -> Numbers:
    """The numbers that the lines are, blank lines left out; every other line must be one."""
    return tuple([read_number(line) for line in lines if line and not line.isspace()])


@primitive([LINES], NUMBERS, cost=3)
def numbers_among(lines: Lines) -> Numbers:
    """The numbers among the lines, the other lines left out."""
    return tuple([read_number(line) for line in lines if NUMBER_TEXT.match(line)])


@primitive([NUMBERS], LINES, cost=1)
def written(numbers: Numbers) -> Lines:
    """Every number written out, one a line."""
    return tuple(map(digits, numbers))


@primitive([NUMBER, NUMBER], NUMBERS, cost=2, suggests={0: (1,)})
def range_(number: Number, to: Number) -> Numbers:
    """The whole numbers from one number to another, both included."""
    start, stop = whole(number), whole(to)
    if stop - start > MAX_ITEMS:
        raise EvalError(f"{stop - start} numbers are too many")
    return tuple(range(start, stop + 1))


# One number out of many


def _some(numbers: Numbers) -> Numbers:
    if not numbers:
        raise EvalError("there are no numbers")
    return numbers


@primitive([NUMBERS], NUMBER)
def sum_(numbers: Numbers) -> Number:
    """The sum."""
    return exact_sum(numbers)  # type: ignore[no-any-return]


@primitive([NUMBERS], NUMBER)
def mean(numbers: Numbers) -> Number:
    """The arithmetic mean."""
    return quotient(exact_sum(_some(numbers)), len(numbers))  # type: ignore[no-any-return]


@primitive([NUMBERS], NUMBER)
def median(numbers: Numbers) -> Number:
    """The middle number in order, or the mean of the two middle ones."""
    ordered = sorted(_some(numbers))
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]  # type: ignore[no-any-return]
    return quotient(exact_sum((ordered[middle - 1], ordered[middle])), 2)  # type: ignore[no-any-return]


@primitive([NUMBERS], NUMBER)
def largest(numbers: Numbers) -> Number:
    """The largest number."""
    return max(_some(numbers))  # type: ignore[no-any-return]


@primitive([NUMBERS], NUMBER)
def smallest(numbers: Numbers) -> Number:
    """The smallest number."""
    return min(_some(numbers))  # type: ignore[no-any-return]


@primitive([NUMBERS], NUMBER, cost=1, python="len({0})")
def how_many(numbers: Numbers) -> Number:
    """How many numbers there are."""
    return len(numbers)


# Some numbers out of many


@primitive([NUMBERS], NUMBERS, python="tuple(n for n in {0} if n % 2 == 0)")
def even(numbers: Numbers) -> Numbers:
    """The even numbers among them."""
    return tuple([number for number in numbers if number % 2 == 0])


@primitive([NUMBERS], NUMBERS, python="tuple(n for n in {0} if abs(n % 2) == 1)")
def odd(numbers: Numbers) -> Numbers:
    """The odd numbers among them."""
    return tuple([number for number in numbers if abs(number % 2) == 1])


@primitive([NUMBER, NUMBERS], NUMBERS, suggests={0: (0,)})
def above(number: Number, numbers: Numbers) -> Numbers:
    """The numbers larger than a number."""
    return tuple([each for each in numbers if each > number])


@primitive([NUMBER, NUMBERS], NUMBERS, suggests={0: (0,)})
def below(number: Number, numbers: Numbers) -> Numbers:
    """The numbers smaller than a number."""
    return tuple([each for each in numbers if each < number])


@primitive([NUMBERS], NUMBERS, cost=3, python="tuple(sorted({0}))")
def ascending(numbers: Numbers) -> Numbers:
    """The numbers, smallest first."""
    return tuple(sorted(numbers))


# Arithmetic


@primitive([NUMBER, NUMBER], NUMBER, cost=3, suggests={1: (1,)})
def plus(number: Number, other: Number) -> Number:
    """The sum of two numbers."""
    return exact("add", number, other)  # type: ignore[no-any-return]


@primitive([NUMBER, NUMBER], NUMBER, cost=3, suggests={1: (1,)})
def minus(number: Number, other: Number) -> Number:
    """One number less another."""
    return exact("subtract", number, other)  # type: ignore[no-any-return]


@primitive([NUMBER, NUMBER], NUMBER, cost=3, suggests={1: (2,)})
def times(number: Number, other: Number) -> Number:
    """The product of two numbers."""
    return exact("multiply", number, other)  # type: ignore[no-any-return]


@primitive([NUMBER, NUMBER], NUMBER, cost=3, suggests={1: (2,)})
def over(number: Number, other: Number) -> Number:
    """One number divided by another."""
    return quotient(number, other)  # type: ignore[no-any-return]


@primitive([NUMBER, NUMBER], NUMBER, cost=3, suggests={0: (2, 1)})
def rounded(number: Number, other: Number) -> Number:
    """The second number rounded to so many places after the point, halves to even."""
    keep = whole(number)
    if not 0 <= keep <= 28:
        raise EvalError(f"a number cannot be rounded to {keep} places")
    if isinstance(other, int):
        return other
    from decimal import Context, Decimal

    return normal(other.quantize(Decimal(1).scaleb(-keep), context=Context(prec=1000)))  # type: ignore[no-any-return]
