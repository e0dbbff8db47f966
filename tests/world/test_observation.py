"""Which place owns which change, for commands that really ran: one case per line of observations.jsonl."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dabhand.commands import parse_template, render
from dabhand.sandbox import Worker
from dabhand.workspace import FOLDER, File, Link, State
from dabhand.world.observation import Observation, assign, changed_paths
from dabhand.world.places import At, Beside, Fixed, Inside, Place, spoken, spot
from dabhand.world.reading import values_of

CASES = [json.loads(line) for line in (Path(__file__).parent / "observations.jsonl").read_text().splitlines()]


def places_of(case: dict[str, Any]) -> list[Place]:
    places: list[Place] = [At(slot.name) for slot in parse_template(case["command"]).slots if slot.kind == "path"]
    places += [Inside(*pair) for pair in case.get("inside", ())]
    places += [Beside(*pair) for pair in case.get("beside", ())]
    return [*places, *(Fixed(path) for path in case.get("fixed", ()))]


@pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])
def test_every_change_belongs_where_it_should(case: dict[str, Any], worker: Worker) -> None:
    template = parse_template(case["command"])
    before = State.from_json(case["before"])
    outcome = worker.run(before, render(template, case["slots"]))
    assert (outcome.exit_code == 0) == case.get("ok", True)
    seen = Observation(case["slots"], values_of(template.slots, case["slots"]), before, True, "", outcome.state)
    seen.look(places_of(case))
    sights = {spoken(place): sight for place, sight in seen.sightings.items()}

    assert {name: sorted(sight.owned) for name, sight in sights.items()} == case["owned"]
    assert sorted(seen.strays) == case["strays"]
    assert [name for name, sight in sights.items() if sight.altered] == case["altered"]
    assert [name for name, sight in sights.items() if sight.shared] == case.get("shared", [])
    replaced = {name: sight.replaced for name, sight in sights.items() if sight.replaced is not None}
    assert replaced == case.get("replaced", {})
    assert [name for name, sight in sights.items() if sight.made_folder and sight.altered] == case.get(
        "made_folder", []
    )


def test_changed_paths_are_those_that_differ() -> None:
    before = State({"same": File(b"1"), "mode": File(b"1"), "text": File(b"1"), "kind": File(b"1"), "gone": FOLDER})
    after = before.with_changes(
        {"mode": File(b"1", executable=True), "text": File(b"2"), "kind": Link("same"), "gone": None, "new": FOLDER}
    )
    assert sorted(changed_paths(before, after)) == ["gone", "kind", "mode", "new", "text"]
    assert changed_paths(before, before) == ()


def test_a_change_is_owned_by_all_places_that_are_as_near() -> None:
    state = State({"d": FOLDER, "d/e": FOLDER, "l": Link("d")})
    spots = {At("A"): spot("d", state), At("B"): spot("l", state), At("C"): spot("d/e", state)}
    owned, strays = assign(["d/x", "d/e/y", "z"], spots)
    assert owned == {At("A"): ["d/x"], At("B"): ["d/x"], At("C"): ["d/e/y"]}
    assert strays == ["z"]


def test_the_tree_at_a_place_leaves_out_what_a_deeper_place_owns() -> None:
    before = State({"d": FOLDER, "d/f": File(b"x", executable=True), "d/g": File(b"y")})
    after = before.with_changes({"d/f": File(b"new"), "d/g": File(b"newer")})
    seen = Observation({"A": "d", "B": "d/f"}, {"A": "d", "B": "d/f"}, before, True, "", after)
    seen.look([At("A"), At("B")])
    assert seen.sightings[At("A")].tree() == {"": FOLDER, "f": File(b"x", executable=True), "g": File(b"newer")}
    assert seen.sightings[At("B")].tree() == {"": File(b"new")}


def test_behind_a_link_that_stays_is_what_it_leads_to() -> None:
    state = State({"in": File(b"b\n"), "l": Link("in")})
    seen = Observation({"A": "in", "B": "l"}, {"A": "in", "B": "l"}, state, True, "", state)
    seen.look([At("A"), At("B")])
    assert seen.sightings[At("B")].new == Link("in")
    assert seen.sightings[At("B")].held == File(b"b\n")
