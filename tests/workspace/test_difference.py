"""Difference and apply are inverse."""

from __future__ import annotations

import pytest
from hypothesis import given

from dabhand.errors import Conflict
from dabhand.workspace import FOLDER, Change, File, State, apply_changes, difference, inverse
from tests.workspace.folders import states


@given(states(), states())
def test_apply_makes_what_difference_saw(before: State, after: State) -> None:
    changes = difference(before, after)
    assert apply_changes(before, changes) == after
    assert apply_changes(after, inverse(changes)) == before


@given(states())
def test_nothing_differs_from_itself(state: State) -> None:
    assert difference(state, state) == ()


def test_kinds_of_change() -> None:
    before = State({"a": File(b"1"), "b": File(b"1"), "c": File(b"1"), "d": FOLDER})
    after = State({"a": File(b"2"), "b": File(b"1", True), "d": File(b""), "e": FOLDER})
    kinds = {change.path: change.kind for change in difference(before, after)}
    assert kinds == {"a": "modified", "b": "mode", "c": "deleted", "d": "modified", "e": "created"}


def test_refuses_a_state_that_is_another() -> None:
    with pytest.raises(Conflict):
        apply_changes(State({"a": File(b"1")}), [Change("a", File(b"2"), None)])
    with pytest.raises(Conflict):
        apply_changes(State({"a": FOLDER, "a/b": File(b"")}), [Change("a", FOLDER, None)])
