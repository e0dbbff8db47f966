"""Terms: text form, JSON form, typing, equality."""

from __future__ import annotations

import json
import pickle

import pytest
from hypothesis import given

from dabhand.errors import LanguageError
from dabhand.language import (
    FUNCTIONS,
    LINES,
    NUMBER,
    PATH,
    PRIMITIVES,
    TEXT,
    WORD,
    Call,
    Const,
    Kind,
    Term,
    Var,
    cost,
    parse,
    show,
    size,
    substitute,
    subterms,
    variables,
)
from dabhand.language.json_form import from_json, schema, to_json
from dabhand.language.reference import markdown, rows
from tests.language.strategies import SLOTS, any_text, terms

A = Var("A", PATH)
SORTED = Call("unlines", (Call("sort", (Call("lines", (Call("text", (A,)),)),)),))


@given(terms())
def test_every_term_is_read_back_from_its_text(term: Term) -> None:
    assert parse(show(term), SLOTS) == term


@given(terms())
def test_every_term_is_read_back_from_its_json(term: Term) -> None:
    assert from_json(json.loads(json.dumps(to_json(term))), SLOTS) == term


@given(any_text)
def test_reading_any_text_gives_a_term_or_a_language_error(text: str) -> None:
    for attempt in (text, f"line({text})", f'line("{text}")'):
        try:
            parse(attempt, SLOTS)
        except LanguageError:
            continue


@given(terms(), terms())
def test_terms_are_equal_when_they_are_written_alike(term: Term, other: Term) -> None:
    assert (term == other) == (show(term) == show(other) and term.kind is other.kind)
    copy = pickle.loads(pickle.dumps(term))
    assert copy == term
    assert hash(copy) == hash(term)


def test_a_term_reads_as_its_text() -> None:
    assert str(SORTED) == "unlines(sort(lines(text(A))))"
    assert parse(" unlines( sort(lines(text(A))) ) ", {"A": PATH}) == SORTED
    assert show(Const("a\n", TEXT)) == '"a\\n" : text'
    assert parse('first(5, lines(text("build.log")))').kind is LINES


@pytest.mark.parametrize(
    "text",
    ["", "sort", "sort(", "\u00e9", "sort(lines(text(A)))x", "nothing(A)", "sort(text(A))", 'text(A, "b")', '["a"]',
     "first(true, A)", '"a', "1e5", '"a" : nonsense', "(" * 1000, "text(" * 1000, '["a", 1] : lines', "B",
     '"\\ud8" : text', "- 1"],
)  # fmt: skip
def test_what_is_no_term_is_refused(text: str) -> None:
    with pytest.raises(LanguageError):
        parse(text, {"A": PATH})


@pytest.mark.parametrize(
    "data",
    [None, 5, [], {}, {"slot": "Z"}, {"slot": 5}, {"sort": []}, {"sort": "x"}, {"nothing": []}, {"sort": [5]},
     {"a": 1, "b": 2}, {"constant": 5, "kind": "text"}, {"constant": 5, "kind": "x"}, {"line": [{"base64": "?"}]},
     {"digits": [{}]},
     {"digits": ["x"]}],
)  # fmt: skip
def test_what_is_no_term_in_json_is_refused(data: object) -> None:
    with pytest.raises(LanguageError):
        from_json(data, SLOTS)


def test_arguments_must_be_of_the_kinds_taken() -> None:
    with pytest.raises(LanguageError, match="sort takes"):
        Call("sort", (A,))
    with pytest.raises(LanguageError):
        Call("no_such_thing", ())
    with pytest.raises(LanguageError):
        Const(True, NUMBER)
    with pytest.raises(LanguageError):
        Const(("a", 1), LINES)
    with pytest.raises(LanguageError):
        Var("not a name", WORD)


def test_a_term_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        A.name = "B"
    with pytest.raises(AttributeError):
        del SORTED.args


def test_parts_of_a_term() -> None:
    assert variables(SORTED) == (A,)
    assert size(SORTED) == 5
    assert cost(SORTED) == sum(PRIMITIVES[name].cost for name in ("unlines", "sort", "lines", "text"))
    assert next(iter(subterms(SORTED))) == A
    assert list(subterms(SORTED))[-1] == SORTED
    assert show(substitute(SORTED, {A: Const("x", PATH)})) == 'unlines(sort(lines(text("x"))))'


def test_the_schema_names_every_primitive() -> None:
    made = json.dumps([schema(SLOTS, kind) for kind in Kind if kind not in FUNCTIONS])
    assert all(f'"{name}"' in made for name in PRIMITIVES)
    assert set(schema(SLOTS, TEXT, ["line", "digits"])["$defs"]) == {"text", "word", "number"}


def test_the_table_has_a_row_for_every_primitive() -> None:
    assert len(rows()) == len(PRIMITIVES)
    assert all(row.doc.endswith(".") for row in rows())
    assert all(f"`{each.signature}`" in markdown() for each in PRIMITIVES.values())
    assert {kind for each in PRIMITIVES.values() for kind in (*each.takes, each.gives)} == set(Kind) - set(FUNCTIONS)
