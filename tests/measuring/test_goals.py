"""The judge of goals: they are held against each other by what they come to in folders."""

from __future__ import annotations

from typing import Any

import pytest

from dabhand.errors import NotUnderstood
from dabhand.goals.goal import Goal
from dabhand.language import FolderView
from dabhand.measuring.cases import Case
from dabhand.measuring.goals import Sample, by_chain, by_grammar, by_model, by_oracle, comes_to, judged, summary
from tests.goals.scripted import Scripted, goal

THINGS = {"a.txt": "file", "docs/b.txt": "file", "box": "folder", "new.txt": "missing"}


def file_is(content: str, path: str | None = "new.txt", word: str = "file") -> Goal:
    return Goal.from_json(goal((path, word, content)))


SAME = [
    ('upper(text("a.txt"))', 'upper(upper(text("a.txt")))'),
    ('line(digits(count(lines(text("a.txt")))))', 'line(digits(count(lines(upper(text("a.txt"))))))'),
]
DIFFERENT = [
    ('text("a.txt")', 'upper(text("a.txt"))'),
    ('text("a.txt")', 'text("docs/b.txt")'),
    ('line(digits(count(lines(text("a.txt")))))', 'line(digits(count(lines(text("docs/b.txt")))))'),
    ('concat(first(2, records(text("a.txt"))))', 'concat(first(3, records(text("a.txt"))))'),
    ('line(digits(count(lines(text("a.txt")))))', 'line(digits(count(words(text("a.txt")))))'),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_goals_that_come_to_the_same_are_the_same(one: str, other: str) -> None:
    assert comes_to(file_is(one), THINGS) == comes_to(file_is(other), THINGS)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_goals_that_come_to_something_else_are_not(one: str, other: str) -> None:
    assert comes_to(file_is(one), THINGS) != comes_to(file_is(other), THINGS)


def test_another_place_or_another_state_is_something_else() -> None:
    content = 'text("a.txt")'
    assert comes_to(file_is(content), THINGS) != comes_to(file_is(content, "box/new.txt"), THINGS)
    assert comes_to(file_is(content), THINGS) != comes_to(file_is(content, None, "answer"), THINGS)


def test_a_sample_folder_holds_what_the_request_says_it_does() -> None:
    sample = Sample(THINGS)
    assert (sample.kind("a.txt"), sample.kind("docs"), sample.kind("new.txt")) == ("file", "folder", "missing")
    assert sample.names(".") == ("a.txt", "box", "docs")
    assert sample.names("docs") == ("b.txt",)
    assert sample.names("box") == ()
    assert sample.names("new.txt") is None and sample.text("new.txt") is None
    assert len({Sample(THINGS, number).text(path) for number in (0, 1) for path in ("a.txt", "docs/b.txt")}) == 4


def case(request: str, answer: dict[str, Any] | None) -> Case:
    return Case(id="1", task="goal", request=request, things={"notes.txt": "file"}, answer=answer)


GOING = goal(("notes.txt", "absent", None))
YEET = "Kindly yeet notes.txt out of existence, delete it"


def test_right_wrong_and_given_back() -> None:
    cases = [case("Delete notes.txt", GOING), case(YEET, GOING), case("Delete notes.txt", None), case(YEET, None)]

    def other(one: Case, folder: FolderView) -> Goal:
        return Goal.from_json(goal(("notes.txt", "folder", None)))

    def failing(one: Case, folder: FolderView) -> Goal:
        raise NotUnderstood("It is not understood.")

    everybody = {"rules": by_grammar, "it": by_oracle, "other": other, "failing": failing}
    found: dict[str, list[Any]] = {name: [] for name in everybody}
    for name, one in judged(cases, everybody):
        found[name].append(one)
    verdicts = {name: [one.verdict for one in each] for name, each in found.items()}
    assert verdicts == {
        "rules": ["right", "abstained", "wrong", "right"],
        "it": ["right", "right", "right", "right"],
        "other": ["wrong", "wrong", "wrong", "wrong"],
        "failing": ["abstained", "abstained", "right", "right"],
    }
    numbers = summary(found["rules"])
    assert (numbers["of"], numbers["right"], numbers["wrong"], numbers["abstained"]) == (4, 2, 1, 1)
    assert summary([]) == {"of": 0, "right": 0, "wrong": 0, "abstained": 0, "median_ms": 0.0}


def test_a_model_is_asked_after_the_grammar_or_alone() -> None:
    model = Scripted(GOING)
    ((_, one),) = judged([case("Delete notes.txt", GOING)], {"chain": by_chain(model)})
    assert one.verdict == "right" and not model.seen
    ((_, one),) = judged([case(YEET, GOING)], {"chain": by_chain(model)})
    assert one.verdict == "right" and len(model.seen) == 1
    ((_, one),) = judged([case("Delete notes.txt", GOING)], {"alone": by_model(model)})
    assert one.verdict == "right" and len(model.seen) == 2
    contradicting = Scripted(goal(("notes.txt", "folder", None)))
    ((_, one),) = judged([case("Delete notes.txt", GOING)], {"alone": by_model(contradicting)})
    assert one.verdict == "abstained", "grammar and model take it in two ways"
