"""Exams sat for real: a small practised store, real commands, real folders."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from dabhand.agent.history import History
from dabhand.commands import parse_template
from dabhand.exams import Expect, Task
from dabhand.exams.result import TaskResult
from dabhand.exams.sitting import Sitting
from dabhand.practice import practise
from dabhand.sandbox import probe
from dabhand.store import Store
from dabhand.world import World

pytestmark = pytest.mark.skipif(not any(tier.available for tier in probe()), reason="no isolation on this machine")
FILES = {"piano.txt": {"text": "b\na\nb\n"}, "notes.txt": {"text": "one two\n"}, "box": {"dir": True}}
SORT = "Write the lines of piano.txt sorted and without duplicates into uniq.txt."
SORTED = {"uniq.txt": {"text": "a\nb\n"}}


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("learned")
    with Store.open(home) as store:
        templates = [parse_template(text) for text in ("sort -u {A} > {B}", "rm {A}", "cat {A}")]
        practise(store, templates, until_understood=True, experiments=300, seed=1)
    return home


def task(name: str, request: str, **expect: object) -> Task:
    return Task(name, request, Expect(**expect), "kind", FILES)  # type: ignore[arg-type]


def test_claims_are_held_against_verdicts(learned: Path) -> None:
    tasks = (
        task("right", SORT, files=SORTED),
        task("gone", "Delete notes.txt", files={"notes.txt": None}),
        task("false", SORT, files={"uniq.txt": {"text": "b\na\n"}}),
        task("not understood", "Do something nice", files=SORTED),
        task("left alone", "Delete ghost.txt"),
        task("no tool", "Make the folder new", files={"new": {"dir": True}}),
    )
    seen: list[TaskResult] = []
    with Store.open(learned) as store:
        result = Sitting(store, "mine", 7, tasks).run(seen.append)
        (kept,) = store.exams()
        assert store.runs() == []
        assert History(store).runs() == []
    assert [one.passed for one in result.tasks] == [True, True, False, False, True, False]
    assert [one.agreed for one in result.tasks] == [True, True, False, True, True, True]
    assert [one.false_done for one in result.tasks] == [False, False, True, False, False, False]
    assert (result.score, result.self_check_agreement, result.false_done) == ((3, 6), (5, 6), 1)
    assert (result.lm_calls, result.commands, result.interrupted) == (0, 3, False)
    assert tuple(seen) == result.tasks
    right, _, false, _, alone, _ = result.tasks
    assert (right.status, right.self_check, right.attempts) == ("done", True, 1)
    assert right.plan[0]["line"] == "sort -u piano.txt > uniq.txt"
    assert false.faults == ("uniq.txt holds 'a\\nb\\n' instead of 'b\\na\\n'",)
    assert (alone.status, alone.self_check) == ("refused", None)
    assert (kept.suite, kept.seed, json.loads(kept.document)["score"]) == ("mine", 7, [3, 6])


def test_an_interrupt_ends_with_what_was_sat(learned: Path) -> None:
    tasks = tuple(task(str(number), SORT, files=SORTED) for number in range(3))
    with Store.open(learned) as store:
        result = Sitting(store, "mine", 1, tasks).run(lambda result: os.kill(os.getpid(), signal.SIGINT))
        assert json.loads(store.exams()[0].document)["left"] == 2
    assert (result.score, result.interrupted, result.left) == ((1, 1), True, 2)


def test_a_defect_costs_the_task_and_not_the_exam(learned: Path) -> None:
    def broken(store: Store) -> World:
        calls.append(1)
        if len(calls) == 1:
            raise ZeroDivisionError
        return World.load(store)

    calls: list[int] = []
    tasks = (task("first", SORT, files=SORTED), task("second", SORT, files=SORTED))
    with Store.open(learned) as store:
        result = Sitting(store, "mine", 1, tasks, recall=broken).run()
    assert [one.passed for one in result.tasks] == [False, True]
    assert (result.tasks[0].status, result.tasks[0].agreed) == ("not_done", True)
    assert "ZeroDivisionError" in result.tasks[0].reason
