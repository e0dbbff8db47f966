"""A state from outside is exactly the contract's form, or an error that names the path."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dabhand.errors import StateError
from dabhand.workspace import FOLDER, File, Link, State
from tests.workspace.folders import states

BAD: list[tuple[str, Any]] = [
    ("x", {"text": "q", "dir": True}),
    ("x", {"text": "q", "base64": ""}),
    ("x", {"text": "q", "link": "a"}),
    ("x", {"text": "q", "mode": 7}),
    ("x", {"text": "q", "executable": 1}),
    ("x", {"text": None}),
    ("x", {"text": "\ud800"}),
    ("x", {"base64": "?"}),
    ("x", {"base64": 1}),
    ("x", {"dir": False}),
    ("x", {"dir": 1}),
    ("x", {"dir": True, "executable": True}),
    ("x", {"executable": True}),
    ("x", {"link": ""}),
    ("x", {"link": "a\0"}),
    ("x", {"link": "\udbff"}),
    ("x", {"link": "a", "executable": True}),
    ("x", {}),
    ("x", []),
    ("x", None),
    ("x/", {"text": ""}),
    ("x/", {"link": "a"}),
    ("x//", {"dir": True}),
    ("/x", {"dir": True}),
    ("", {"dir": True}),
    ("/", {"dir": True}),
    ("x/../y", {"text": ""}),
    ("./x", {"text": ""}),
    ("x\0", {"text": ""}),
    ("\ud800", {"text": ""}),
]


@pytest.mark.parametrize(("path", "entry"), BAD)
def test_what_is_no_entry_is_an_error_that_names_the_path(path: str, entry: Any) -> None:
    with pytest.raises(StateError) as raised:
        State.from_json({"fine": {"text": ""}, path: entry})
    assert repr(path.removesuffix("/"))[1:-1] in raised.value.message
    assert raised.value.hint


@pytest.mark.parametrize("value", [None, [], "a", {"a": {"text": ""}, "a/b": {"text": ""}}])
def test_what_is_no_folder_is_an_error(value: Any) -> None:
    with pytest.raises(StateError) as raised:
        State.from_json(value)
    assert raised.value.hint


def test_a_path_stands_once() -> None:
    with pytest.raises(StateError, match="'a' stands twice"):
        State.from_json({"a/": {"dir": True}, "a": {"text": ""}})
    assert State.from_json({"a/": {"dir": True}}) == State({"a": FOLDER})


def test_bytes_have_one_text() -> None:
    split, whole = "\udcc3\udca9", "é"
    form = {split: {"text": split}, "l": {"link": split}}
    assert State.from_json(form) == State({whole: File(b"\xc3\xa9"), "l": Link(whole)})
    with pytest.raises(StateError, match="twice"):
        State.from_json({split: {"text": ""}, whole: {"text": ""}})


@given(states())
def test_any_folder_comes_back_from_json(state: State) -> None:
    assert State.from_json(json.loads(json.dumps(state.to_json()))) == state


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(categories=None)),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["text", "dir", "link"]), inner),
    max_leaves=6,
)


@given(st.dictionaries(st.text(st.characters(categories=None), max_size=4), anything, max_size=3))
def test_anything_is_a_folder_or_an_error(value: dict[str, Any]) -> None:
    try:
        state = State.from_json(value)
    except StateError as error:
        assert error.hint
    else:
        assert State.from_json(state.to_json()) == state
