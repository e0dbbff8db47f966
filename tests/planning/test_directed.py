"""Plans that the goal directs: truly right or marked as not, deep, tidy, repeatable; and why there is none."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dabhand.commands import render
from dabhand.goals import Answers, Condition, Goal, Holds, IsAbsent, IsCopy, IsFolder, Refused
from dabhand.goals.goal import text_of
from dabhand.goals.operations import OPERATIONS, joined, line_of
from dabhand.language import Term
from dabhand.planning import NoPlan, Plan, Planner, Target
from dabhand.workspace import File, State
from tests.planning.scripted import World

BEFORE = State.from_json(
    {
        "p.txt": {"text": "pear\napple\nfig\napple\nkiwi\n"},
        "s.txt": {"text": "a\nb\nc\n"},
        "old/x.txt": {"text": "x\n"},
        "scratch-1.tmp": {"text": "mine\n"},
    }
)
P, S = text_of("p.txt"), text_of("s.txt")
OP = OPERATIONS


def planned(*conditions: Condition, before: State = BEFORE, world: World | None = None, **more: float) -> Plan | NoPlan:
    world = World() if world is None else world
    planner = Planner(world, list(world.templates.values()))
    return planner.plan(Target(Goal(conditions), before), **more)  # type: ignore[arg-type]


def lines_of(plan: Plan | NoPlan) -> list[str]:
    assert isinstance(plan, Plan), plan
    return [render(step.template, step.slots) for step in plan.steps]


def final(plan: Plan | NoPlan) -> State:
    assert isinstance(plan, Plan)
    state = plan.steps[-1].prediction.state
    assert state is not None
    return state


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (OP["sorted"](S), "sort s.txt > n"),
        (OP["sorted_distinct"](S), "sort -u s.txt > n"),
        (OP["merged"](S), "uniq s.txt > n"),
        (OP["counted"](S, "lines"), "wc -l < s.txt > n"),
        (OP["counted"](S, "words"), "wc -w < s.txt > n"),
        (OP["first"](S, 9), "head -n 9 s.txt > n"),
    ],
)
def test_what_was_asked_even_where_something_else_would_come_to_the_same(content: Term, line: str) -> None:
    plan = planned(Holds("n", content))
    assert lines_of(plan) == [line]
    assert isinstance(plan, Plan) and plan.general


def test_what_only_happens_to_come_out_right_is_used_last_and_said() -> None:
    plan = planned(Holds("n", OP["sorted"](S)), world=World(without=("sort {A} > {B}", "sort -u {A} > {B}")))
    assert isinstance(plan, Plan) and not plan.general
    assert final(plan)["n"] == File(b"a\nb\nc\n")


def test_a_text_that_happens_to_be_the_wanted_one_is_no_end() -> None:
    # Sorted, it is already what is wanted here; only the one command after it makes that true anywhere.
    steps = lines_of(planned(Holds("n", OP["merged"](OP["sorted"](S))), world=World(without=("sort -u {A} > {B}",))))
    assert [step.split()[0] for step in steps[:2]] == ["sort", "uniq"]


def test_four_operations_and_other_things_in_one_request() -> None:
    content = OP["first"](OP["numbered"](OP["upper"](OP["sorted"](P))), 2)
    plan = planned(
        Holds("n", content), Holds("m", OP["counted"](joined(P, S), "words")), IsAbsent("old"), IsAbsent("old/x.txt"),
        IsCopy("q.txt", "p.txt"), IsAbsent("p.txt"), IsFolder("k"),
    )  # fmt: skip
    assert isinstance(plan, Plan) and plan.general
    assert set(final(plan)) == {"n", "m", "q.txt", "s.txt", "k", "scratch-1.tmp"}
    assert final(plan)["n"] == File(b"     1\tAPPLE\n     2\tAPPLE\n")


def test_scratch_files_are_new_and_gone_in_the_end() -> None:
    plan = planned(Holds("p.txt", OP["upper"](OP["sorted"](P))))
    assert not any("scratch-1.tmp" in line for line in lines_of(plan))
    assert set(final(plan)) == set(BEFORE)
    assert final(plan)["scratch-1.tmp"] == BEFORE["scratch-1.tmp"]


def test_two_files_change_places() -> None:
    plan = planned(IsCopy("p.txt", "s.txt"), IsCopy("s.txt", "p.txt"))
    assert final(plan) == BEFORE.with_changes({"p.txt": BEFORE["s.txt"], "s.txt": BEFORE["p.txt"]})


def test_lines_are_added_one_after_the_other() -> None:
    plan = planned(Holds("s.txt", joined(S, line_of("d"))))
    assert lines_of(plan) == ["echo d >> s.txt"]


def test_an_answer_needs_the_text_only_until_it_is_given() -> None:
    plan = planned(Answers(OP["counted"](OP["containing"](P, "app"), "lines")), IsAbsent("p.txt"))
    assert isinstance(plan, Plan) and plan.general
    assert final(plan) == BEFORE.with_changes({"p.txt": None})


def test_the_command_to_practise_is_named() -> None:
    doubted = "wc -w < {A} > {B}"
    found = planned(Holds("n", OP["counted"](P, "words")), world=World(doubted=(doubted, "wc -l < {A} > {B}")))
    assert isinstance(found, NoPlan)
    assert [(one.template, one.line, one.reason) for one in found.untrusted] == [
        (doubted, "wc -w < p.txt > n", "never tried here")
    ]
    assert doubted in found.advice
    assert "trusted" in found.why[0]


def test_other_ways_are_looked_for_where_the_first_are_not_trusted() -> None:
    doubted = "sort -u {A} > {B}"
    plan = planned(Holds("n", OP["sorted_distinct"](P)), world=World(doubted=(doubted,)))
    assert isinstance(plan, Plan) and plan.general
    assert {step.template.text for step in plan.steps}.isdisjoint({doubted})
    answer = planned(Answers(OP["counted"](OP["upper"](P), "words")), world=World(doubted=("tr a-z A-Z < {A} > {B}",)))
    assert isinstance(answer, Plan) and answer.general


def test_no_condition_is_blamed_that_can_be_reached() -> None:
    made, removed = IsCopy("q.txt", "p.txt"), IsAbsent("old")
    found = planned(made, removed, IsAbsent("s.txt"), world=World(without=("rm -r {A}", "mv {A} {B}")))
    assert isinstance(found, NoPlan)
    assert found.unreachable == (removed, IsAbsent("s.txt"))
    assert found.why == (
        "No trusted command leads to: old is gone.",
        "No trusted command leads to: s.txt is gone.",
    )


def test_conditions_that_are_only_reached_apart_are_said_to_be() -> None:
    found = planned(IsCopy("q.txt", "p.txt"), IsFolder("k"), patience=0.0)
    assert isinstance(found, NoPlan) and found.cut
    assert found.why == (
        "No plan was found that does all of this, though there is one for each alone: "
        "q.txt is what p.txt was; k is a folder.",
    )


def test_steps_that_only_happen_to_be_right_are_not_general() -> None:
    world = World()
    planner = Planner(world, list(world.templates.values()))
    target = Target(Goal((Holds("n", OP["sorted"](S)),)), BEFORE)
    assert planner.is_general([("sort {A} > {B}", {"A": "s.txt", "B": "n"})], target)
    assert not planner.is_general([("cp {A} {B}", {"A": "s.txt", "B": "n"})], target)


def test_what_no_command_makes_is_named() -> None:
    found = planned(Holds("n", OP["upper"](OP["mirrored"](OP["sorted"](P)))), IsFolder("k"))
    assert isinstance(found, NoPlan)
    assert found.untrusted == () and found.advice == ""
    assert found.unreachable == (Holds("n", OP["upper"](OP["mirrored"](OP["sorted"](P)))),)
    sorted_text = 'unlines(sort(lines(text("p.txt"))))'
    assert f"mirrored(lines({sorted_text}))" in found.why[0]


@pytest.mark.parametrize(
    "conditions",
    [
        (IsAbsent("old"), IsCopy("old/p.txt", "p.txt")),
        (Holds("n", OP["sorted"](P)), Holds("n", OP["upper"](P))),
        (IsFolder("n"), IsAbsent("n")),
        (IsFolder("n"), Holds("n", P)),
    ],
)
def test_a_goal_that_contradicts_itself_is_refused(conditions: tuple[Condition, ...]) -> None:
    with pytest.raises(Refused, match="contradicts itself"):
        Target(Goal(conditions), BEFORE)


@pytest.mark.parametrize("condition", [IsCopy("old", "p.txt"), Holds("old", P)])
def test_a_folder_is_not_lost_for_a_file(condition: Condition) -> None:
    with pytest.raises(Refused, match="folder with something in it"):
        Target(Goal((condition,)), BEFORE)


def test_a_search_that_was_cut_says_so() -> None:
    world = World()
    ticks = iter(range(100_000))
    planner = Planner(world, list(world.templates.values()), clock=lambda: float(next(ticks)), patience=3.0)
    found = planner.plan(Target(Goal((Holds("n", OP["sorted"](P)), IsAbsent("s.txt"), IsFolder("k"))), BEFORE))
    assert isinstance(found, NoPlan) and found.cut and found.advice


CHAIN = st.lists(
    st.sampled_from(["sorted", "sorted_distinct", "merged", "reversed", "upper", "numbered", "first 2", "last 2"]),
    min_size=1, max_size=4,
)  # fmt: skip
TEXT = st.lists(st.sampled_from(["b", "a", "a a", "C", "10", "9"]), min_size=1, max_size=6)


@settings(max_examples=60, deadline=None)
@given(chain=CHAIN, here=TEXT, elsewhere=TEXT, deleted=st.booleans())
def test_plans_do_what_was_asked_on_other_contents_too(
    chain: list[str], here: list[str], elsewhere: list[str], deleted: bool
) -> None:
    content: Term = text_of("f")
    for name in chain:
        operation, _, count = name.partition(" ")
        content = OP[operation](content, int(count)) if count else OP[operation](content)
    goal = Goal((Holds("n", content), *([IsAbsent("f")] if deleted else [])))
    folders = [State.from_json({"f": {"text": "".join(f"{line}\n" for line in lines)}}) for lines in (here, elsewhere)]
    world = World()
    planner = Planner(world, list(world.templates.values()))
    plan = planner.plan(Target(goal, folders[0]))
    assert isinstance(plan, Plan) and plan.general
    other = planner.replay(plan, Target(goal, folders[1]))
    assert other is not None, lines_of(plan)
    again = Planner(world, list(world.templates.values())).plan(Target(goal, folders[0]))
    assert lines_of(again) == lines_of(plan)
