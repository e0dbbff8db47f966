"""`dabhand do --translator`: who says what a request means, and what is remembered of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dabhand.sandbox import probe
from dabhand.store import Store
from tests.interfaces.command_line import dabhand, document

pytestmark = pytest.mark.skipif(not any(tier.available for tier in probe()), reason="no isolation on this machine")


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("learned")
    done = dabhand(
        "learn", "--template", "cp {A} {B}", "--experiments", "150", "--seed", "1", "--store", str(store), "--json"
    )
    assert done.returncode == 0, done.stderr.decode()
    return store


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "piano.txt").write_text("b\na\n")
    return tmp_path


def test_a_request_is_understood_once_and_then_remembered(learned: Path, root: Path) -> None:
    def do(request: str, *more: str) -> tuple[int, dict[str, object]]:
        done = dabhand("do", request, "--root", str(root), "--store", str(learned), "--json", *more)
        return done.returncode, document(done)

    code, first = do("Copy piano.txt to one.txt", "--translator", "memory")
    assert (code, first["status"]) == (3, "abstained") and "remembered" in str(first["reason"])
    assert do("Copy piano.txt to one.txt", "--dry-run")[1]["goal_from"] == "grammar"
    with Store.open(learned) as store:
        assert store.count_goal_shapes() == 0  # nothing was carried out yet
    for name, origin in (("one", "grammar"), ("two", "memory"), ("three", "memory")):
        code, found = do(f"Copy piano.txt to {name}.txt")
        assert (code, found["status"], found["goal_from"], found["lm_calls"]) == (0, "done", origin, 0)
    assert do("copy three.txt to 'four'", "--translator", "memory")[0] == 3
    assert do("Hey buddy, copy three.txt to four.txt", "--translator", "memory")[1]["goal_from"] == "memory"
    assert do("Copy piano.txt to five.txt", "--translator", "grammar")[1]["goal_from"] == "grammar"
    with Store.open(learned) as store:
        assert max(shape.uses for shape in store.goal_shapes()) == 4
    code, refused = do("Copy ghost.txt to six.txt")
    assert (code, refused["status"]) == (3, "refused")
    assert sorted(path.name for path in root.iterdir()) == [
        "five.txt", "four.txt", "one.txt", "piano.txt", "three.txt", "two.txt",
    ]  # fmt: skip
    goal = found["goal"]
    assert isinstance(goal, dict) and goal["others"] == "unchanged"
    assert goal["conditions"] == [{"path": "three.txt", "is": "copy", "content": "piano.txt"}]


@pytest.mark.parametrize("kind", ["local", "remote"])
def test_a_model_that_is_not_there_is_said_to_be_missing(learned: Path, root: Path, kind: str) -> None:
    given = ("do", "Copy piano.txt to x.txt", "--root", str(root), "--store", str(learned), "--translator", kind)
    done = dabhand(*given, "--json")
    result = document(done)
    assert (done.returncode, result["status"], result["lm_calls"]) == (3, "abstained", 0)
    assert result["reason"] == f"There is no {kind} model here to translate with." and result["hint"]
    assert b"no " + kind.encode() + b" model" in dabhand(*given).stdout
    assert not (root / "x.txt").exists()


def test_no_such_translator(root: Path) -> None:
    assert dabhand("do", "x", "--root", str(root), "--translator", "oracle").returncode == 2
