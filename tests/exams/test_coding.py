"""Tasks that take a program: the host's own arithmetic, and that what is asked for is what the host expects."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from dabhand.exams.host import figures
from dabhand.exams.suites import KINDS, task_of
from dabhand.goals import Answers, Holds, understand
from dabhand.language import evaluate
from dabhand.workspace import State
from dabhand.world.reading import StateView

CODING = [name for name, kind in KINDS.items() if kind.__module__.endswith(".coding")]


@pytest.mark.parametrize(
    ("number", "text"), [("3", "3"), ("-0.5", "-0.5"), ("1/8", "0.125"), ("-5/4", "-1.25"), ("0", "0"), ("2.50", "2.5")]
)
def test_numbers_are_written_as_people_do(number: str, text: str) -> None:
    assert figures.plain(Fraction(number)) == text


def test_what_has_no_end_is_rounded() -> None:
    with pytest.raises(ValueError, match="cannot be written out"):
        figures.plain(Fraction(1, 3))
    assert [figures.rounded(Fraction(n, 3), 2) for n in (1, 2, -2, 20)] == ["0.33", "0.67", "-0.67", "6.67"]


def test_one_of_many() -> None:
    assert figures.middle(figures.read(["3", "", " 1 ", "2.5", "-4"])) == Fraction(7, 4)
    assert figures.most_frequent(["b", "a", "b", "a", "c"]) == ["a", "b"]
    assert figures.longest(["aa", "b", "cc"]) == ["aa", "cc"]
    assert figures.titled("DON'T  stop élan\nx") == "Don't  Stop Élan\nX"
    table = figures.table_text(["a", "b"], [["x, y", "1"], ['"z"', ""]])
    assert figures.cells(table, "a") == ["x, y", '"z"'] and figures.cells(table, "b") == ["1"]


@pytest.mark.parametrize("kind", CODING)
def test_what_is_asked_for_is_what_the_host_expects(kind: str) -> None:
    for seed in range(6):
        task = task_of(kind, Random(seed), "x")
        view = StateView(State.from_json(task.files))
        for condition in understand(task.request, view).conditions:
            assert isinstance(condition, Holds | Answers)
            made = evaluate(condition.content, {}, view)
            if condition.path is not None:
                assert task.expect.files == {condition.path: {"text": made}}, task.request
            elif task.expect.answer is not None:
                assert str(made).removesuffix("\n") == task.expect.answer, task.request
