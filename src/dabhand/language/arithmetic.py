"""Blocks over numbers: whole division, the larger and the smaller, lists of numbers by place."""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING

from dabhand.language.declarations import block
from dabhand.language.kinds import BOOL, NUMBER, NUMBERS, EvalError
from dabhand.language.lines import whole
from dabhand.language.numbers import Numbers, exact, normal, quotient

if TYPE_CHECKING:
    from dabhand.language.kinds import Number


@block([NUMBER, NUMBER], NUMBER, suggests={1: (2,)}, python="({0} // {1})")
def whole_over(number: Number, other: Number) -> Number:
    """How often the second number goes into the first, whole numbers both, rounded down."""
    if whole(other) == 0:
        raise EvalError("division by zero")
    return whole(number) // whole(other)


@block([NUMBER, NUMBER], NUMBER, suggests={1: (2,)}, python="({0} % {1})")
def remainder(number: Number, other: Number) -> Number:
    """What is left over when the first number is divided by the second, whole numbers both."""
    if whole(other) == 0:
        raise EvalError("division by zero")
    return whole(number) % whole(other)


@block([NUMBER, NUMBER], NUMBER, suggests={1: (0,)}, python="max({0}, {1})")
def larger(number: Number, other: Number) -> Number:
    """The larger of two numbers."""
    return max(number, other)


@block([NUMBER, NUMBER], NUMBER, suggests={1: (0,)}, python="min({0}, {1})")
def smaller(number: Number, other: Number) -> Number:
    """The smaller of two numbers."""
    return min(number, other)


@block([NUMBER], NUMBER)
def squared(number: Number) -> Number:
    """The number times itself."""
    return exact("multiply", number, number)  # type: ignore[no-any-return]


@block([NUMBER], NUMBER, python="(-{0})")
def negative(number: Number) -> Number:
    """Zero less the number."""
    return exact("subtract", 0, number)  # type: ignore[no-any-return]


@block([NUMBER, NUMBER], NUMBER, cost=3)
def percent(number: Number, other: Number) -> Number:
    """How many hundredths of the second number the first is."""
    return quotient(exact("multiply", 100, number), other)  # type: ignore[no-any-return]


@block([NUMBER, NUMBER], NUMBER, cost=3, suggests={0: (2, 1, 0)})
def rounded_half_up(number: Number, other: Number) -> Number:
    """The second number rounded to so many places after the point, halves away from zero."""
    keep = whole(number)
    if not 0 <= keep <= 28:
        raise EvalError(f"a number cannot be rounded to {keep} places")
    from decimal import ROUND_HALF_UP, Context, Decimal

    return normal(  # type: ignore[no-any-return]
        Decimal(other).quantize(Decimal(1).scaleb(-keep), rounding=ROUND_HALF_UP, context=Context(prec=1000))
    )


@block([NUMBER], BOOL, python="({0} % 2 == 0)")
def is_even(number: Number) -> bool:
    """Whether the number is even."""
    return number % 2 == 0


@block([NUMBER], BOOL, python="(abs({0} % 2) == 1)")
def is_odd(number: Number) -> bool:
    """Whether the number is odd."""
    return abs(number % 2) == 1


@block([NUMBER, NUMBER], BOOL, suggests={0: (0,)}, python="({0} == {1})")
def equals(number: Number, other: Number) -> bool:
    """Whether two numbers are equal."""
    return number == other


@block([NUMBER, NUMBER], BOOL, suggests={0: (0,)}, python="({0} <= {1})")
def at_most(number: Number, other: Number) -> bool:
    """Whether the first number is not larger than the second."""
    return number <= other


@block([NUMBER], NUMBER, cost=3, python="abs({0})")
def magnitude(number: Number) -> Number:
    """The number without its sign."""
    return abs(number)  # type: ignore[return-value]


MOST_DIVISORS = 10**5


@block([NUMBER], BOOL, cost=3)
def is_prime(number: Number) -> bool:
    """Whether the number is prime."""
    if whole(number) > MOST_DIVISORS**2:
        raise EvalError(f"it takes too long to tell whether {number} is prime")
    return number > 1 and all(number % by for by in range(2, isqrt(whole(number)) + 1))


# Lists of numbers


@block([NUMBERS], NUMBERS, python="{0}[::-1]")
def turned(numbers: Numbers) -> Numbers:
    """The numbers, last one first."""
    return numbers[::-1]


@block([NUMBER, NUMBERS], NUMBERS, suggests={0: (1, -1)}, python="{1}[:{0}]")
def take(number: Number, numbers: Numbers) -> Numbers:
    """The first so many numbers; a negative number leaves out so many at the end."""
    return numbers[: whole(number)]


@block([NUMBER, NUMBERS], NUMBERS, suggests={0: (1,)}, python="{1}[{0}:]")
def drop(number: Number, numbers: Numbers) -> Numbers:
    """The numbers without the first so many; a negative number keeps so many at the end."""
    return numbers[whole(number) :]


@block([NUMBER, NUMBERS], NUMBER, suggests={0: (0, -1)}, python="{1}[{0}]")
def at(number: Number, numbers: Numbers) -> Number:
    """The number at a place; the first is at 0, the last at -1."""
    place = whole(number)
    if not -len(numbers) <= place < len(numbers):
        raise EvalError(f"there is no place {place} among {len(numbers)} numbers")
    return numbers[place]  # type: ignore[no-any-return]


@block([NUMBERS], NUMBERS, cost=3, python="tuple(dict.fromkeys({0}))")
def distinct_numbers(numbers: Numbers) -> Numbers:
    """The numbers without those that occurred before."""
    return tuple(dict.fromkeys(numbers))
