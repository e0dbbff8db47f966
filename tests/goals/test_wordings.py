"""Requests in many people's words come to what they ask for, or are given back: asked.jsonl and declined.jsonl."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dabhand.errors import DabhandError, NotUnderstood
from dabhand.goals import Answers, Condition, Holds, IsCopy, understand
from dabhand.language import evaluate, parse
from dabhand.workspace import State
from dabhand.world.reading import StateView

HERE = Path(__file__).parent
FOLDER = StateView(
    State.from_json(
        {
            "fruits.txt": {"text": "kiwi\nfig\nkiwi\napple\nbanana\n"},
            "notes.txt": {"text": "one two\nthree fig\n\nFour\n"},
            "log.txt": {"text": "start\nerror: disk\nok\nwarning\nerror: net\n"},
            "nums.txt": {"text": "10\n9\n100\n2\n"},
            "data.csv": {"text": "b,2\na,1\n"},
            "run.sh": {"text": "echo\n"},
            "my file.txt": {"text": "x y\n"},
            "docs/plan.txt": {"text": "p\nq\n"},
            "docs/old": {"dir": True},
            "archive": {"dir": True},
            "photos/cat.jpg": {"text": "jpg\n"},
        }
    )
)


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / name).read_text("utf-8").splitlines()]


def found(condition: Condition) -> tuple[str, str]:
    match condition:
        case Holds(path, content):
            return path, f"text {evaluate(content, {}, FOLDER)}"
        case Answers(content):
            return "", f"text {evaluate(content, {}, FOLDER)}"
        case IsCopy(path, source):
            return path, copy(source)
    return str(condition.path), condition.word


def copy(source: str) -> str:
    """A copied file is its text; a copied folder is named by where it came from."""
    return f"text {FOLDER.text(source)}" if FOLDER.kind(source) == "file" else f"copy {source}"


def wanted(value: str) -> str:
    if value in ("folder", "absent", "executable"):
        return value
    return copy(value[5:]) if value.startswith("copy ") else f"text {evaluate(parse(value, {}), {}, FOLDER)}"


@pytest.mark.parametrize("case", cases("asked.jsonl"), ids=lambda case: case["say"])
def test_what_is_asked_is_understood(case: dict[str, Any]) -> None:
    goal = understand(case["say"], FOLDER)
    assert sorted(map(found, goal.conditions)) == sorted((path, wanted(value)) for path, value in case["goal"])


TAILS = (
    "but only on weekdays", "except the first", "every day", "unless it rains", "twice", "but keep the first",
    "in French", "at noon", "for each customer", "or not", "ignoring comments", "without the header", "and tell Bob",
)  # fmt: skip


@pytest.mark.parametrize("at", range(len(cases("asked.jsonl"))))
def test_what_is_asked_besides_is_never_dropped(at: int) -> None:
    said = cases("asked.jsonl")[at]["say"].rstrip(".?!")
    with pytest.raises(DabhandError):
        understand(f"{said} {TAILS[at % len(TAILS)]}", FOLDER)


@pytest.mark.parametrize("case", cases("declined.jsonl"), ids=lambda case: case["say"])
def test_what_cannot_be_done_or_is_not_clear_is_given_back(case: dict[str, Any]) -> None:
    with pytest.raises(DabhandError) as caught:
        understand(case["say"], FOLDER)
    assert caught.value.message and caught.value.exit_code == 3


@pytest.mark.parametrize(
    "words",
    [
        "lorem ipsum dolor sit amet " * 60,
        "sort the lines of " * 60,
        "the first 3 sorted lines of the lines with a and " * 24,
        "write the text of a.txt and b.txt and " * 28,
        "a.txt and b.txt, " * 49,
    ],
)
def test_a_long_tangle_is_given_back(words: str) -> None:
    """The work is bounded; a reader that tries everything would never end here, and the test with it."""
    with pytest.raises(NotUnderstood):
        understand(words, FOLDER)
