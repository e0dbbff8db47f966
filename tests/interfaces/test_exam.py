"""`dabhand exam` as a person and as a program use it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.interfaces.command_line import dabhand, document, documents

TASK = {
    "id": "odd",
    "kind": "none",
    "request": "Sort {{nothing}} of this.",
    "files": {"a.txt": {"text": "a\n"}},
    "expect": {"files": {"b.txt": {"text": "a\n"}}, "others": "unchanged"},
}


@pytest.fixture
def exam(tmp_path: Path) -> Path:
    file = tmp_path / "own.jsonl"
    file.write_text(json.dumps(TASK) + "\n")
    return file


def test_a_suite_is_shown_to_programs_and_to_people(exam: Path) -> None:
    tasks = documents(dabhand("exam", "show", "harder", "--seed", "2", "--json"))
    assert len(tasks) == 20
    assert all(task.keys() == {"id", "kind", "request", "files", "expect"} for task in tasks)
    shown = dabhand("exam", "show", str(exam)).stdout.decode()
    assert "Sort {{nothing}} of this." in shown and "everything else as it was" in shown


def test_an_own_exam_in_a_store_without_practice(exam: Path, tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "store"))
    done = dabhand("exam", "run", str(exam), "--no-practice", "--json", *store)
    assert done.returncode == 0, done.stderr
    result = document(done)
    assert (result["suite"], result["score"], result["false_done"]) == ("own.jsonl", [0, 1], 0)
    assert result["self_check_agreement"] == [1, 1]
    (task,) = result["tasks"]
    assert task.keys() >= {"id", "kind", "passed", "self_check", "status", "lm_calls", "attempts", "seconds", "plan"}
    assert b"1/1 failed" in done.stderr
    said = dabhand("exam", "run", str(exam), "--no-practice", *store).stdout
    assert b"0 of 1 passed" in said and b"the host says: b.txt is missing" in said


@pytest.mark.parametrize(("suite", "said"), [("hardest", "no suite"), ("missing.jsonl", "cannot be read")])
def test_what_is_no_exam_is_said(suite: str, said: str) -> None:
    for action in ("run", "show"):
        done = dabhand("exam", action, suite, "--json")
        assert done.returncode == 2
        assert said in document(done)["error"]["message"]


def test_a_bad_line_is_named_before_anything_runs(exam: Path) -> None:
    with exam.open("a") as file:
        file.write("{}\n")
    done = dabhand("exam", "run", str(exam), "--json")
    assert done.returncode == 2
    assert document(done)["error"]["message"].startswith("Line 2 of ")
    assert not done.stderr
