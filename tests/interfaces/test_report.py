"""`dabhand report`: what it has become, over all sessions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dabhand.agent.report import Stretch, stretches
from dabhand.store import Exam, Store
from tests.interfaces.command_line import dabhand, document

LEARN = ("learn", "--template", "mkdir {A}", "--template", "cat {A}", "--seed", "1", "--json")


def test_the_numbers_are_those_of_practice(own_store: Path) -> None:
    practice = document(dabhand(*LEARN, "--experiments", "250"))
    report = document(dabhand("report", "--json"))
    assert report["experiments"] == practice["experiments"] == 250
    assert (report["commands"], report["understood"]) == (2, practice["understood"])
    assert report["surprises"] == practice["surprises"]
    assert report["accuracy_recent"] == pytest.approx(practice["accuracy_recent"])
    assert report["predictions"] == 200 and report["history"][-1]["until"] == 250
    again = document(dabhand(*LEARN, "--experiments", "50"))
    later = document(dabhand("report", "--json"))
    assert later["history"][-1]["until"] == 300
    assert later["surprises"] == practice["surprises"] + again["surprises"]


def test_requests_are_counted_by_how_they_ended(own_store: Path, tmp_path: Path) -> None:
    dabhand(*LEARN, "--experiments", "250")
    (tmp_path / "root").mkdir()
    given = (
        b"Make a folder called shelf\nyes\nundo that\nMake a folder called attic\nyes\nmake a folder called den\nno\n"
    )
    talked = dabhand("chat", "--root", str(tmp_path / "root"), given=given)
    assert b"Undone" in talked.stdout, talked.stdout
    assert document(dabhand("report", "--json"))["runs"] == {"done": 1, "undone": 1, "refused": 1}
    assert document(dabhand("report", "--json"))["goal_shapes"] >= 1
    shown = dabhand("report").stdout.decode()
    assert "of 2 understood" in shown and "1 undone" in shown and "100%" in shown


def test_exams_are_told(own_store: Path) -> None:
    result = {
        "suite": "original", "seed": 3, "score": [24, 25], "lm_calls": 0, "self_check_agreement": [25, 25],
        "false_done": 0, "tasks": [],
    }  # fmt: skip
    with Store.open(own_store) as store:
        store.append_exam(Exam("original", 3, json.dumps(result), 5.0))
        store.append_exam(Exam("damaged", 3, "{}", 6.0))
    told = document(dabhand("report", "--json"))["exams"]
    assert [(one["suite"], one["score"], one["false_done"], one["time"]) for one in told] == [
        ("original", [24, 25], 0, 5.0)
    ]
    assert "original (seed 3): 24 of 25, own check agrees on 25 of 25" in dabhand("report").stdout.decode()


def test_an_empty_store_has_become_nothing_yet() -> None:
    report = document(dabhand("report", "--json"))
    assert (report["commands"], report["accuracy_recent"], report["history"], report["runs"]) == (0, None, [], {})
    assert "nothing yet" in dabhand("report").stdout.decode()


def test_stretches_cover_every_prediction_once() -> None:
    assert stretches("") == ()
    assert stretches("yn", 60) == (Stretch(1, 1.0), Stretch(2, 0.0))
    made = stretches("y" * 50 + "n" * 51, 10)
    assert len(made) == 10 and made[-1].until == 101 and made[0].accuracy == 1.0
