from __future__ import annotations

import ast
import random
import shlex
import sys
from pathlib import Path

import pytest
from judge.contexts import tags_of
from judge.drawing import draw
from judge.entries import File, Folder, Link, Scene, scene_from_json, scene_to_json
from judge.quoting import render, substitution_is_safe
from judge.running import JudgeFault, run
from judge.templates import OUTSIDE, PACK

JUDGE = Path(__file__).parents[2] / "benchmarks" / "judge"


def test_the_judge_shares_nothing_with_the_learner() -> None:
    for path in JUDGE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert name.split(".")[0] in {"judge", *sys.stdlib_module_names}, (path, name)


def test_the_pack_has_35_templates_and_none_is_outside_as_well() -> None:
    assert len(PACK) == 35
    assert not PACK.keys() & OUTSIDE.keys()


@pytest.mark.parametrize("suite", ["posix", "outside"])
def test_drawing_is_repeatable_and_stays_inside(suite: str) -> None:
    drawn = list(draw(3, 200, suite))
    assert drawn == list(draw(3, 200, suite))
    for one in drawn:
        assert 3 <= len(one.scene) <= 9
        assert scene_from_json(scene_to_json(one.scene)) == one.scene
        for slot in "ABC":
            path = str(one.slots.get(slot, "x"))
            assert path and not path.startswith("/") and not {"", ".", ".."} & set(path.split("/"))


def test_a_filling_is_never_syntax(tmp_path: Path) -> None:
    awkward = "$(touch evil) `touch evil` ' \" ; & \\ \n*"
    result = run({}, render("printf %s {T}", {"T": awkward}), str(tmp_path))
    assert (result.ok, result.after, result.stdout) == (True, (), awkward.encode())
    doubled = run({}, render('printf %s "{T}"', {"T": awkward}), str(tmp_path))
    assert doubled.stdout == awkward.encode()
    single = run({}, render("printf %s '{T}'", {"T": awkward}), str(tmp_path))
    assert single.stdout == awkward.encode()


def test_a_path_with_a_leading_dash_is_a_path() -> None:
    assert shlex.split(render("rm -r {A}", {"A": "-rf"})) == ["rm", "-r", "./-rf"]
    assert render("grep {T} {A}", {"T": "-v", "A": "-"}) == "grep -v ./-"


def test_sed_can_be_given_no_flag_that_runs_or_writes() -> None:
    assert substitution_is_safe("a.b", "x&y")
    assert not substitution_is_safe("a/b/e", "x")
    assert not substitution_is_safe("a", "b/w out")


def test_the_runner_reads_back_what_it_wrote(tmp_path: Path) -> None:
    scene: Scene = {
        "a": File(b"\xff\0", executable=True),
        "d": Folder(),
        "d/l": Link("../a"),
        "d/gone": Link("nowhere"),
        "e\nf": File(b""),
    }
    result = run(scene, "true", str(tmp_path), random.Random(1))
    assert dict(result.after) == scene
    assert list(tmp_path.iterdir()) == []


def test_the_runner_gives_a_bare_environment_and_no_input(tmp_path: Path) -> None:
    result = run({}, "env | grep -v -e ^PWD= -e ^SHLVL= -e ^_= -e ^OLDPWD= | sort; umask; cat", str(tmp_path))
    assert result.stdout == b"LC_ALL=C.UTF-8\nPATH=/usr/bin:/bin\n0022\n"


def test_writing_beside_the_folder_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(JudgeFault):
        run({}, "touch ../evil", str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_tags_say_what_the_slots_are() -> None:
    scene: Scene = {"a": File(b"x\n"), "d": Folder(), "d/a": File(b""), "l": Link("a"), "k": Link("no")}
    tags = tags_of(scene, {"A": "a", "B": "d", "T": "x"}, awkward=False)
    assert {"drawn: sensible", "A: file", "B: folder", "B holds A's name", "T: occurs in A", "T: plain"} <= set(tags)
    assert {"A: link to file", "B: link to nothing"} <= set(tags_of(scene, {"A": "l", "B": "k"}, awkward=True))
    assert "A and B one file by a link" in tags_of(scene, {"A": "l", "B": "a"}, awkward=True)
    assert "A: parent a file" in tags_of(scene, {"A": "a/b"}, awkward=True)
    assert "A: parent missing" in tags_of(scene, {"A": "q/b"}, awkward=True)
