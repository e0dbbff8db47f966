"""Search from examples: what it finds, and what it says when examples do not decide."""

from __future__ import annotations

import pytest

from dabhand.toolmaking.examples import Example, ExamplesError, read_examples
from dabhand.toolmaking.search import result_of, search


def test_a_program_is_found_that_works_on_what_it_never_saw() -> None:
    found = search([Example("b\na\nb\n", "a\nb\n"), Example("z\ny\n", "y\nz\n"), Example("q\n\nq\n", "\nq\n")])
    assert found.term is not None
    assert result_of(found.term, "c\nb\nc\na\n") == "a\nb\nc\n"


def test_examples_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(ExamplesError):
        search([Example("a", "b"), Example("a", "c")])


def test_examples_are_read_from_json_lines() -> None:
    assert read_examples('{"input": "a", "output": "b"}\n\n') == (Example("a", "b"),)
    with pytest.raises(ExamplesError):
        read_examples('{"input": "a"}\n')
    with pytest.raises(ExamplesError):
        read_examples("\n")
