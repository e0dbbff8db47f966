"""The benchmark of exams, on a stand-in that passes all tasks but one."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import exams
import pytest
from agent import AgentError
from ratios import all_ratios

FAKE = """#!{python}
import json, sys
suite, seed = sys.argv[3], int(sys.argv[5])
if seed == 13:
    sys.exit("no luck")
wrong = suite == "harder" and seed == 2
task = {{"id": "x", "request": "Sort it", "passed": False, "agreed": False, "false_done": True, "status": "done",
        "reason": "", "faults": ["b is missing"]}}
count = {{"original": 25, "harder": 20, "coding": 15}}[suite]
print(json.dumps({{"suite": suite, "score": [count - wrong, count], "lm_calls": 0, "seconds": 1.0, "commands": 35,
                  "self_check_agreement": [count - wrong, count], "false_done": int(wrong), "understood": 35,
                  "tasks": [task] if wrong else []}}))
"""


@pytest.fixture
def fake(tmp_path: Path) -> str:
    program = tmp_path / "dabhand"
    program.write_text(FAKE.format(python=sys.executable))
    program.chmod(0o755)
    return str(program)


def test_what_went_wrong_is_shown_kept_and_held_against_the_floors(
    fake: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exams.main(["--seeds", "1", "2", "--dabhand", fake, "--results", str(tmp_path), "--label", "one"]) == 0
    printed = capsys.readouterr().out
    assert "FALSE DONE x: 'Sort it' | b is missing" in printed and "25/25" in printed
    kept = json.loads((tmp_path / "one.json").read_text())
    assert kept["seeds"]["2"]["harder"]["score"] == [19, 20]
    assert len(kept["seeds"]["2"]["harder"]["wrong"]) == 1
    figures = {ratio.name: ratio for ratio in all_ratios({"exams": exams.measure(fake, (1, 2))})}
    assert figures["tasks of the exam original passed, of 25"].met
    assert not figures["tasks of the exam harder passed, of 20"].met
    assert (figures["tasks falsely called done"].value, figures["tasks falsely called done"].seed) == (1, "2")


def test_a_failing_program_is_no_measurement(fake: str, tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="ended with 1: no luck"):
        exams.measure(fake, (13,))
    assert exams.main(["--seeds", "13", "--dabhand", fake, "--results", str(tmp_path)]) == 1
