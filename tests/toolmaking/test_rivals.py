"""What examples leave open is said, with the input that tells programs apart; what they bear out is found."""

from __future__ import annotations

import pytest

from dabhand.language import show
from dabhand.toolmaking.boundaries import boundary_texts
from dabhand.toolmaking.examples import Example
from dabhand.toolmaking.likeness import Likeness
from dabhand.toolmaking.search import Found, result_of, search

Pairs = list[tuple[str, str]]


def found_from(pairs: Pairs) -> Found:
    return search([Example(*pair) for pair in pairs], seconds=30)


OPEN: dict[str, tuple[Pairs, set[str]]] = {
    "capitals inside words": (
        [("the cat\n", "The Cat\n"), ("a dog ran\noff\n", "A Dog Ran\nOff\n"), ("we two\n", "We Two\n")],
        {"title", "capitalized"},
    ),
    "which lines are few": (
        [("Ann Lee\nBob Ray\n", "Lee\nRay\n"), ("Cid Poe\n", "Poe\n"), ("Eve Orr\nDan Day\n", "Orr\nDay\n")],
        {"after_last", "after"},
    ),
    "letters or no blanks": (
        [("a fig\nplum\n", "afig\nplum\n"), ("red oak elm\n", "redoakelm\n"), ("x y\nsea\n", "xy\nsea\n")],
        {"only_letters", "lacking"},
    ),
    "numbers as text": (
        [("[3, 1, 2]\n", "1\n2\n3\n"), ("[10, -4]\n", "-4\n10\n"), ("[5, 5, 7]\n", "5\n5\n7\n")],
        {"sort(", "sort_numbers("},
    ),
    "which blank lines": (
        [("pear\nfig\npear\n", "pear\nfig\npear\n"), ("Zoe\nan owl\n\nBob\n", "Zoe\nan owl\nBob\n"), ("x\n", "x\n")],
        {"nonblank", "where"},
    ),
}


@pytest.mark.parametrize("name", OPEN)
def test_rivals_are_named_with_an_input_that_parts_them(name: str) -> None:
    pairs, blocks = OPEN[name]
    found = found_from(pairs)
    assert found.term is not None and not found.is_sure
    programs = [show(term) for term in (found.term, *found.others)]
    assert {block for block in blocks if any(f"{block}" in program for program in programs)} == blocks
    assert found.telling is not None
    assert [result_of(term, found.telling) for term in (found.term, *found.others)] == list(found.answers)
    assert len(set(found.answers)) > 1
    assert found.telling.count("\n") <= 3, "the input is no longer than it needs to be"


CLOSED: dict[str, tuple[Pairs, tuple[str, str]]] = {
    "every second line": (
        [("a\nb\nc\nd\n", "b\nd\n"), ("fig\nelm\noak\nash\nivy\n", "elm\nash\n"), ("3\n1\n2\n9\n7\n5\n", "1\n9\n5\n")],
        ("x\ny\nz\n", "y\n"),
    ),
    "numbered": (
        [("a\nb\n", "1. a\n2. b\n"), ("go go\nstay\nrun\n", "1. go go\n2. stay\n3. run\n"), ("x\n", "1. x\n")],
        ("go go\n\ngo\n", "1. go go\n2. \n3. go\n"),
    ),
    "consonants": (
        [("Hello there\n", "6\n"), ("a queue of kiwis\n", "5\n"), ("Rhythm, now!\nsky\n", "11\n")],
        ("I am 2 b!\n", "2\n"),
    ),
    "what repeats, in order of first occurrence": (
        [
            ("pear\nfig\nelm\npear\nfig\n", "pear\nfig\n"),
            ("x\ny\ny\nx\nz\n", "x\ny\n"),
            ("z\nr\nq\nq\nq\nr\ns\n", "r\nq\n"),
            ("a\nb\nb\n", "b\n"),
        ],
        ("d\nc\nd\nc\n", "d\nc\n"),
    ),
    "lines that come once": (
        [("b\na\nb\nc\n", "a\nc\n"), ("z\ny\nx\nx\n", "z\ny\n"), ("p\nq\np\nq\nr\np\n", "r\n")],
        ("pear\nfig\npear\nelm\n", "fig\nelm\n"),
    ),
}


@pytest.mark.parametrize("name", CLOSED)
def test_what_three_examples_bear_out_is_made(name: str) -> None:
    pairs, (given, wanted) = CLOSED[name]
    found = found_from(pairs)
    assert found.is_sure, found
    assert found.term is not None and result_of(found.term, given) == wanted


def test_no_long_program_is_believed_for_three_small_numbers() -> None:
    found = found_from([("kiwi\nfig\n", "7\n"), ("an oak\n", "4\n"), ("plum\nash\nelm x\n", "9\n")])
    assert not found.is_sure


def test_two_examples_are_too_few() -> None:
    found = found_from([("b\na\n", "a\nb\n"), ("d\nc\nb\n", "b\nc\nd\n")])
    assert found.term is not None and not found.is_sure and found.next_input is not None


@pytest.mark.parametrize(
    ("given", "like", "unlike"),
    [
        (["a=1\nb=2\n"], "c=3=4\n", "c\n"),
        (["fig\nelm\n"], "oak\n", "oak elm\n"),
        (["1\n20\n"], "-3\n", "2.5\n"),
        (["name,age\nAnn,3\n"], "name,age\nBob,4\n", "name,age\nBob\n"),
        (["a b\nc\n"], "x y z\n", " x\n"),
        (["10 20\n3 4\n"], "7\n", "7 x\n"),
    ],
)
def test_what_all_examples_have_in_common_is_kept(given: list[str], like: str, unlike: str) -> None:
    assert Likeness(given).holds(like) and not Likeness(given).holds(unlike)
    assert all(map(Likeness(given).holds, boundary_texts(given)))


def test_the_edges_of_plain_lines_are_there() -> None:
    texts = boundary_texts(["fig tree\nelm\noak\n", "elm\nash x\n"])
    lines = [line for text in texts for line in text.split("\n")]
    assert any(text.count("\n") == 1 for text in texts)
    assert any(text.count("\n") > 7 for text in texts)
    assert any(line.startswith("-") for line in lines) and any(line.isupper() for line in lines)
    assert any(not line.isascii() for line in lines)


def test_an_order_that_is_also_the_alphabets_is_asked_about() -> None:
    found = found_from([("a\nb\na\n", "a\n"), ("x\ny\ny\nx\nz\n", "x\ny\n"), ("q\nq\nq\nr\n", "q\n")])
    assert not found.is_sure and found.telling is not None
    assert found.telling.count("\n") == 4, "two lines, each twice"
    assert found.answers == ("b\na\n", "a\nb\n")
