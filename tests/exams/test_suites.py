"""The suites: every kind occurs, drawn anew by the seed, and no task is passed by doing nothing."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from dabhand.exams import Task, faults
from dabhand.exams.host.folder import Found
from dabhand.exams.suites import KINDS, SUITES, draw, task_of
from dabhand.exams.suites.vocabulary import vocabulary
from dabhand.exams.suites.wording import wordings
from dabhand.workspace import File, Folder, Link, State

SEEDS = range(1, 31)


def folder(task: Task) -> dict[str, Found]:
    """The task's folder as a host finds it."""
    found = {}
    for path, node in State.from_json(task.files).items():
        match node:
            case File(data, executable):
                found[path] = Found("file", 0o755 if executable else 0o644, data)
            case Folder():
                found[path] = Found("folder", 0o755)
            case Link(target):
                found[path] = Found("link", 0, target.encode())
    return found


def test_every_kind_occurs() -> None:
    kinds = Counter(task.kind for suite in SUITES for seed in SEEDS for task in draw(suite, seed))
    assert kinds.keys() == KINDS.keys()


def test_a_suite_is_drawn_by_its_seed() -> None:
    assert draw("original", 1) == draw("original", 1)
    requests = [task.request for seed in SEEDS for task in draw("original", seed)]
    assert len(set(requests)) > 0.95 * len(requests)
    assert [len(draw(suite, 1)) for suite in ("original", "harder", "coding")] == [25, 20, 15]


@pytest.mark.parametrize("name", [*KINDS, "rename_folder", "ask_lines", "ask_words", "ask_bytes", "ask_containing"])
def test_every_kind_is_worded_in_six_ways(name: str) -> None:
    assert len(set(wordings(name))) >= 6
    lengths = sorted(len(text.split()) for text in wordings(name))
    assert lengths[-1] >= lengths[0] + 4, "some wordings are terse, some are long-winded"


@pytest.mark.parametrize("kind", KINDS)
def test_a_task_asks_for_something_and_others_stand_by(kind: str) -> None:
    for seed in SEEDS:
        task = task_of(kind, Random(seed), "x")
        before = folder(task)
        assert faults(before, task.expect, before, None), task
        assert "{" not in task.request
        assert len(set(task.files) - set(task.expect.files)) >= 3
        for path in task.expect.files:
            parent = path.rpartition("/")[0]
            named = path in task.request or path.rpartition("/")[2] in task.request or parent in task.request
            assert named, (path, task.request)


def test_contents_are_awkward_now_and_then() -> None:
    texts = [
        entry.get("text", "")
        for seed in SEEDS
        for task in draw("original", seed)
        for entry in task.files.values()
        if "dir" not in entry and "link" not in entry
    ]
    assert any(text and not text.endswith("\n") for text in texts)
    assert any(text == "" for text in texts)
    assert any(not text.isascii() for text in texts)
    assert any("\n\n" in text for text in texts)


def test_words_to_look_for_are_in_no_other_word() -> None:
    known = vocabulary()
    others = " ".join((*known.words, *known.small, *known.accented, *known.sentences, "INFO WARN ERROR DEBUG")).lower()
    assert not [word for word in known.targets if word in others]
    assert not [word for word in known.targets for other in known.targets if word != other and word in other]


def test_tasks_and_verdicts_share_nothing_with_what_they_judge() -> None:
    """What is imported to draw and to judge, transitively, in a process of its own."""
    program = (
        "import sys, dabhand.exams, dabhand.exams.suites\n"
        "dabhand.exams.suites.draw('original', 1); dabhand.exams.suites.draw('coding', 1)\n"
        "print(*sorted(name for name in sys.modules if name.startswith('dabhand')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    rooms = {name.split(".")[1] for name in done.stdout.split() if "." in name}
    assert rooms == {"errors", "exams"}


def test_wordings_are_not_read_by_what_they_judge() -> None:
    source = Path(__file__).parents[2] / "src" / "dabhand"
    others = [file for file in source.rglob("*.py") if source / "exams" not in file.parents]
    assert not [file for file in others if "wordings.toml" in file.read_text("utf-8")]
