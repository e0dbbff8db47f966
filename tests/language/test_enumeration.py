"""Enumeration: distinct, typed, in order, and wide enough for what commands do."""

from __future__ import annotations

import random

import pytest

from dabhand.errors import LanguageError
from dabhand.language import (
    BOOL,
    FAILED,
    LINES,
    NUMBER,
    PATH,
    TEXT,
    WORD,
    Const,
    Env,
    EvalError,
    Term,
    Var,
    enumerate_terms,
    evaluate,
    parse,
    show,
)
from dabhand.language.samples import TextFolder, default_panel

A, B, T, U, N = Var("A", PATH), Var("B", PATH), Var("T", WORD), Var("U", WORD), Var("N", NUMBER)

PACK = {
    (A,): [
        "text(A)", "unlines(sort(lines(text(A))))", "unlines(reverse(sort(lines(text(A)))))",
        "unlines(sort_numbers(lines(text(A))))", "unlines(unique(sort(lines(text(A)))))",
        "unlines(unique(lines(text(A))))",
        "concat(reverse(records(text(A))))", "concat(mirrored(records(text(A))))", "unlines(numbered(lines(text(A))))",
        "upper(text(A))", "line(digits(newlines(text(A))))", "line(digits(count(words(text(A)))))",
        "line(digits(byte_count(text(A))))", "unlines(visible(names(A)))", "line(spelled(A))",
    ],
    (A, B): ["then(text(A), text(B))", "unlines(beside(lines(text(A)), lines(text(B))))"],
    (A, N): [
        "concat(first(N, records(text(A))))", "concat(last(N, records(text(A))))",
        "unlines(field(\",\", N, lines(text(A))))",
        "concat(without(N, records(text(A))))", "concat(between(N, N, records(text(A))))",
    ],
    (A, T): [
        "line(T)", "unlines(matching(basic(T), lines(text(A))))", "unlines(not_matching(basic(T), lines(text(A))))",
        "line(digits(count(matching(basic(T), lines(text(A))))))", "unlines(matching(literal(T), lines(text(A))))",
    ],
    (A, T, U): ["concat(substitute_all(T, U, records(text(A))))", "replaced(T, U, text(A))"],
}  # fmt: skip


@pytest.mark.parametrize("inputs", PACK)
def test_what_the_commands_of_the_pack_print_is_found_cheaply(inputs: tuple[Var, ...]) -> None:
    panel = default_panel(inputs, random.Random(1), 12)
    pool = enumerate_terms(inputs, panel, 7 if len(inputs) < 3 else 5, 4_000, (TEXT,))
    columns = list(zip(*[pool.evaluate(env) for env in panel], strict=True))
    known = {columns[place] for place in pool.ids(TEXT)}
    for text in PACK[inputs]:
        term = parse(text, inputs)
        assert tuple([value(term, env) for env in panel]) in known, text


def value(term: Term, env: Env) -> object:
    try:
        return evaluate(term, env.slots, env.folder)
    except EvalError:
        return FAILED


def test_terms_differ_on_the_panel_and_come_in_order() -> None:
    panel = default_panel([A, T], random.Random(2))
    pool = enumerate_terms([A, T], panel, 5, kinds=(TEXT, BOOL))
    columns = list(zip(*[pool.evaluate(env) for env in panel], strict=True))
    for kind in (TEXT, BOOL, LINES):
        seen = [columns[place] for place in pool.ids(kind)]
        assert len(set(seen)) == len(seen)
        assert all(any(each is not FAILED for each in column) for column in seen)
    wanted = [pool.costs[place] for place in range(len(pool)) if pool.kinds[place] in (TEXT, BOOL)]
    assert wanted == sorted(wanted)
    assert all(argument < place for place, arguments in enumerate(pool.args) for argument in arguments)


def test_enumeration_is_the_same_every_time() -> None:
    runs = [enumerate_terms([A, N], default_panel([A, N], random.Random(5)), 5) for _ in range(2)]
    assert [show(term) for term in runs[0].terms] == [show(term) for term in runs[1].terms]


def test_the_number_of_wanted_terms_is_limited() -> None:
    pool = enumerate_terms([A], default_panel([A], random.Random(5)), 8, 50, (TEXT,))
    assert len(pool.ids(TEXT)) <= 50


def test_only_the_primitives_that_are_allowed_are_used() -> None:
    allowed = ["text", "lines", "sort", "unlines"]
    pool = enumerate_terms([A], default_panel([A], random.Random(5)), 9, kinds=(TEXT,), primitives=allowed)
    assert {term.name for term in pool.terms if hasattr(term, "args")} <= set(allowed)
    assert parse("unlines(sort(lines(text(A))))", [A]) in pool
    with pytest.raises(LanguageError):
        enumerate_terms([A], default_panel([A], random.Random(5)), 3, primitives=["nonsense"])


def test_constants_that_are_given_are_used_and_the_empty_text_is_there_once() -> None:
    hello = Const("hello", WORD)
    pool = enumerate_terms([A], default_panel([A], random.Random(5)), 3, kinds=(TEXT,), constants=[hello])
    assert parse('line("hello")', [A]) in pool
    assert pool.terms.count(Const("", TEXT)) == 1


def test_the_simpler_of_equal_terms_is_kept() -> None:
    pool = enumerate_terms([A], default_panel([A], random.Random(5)), 7, kinds=(TEXT,))
    assert parse("concat(records(text(A)))", [A]) not in pool
    assert parse("concat(reverse(records(text(A))))", [A]) in pool


def test_an_empty_panel_is_refused() -> None:
    with pytest.raises(LanguageError):
        enumerate_terms([A], [], 3)


def test_a_folder_in_memory_is_seen_as_terms_see_folders() -> None:
    folder = TextFolder({"a": "x", "box/c": "y", "box/.hidden": ""}, ["box/empty"])
    assert folder.names(".") == ("a", "box")
    assert folder.names("box") == (".hidden", "c", "empty")
    assert folder.names("a") is None
    assert [folder.kind(path) for path in ("a", "box", "no")] == ["file", "folder", "missing"]
