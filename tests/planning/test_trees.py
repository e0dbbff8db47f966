"""Folders that are renamed, moved or copied, and things in them that are changed in the same request."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dabhand.goals import Condition, Goal, Holds, IsAbsent, IsCopy, IsExecutable, IsFolder, Refused
from dabhand.goals.goal import text_of
from dabhand.goals.operations import OPERATIONS, joined, line_of
from dabhand.planning import NoPlan, Plan, Planner, Target
from dabhand.workspace import File, State
from tests.planning.scripted import World

BEFORE = State.from_json(
    {
        "a.txt": {"text": "b\na\n"},
        "box/e.txt": {"text": "two\none\n"},
        "box/f": {"text": "x\n"},
        "box/run": {"text": "echo\n", "executable": True},
        "box/sub/g.txt": {"text": "q\nz\n"},
        "other/k": {"text": "k\n"},
    }
)
E, G = text_of("box/e.txt"), text_of("box/sub/g.txt")
RENAMED = (IsAbsent("box"), IsCopy("crate", "box"))


def planned(*conditions: Condition) -> Plan | NoPlan:
    world = World()
    return Planner(world, list(world.templates.values())).plan(Target(Goal(conditions), BEFORE))


@pytest.mark.parametrize(
    "conditions",
    [
        (*RENAMED, Holds("crate/e.txt", joined(E, line_of("three")))),
        (*RENAMED, Holds("crate/e.txt", OPERATIONS["sorted"](E))),
        (*RENAMED, Holds("crate/run", joined(text_of("box/run"), line_of("more")))),
        (*RENAMED, IsAbsent("crate/f")),
        (*RENAMED, IsAbsent("crate/sub"), Holds("crate/new", line_of("n"))),
        (*RENAMED, IsCopy("crate/e2.txt", "box/e.txt")),
        (*RENAMED, IsAbsent("crate/f"), IsFolder("crate/deep"), IsCopy("crate/deep/f", "box/f")),
        (*RENAMED, IsAbsent("crate/sub"), IsCopy("sub", "box/sub"), Holds("sub/g.txt", OPERATIONS["upper"](G))),
        (*RENAMED, IsCopy("crate/a.txt", "a.txt"), IsAbsent("a.txt")),
        (*RENAMED, IsCopy("crate/other", "other"), IsAbsent("other"), Holds("crate/other/k", line_of("n"))),
        (IsCopy("crate", "box"), IsAbsent("crate/f"), Holds("crate/e.txt", OPERATIONS["upper"](E))),
        (IsAbsent("box"), IsFolder("x"), IsCopy("x/box", "box"), IsAbsent("x/box/sub/g.txt")),
        (IsCopy("box", "other"), IsCopy("old", "box"), IsAbsent("other"), Holds("box/k", line_of("n"))),
        (IsCopy("last", "other"), IsCopy("last/box", "box"), IsAbsent("other"), IsAbsent("box"),
         IsAbsent("last/box/f"), Holds("last/box/sub/g.txt", OPERATIONS["sorted_reversed"](G))),
    ],
)  # fmt: skip
def test_what_comes_as_a_whole_is_changed_in_its_new_place(conditions: tuple[Condition, ...]) -> None:
    plan = planned(*conditions)
    assert isinstance(plan, Plan) and plan.general, plan
    state = plan.steps[-1].prediction.state
    target = Target(Goal(conditions), BEFORE)
    assert state is not None and not target.wrong(state)
    assert all(target.holds(one, state, None) for one in conditions)


def test_what_is_right_in_its_new_place_says_all_that_was_asked() -> None:
    wanted = Target(Goal((*RENAMED, Holds("crate/run", line_of("n")), IsAbsent("crate/sub"))), BEFORE).wanted
    assert wanted.to_json() == {
        "a.txt": {"text": "b\na\n"},
        "crate": {"dir": True},
        "crate/e.txt": {"text": "two\none\n"},
        "crate/f": {"text": "x\n"},
        "crate/run": {"text": "n\n", "executable": True},
        "other": {"dir": True},
        "other/k": {"text": "k\n"},
    }


def test_the_order_of_conditions_says_nothing() -> None:
    conditions = (*RENAMED, IsAbsent("crate/sub"), Holds("crate/f", line_of("n")), IsExecutable("crate/e.txt"))
    assert len({Target(Goal(conditions[at:] + conditions[:at]), BEFORE).wanted for at in range(5)}) == 1


@given(st.sampled_from(["crate/e.txt", "crate/f", "crate/sub/g.txt"]), st.sampled_from([None, b"other\n"]))
@settings(max_examples=10, deadline=None)
def test_a_copy_is_judged_by_what_nothing_else_is_said_of(path: str, text: bytes | None) -> None:
    said = IsAbsent("crate/f"), Holds("crate/e.txt", line_of("n"))
    target = Target(Goal((*RENAMED, *said)), BEFORE)
    state = target.wanted.with_changes({path: None if text is None else File(text)})
    kept = {one: target.holds(one, state, None) for one in target.goal.conditions}
    assert kept[RENAMED[1]] == (path != "crate/sub/g.txt")
    assert kept[said[1]] == (path != "crate/e.txt")
    assert all(kept.values()) == (not target.wrong(state))


def test_a_condition_that_can_be_reached_is_not_said_to_be_out_of_reach() -> None:
    mirrored = Holds("crate/e.txt", OPERATIONS["mirrored"](E))
    found = planned(*RENAMED, mirrored)
    assert isinstance(found, NoPlan)
    assert found.unreachable == (mirrored,)
    assert len(found.why) == 1 and "mirrored" in found.why[0]


def test_a_folder_that_nobody_moves_away_makes_no_room_for_another() -> None:
    with pytest.raises(Refused, match="would become another folder"):
        Target(Goal((IsCopy("box", "other"), IsAbsent("other"))), BEFORE)


def test_a_folder_of_many_files_is_renamed_without_reading_them() -> None:
    many = State.from_json({f"box/{number}": {"text": f"{number}\n"} for number in range(400)})
    world = World()
    plan = Planner(world, list(world.templates.values())).plan(
        Target(Goal((*RENAMED, Holds("crate/7", line_of("n")))), many)
    )
    assert isinstance(plan, Plan) and len(plan.steps) == 2
