from __future__ import annotations

from pathlib import Path

from dabhand.store import Experiment, Store
from dabhand.workspace.state import File, State
from tests.interfaces.command_line import dabhand, document


def filled(folder: Path) -> None:
    before = State({"a": File(b"\xff")})
    with Store.open(folder) as store:
        store.append_experiment(
            Experiment("cp {A} {B}", {"A": "a", "B": "b"}, before, before.with_changes({"b": before["a"]}), True)
        )


def test_the_world_travels_through_a_file(tmp_path: Path, own_store: Path) -> None:
    filled(own_store)
    file = tmp_path / "world.json"
    assert document(dabhand("world", "export", str(file), "--json")) == {"file": str(file), "experiments": 1}
    other = str(tmp_path / "other")
    assert document(dabhand("world", "import", str(file), "--store", other, "--json"))["experiments"] == 1
    assert document(dabhand("world", "import", str(file), "--store", other, "--json"))["experiments"] == 0
    with Store.open(own_store) as one, Store.open(other) as two:
        assert list(one.experiments()) == list(two.experiments())
    assert [entry.name for entry in tmp_path.iterdir() if entry.name.startswith(".")] == []


def test_the_world_travels_through_a_pipe(tmp_path: Path, own_store: Path) -> None:
    filled(own_store)
    exported = dabhand("world", "export", "-")
    assert exported.returncode == 0
    done = dabhand("world", "import", "-", "--store", str(tmp_path), given=exported.stdout)
    assert (done.returncode, done.stdout) == (0, b"1 experiments taken in.\n")


def test_what_is_no_world_is_refused(tmp_path: Path) -> None:
    for given in (
        b"",
        b"[]",
        b"{}",
        b'{"format": "dabhand-world", "version": 2, "experiments": [], "beliefs": []}',
        b"\xff",
        b"[" * 100_000,
    ):
        done = dabhand("world", "import", "-", "--store", str(tmp_path), given=given)
        assert (done.returncode, done.stdout) == (2, b""), given[:20]
        assert done.stderr.startswith(b"dabhand: ")


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    done = dabhand("world", "export", str(tmp_path / "none" / "world.json"))
    assert done.returncode == 2
    assert b"No such file or directory" in done.stderr
