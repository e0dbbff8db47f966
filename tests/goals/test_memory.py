"""What was carried out once is remembered by its shape, and a hit is never less right than the grammar."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from dabhand.errors import DabhandError
from dabhand.goals import Goal, understand
from dabhand.goals.memory import MAX_SHAPES, GoalMemory
from dabhand.goals.shape import fresh_values, retold, shape_of
from dabhand.goals.vocabulary import vocabulary
from dabhand.language import FolderView
from dabhand.store import GoalShape, Store, to_document
from tests.goals.folders import folder

HERE = Path(__file__).parent
SAYINGS = [json.loads(line)["say"] for line in (HERE / "readings.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store") as opened:
        yield opened


@pytest.fixture
def memory(store: Store) -> GoalMemory:
    return GoalMemory(store)


def recalled(memory: GoalMemory, request: str, view: FolderView, **targets: str) -> Goal | None:
    shape = shape_of(request, view, targets)
    found = None if shape is None else memory.recall(shape, view)
    return None if found is None else found[0]


def remember(
    memory: GoalMemory, request: str, view: FolderView, targets: Mapping[str, str] | None, time: float
) -> bool:
    shape = shape_of(request, view, targets)
    return shape is not None and memory.remember_reading(shape, view, targets, time)


def outcome(ask: object, *given: object) -> object:
    try:
        return ask(*given)  # type: ignore[operator]
    except DabhandError as error:
        return type(error), error.message


def test_a_request_of_the_same_shape_gives_its_own_goal(memory: GoalMemory) -> None:
    view = folder()
    assert remember(memory, "Show the first 3 lines of piano.txt", view, {}, 0.0)
    for again in ("show the first 12 lines of notes.txt.", "Please Show  the First 1 lines of nums.txt"):
        assert recalled(memory, again, view) == understand(again, view) is not None
    assert recalled(memory, "Show the last 3 lines of piano.txt", view) is None


def test_no_saying_is_recalled_otherwise_than_it_is_read(memory: GoalMemory) -> None:
    """Every request of the grammar's tests, and each told again of other names, words and numbers."""
    view, kept = folder(), 0
    for say in SAYINGS:
        shape = shape_of(say, view)
        if shape is None or not remember(memory, say, view, {}, 0.0):
            continue
        kept += 1
        assert recalled(memory, say, view) == understand(say, view)
        other = retold(shape, view, {}, fresh_values(shape, 7), loud=True)
        seen = shape_of(other.request, other.folder)
        assert seen is not None and seen.key == shape.key
        assert outcome(recalled, memory, other.request, other.folder) == outcome(
            understand, other.request, other.folder
        )
    assert kept > 0.8 * len(SAYINGS)


