"""Goals as JSON for language models: the schema says what the reader takes, and nothing else is taken."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from dabhand.errors import DabhandError, LanguageError
from dabhand.goals import Answers, Condition, Goal, Holds
from dabhand.goals.schema import goal_from_json, goal_schema, goal_to_json, paths_read
from dabhand.language import PRIMITIVES, Kind, parse
from tests.goals.strategies import conditions, contents, goals

WHOLE = Draft202012Validator(goal_schema())
SHALLOW = Draft202012Validator(goal_schema(depth=4))


@settings(deadline=None, max_examples=60)
@given(goals)
def test_every_goal_is_valid_and_read_back(goal: Goal) -> None:
    form = json.loads(json.dumps(goal_to_json(goal)))
    WHOLE.validate(form)
    assert goal_from_json(form).conditions == goal.conditions


@settings(deadline=None, max_examples=100)
@given(goals)
def test_the_contracts_form_is_read_back_too(goal: Goal) -> None:
    form = goal.to_json()
    assert form["others"] == "unchanged"
    assert all(list(one) == ["path", "is", "content"] for one in form["conditions"])  # type: ignore[attr-defined]
    assert goal_from_json(form).conditions == Goal.from_json(form).conditions == goal.conditions


@settings(deadline=None, max_examples=60)
@given(contents(depth=3), contents(depth=6))
def test_the_schema_of_limited_depth_admits_what_is_that_shallow(shallow: Any, any_: Any) -> None:
    def valid(content: Any) -> bool:
        return bool(SHALLOW.is_valid(goal_to_json(Goal((Answers(content),)))))

    assert valid(shallow)
    calls = any_.depth - 1 if hasattr(any_, "depth") else 0
    assert valid(any_) or calls > 4 - 1


def test_the_schemas_are_sound_and_draw_on_every_primitive() -> None:
    Draft202012Validator.check_schema(goal_schema())
    Draft202012Validator.check_schema(goal_schema(depth=3))
    reach = {name for name, each in PRIMITIVES.items() if f'"{name}"' in json.dumps(goal_schema())}
    taken = {kind for each in PRIMITIVES.values() for kind in each.takes} | {Kind.TEXT}
    assert reach == {name for name, each in PRIMITIVES.items() if each.gives in taken}
    few = goal_schema(["text", "upper"])
    assert set(few["$defs"]) == {"text", "path", "content", "name"}
    assert "$ref" in json.dumps(few) and not any("_" in name for name in few["$defs"])
    with pytest.raises(LanguageError):
        goal_schema(["count", "lines"], depth=-1)


GOOD: dict[str, Any] = {
    "conditions": [{"path": "b", "is": "file", "content": {"upper": [{"text": ["a"]}]}}],
    "others": "unchanged",
}


def test_what_a_goal_reads_is_drawn_from_its_terms() -> None:
    assert goal_from_json(GOOD) == Goal((Holds("b", parse('upper(text("a"))')),), ("a",))
    copy = {"conditions": [{"path": "b", "is": "copy", "content": "a"}], "others": "unchanged"}
    assert goal_from_json(copy).reads == ("a",)
    assert paths_read([Answers(parse('then(text("x"), text("y"))'))]) == ("x", "y")


@pytest.mark.parametrize(
    "condition",
    [
        {"path": "b", "is": "file"},
        {"path": "b", "is": "file", "content": None},
        {"path": "b", "is": "file", "content": 3},
        {"path": "b", "is": "file", "content": {"text": "a"}},
        {"path": "b", "is": "file", "content": {"text": ["a", "b"]}},
        {"path": "b", "is": "file", "content": {"no_such_primitive": ["a"]}},
        {"path": "b", "is": "file", "content": {"lines": [{"text": ["a"]}]}},
        {"path": "b", "is": "file", "content": {"slot": "A"}},
        {"path": "b", "is": "file", "content": {"upper": [{"text": ["a"]}]}, "mode": 7},
        {"path": "", "is": "folder", "content": None},
        {"path": None, "is": "folder", "content": None},
        {"path": "b", "is": "folder", "content": "x"},
        {"path": "b", "is": "link", "content": "a"},
        {"path": "b", "is": "copy", "content": None},
        {"path": "b", "is": "answer", "content": {"text": ["a"]}},
        {"path": 3, "is": "folder", "content": None},
        "rm -rf .",
        None,
    ],
)
def test_anything_else_is_refused_by_the_reader_and_by_the_schema(condition: object) -> None:
    value = {"conditions": [condition], "others": "unchanged"}
    assert not WHOLE.is_valid(value)
    with pytest.raises(DabhandError):
        goal_from_json(value)


@pytest.mark.parametrize(
    "value",
    [None, [], {}, "goal", {**GOOD, "others": "any"}, {**GOOD, "x": 1}, {**GOOD, "conditions": []},
     {**GOOD, "conditions": GOOD["conditions"] * 201}],
)  # fmt: skip
def test_a_goal_has_its_two_fields(value: object) -> None:
    assert not WHOLE.is_valid(value)
    with pytest.raises(DabhandError):
        goal_from_json(value)


def test_a_term_nested_without_end_is_refused() -> None:
    content: Any = {"text": ["a"]}
    for _ in range(500):
        content = {"upper": [content]}
    with pytest.raises(LanguageError):
        goal_from_json({"conditions": [{"path": "b", "is": "file", "content": content}], "others": "unchanged"})


FIELDS = st.sampled_from(["path", "is", "content", "text", "conditions"])
any_json = st.recursive(
    st.none() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner),
)


@settings(deadline=None, max_examples=60)
@given(any_json)
def test_no_json_brings_the_reader_down(value: Any) -> None:
    for given_ in (value, {"conditions": [value], "others": "unchanged"}):
        try:
            goal_from_json(given_)
        except DabhandError:
            continue


@given(conditions)
@settings(deadline=None, max_examples=30)
def test_conditions_keep_the_contracts_words(condition: Condition) -> None:
    word = goal_to_json(Goal((condition,)))["conditions"][0]["is"]
    assert word in ("file", "folder", "absent", "copy", "executable", "not executable", "answer")
