"""Plans over a scripted world: what is found, what is never done, what is said when nothing is found."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from dabhand.commands import parse_template, render
from dabhand.goals import Goal, IsAbsent, IsCopy, Refused, understand
from dabhand.planning import NoPlan, Plan, Planner, Target
from dabhand.workspace import FOLDER, File, Folder, Link, Node, State, parent_of
from dabhand.world import Prediction
from dabhand.world.reading import StateView

Effect = Callable[[State, Mapping[str, str | int]], tuple[Mapping[str, Node | None], str] | None]


class ScriptedWorld:
    """Commands whose outcomes are worked out here in plain Python."""

    def __init__(self, effects: Mapping[str, Effect], doubted: tuple[str, ...] = ()) -> None:
        self.effects = effects
        self.doubted = doubted

    def believed(self, command: str) -> tuple[()]:
        return ()

    def predict(self, command: str, slots: Mapping[str, str | int], state: State) -> Prediction:
        found = self.effects[command](state, slots)
        if found is None:
            return Prediction(known=True, trusted=True, confidence=0.9, ok=False, state=state)
        changes, printed = found
        trusted = command not in self.doubted
        return Prediction(
            known=True, trusted=trusted, confidence=0.9, ok=True, state=state.with_changes(changes), stdout=printed
        )


def writes(function: Callable[[list[str]], list[str]]) -> Effect:
    def effect(state: State, slots: Mapping[str, str | int]) -> tuple[Mapping[str, Node | None], str] | None:
        source, target = state.get(str(slots["A"])), str(slots["B"])
        if not isinstance(source, File) or not standing(state, target) or slots["A"] == slots["B"]:
            return None
        return {target: File("".join(line + "\n" for line in function(source.text.splitlines())).encode())}, ""

    return effect


def standing(state: State, path: str) -> bool:
    above = parent_of(path)
    return (not above or isinstance(state.get(above), Folder)) and not isinstance(state.get(path), Folder)


def mkdir(state: State, slots: Mapping[str, str | int]) -> tuple[Mapping[str, Node | None], str] | None:
    path = str(slots["A"])
    return None if path in state or not standing(state, path) else ({path: FOLDER}, "")


def rm(state: State, slots: Mapping[str, str | int]) -> tuple[Mapping[str, Node | None], str] | None:
    path = str(slots["A"])
    return ({path: None}, "") if isinstance(state.get(path), File) else None


def mv(state: State, slots: Mapping[str, str | int]) -> tuple[Mapping[str, Node | None], str] | None:
    old, new = str(slots["A"]), str(slots["B"])
    if not isinstance(state.get(old), File) or not standing(state, new) or old == new:
        return None
    return {old: None, new: state[old]}, ""


def cat(state: State, slots: Mapping[str, str | int]) -> tuple[Mapping[str, Node | None], str] | None:
    source = state.get(str(slots["A"]))
    return ({}, source.text) if isinstance(source, File) else None


def unique(lines: list[str]) -> list[str]:
    return [line for number, line in enumerate(lines) if number == 0 or lines[number - 1] != line]


EFFECTS: dict[str, Effect] = {
    "sort -u {A} > {B}": writes(lambda lines: sorted(set(lines))),
    "sort {A} > {B}": writes(sorted),
    "uniq {A} > {B}": writes(unique),
    "wc -l < {A} > {B}": writes(lambda lines: [str(len(lines))]),
    "cp {A} {B}": writes(lambda lines: lines),
    "mkdir {A}": mkdir,
    "rm {A}": rm,
    "mv {A} {B}": mv,
    "cat {A}": cat,
}
BEFORE = State.from_json({"p.txt": {"text": "b\na\nb\n"}, "keep.txt": {"text": "mine\n"}, "box/c.txt": {"text": "x\n"}})


def planned(request: str, *, without: tuple[str, ...] = (), doubted: tuple[str, ...] = ()) -> Plan | NoPlan:
    effects = {text: effect for text, effect in EFFECTS.items() if text not in without}
    planner = Planner(ScriptedWorld(effects, doubted), [parse_template(text) for text in effects])
    return planner.plan(Target(understand(request, StateView(BEFORE)), BEFORE))


def lines_of(plan: Plan | NoPlan) -> list[str]:
    assert isinstance(plan, Plan)
    return [render(step.template, step.slots) for step in plan.steps]


def test_one_step() -> None:
    plan = planned("Write the lines of p.txt sorted and without duplicates into u.txt.")
    assert lines_of(plan) == ["sort -u p.txt > u.txt"]
    assert plan.imagined > 0


def test_two_commands_and_a_scratch_file_that_is_removed() -> None:
    plan = planned("Write the lines of p.txt sorted and without duplicates into u.txt.", without=("sort -u {A} > {B}",))
    assert isinstance(plan, Plan)
    assert [step.template.text for step in plan.steps] in (
        ["sort {A} > {B}", "uniq {A} > {B}", "rm {A}"],
        ["sort {A} > {B}", "uniq {A} > {B}", "mv {A} {B}"],
    )
    final = plan.steps[-1].prediction.state
    assert final is not None and set(final) == {*BEFORE, "u.txt"}


def test_what_is_not_trusted_is_not_used() -> None:
    plan = planned("Write the lines of p.txt sorted into u.txt.", doubted=("sort {A} > {B}", "sort -u {A} > {B}"))
    assert isinstance(plan, NoPlan)
    assert [condition.path for condition in plan.unreachable] == ["u.txt"]


def test_folders_in_folders() -> None:
    assert lines_of(planned("Create the folder a/b/c.")) == ["mkdir a", "mkdir a/b", "mkdir a/b/c"]


def test_an_answer() -> None:
    plan = planned("How many lines does p.txt have?")
    assert [step.template.text for step in plan.steps if isinstance(plan, Plan)] == [
        "wc -l < {A} > {B}", "cat {A}", "rm {A}",
    ]  # fmt: skip


def test_in_place() -> None:
    plan = planned("Sort p.txt in place.")
    assert isinstance(plan, Plan)
    assert plan.steps[-1].prediction.state == BEFORE.with_changes({"p.txt": File(b"a\nb\nb\n")})


def test_a_source_is_not_deleted_before_it_is_used() -> None:
    lines = lines_of(planned("Sort p.txt into s.txt, then delete p.txt and keep.txt."))
    assert sorted(lines[1:]) == ["rm keep.txt", "rm p.txt"]
    assert lines[0] == "sort p.txt > s.txt"


def test_more_conditions_than_one_beam_is_deep() -> None:
    lines = lines_of(planned("Create the folders k, l, m, n, o and p."))
    assert len(lines) == 6


def test_nothing_to_do() -> None:
    assert lines_of(planned("Create the folder box if it does not exist")) == []


def test_of_equal_plans_the_one_that_does_what_was_asked() -> None:
    # Here "sort" and "uniq" would do as well as "cp": only one would still be right were the file another.
    before = State.from_json({"p.txt": {"text": "a\nb\n"}})
    planner = Planner(ScriptedWorld(EFFECTS), [parse_template(text) for text in EFFECTS])
    plan = planner.plan(Target(understand("Write the lines of p.txt sorted into s.txt", StateView(before)), before))
    assert lines_of(plan) == ["sort p.txt > s.txt"]


def test_links_are_refused() -> None:
    before = State({"l": Link("keep.txt"), "keep.txt": File(b"mine\n"), "d": Link("box"), "box": FOLDER})
    for request in ("Write the lines of keep.txt sorted into l", "Create the folder d/e"):
        goal = understand(request, StateView(before))
        with pytest.raises(Refused):
            Target(goal, before)


def test_an_empty_goal_is_reached() -> None:
    planner = Planner(ScriptedWorld({}), [])
    assert isinstance(planner.plan(Target(Goal(()), BEFORE)), Plan)


class Silent:
    """A world that knows nothing, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def believed(self, command: str) -> tuple[()]:
        return ()

    def predict(self, command: str, slots: Mapping[str, str | int], state: State) -> Prediction:
        self.asked += 1
        return Prediction(known=False, reason="never tried")


MANY = State({f"docs/f{number}.txt": File(b"x\n") for number in range(300)})
PAIRS = tuple(parse_template(f"{name} {{A}} {{B}}") for name in ("cp", "mv", "ln", "cmp", "join"))


@pytest.mark.parametrize("goal", [Goal((IsAbsent("docs"), IsCopy("docs2", "docs"))), Goal((IsAbsent("docs"),))])
def test_a_large_tree_is_imagined_as_one_thing(goal: Goal) -> None:
    world = Silent()
    Planner(world, PAIRS).plan(Target(goal, MANY))
    assert world.asked < 1000


def test_a_search_ends_when_patience_does() -> None:
    world, ticks = Silent(), iter(range(10_000))
    Planner(world, PAIRS, clock=lambda: float(next(ticks)), patience=10.0).plan(Target(Goal((IsAbsent("docs"),)), MANY))
    assert 0 < world.asked < 12
