"""Evaluation: one term, many terms together, and the printed Python all give the same values."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dabhand.errors import LanguageError
from dabhand.language import (
    BLOCKS,
    FAILED,
    FUNCTIONS,
    PATH,
    PRIMITIVES,
    WORD,
    Call,
    Env,
    EvalError,
    Kind,
    Pool,
    Term,
    conforms,
    evaluate,
    parse,
    primitive_named,
    show,
)
from dabhand.language.python_source import to_python
from dabhand.language.samples import TextFolder, default_panel
from tests.language.strategies import SLOTS, VALUES, fillings, folders, functions, terms


def value_or_failed(term: Term, slots: dict[str, Any], folder: TextFolder) -> Any:
    try:
        return evaluate(term, slots, folder)
    except EvalError:
        return FAILED


@settings(max_examples=400)
@given(terms(), fillings(), folders())
def test_a_term_has_a_value_of_its_kind_or_none(term: Term, slots: dict[str, Any], texts: dict[str, str]) -> None:
    value = value_or_failed(term, slots, TextFolder(texts))
    assert value is FAILED or conforms(value, term.kind)
    assert value is FAILED or isinstance(hash(value), int)


@pytest.mark.parametrize("name", (*PRIMITIVES, *BLOCKS))
@settings(max_examples=25)
@given(data=st.data())
def test_each_primitive_gives_its_kind_or_an_eval_error(name: str, data: st.DataObject) -> None:
    primitive = primitive_named(name)
    assert primitive is not None
    args = [data.draw(VALUES[kind]) for kind in primitive.takes]
    if primitive.reads_folder:
        args.insert(0, TextFolder({"a": "x\n", "box/c": ""}))
    try:
        value = primitive.meaning(*args)
    except EvalError:
        return
    assert conforms(value, primitive.gives)


@given(st.lists(terms(depth=3), max_size=6), fillings(), folders())
def test_a_pool_gives_what_each_term_gives(several: list[Term], slots: dict[str, Any], texts: dict[str, str]) -> None:
    pool, folder = Pool(several), TextFolder(texts)
    values = pool.evaluate(Env(slots, folder))
    assert all(argument < place for place, arguments in enumerate(pool.args) for argument in arguments)
    assert len(set(pool.terms)) == len(pool)
    expected = [value_or_failed(term, slots, folder) for term in pool.terms]
    assert values == expected
    some = list(range(0, len(pool), 2))
    assert pool.evaluate_ids(some, Env(slots, folder)) == {place: expected[place] for place in some}


def run_source(term: Term, slots: dict[str, Any], folder: TextFolder) -> Any:
    scope: dict[str, Any] = {"folder": folder, **slots, "__name__": "printed"}
    exec(compile(to_python(term).text, "printed", "exec"), scope)
    return scope["result"]


@pytest.mark.parametrize("name", (*PRIMITIVES, *BLOCKS))
def test_printed_python_of_each_primitive_means_the_same(name: str) -> None:
    primitive = primitive_named(name)
    assert primitive is not None
    names = [f"p{place}" for place in range(len(primitive.takes))]
    text = f"{name}({', '.join(names)})"
    term = parse(text, dict(zip(names, primitive.takes, strict=True)))
    source = to_python(term).text
    assert "dabhand" not in source
    scope: dict[str, Any] = {"folder": TextFolder({"a": "x\ny", "box/c": ""}), "__name__": "printed"}
    for args in sample_arguments(primitive.takes):
        slots = dict(zip(names, args, strict=True))
        expected = value_or_failed(term, slots, scope["folder"])
        if expected is not FAILED:
            scope.update(slots)
            exec(compile(source, "printed", "exec"), scope)
            assert scope["result"] == expected


def sample_arguments(kinds: tuple[Kind, ...]) -> list[list[Any]]:
    rng = random.Random(7)
    samples: dict[Kind, list[Any]] = {
        Kind.PATH: ["a", "box", "b/c.txt", "."],
        Kind.WORD: ["b", "a*", ",", "name", "2", "x.y", "\\(a\\)\\|b*", "[[:alpha:]]"],
        Kind.TEXT: ["", "b\na\nb\n", "name,age\nAnn,31\n", '[{"name": "Ann", "age": 31}]', "é ü\n3", "\udcff\n"],
        Kind.LINES: [(), ("b", "a", "a"), ("3", "-1.5", "10"), ("é\n", "b,c\n", "x"), ("a", "")],
        Kind.NUMBER: [0, 1, 2, 30, -1],
        Kind.NUMBERS: [(), (1, 2, 5), (4, -2)],
        Kind.BOOL: [True, False],
        Kind.PATTERN: [
            ("basic", "a*b", ""),
            ("literal", "a", "iw"),
            ("extended", "(a|ab)+c?", "x"),
            ("basic", "[", ""),
        ],
        Kind.TABLE: [(("name", "age"), ("Ann", "31"), ("Bob", "7")), ()],
        Kind.JSON: [("array", (("object", (("name", ("string", "Ann")), ("age", ("number", "31")))),)), ("null",)],
    }
    samples |= {kind: functions(kind) for kind in FUNCTIONS}
    return [[rng.choice(samples[kind]) for kind in kinds] for _ in range(40)]


@settings(max_examples=60, deadline=None)
@given(terms(depth=3), fillings(), folders())
def test_printed_python_means_the_same(term: Term, slots: dict[str, Any], texts: dict[str, str]) -> None:
    folder = TextFolder(texts)
    expected = value_or_failed(term, slots, folder)
    if expected is not FAILED:
        assert run_source(term, slots, folder) == expected


def test_a_slot_filled_with_another_kind_has_no_value() -> None:
    term = parse("line(T)", {"T": WORD})
    with pytest.raises(EvalError):
        evaluate(term, {"T": 5}, TextFolder({}))
    with pytest.raises(EvalError):
        evaluate(term, {}, TextFolder({}))
    assert Pool([term]).evaluate(Env({"T": 5}, TextFolder({}))) == [FAILED, FAILED]


@pytest.mark.parametrize(
    "text",
    [
        'substitute_all("\\\\(a*\\\\)*b", "x", L)',
        'matching(basic("\\\\(a*\\\\)*\\\\(a*\\\\)*\\\\(a*\\\\)*b"), L)',
        'matching(extended("(a|a|a|aa)+$b"), L)',
        'matching(basic("\\\\(a\\\\{1,200\\\\}\\\\)\\\\{1,200\\\\}"), L)',
        'matching(basic("\\\\(a*\\\\)\\\\1\\\\1\\\\1b"), L)',
        "prefixed(content(X), lines(X))",
        "written(range(1, 99999999999999999999))",
        'replaced("a", content(X), replaced("a", content(X), X))',
    ],
)
def test_nothing_takes_long_or_grows_without_end(text: str) -> None:
    slots = {"L": ("a" * 400,) * 6, "X": "a\n" * 20_000}
    value_or_failed(parse(text, {"L": Kind.LINES, "X": Kind.TEXT}), slots, TextFolder({}))


def test_a_deep_term_is_evaluated_and_a_deeper_one_refused() -> None:
    term: Term = SLOTS[5]
    with pytest.raises(LanguageError):
        for _ in range(3000):
            term = Call("upper", (term,))
    assert evaluate(term, {"X": "a"}, TextFolder({})) == "A"
    assert parse(show(term), SLOTS) == term
    assert Pool([term]).evaluate(Env({"X": "a"}, TextFolder({})))[-1] == "A"


def test_panels_fill_every_slot_and_repeat_from_their_seed() -> None:
    inputs = [slot for slot in SLOTS if slot.kind is not PATH] + [slot for slot in SLOTS if slot.kind is PATH]
    panel, again = (default_panel(inputs, random.Random(3), 15) for _ in range(2))
    assert [repr(env) for env in panel] == [repr(env) for env in again]
    assert all(conforms(env.slots[slot.name], slot.kind) for env in panel for slot in inputs)
