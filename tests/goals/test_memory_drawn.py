"""Drawn at random, with awkward names and folders: what is recalled is what the grammar reads, every time."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

from dabhand.errors import DabhandError
from dabhand.goals import Goal, understand
from dabhand.goals.memory import GoalMemory
from dabhand.goals.near import near
from dabhand.goals.shape import Shape, shape_of
from dabhand.language import FolderView
from dabhand.store import Store
from dabhand.workspace import State
from dabhand.world.reading import StateView

LISTED = (
    "a.txt b.txt docs docs/a.txt notes list copy 3 three first 'a\tb.txt' \"a.txt\" 'docs' the report.csv .csv"
    " csv x1 my_file new.txt out/new.txt a/b/c ./a.txt docs/ 'hi_there' lorem it 2024 007 '3' word -x docs/docs {{t}}"
    " Notes é.txt it's box nothing 10th 3rd now please"
)
NAMES = LISTED.split(" ")
FRAMES = (
    "Copy {0} to {1}", "Move {0} into {1}", "Rename {0} to {1}", "Delete {0}", "Delete the folder {0}",
    "Create the folder {0}", "Create a file called {0} in {1}", "Append {0} to {1}", "Write {0} into {1}",
    "Sort {0} into {1}", "Show the first {2} lines of {0}", "Show lines {2} to {3} of {0}", "Make {0} executable",
    "Show the lines of {0} containing the word {1}", "Count the lines of {0} into {1}", "Join {0} and {1} into {0}",
    "Replace {0} with {1} in a.txt", "Copy {0} to {1} and then delete {0}", "Show {0} in upper case",
    "Copy the csv file to {1}", "Move my {0} into {1}", "Delete all lines containing {0} from {1}",
)  # fmt: skip
NUMBERS = ("1", "2", "3", "0", "10", "two", "007", "1000000000000", "-1")
TEXTS = ("", "a\nb\n", "not ended", "é\n", "lorem list\nlorems\n")
HERE = (
    "a.txt",
    "b.txt",
    "notes",
    "list",
    "3",
    "report.csv",
    "x1",
    "my_file",
    "lorem",
    "csv",
    ".csv",
    "other.csv",
    "box",
)


def drawn_folder(rng: random.Random) -> FolderView:
    entries: dict[str, object] = {}
    for name in rng.sample(HERE, rng.randint(2, 9)):
        entries[name] = {"dir": True} if rng.random() < 0.2 else {"text": rng.choice(TEXTS)}
    if rng.random() < 0.6:
        entries["docs"] = {"dir": True}
        entries |= {name: {"text": "q\n"} for name in ("docs/a.txt", "docs/docs") if rng.random() < 0.3}
    return StateView(State.from_json(entries))


def outcome(goal: Goal | None) -> object:
    return None if goal is None else frozenset(goal.conditions)


def recalled(memory: GoalMemory, shape: Shape, view: FolderView) -> object:
    try:
        found = memory.recall(shape, view)
    except DabhandError as error:
        return type(error), error.message
    return outcome(None if found is None else found[0])


def read(request: str, view: FolderView, targets: dict[str, str]) -> object:
    try:
        return outcome(understand(request, view, targets))
    except DabhandError as error:
        return type(error), error.message


def test_what_is_recalled_is_what_is_read(tmp_path: Path) -> None:
    rng, seen = random.Random(1), Counter[str]()
    with Store.open(tmp_path) as store:
        memory = GoalMemory(store)
        for _ in range(1000):
            view, targets = drawn_folder(rng), {"t": rng.choice(("a.txt", "docs", "zz", "3"))}
            names, numbers = rng.choices(NAMES, k=2), rng.choices(NUMBERS, k=2)
            request = rng.choice(FRAMES).format(*names, *numbers)
            shape = shape_of(request, view, targets)
            if shape is None:
                continue
            goal, found = read(request, view, targets), recalled(memory, shape, view)
            seen["hits"] += found is not None
            assert found in (None, goal), (request, shape.key)
            if found is None and seen["misses"] % 10 == 0:
                close = near(shape, view, memory.known())
                assert close is None or outcome(close.goal) == goal, request
            seen["misses"] += found is None
            if found is None and isinstance(goal, frozenset):
                memory.remember_reading(shape, view, targets, 0.0)
        assert seen["hits"] >= 10 and len(memory) > 60