CROSSED: tuple[tuple[str, Mapping[str, object]], ...] = (
    ("Move notes.txt into box", {}),
    ("Move notes.txt into box", {"box": {"text": "a file\n"}, "box/c.txt": None}),
    ("Move notes.txt into shelf", {}),
    ("Move notes.txt into box", {"box/notes.txt": {"text": "there\n"}}),
    ("Move notes.txt into box", {"box/notes.txt/x": {"text": "there\n"}}),
    ("Copy notes.txt to box", {}),
    ("Copy notes.txt to piano.txt", {}),
    ("Copy notes.txt to notes.txt", {}),
    ("Copy notes.txt to new.txt", {}),
    ("Copy ghost.txt to new.txt", {}),
    ("Copy box to new.txt", {}),
    ("Copy box/c.txt to box/d.txt", {}),
    ("Copy box/c.txt to shelf/c.txt", {}),
    ("Copy box/c.txt to shelf/d.txt", {}),
    ("Append 'a' to notes.txt", {}),
    ("Append 'a' to notes.txt", {"notes__txt": {"text": "not ended"}}),
    ("Append 'a' to notes.txt", {"notes__txt": {"text": ""}}),
    ("Append 'notes.txt' to notes.txt", {}),
    ("Append lorem to notes.txt", {}),
    ("Append lorem to notes.txt", {"lorem": {"text": "a file\n"}}),
    ("Append list to notes.txt", {}),
    ("Append List to notes.txt", {}),
    ("Append LIST to notes.txt", {}),
    ("Create the folder LINES", {}),
    ("Create the folder lines", {}),
    ("Append  see  you to notes.txt", {}),
    ("Append see you to notes.txt", {}),
    ("Append nothing to notes.txt", {}),
    ("Append three to notes.txt", {}),
    ("Append 3 to notes.txt", {}),
    ("Show the lines of notes.txt containing fig", {}),
    ("Show the lines of notes.txt containing the word fig", {"notes__txt": {"text": "figs\nfig\n"}}),
    ("Show the lines of notes.txt containing the word fig", {}),
    ("Show lines 1 to 2 of notes.txt", {}),
    ("Show lines 2 to 1 of notes.txt", {}),
    ("Show lines 1 to 1 of notes.txt", {}),
    ("Show the first 0 lines of notes.txt", {}),
    ("Show the first three lines of notes.txt", {}),
    ("Show the first 3 lines of notes.txt", {}),
    ("Show the first 30000000000000 lines of notes.txt", {}),
    ("Show notes.txt in upper case", {}),
    ("Show notes.txt in upper case", {"notes__txt": {"text": "é\n"}}),
    ("Create the folder a/b/c", {}),
    ("Create the folder a/b/a", {}),
    ("Create the folder a/b", {"a": {"dir": True}}),
    ("Create the folder photos", {}),
    ("Create the folder photos", {"photos": {"dir": True}}),
    ("Create a folder x and move notes.txt into it", {}),
    ("Rename box/c.txt to d.txt", {}),
    ("Rename box/c.txt to box/d.txt", {}),
    ("Rename notes.txt to d.txt", {}),
    ("Delete notes.txt", {}),
    ("Delete the folder box", {}),
    ("Delete the file box", {}),
    ("Delete box", {}),
    ("Delete /etc/passwd", {}),
    ("Delete ../notes.txt", {}),
    ("Delete ./notes.txt", {}),
    ("Delete *.txt", {}),
    ("Delete my notes.txt", {"my notes.txt": {"text": "other\n"}}),
    ("Delete my notes.txt", {}),
    ("Replace one with two in notes.txt", {}),
    ("Replace one with one in notes.txt", {}),
    ("Join notes.txt and piano.txt into all.txt", {}),
    ("Join notes.txt and piano.txt into notes.txt", {}),
    ("Sort notes.txt", {}),
    ("Sort notes.txt in place", {}),
    ("Sort {{x}} into {{y}}", {}),
    ("Make 'run.sh' executable", {}),
)


def view_of(changes: Mapping[str, object]) -> FolderView:
    return folder(**changes)


def test_no_shape_answers_for_what_differs(memory: GoalMemory) -> None:
    """All of these are remembered, where they can be; then each is asked of each folder."""
    targets = {"x": "notes.txt", "y": "out/sorted.txt"}
    for request, changes in CROSSED:
        if isinstance(outcome(understand, request, view_of(changes), targets), Goal):
            remember(memory, request, view_of(changes), targets, 0.0)
    assert len(memory) > 25
    hits = 0
    folders = {json.dumps(changes): changes for _, changes in CROSSED}.values()
    for request, _ in CROSSED:
        for changes in folders:
            view = view_of(changes)
            shape = shape_of(request, view, targets)
            if shape is None or not memory.matching(shape):
                continue
            hits += 1
            assert outcome(recalled_with, memory, request, view, targets) == outcome(
                understand, request, view, targets
            ), (request, changes)
    assert hits > 200


def recalled_with(memory: GoalMemory, request: str, view: FolderView, targets: dict[str, str]) -> Goal | None:
    return recalled(memory, request, view, **targets)


def test_a_word_of_the_wording_is_no_slot(memory: GoalMemory) -> None:
    view = folder(list={"text": "a\n"}, copy={"text": "b\n"})
    assert remember(memory, "Copy notes.txt to new.txt", folder(), {}, 0.0)
    assert recalled(memory, "Copy list to new.txt", folder()) is None
    assert recalled(memory, "Copy copy to new.txt", view) is None
    assert recalled(memory, "Copy 'copy' to new.txt", view) is None


def test_shapes_hold_no_names(memory: GoalMemory, store: Store) -> None:
    for say in SAYINGS:
        remember(memory, say, folder(), {}, 0.0)
    for row in store.goal_shapes():
        for piece in row.shape.partition(" |")[0].split():
            word = piece.partition("=")[0]
            known = word in vocabulary() or piece.startswith("<") or not word.isalpha()
            assert known, row.shape
        for name in ("piano", "notes", "kiwi"):
            assert name not in row.shape + row.goal
    assert "goal_shapes" not in to_document(store)


