"""Requests come to the goals that they state, or to none: cases in readings.jsonl and unreadable.jsonl."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dabhand import goals
from dabhand.errors import DabhandError
from dabhand.goals import Answers, Condition, Goal, Holds, IsAbsent, IsCopy, IsExecutable, IsFolder, understand
from dabhand.language import evaluate, parse
from dabhand.workspace import State
from dabhand.world.reading import StateView

HERE = Path(__file__).parent
FOLDER = StateView(
    State.from_json(
        {
            "piano.txt": {"text": "kiwi 1\nfig two\nkiwi 1\napple\nfig\n"},
            "notes.txt": {"text": "one two\nthree\n"},
            "nums.txt": {"text": "10\n9\n"},
            "run.sh": {"text": "echo\n"},
            "box/c.txt": {"text": "x\n"},
        }
    )
)


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / name).read_text("utf-8").splitlines()]


def shown(condition: Condition) -> tuple[str, object]:
    match condition:
        case Holds(path, content):
            return path, content
        case IsCopy(path, source):
            return path, f"copy {source}"
        case Answers(content):
            return "", content
        case IsFolder(path) | IsAbsent(path) | IsExecutable(path):
            return path, condition.word


def wanted(value: str) -> object:
    plain = value in ("folder", "absent", "executable") or value.startswith("copy ")
    return value if plain else parse(value, {})


def meaning(value: object) -> object:
    """Two terms that give the same text are one condition."""
    return value if isinstance(value, str) else ("text", evaluate(value, {}, FOLDER))  # type: ignore[arg-type]


@pytest.mark.parametrize("case", cases("readings.jsonl"), ids=lambda case: case["say"])
def test_reads(case: dict[str, Any]) -> None:
    goal = understand(case["say"], FOLDER, case.get("targets"))
    found = {path: meaning(value) for path, value in map(shown, goal.conditions)}
    assert found == {path: meaning(wanted(value)) for path, value in case["goal"].items()}
    assert Goal.from_json(goal.to_json()).conditions == goal.conditions


@pytest.mark.parametrize("case", cases("unreadable.jsonl"), ids=lambda case: case["say"])
def test_abstains_or_refuses(case: dict[str, Any]) -> None:
    with pytest.raises(getattr(goals, case["error"], None) or DabhandError) as caught:
        understand(case["say"], FOLDER)
    assert case["error"] in {one.__name__ for one in type(caught.value).__mro__}
    assert case["says"] in caught.value.message
    assert caught.value.exit_code == 3


@pytest.mark.parametrize("case", cases("readings.jsonl"), ids=lambda case: case["say"])
@pytest.mark.parametrize("extra", ["but only on weekdays", "unless it rains", "twice a day", "for each customer"])
def test_a_part_left_over_is_never_dropped(case: dict[str, Any], extra: str) -> None:
    with pytest.raises(DabhandError):
        understand(case["say"].rstrip(".?") + " " + extra, FOLDER, case.get("targets"))


words = st.sampled_from(sorted({word for case in cases("readings.jsonl") for word in case["say"].split()}))


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(words, max_size=14).map(" ".join)))
def test_any_text_is_understood_or_refused(text: str) -> None:
    try:
        understand(text, FOLDER)
    except DabhandError as error:
        assert error.message
