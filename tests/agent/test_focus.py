"""The live folder is seen by the terms of a goal as a snapshot of it is."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dabhand.agent.focus import LiveView, spoken_of, taken
from dabhand.goals import Answers, Goal, Holds, IsCopy
from dabhand.goals.goal import text_of
from dabhand.practice.scenes import random_scene
from dabhand.workspace import ConfinedFolder, File, Folder, Link, State, take_snapshot
from dabhand.world.reading import StateView


def write(root: Path, state: State) -> None:
    for path, node in state.items():
        match node:
            case Folder():
                (root / path).mkdir()
            case Link(target):
                (root / path).symlink_to(target)
            case File(data):
                (root / path).write_bytes(data)


@pytest.mark.parametrize("seed", range(12))
def test_as_a_snapshot(tmp_path: Path, seed: int) -> None:
    scene = random_scene(random.Random(seed))
    write(tmp_path, scene)
    with ConfinedFolder(tmp_path) as folder:
        live, still = LiveView(folder), StateView(take_snapshot(folder).state)
        for path in (
            *scene,
            "",
            ".",
            "missing",
            "missing/x",
            "/etc",
            *(f"{one}/x" for one in scene),
            "./" + next(iter(scene), "a"),
        ):
            assert live.kind(path) == still.kind(path), path
            assert live.text(path) == still.text(path), path
            assert live.names(path) == still.names(path), path


def test_each_thing_is_seen_once(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("first")
    with ConfinedFolder(tmp_path) as folder:
        live = LiveView(folder)
        assert live.text("a") == "first"
        (tmp_path / "a").write_text("second")
        assert live.text("a") == "first"


def test_what_a_goal_speaks_of(tmp_path: Path) -> None:
    goal = Goal((Holds("new", text_of("a")), IsCopy("c", "box/b"), Answers(text_of("d"))), ("e",))
    assert spoken_of(goal) == ("new", "c", "e", "box/b", "a", "d")
    for number in range(300):
        (tmp_path / f"f{number}").touch()
    (tmp_path / "a").write_text("x")
    (tmp_path / "scratch-1.tmp").write_text("mine")
    with ConfinedFolder(tmp_path) as folder:
        part = taken(folder, goal)
    assert set(part.state) == {"a", "scratch-1.tmp"} and part.partial == {""}