def test_uses_are_counted(memory: GoalMemory, store: Store) -> None:
    remember(memory, "Delete notes.txt", folder(), {}, 1.0)
    shape = shape_of("Delete piano.txt", folder())
    assert shape is not None
    found = memory.recall(shape, folder())
    assert found is not None
    memory.use(found[1], 9.0)
    [row] = store.goal_shapes()
    assert (row.uses, row.time, row.origin, len(memory)) == (2, 9.0, "grammar", 1)
    remember(memory, "Delete piano.txt", folder(), {}, 3.0)
    [row] = store.goal_shapes()
    assert (row.uses, row.time) == (3, 9.0)


def test_what_was_used_least_and_longest_ago_is_forgotten(memory: GoalMemory, store: Store) -> None:
    week = 7 * 24 * 3600.0
    store.save_goal_shapes(GoalShape(f"shape {at}", "{}", "grammar", "", 1, at) for at in range(MAX_SHAPES - 1))
    store.save_goal_shape(GoalShape("often", "{}", "grammar", "", 9, -8 * week))
    assert remember(memory, "Delete notes.txt", folder(), {}, week)
    kept = {row.shape for row in store.goal_shapes()}
    assert len(kept) == len(memory) == MAX_SHAPES
    assert {"often", "shape 1"} <= kept and "shape 0" not in kept


def row_key(request: str) -> str:
    shape = shape_of(request, folder())
    assert shape is not None
    return shape.key


def test_only_what_may_be_near_is_taken_in(memory: GoalMemory) -> None:
    for request in ("Delete notes.txt", "Copy notes.txt to a.txt", "Show the first 2 lines of piano.txt"):
        assert remember(memory, request, folder(), {}, 0.0)
    shape = shape_of("Sort piano.txt", folder())
    assert shape is not None
    assert [one.key for one in memory.known().with_slots_of(shape.key)] == [row_key("Delete notes.txt")]
    assert [one.key for one in memory.known().with_word("copy")] == [row_key("Copy notes.txt to a.txt")]


@pytest.mark.parametrize("goal", ["", "{", "[]", '{"type":"Said"}', '{"type":"Said","readings":7,"grammar":"HERE"}',
    '{"type":"Said","readings":[[{"type":"Delete","path":{"slot":[9]}}]],"grammar":"HERE"}',
    '{"type":"Said","readings":[[{"type":"Burn","path":"a"}]],"grammar":"HERE"}',
    '{"type":"Said","readings":[[{"type":"Delete","path":"piano.txt"}]],"grammar":"other"}',
    '{"type":"Wanted","goal":{"conditions":[]},"facts":[]}',
    '{"type":"Wanted","goal":7,"facts":[["x",{"slot":[4]}]]}'])  # fmt: skip
def test_a_damaged_or_outdated_row_is_as_none(memory: GoalMemory, store: Store, goal: str) -> None:
    from dabhand.goals.vocabulary import fingerprint

    shape = shape_of("Delete notes.txt", folder())
    assert shape is not None
    store.save_goal_shape(GoalShape(shape.key, goal.replace("HERE", fingerprint()), "grammar", "", 1, 0.0))
    assert memory.recall(shape, folder()) is None
    assert remember(memory, "Delete notes.txt", folder(), {}, 0.0)
    assert memory.recall(shape, folder()) is not None


WRITER = """
import sys
from dabhand.store import GoalShape, Store
with Store.open(sys.argv[1]) as store:
    for number in range(60):
        store.save_goal_shape(GoalShape("delete <p1=file>", "{}", "grammar", "", 1, float(number)))
        store.save_goal_shape(GoalShape(f"{sys.argv[2]} {number}", "{}", "grammar", "", 1, 0.0))
"""


def test_two_processes_add_up(store: Store) -> None:
    running = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(store.file.parent), name]) for name in ("one", "two")
    ]
    assert [process.wait(60) for process in running] == [0, 0]
    shapes = {row.shape: row for row in store.goal_shapes()}
    assert len(shapes) == store.count_goal_shapes() == 121
    assert (shapes["delete <p1=file>"].uses, shapes["delete <p1=file>"].time) == (120, 59.0)


def test_names_that_are_not_utf8(memory: GoalMemory) -> None:
    view = folder(**{"\udcff.txt": {"text": "a\n"}})
    assert remember(memory, "Delete '\udcff.txt'", view, {}, 0.0)
    assert recalled(memory, "Delete 'notes.txt'", view) == understand("Delete 'notes.txt'", view)
