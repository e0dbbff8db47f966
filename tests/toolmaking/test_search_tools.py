"""The tools that people ask for first, each found from three examples, and what is said when three are too few."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from dabhand.toolmaking.examples import Example
from dabhand.toolmaking.guide import shipped_guide
from dabhand.toolmaking.search import Found, result_of, search

PEOPLE = 'name,city,age\nAnn,"Ghent, BE",31.5\nBob,Oslo,\nCid,"Ghent, BE",44\n'
MORE = "name,city,age\nEve,Lima,25\nDora,Lima,20\nFay,Bern,7\n"
MOST = "name,city,age\nKai,Bern,15\nZoë,Kyiv,50\nMax,Kyiv,1\nPia,Kyiv,2\n"
FRESH = 'name,city,age\nLea,Pisa,-4.5\nTom,"Bonn, DE",12\nUrs,Pisa,8\n'


def people(*pairs: tuple[str, int]) -> str:
    return json.dumps([{"name": name, "age": age} for name, age in pairs])


TOOLS: dict[str, tuple[Sequence[tuple[str, str]], tuple[str, str]]] = {
    "average": ([("1\n2\n4\n5\n", "3\n"), ("10\n15\n", "12.5\n"), ("2\n2\n8\n-1\n", "2.75\n")], ("1\n2\n", "1.5\n")),
    "median": (
        [("5\n1\n9\n", "5\n"), ("4\n1\n3\n10\n", "3.5\n"), ("7\n2\n-8\n3\n3\n", "3\n")],
        ("2.5\n-1\n4\n0\n", "1.25\n"),
    ),
    "most common word": (
        [("oak elm oak\nfig\n", "oak\n"), ("a dog saw the cat and the sun\n", "the\n"), ("x y z y z z\n", "z\n")],
        ("no yes no\n", "no\n"),
    ),
    "sum of a column": ([(PEOPLE, "75.5\n"), (MORE, "52\n"), (MOST, "68\n")], (FRESH, "15.5\n")),
    "names over 30": (
        [
            (people(("Ann", 31), ("Bob", 7), ("Cid", 44)), "Ann\nCid\n"),
            (people(("Dora", 30), ("Eve", 35)), "Eve\n"),
            (people(("Max", 52), ("Kai", 12), ("Zoë", 29), ("Al", 33)), "Max\nAl\n"),
        ],
        (people(("Ida", 30), ("Leo", 31), ("Max", 77)), "Leo\nMax\n"),
    ),
    "count vowels": ([("Hello World\n", "3\n"), ("banana\nkiwi\n", "5\n"), ("rhythm\n", "0\n")], ("A queue\n", "5\n")),
    "longest line": (
        [("a\nccc\nbb\n", "ccc\n"), ("hello\nhi\n", "hello\n"), ("one\nthree\nzz four\nx\n", "zz four\n")],
        ("pq\nabcdef\nrst\n", "abcdef\n"),
    ),
    "average of a column": (
        [(PEOPLE, "37.75\n"), (MORE.replace("7", "9"), "18\n"), (MOST, "17\n")],
        (FRESH.replace("8", "9"), "5.5\n"),
    ),
    "most common city": ([(PEOPLE, "Ghent, BE\n"), (MORE, "Lima\n"), (MOST, "Kyiv\n")], (FRESH, "Pisa\n")),
    "title case": (
        [
            ("hello world\n", "Hello World\n"),
            ("the quick fox\njumps\n", "The Quick Fox\nJumps\n"),
            ("it was dark\n", "It Was Dark\n"),
        ],
        ("one émile\n", "One Émile\n"),
    ),
    "even numbers": (
        [("1\n2\n3\n4\n", "2\n4\n"), ("10\n11\n-6\n", "10\n-6\n"), ("7\n8\n0\n", "8\n0\n")],
        ("-3\n-4\n100\n", "-4\n100\n"),
    ),
}  # fmt: skip


def found_from(pairs: Sequence[tuple[str, str]]) -> Found:
    return search([Example(given, output) for given, output in pairs], guide=shipped_guide())


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_is_found_from_three_examples(name: str) -> None:
    pairs, (given, output) = TOOLS[name]
    found = found_from(pairs)
    assert found.term is not None
    assert result_of(found.term, given) == output
    assert found.tried > 0


def test_where_examples_leave_it_open_the_telling_input_is_named() -> None:
    found = found_from([("b\n", "b\n"), ("x\n", "x\n"), ("pear\n", "pear\n")])
    longer = found_from([("oak elm\n", "oak\n"), ("fig pear\n", "fig\n")])
    assert found.term is not None
    assert longer.term is not None
    for each in (found, longer):
        if each.others:
            assert each.telling is not None
            assert len(set(each.answers)) > 1
            assert not each.is_sure


def test_a_limit_that_no_example_fixes_is_not_claimed() -> None:
    short, long = "ab\n", "abcdefghijklmnopqrstuvw\n"
    found = found_from([(short + long, long), (long + short + "xyz\n", long), ("q\n" + long, long)])
    assert found.term is not None
    assert result_of(found.term, short + long) == long


def test_an_output_that_is_always_the_same_makes_nobody_sure() -> None:
    found = found_from([("a\n", "ok\n"), ("b\nc\n", "ok\n"), ("d d\n", "ok\n")])
    assert not found.is_sure


def test_nothing_is_found_where_nothing_fits() -> None:
    found = search([Example("a\n", "7319\n"), Example("b\n", "-2.25 q\n"), Example("c\n", "zz!\n")], seconds=0.5)
    assert found.term is None or not found.is_sure
