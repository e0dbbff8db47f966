"""The same for another file: names, goals and words."""

from __future__ import annotations

import pytest

from dabhand.agent.same import new_name, reworded, sources_of, swapped
from dabhand.goals import Goal, understand
from dabhand.workspace import FOLDER, File, State
from dabhand.world.reading import StateView

FOLDER_NOW = State(
    {
        "piano.txt": File(b"b\na\nb\n"), "notes.txt": File(b"z\ny\n"), "my notes.md": File(b"q\n"), "box": FOLDER,
        "box/e.txt": File(b""),
    }
)  # fmt: skip


def goal_of(request: str) -> Goal:
    return understand(request, StateView(FOLDER_NOW))


@pytest.mark.parametrize(
    ("output", "old", "new", "expected"),
    [
        ("piano-sorted.txt", "piano.txt", "notes.txt", "notes-sorted.txt"),
        ("piano-sorted.txt", "piano.txt", "notes.md", "notes-sorted.md"),
        ("sorted-piano.bak", "piano.txt", "notes.md", "sorted-notes.bak"),
        ("piano.txt.bak", "piano.txt", "notes.md", "notes.md.bak"),
        ("box/piano.txt", "piano.txt", "notes.txt", "box/notes.txt"),
        ("out/piano.txt", "in/piano.txt", "in/notes.txt", "out/notes.txt"),
        ("uniq.txt", "piano.txt", "notes.txt", None),
        ("uniq.txt", ".profile", "notes.txt", None),
    ],
)
def test_a_result_is_named_after_its_source(output: str, old: str, new: str, expected: str | None) -> None:
    assert new_name(output, old, new) == expected


REQUESTS = [
    ("Write the lines of piano.txt sorted and without duplicates into piano-u.txt.", {"piano-u.txt": "notes-u.txt"}),
    ("Copy piano.txt into box", {"box/piano.txt": "box/notes.txt"}),
    ("Rename piano.txt to old-piano.txt", {"old-piano.txt": "old-notes.txt"}),
    ("Delete piano.txt", {}),
    ("How many lines does piano.txt have?", {}),
    ("Make piano.txt executable", {}),
    ('Append the line "piano" to piano.txt', {}),
]


@pytest.mark.parametrize(("request_", "outputs"), REQUESTS)
def test_the_new_words_say_what_the_swapped_goal_says(request_: str, outputs: dict[str, str]) -> None:
    goal = goal_of(request_)
    assert sources_of(goal, outputs) == ("piano.txt",)
    paths = {"piano.txt": "notes.txt", **outputs}
    words = reworded(request_, paths)
    assert words is not None and "notes" in words
    assert set(goal_of(words).conditions) == set(swapped(goal, paths).conditions)


def test_odd_names_are_quoted() -> None:
    words = reworded("Delete piano.txt", {"piano.txt": "my notes.md"})
    assert words == 'Delete "my notes.md"'
    assert goal_of(words).paths == ("my notes.md",)
    assert reworded("Delete piano.txt", {"piano.txt": 'a " b'}) is None


def test_what_is_not_written_out_cannot_be_swapped() -> None:
    assert reworded("Delete every file", {"piano.txt": "notes.txt"}) is None


def test_a_goal_that_only_makes_something_is_about_that() -> None:
    goal = goal_of("Make a folder called fresh")
    assert sources_of(goal, ["fresh"]) == ("fresh",)
    assert swapped(goal, {"fresh": "shelf"}) == goal_of("Make a folder called shelf")
