"""Hypothesis strategies: any text, any value, any well-typed term."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from dabhand.language import FUNCTIONS, PRIMITIVES, Call, Const, Function, Kind, Term, Var, parameters, parse
from dabhand.language.samples import NAMES, ODD_WORDS, WORDS

SLOTS = (
    Var("A", Kind.PATH),
    Var("B", Kind.PATH),
    Var("T", Kind.WORD),
    Var("U", Kind.WORD),
    Var("N", Kind.NUMBER),
    Var("X", Kind.TEXT),
)

any_text = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=12),
    st.binary(max_size=12).map(lambda data: data.decode("utf-8", "surrogateescape")),
    st.lists(
        st.sampled_from((*WORDS, *ODD_WORDS, *NAMES, "\n", "\r\n", "\t", "\0", "12", "-3.5", "\udcff")), max_size=8
    ).map("\n".join),
)
any_number = st.one_of(
    st.integers(-5, 30),
    st.integers(-(10**30), 10**30),
    st.decimals(-(10**6), 10**6, places=3, allow_nan=False)
    .filter(lambda number: number % 1 != 0)
    .map(Decimal.normalize),
)
any_json = st.recursive(
    st.one_of(
        st.just(("null",)),
        st.just(("true",)),
        st.just(("false",)),
        st.tuples(st.just("string"), any_text),
        st.tuples(st.just("number"), st.integers(-99, 99).map(str)),
    ),
    lambda inner: st.one_of(
        st.tuples(st.just("array"), st.lists(inner, max_size=3).map(tuple)),
        st.tuples(st.just("object"), st.lists(st.tuples(any_text, inner), max_size=3).map(tuple)),
    ),
    max_leaves=5,
)
lines_of_text = st.lists(any_text, max_size=4).map(tuple)

VALUES: dict[Kind, st.SearchStrategy[Any]] = {
    Kind.PATH: st.one_of(st.sampled_from(("a", "b", "box", "box/c", ".", "gone", "")), any_text),
    Kind.WORD: any_text,
    Kind.TEXT: any_text,
    Kind.LINES: lines_of_text,
    Kind.NUMBER: any_number,
    Kind.NUMBERS: st.lists(any_number, max_size=4).map(tuple),
    Kind.BOOL: st.booleans(),
    Kind.PATTERN: st.tuples(
        st.sampled_from(("basic", "extended", "literal")), any_text, st.sampled_from(("", "i", "wx"))
    ),
    Kind.TABLE: st.lists(lines_of_text, max_size=3).map(tuple),
    Kind.JSON: any_json,
}

BODIES: dict[Kind, tuple[str, ...]] = {
    Kind.WORD_TO_WORD: ("capitals(it)", 'glued(it, "-")', 'before(",", it)', "item(1, parts(it))"),
    Kind.WORD_TO_NUMBER: ("length(it)", "number(it)", 'times_in("a", it)'),
    Kind.WORD_TO_BOOL: ('begins("a", it)', "less(2, length(it))", "not(has_digit(it))"),
    Kind.NUMBER_TO_NUMBER: ("plus(it, 1)", "whole_over(it, 2)", "number_if(is_even(it), it, negative(it))"),
    Kind.NUMBER_TO_BOOL: ("is_even(it)", "less(3, it)", "both(less(0, it), is_odd(it))"),
    Kind.TWO_TO_NUMBER: ("plus(it, other)", "larger(it, other)", "remainder(it, other)"),
    Kind.TWO_TO_BOOL: ("less(it, other)", "equals(it, other)"),
    Kind.ROW_TO_WORD: ("item(1, it)", 'joined("-", it)'),
    Kind.ROW_TO_BOOL: ('is(item(2, it), "7")', "less(1, count(it))"),
}
"""What may be done with every element of a list."""


def functions(kind: Kind) -> list[Function]:
    """Values of a kind of function."""
    return [Function(parse(body, parameters(kind)), kind) for body in BODIES[kind]]


VALUES.update({kind: st.sampled_from(functions(kind)) for kind in FUNCTIONS})


@st.composite
def terms(draw: st.DrawFn, kind: Kind | None = None, depth: int = 4) -> Term:
    """A well-typed term of a kind (any kind when None)."""
    if kind is None:
        kind = draw(st.sampled_from([each for each in Kind if each not in FUNCTIONS]))
    slots = [slot for slot in SLOTS if slot.kind is kind]
    makers = [each for each in PRIMITIVES.values() if each.gives is kind]
    choices = ["const"] + (["slot"] if slots else []) + (["call"] * 4 if makers and depth else [])
    match draw(st.sampled_from(choices)):
        case "slot":
            return draw(st.sampled_from(slots))
        case "call":
            primitive = draw(st.sampled_from(makers))
            return Call(primitive.name, tuple(draw(terms(each, depth - 1)) for each in primitive.takes))
    return Const(draw(VALUES[kind]), kind)


@st.composite
def fillings(draw: st.DrawFn) -> dict[str, Any]:
    """Values for all slots."""
    return {slot.name: draw(VALUES[slot.kind]) for slot in SLOTS}


@st.composite
def folders(draw: st.DrawFn) -> dict[str, str]:
    """Texts for a small folder."""
    return {name: draw(any_text) for name in ("a", "b", "box/c")}
