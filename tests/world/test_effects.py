"""Effects drawn on a folder: what each leaves, and that a drawing is a folder or nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dabhand.language import Const, Kind
from dabhand.workspace import FOLDER, File, Folder, Link, State
from dabhand.world.effects import (
    ABSENT,
    KEEP,
    MAKE_FOLDER,
    UNSAID,
    CopyTree,
    Drawing,
    MakeLink,
    Option,
    Write,
    cost_of,
    say,
    tree_after,
)  # fmt: skip
from dabhand.world.places import At, Inside
from tests.workspace.folders import NAMES, states

HELLO = Const("hello\n", Kind.TEXT)
TREE = CopyTree(At("A"))
MERGED = CopyTree(At("A"), merge=True)
BOX = State(
    {
        "a": FOLDER, "a/x": File(b"1"), "a/sub": FOLDER, "a/sub/y": File(b"2", executable=True), "a/l": Link("x"),
        "b": FOLDER, "b/x": File(b"old"), "b/z": File(b"kept"), "b/sub": FOLDER, "b/sub/w": File(b"3"),
        "f": File(b"f", executable=True), "ab": File(b"no part of a"),
    }
)  # fmt: skip


def drawn(*steps: tuple[Option, str] | tuple[Option, str, str], state: State = BOX) -> State | None:
    """The folder after the options were drawn in turn: (option, path) or (option, path, source)."""
    drawing = Drawing(state)
    for option, path, *source in steps:
        value = "hello\n" if isinstance(option, Write) else "x" if isinstance(option, MakeLink) else None
        drawing.apply(option, path, value, source[0] if source else None)
    return drawing.finish()


def test_nothing_drawn_is_the_same_folder() -> None:
    assert drawn() == BOX
    assert drawn((KEEP, "a")) == BOX


def test_a_folder_goes_with_all_below_it_and_not_what_is_named_alike() -> None:
    after = drawn((ABSENT, "a"))
    assert after == State({path: node for path, node in BOX.items() if path != "a" and not path.startswith("a/")})
    assert "ab" in after


def test_a_file_that_is_written_keeps_its_mode_and_a_new_one_has_none() -> None:
    assert drawn((Write(HELLO), "f")) == BOX.with_changes({"f": File(b"hello\n", executable=True)})
    assert drawn((Write(HELLO), "new")) == BOX.with_changes({"new": File(b"hello\n")})


def test_a_tree_takes_the_place_of_what_was_there() -> None:
    after = drawn((TREE, "b", "a"))
    assert after is not None
    assert {path[2:]: node for path, node in after.items() if path.startswith("b/")} == {
        path[2:]: node for path, node in BOX.items() if path.startswith("a/")
    }


def test_a_merged_tree_keeps_what_the_source_has_not() -> None:
    after = drawn((MERGED, "b", "a"))
    assert after is not None
    assert after["b/x"] == File(b"1")
    assert after["b/z"] == File(b"kept")
    assert after["b/sub/w"] == File(b"3")
    assert after["b/sub/y"] == File(b"2", executable=True)
    assert after["b/l"] == Link("x")


def test_merging_a_file_or_into_a_file_replaces() -> None:
    assert tree_after(MERGED, BOX, "f", "ab") == {"": File(b"no part of a")}
    assert tree_after(MERGED, BOX, "f", "b/sub") == {"": FOLDER, "w": File(b"3")}
    assert tree_after(MERGED, BOX, "b", "f") == {"": File(b"f", executable=True)}


def test_a_tree_copied_below_itself_holds_what_was_there_before() -> None:
    after = drawn((TREE, "a/copy", "a"))
    assert after is not None
    assert sorted(path for path in after if path.startswith("a/copy")) == [
        "a/copy", "a/copy/l", "a/copy/sub", "a/copy/sub/y", "a/copy/x",
    ]  # fmt: skip


def test_a_move_is_a_copy_and_an_absence() -> None:
    after = drawn((TREE, "b/a", "a"), (ABSENT, "a"))
    assert after is not None
    assert "a" not in after and after["b/a/sub/y"] == File(b"2", executable=True)


@pytest.mark.parametrize(
    "steps",
    [
        [(Write(HELLO), "none/x")],
        [(Write(HELLO), "f/x")],
        [(MAKE_FOLDER, "none/x")],
        [(MAKE_FOLDER, "f/x")],
        [(MakeLink(HELLO), "none/x")],
        [(Write(HELLO), "a")],
        [(MakeLink(HELLO), "a")],
        [(TREE, "f/x", "a")],
        [(TREE, "x", "none")],
        [(TREE, "x")],
        [(Write(HELLO), "a/new"), (ABSENT, "a"), (Write(HELLO), "a/x")],
        [(UNSAID, "f")],
    ],
)
def test_what_cannot_be_is_no_folder(steps: list[tuple[Option, str]]) -> None:
    assert drawn(*steps) is None


def test_a_folder_made_first_may_be_written_into() -> None:
    after = drawn((MAKE_FOLDER, "new"), (Write(HELLO), "new/x"))
    assert after == BOX.with_changes({"new": FOLDER, "new/x": File(b"hello\n")})


simple: st.SearchStrategy[Option] = st.sampled_from(
    [KEEP, ABSENT, MAKE_FOLDER, Write(HELLO), MakeLink(HELLO), TREE, MERGED]
)
spots = st.lists(st.sampled_from(NAMES[:4]), min_size=1, max_size=3).map("/".join)


@settings(max_examples=300)
@given(states(), st.lists(st.tuples(simple, spots, spots), max_size=4))
def test_a_drawing_is_a_folder_or_nothing(state: State, steps: list[tuple[Option, str, str]]) -> None:
    after = drawn(*steps, state=state)
    if after is None:
        return
    assert list(after) == sorted(after)
    assert after == State(dict(after)), "a parent is missing or no folder"
    for path in after:
        above = path.rpartition("/")[0]
        assert not above or isinstance(after[above], Folder)


@given(states(), spots)
def test_taking_away_what_is_not_there_changes_nothing(state: State, path: str) -> None:
    if path not in state:
        assert drawn((ABSENT, path), state=state) == state


def test_the_simpler_option_costs_less() -> None:
    assert cost_of(KEEP) < cost_of(ABSENT) < cost_of(TREE) < cost_of(MERGED) < cost_of(UNSAID)
    assert cost_of(Write(HELLO)) < cost_of(Write(HELLO, emptied=True))


def test_options_are_said_of_their_place() -> None:
    inside = Inside("B", "A")
    assert say(TREE, inside) == "B/name of A is a copy of A"
    assert say(MERGED, At("B")) == "B is merged with a copy of A"
    assert say(ABSENT, At("A")) == "A is gone"
    assert say(Write(HELLO), At("B")).startswith("B holds ")


def test_beliefs_that_contradict_each_other_are_told_from_what_cannot_be() -> None:
    state = State({"d": FOLDER, "f": File(b"x\n")})
    taken, never = Drawing(state), Drawing(state)
    taken.apply(ABSENT, "d", None, None)
    taken.apply(CopyTree(At("A")), "d/f", None, "f")
    never.apply(CopyTree(At("A")), "none/f", None, "f")
    assert taken.finish() is None
    assert taken.torn
    assert never.finish() is None
    assert not never.torn
