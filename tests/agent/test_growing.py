"""What no command does: a tool is offered, made, tested and planned with; what no tool may do is left alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dabhand.agent import DoDocument
from dabhand.agent.do import carry_out
from dabhand.agent.growing import Offer
from dabhand.commands import parse_template
from dabhand.practice import practise
from dabhand.store import Store
from dabhand.toolmaking.registry import Registry

TEMPLATES = ("cp {A} {B}", "rm {A}", "cat {A}", "mv {A} {B}")


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("learned")
    with Store.open(home) as store:
        practise(store, [parse_template(text) for text in TEMPLATES], until_understood=True, seed=1)
    return home


@pytest.fixture
def home(learned: Path, tmp_path: Path) -> Path:
    """A store of its own, in which no tool was made yet."""
    subprocess.run(["cp", "-r", str(learned), str(tmp_path / "home")], check=True)
    return tmp_path / "home"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    (folder / "story.txt").write_text("Once upon a time\nthe end\n")
    (folder / "notes.txt").write_text("hello there\n")
    (folder / 'it\'s "mine".csv').write_text('city,price\n"Rome, old",2.5\nParis,\nOslo,4\n')
    return folder


def done(home: Path, request: str, root: Path, **how: object) -> DoDocument:
    with Store.open(home) as store:
        return carry_out(store, request, root, **how)  # type: ignore[arg-type]


VOWELS = "Count the vowels in story.txt and write the number into vowels.txt"


def test_nobody_to_ask(home: Path, root: Path) -> None:
    document = done(home, VOWELS, root)
    assert document.status == "needs_tool" and "'count_vowels'" in document.hint
    assert not document.tools_made and not (root / "vowels.txt").exists()


def test_made_once_and_used_again(home: Path, root: Path) -> None:
    offers: list[Offer] = []

    def offer(offered: Offer) -> bool:
        offers.append(offered)
        return True

    first = done(home, VOWELS, root, offer=offer)
    assert (first.status, first.tools_made, first.lm_calls) == ("done", ("count_vowels",), 0), first.reason
    assert (root / "vowels.txt").read_text() == "9\n"
    again = done(home, "Write the number of vowels in notes.txt into n.txt", root, offer=offer)
    assert (again.status, again.tools_made) == ("done", ())
    assert (root / "n.txt").read_text() == "4\n"
    assert [one.name for one in offers] == ["count_vowels"]
    assert again.plan[0].command == "python3 TOOLS/count_vowels.py {A} {B}"


def test_an_answer(home: Path, root: Path) -> None:
    before = sorted(root.iterdir())
    document = done(home, "How many vowels are in notes.txt?", root, yes=True)
    assert (document.status, document.answer) == ("done", "4"), document.reason
    assert sorted(root.iterdir()) == before


def test_no(home: Path, root: Path) -> None:
    document = done(home, VOWELS, root, offer=lambda offered: False)
    assert document.status == "needs_tool" and "said no" in document.hint
    with Store.open(home) as store:
        assert not Registry.of(store).all()


def test_never_without_tools(home: Path, root: Path) -> None:
    document = done(home, VOWELS, root, yes=True, tools=False)
    assert document.status == "needs_tool" and not document.tools_made


def test_awkward_names_and_missing_cells(home: Path, root: Path) -> None:
    request = """What is the average of the price column of `it's "mine".csv`?"""
    document = done(home, request, root, yes=True)
    assert (document.status, document.answer) == ("done", "3.25"), document.reason


def test_the_file_stands_alone_and_an_edited_one_is_not_used(home: Path, root: Path) -> None:
    assert done(home, VOWELS, root, yes=True).status == "done"
    with Store.open(home) as store:
        registry = Registry.of(store)
        (tool,) = registry.all()
        path = registry.path(tool.name)
    assert tool.tried == tool.right and len(tool.tests) > 3
    for given, code in (("notes.txt", 0), ("none.txt", 1)):
        argv = [sys.executable, "-I", str(path), given, "out put.txt"]
        ended = subprocess.run(argv, cwd=root, capture_output=True, text=True, check=False)
        assert ended.returncode == code, ended.stderr
        assert bool(ended.stderr) == bool(code)
    assert (root / "out put.txt").read_text() == "4\n"
    path.write_text(path.read_text() + "\n# edited\n")
    again = done(home, "Write the number of vowels in notes.txt into n.txt", root, yes=True)
    assert again.status == "done" and again.tools_made == ("count_vowels_2",)


def test_a_plan_that_is_only_right_by_accident_is_no_reason_to_do_without(home: Path, root: Path) -> None:
    (root / "same.txt").write_text("9\n")
    document = done(home, VOWELS, root, yes=True)
    assert (document.status, document.general) == ("done", True), document.plan


def test_a_tool_that_happens_to_come_out_right_is_not_taken_for_the_one_that_is_meant(home: Path, root: Path) -> None:
    (root / "nums.txt").write_text("2\n4\n")
    first = done(home, "Write the median of the numbers in nums.txt into m.txt", root, yes=True)
    assert (first.status, first.tools_made) == ("done", ("median",)), first.reason
    then = done(home, "Write the average of the numbers in nums.txt into a.txt", root, yes=True)
    assert (then.status, then.general, then.tools_made) == ("done", True, ("average",)), then.plan
    assert "average.py" in then.plan[-1].line
