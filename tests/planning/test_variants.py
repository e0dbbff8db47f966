"""The same goal in other folders: numbers, tables and JSON become others of their kind, and by accident is no plan."""

from __future__ import annotations

import json

import pytest

from dabhand.goals import Goal, Holds
from dabhand.language import parse
from dabhand.planning import Material, NoPlan, Planner, Target, variants
from dabhand.planning.formed import formed_text
from dabhand.workspace import File, State
from tests.planning.scripted import World

FILES = {
    "one.txt": "5\n",
    "few.txt": "4\n4\n",
    "t.csv": 'name,city,age\nAnn,"Ghent, BE",31\n',
    "p.json": '[{"name": "Ann", "age": 31}]\n',
}
BEFORE = State({name: File(text.encode()) for name, text in FILES.items()})
GOALS = {
    "one.txt": 'line(digits(mean(numbers(lines(text("one.txt"))))))',
    "few.txt": 'unlines(written(even(numbers(lines(text("few.txt"))))))',
    "t.csv": 'line(digits(sum(numbers(column("age", csv(text("t.csv")))))))',
    "p.json": 'unlines(scalars(each_key("name", items_above("age", 30, json(text("p.json"))))))',
}


def target_for(path: str) -> Target:
    return Target(Goal((Holds("n", parse(GOALS[path])),)), BEFORE)


@pytest.mark.parametrize("path", GOALS)
def test_there_are_variants_of_every_form(path: str) -> None:
    target = target_for(path)
    found = variants(target, Material(target).sources)
    texts = [node.text for one in found if isinstance(node := one.before.get(path), File)]
    assert len(set(texts)) > 3 and FILES[path] not in texts
    made = [node.text for one in found if isinstance(node := one.wanted.get("n"), File)]
    assert len(set(made)) > 2


def test_a_form_is_kept() -> None:
    table = formed_text(FILES["t.csv"], "1", ("Oslo",), (30,))
    value = formed_text(FILES["p.json"], "1", (), ())
    numbers = formed_text("1.5\n2\n", "1", (), ())
    assert table is not None and table.startswith("name,city,age\n") and table.count("\n") > 3
    assert value is not None and {tuple(one) for one in json.loads(value)} == {("name", "age")}
    assert numbers is not None and all(float(line) is not None for line in numbers.split())
    assert formed_text("just words\nand more\n", "1", (), ()) is None


@pytest.mark.parametrize("path", ["one.txt", "few.txt"])
def test_what_is_right_by_accident_is_not_general(path: str) -> None:
    world = World()
    planner = Planner(world, list(world.templates.values()))
    assert not planner.is_general([("cp {A} {B}", {"A": path, "B": "n"})], target_for(path))
    plan = planner.plan(target_for(path))
    assert isinstance(plan, NoPlan) or not plan.general


def test_where_nothing_could_be_varied_nothing_is_called_general() -> None:
    before = State({"odd.txt": File(b"7 pears\n3 figs\n")})
    goal = Goal((Holds("n", parse('line(digits(sum(numbers(field(" ", 1, lines(text("odd.txt")))))))')),))
    target = Target(goal, before)
    world = World()
    assert variants(target, Material(target).sources) == ()
    assert not Planner(world, list(world.templates.values())).is_general([], target)
