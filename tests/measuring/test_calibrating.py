"""What a model's answers are worth is learned from what they come to, and nothing is believed without it."""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from dabhand.errors import NotUnderstood
from dabhand.goals.backends import LocalGoals
from dabhand.goals.models import Context
from dabhand.goals.schema import goal_schema
from dabhand.handoff.words.asking import ask
from dabhand.handoff.words.backends import LocalPlans
from dabhand.handoff.words.outcome import Abstained
from dabhand.measuring.calibrating import calibrated
from dabhand.measuring.cases import Case
from dabhand.models.completion import Ask, Completion, ModelFailed
from dabhand.models.confidence import Calibration

FILE = {"file_1": "file"}


class Fake:
    """An engine that answers what is asked by a part of the prompt, as sure as it is told to be."""

    def __init__(self, answers: Mapping[str, tuple[str, float]]) -> None:
        self.answers = answers

    def complete(self, ask: Ask, stop: threading.Event | None = None) -> Completion:
        for part, (text, probability) in self.answers.items():
            if part in ask.prompt:
                return Completion(text, (math.log(probability),))
        raise ModelFailed("It gave no answer.")

    def close(self) -> None:
        """There is nothing to give back."""


def plan(number: int, request: str, answer: dict[str, object] | None) -> Case:
    value = None if answer is None else {"path": "file_1", **answer}
    return Case(id=str(number), task="plan", request=request, references=FILE, paths={"file_1": "a.log"}, answer=value)


def test_plans_count_by_what_they_come_to() -> None:
    cases = [
        plan(1, "gimme the 5 upper lines out of file_1", {"operation": "first_lines", "count": 5}),
        plan(2, "gimme the 6 lower lines out of file_1", {"operation": "last_lines", "count": 6}),
        plan(3, "gimme 7 lines of file_1, any", None),
        plan(4, "gimme 8 lines of file_1, any", None),
        plan(5, "gimme 9 lines of file_1", {"operation": "first_lines", "count": 9}),
        Case(id="6", task="goal", request="gimme the 5 upper lines", things={}, answer=None),
    ]
    fake = Fake(
        {
            "5 upper": ("first file_1 5", 0.9),
            "6 lower": ("first file_1 6", 0.3),
            "7 lines": ("first file_1 7", 0.2),
            "8 lines": ("abstain", 0.99),
        }
    )
    known = calibrated(fake, cases, "plan")
    assert known.examples == 3, "who abstains or fails gives no answer that could be right"
    assert (known.confidence(0.9), known.confidence(0.25)) == (1.0, 0.0)
    assert known.enough > 1, "one right answer is no reason to believe the next"


def test_what_the_request_does_not_support_counts_for_nothing() -> None:
    cases = [plan(1, "gimme the 5 upper lines out of file_1", {"operation": "first_lines", "count": 5})]
    assert calibrated(Fake({"5 upper": ("first file_1 55", 0.9)}), cases, "plan") == Calibration()


def test_what_the_grammar_reads_and_what_was_given_back_count_for_nothing() -> None:
    cases = [
        plan(1, "Show the first 5 lines of file_1", {"operation": "first_lines", "count": 5}),
        plan(2, "gimme the 6 lower lines out of file_1, as 'x'", None),
    ]
    fake = Fake({"first 5": ("first file_1 5", 0.9), "6 lower": ("last file_1 6", 0.9)})
    assert calibrated(fake, cases, "plan") == Calibration()


def test_goals_count_where_the_grammar_reads_nothing() -> None:
    going = {"conditions": [{"path": "notes.txt", "is": "absent", "content": None}], "others": "unchanged"}
    yeet = "Kindly yeet notes.txt out of existence, delete it"
    things = {"notes.txt": "file"}
    cases = [
        Case(id="1", task="goal", request=yeet, things=things, answer=going),
        Case(id="2", task="goal", request="Delete notes.txt", things=things, answer=going),
        Case(id="3", task="goal", request=f"{yeet} or not", things=things, answer=None),
    ]
    known = calibrated(Fake({"or not": ("absent 'x'", 0.9), "yeet": ('absent "notes.txt"', 0.8)}), cases, "goal")
    assert (known.examples, known.confidence(0.8)) == (1, 1.0)


def test_lines_count_as_sets() -> None:
    def case(number: int, wish: str, answer: list[int]) -> Case:
        return Case(id=str(number), task="evidence", request=wish, lines=("a", "b", "c"), answer=answer)

    cases = [case(1, "first wish", [2, 3]), case(2, "second wish", [1]), case(3, "third wish", []), case(4, "no", [1])]
    fake = Fake({"first wish": ("2-3", 0.7), "second wish": ("1 3", 0.5), "third wish": ("none", 0.6)})
    known = calibrated(fake, cases, "evidence")
    assert known.examples == 3
    assert (known.confidence(0.5), known.confidence(0.6)) == (0.0, 1.0)


@pytest.mark.parametrize("agrees", [False, True])
def test_without_a_calibration_nothing_is_believed(agrees: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DABHAND_ADAPTER", "none")
    request = "gimme the first 5 lines of file_1"
    said = Abstained("not_understood", "It is not understood.", part="gimme") if agrees else None
    fake = Fake({"gimme": ("first file_1 5", 1.0), "yeet": ('absent "a.txt"', 1.0)})
    judged = ask(LocalPlans(fake), request, FILE, None, said)
    assert (judged.plan, judged.why) == (None, "the model is not sure")
    assert judged.proposed is not None
    with pytest.raises(NotUnderstood, match="not sure"):
        LocalGoals(fake).propose("yeet a.txt", Context({"a.txt": "file"}, goal_schema()))


def test_nothing_answered_is_nothing_learned(tmp_path: Path) -> None:
    known = calibrated(Fake({}), [plan(1, "gimme file_1", {"operation": "whole_file"})], "plan")
    assert known == Calibration() and known.enough > 1
