"""Features of a context: one case per line of features.jsonl (template, filling, folder, question, answer)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dabhand.commands import parse_template
from dabhand.workspace import State
from dabhand.world.features import Situation, features_of
from dabhand.world.places import At, Inside, Place
from tests.workspace.folders import NAMES, states

CASES = [json.loads(line) for line in (Path(__file__).parent / "features.jsonl").read_text("utf-8").splitlines()]


def asked(case: dict[str, Any]) -> str:
    return f"{case['command']} {case['slots']} {case['feature']}"


def places_of(command: str, inside: list[list[str]]) -> list[Place]:
    found: list[Place] = [At(slot.name) for slot in parse_template(command).slots if slot.kind == "path"]
    return [*found, *(Inside(*pair) for pair in inside)]


@pytest.mark.parametrize("case", CASES, ids=asked)
def test_table(case: dict[str, Any]) -> None:
    places = places_of(case["command"], case.get("inside", []))
    features = {feature.key: feature for feature in features_of(parse_template(case["command"]).slots, places)}
    situation = Situation(case["slots"], State.from_json(case["state"]), places)
    assert features[case["feature"]].test(situation) == case["holds"]


def test_every_question_is_asked_once_and_has_an_opposite() -> None:
    for command in ("cp {A} {B}", "grep {T} {A} > {B}", "sed 's/{T}/{U}/' {A}", "cat {A} {B} > {C}", "head -n {N} {A}"):
        features = features_of(parse_template(command).slots, places_of(command, []))
        keys = [feature.key for feature in features]
        assert len(set(keys)) == len(keys)
        assert all(feature.negated != feature.key and feature.cost >= 0 for feature in features)


awkward = st.one_of(
    st.sampled_from(["", ".", "..", "/", "//", "a/", "/etc", "../..", "a//b", "./-x", "a/../.."]),
    st.lists(st.sampled_from([*NAMES, "..", "."]), min_size=1, max_size=3).map("/".join),
)


@given(states(), awkward, awkward, st.text(max_size=4), st.integers(-(10**12), 10**12))
def test_every_question_has_an_answer_whatever_the_filling(
    state: State, a: str, b: str, word: str, number: int
) -> None:
    template = parse_template("some {T} {N} {A} {B}")
    places = places_of(template.text, [["A", "B"], ["B", "A"]])
    situation = Situation({"A": a, "B": b, "T": word, "N": number}, state, places)
    assert len(situation.standings) == len(places)
    for feature in features_of(template.slots, places):
        assert feature.test(situation) in (True, False)
