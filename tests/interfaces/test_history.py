"""`dabhand history` and `dabhand undo` as a person and as a program use them."""

from __future__ import annotations

import base64
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from dabhand.store import Run, Store
from dabhand.workspace import (
    ConfinedFolder,
    File,
    apply_to_folder,
    difference,
    journal_in,
    new_record_id,
    take_snapshot,
)
from tests.interfaces.command_line import dabhand, document


class Home:
    """A store and a folder in which runs are made as `dabhand do` makes them, without having to practise first."""

    def __init__(self, scratch: Path, name: str = "root") -> None:
        self.store, self.root, self.time = scratch / "store", scratch / name, 1_700_000_000.0
        self.root.mkdir()

    def change(self, request: str, files: dict[str, bytes | None]) -> str | None:
        """One run that leaves these files; None deletes one."""
        self.time += 60
        with Store.open(self.store) as store, ConfinedFolder(self.root) as folder:
            folder.lock()
            snapshot = take_snapshot(folder)
            after = snapshot.state.with_changes(
                {path: None if data is None else File(data) for path, data in files.items()}
            )
            changes, run_id = difference(snapshot.state, after), None
            if changes:
                journal = journal_in(self.store)
                run_id = new_record_id(journal, self.time)
                apply_to_folder(folder, snapshot, changes, journal, record_id=run_id, request=request)
            text = json.dumps({"status": "done", "run_id": run_id, "dry_run": False})
            store.append_run(Run(request, str(self.root), text, self.time))
        return run_id

    def __call__(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        return dabhand(*arguments, "--store", str(self.store))

    def json(self, *arguments: str) -> Any:
        return document(self(*arguments, "--json"))

    @property
    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.root.iterdir()}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_the_history_says_what_was_asked_and_where_it_stands(home: Home) -> None:
    assert b"Nothing was asked for" in home("history").stdout
    home.change("make a", {"a": b"1"})
    home.change("count a", {})
    home.change("change a", {"a": b"2"})
    runs = home.json("history")["runs"]
    assert [(run["number"], run["request"], run["state"]) for run in runs] == [
        (1, "make a", "done"),
        (2, "count a", "nothing changed"),
        (3, "change a", "done"),
    ]
    assert runs[2]["changes"] == [{"path": "a", "change": "modified"}]
    assert len(home.json("history", "--limit", "1")["runs"]) == 1
    assert home.json("history", "--root", str(home.store))["runs"] == []
    shown = home("history", "--root", str(home.root)).stdout
    assert b"change a" in shown and b"~ a" in shown and b"nothing changed" in shown


def test_undo_goes_back_run_by_run_and_redo_forward(home: Home) -> None:
    home.change("make a", {"a": b"1"})
    home.change("change a", {"a": b"2", "b": b"new"})
    undone = home.json("undo", "--root", str(home.root))
    assert home.files == {"a": b"1"}
    assert (undone["status"], undone["request"]) == ("undone", "change a")
    assert undone["changes"] == [{"path": "a", "change": "modified"}, {"path": "b", "change": "deleted"}]
    assert b"removes a" in home("undo").stdout
    assert home.files == {}
    done = home("undo")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"no run that could be undone" in done.stderr
    home("undo", "4")  # the last undoing
    home("undo", undone["undo_id"])
    assert home.files == {"a": b"2", "b": b"new"}
    assert [run["state"] for run in home.json("history")["runs"]] == [
        "done",
        "done",
        "undone",
        "undone",
        "done",
        "done",
    ]
    assert home.json("undo")["request"] == "change a"


def test_a_dry_run_and_a_list_change_nothing(home: Home) -> None:
    home.change("make a", {"a": b"1"})
    assert b"removes a" in home("undo", "--dry-run").stdout
    assert b"make a" in home("undo", "--list").stdout
    assert [run["number"] for run in home.json("undo", "--list")["runs"]] == [1]
    assert home.files == {"a": b"1"}
    assert home("undo", "--list", "1").returncode == 2


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [("2", "nothing_to_undo", "changed nothing"), ("77", "unknown_run", "'77'"), ("1", "nothing_to_undo", "already")],
)
def test_what_cannot_be_undone_says_why(home: Home, name: str, code: str, says: str) -> None:
    home.change("make a", {"a": b"1"})
    home.change("count a", {})
    home("undo", "1")
    error = home.json("undo", name)["error"]
    assert error["code"] == code and says in error["message"]


def test_a_run_that_was_killed_is_found_by_its_id_alone(home: Home) -> None:
    run_id = home.change("make a", {"a": b"1"})
    with Store.open(home.store) as store:
        store.forget_runs(str(home.root))
    (run,) = home.json("history")["runs"]
    assert (run["number"], run["run_id"]) == (None, run_id)
    assert home.json("undo", "None")["error"]["code"] == "unknown_run"
    assert home.files == {"a": b"1"}
    assert home.json("undo", str(run_id))["status"] == "undone"


def test_undo_refuses_naming_what_was_edited_since(home: Home) -> None:
    home.change("make both", {"a": b"1", "b": b"1"})
    home.change("change a", {"a": b"2"})
    (home.root / "b").write_bytes(b"edited")
    error = home.json("undo", "1")["error"]
    assert error["code"] == "conflict" and "'a', 'b'" in error["message"]
    assert "undo those first: 2" in error["hint"]
    assert home.files == {"a": b"2", "b": b"edited"}


def test_beyond_the_quota_the_oldest_can_no_longer_be_undone(home: Home) -> None:
    home.change("make a", {"a": b"1" * 2000})
    home.change("change a", {"a": b"2" * 2000})
    home.change("change a again", {"a": b"3" * 2000})
    set_to = home.json("undo", "--quota", "3K")
    assert (set_to["quota_bytes"], set_to["kept_bytes"]) == (3072, 2000)
    assert home.json("undo", "2")["error"]["code"] == "no_longer_kept"
    assert [run["undoable"] for run in home.json("history")["runs"]] == [True, False, True]
    assert b"not undoable" in home("history").stdout
    assert home("undo").returncode == 0
    assert home.files == {"a": b"2" * 2000}
    assert home("undo", "--quota", "much").returncode == 2


def test_names_that_are_not_utf8_or_play_tricks(home: Home) -> None:
    home.change("make odd", {"\udcff": b"1", "a\x1b[2J": b"1"})
    assert b"\x1b" not in home("history").stdout
    changed = [change["path"] for change in home.json("undo")["changes"]]
    assert sorted(changed, key=str) == ["a\x1b[2J", {"base64": "/w=="}]
    assert home.files == {}


def test_a_folder_whose_name_is_not_utf8(tmp_path: Path) -> None:
    home = Home(tmp_path, "odd \udcff\n name")
    home.change("make a", {"a": b"1"})
    home.change("delete a", {"a": None})
    assert len(home.json("history", "--root", str(home.root))["runs"]) == 2
    assert home.json("undo")["root"] == {"base64": base64.b64encode(os.fsencode(home.root)).decode()}
    assert home.files == {"a": b"1"}
    assert home("history").returncode == 0 and home("undo", "--root", str(home.root)).returncode == 0
    assert home.files == {}


def test_undo_goes_by_a_link_to_the_folder_too(home: Home, tmp_path: Path) -> None:
    home.change("make a", {"a": b"1"})
    (tmp_path / "link").symlink_to(home.root)
    assert home("undo", "--root", str(tmp_path / "link")).returncode == 0
    assert home.files == {}


def test_a_folder_that_is_gone_is_passed_over_and_named(home: Home) -> None:
    home.change("make a", {"a": b"1"})
    home.root.rename(home.root.with_name("elsewhere"))
    assert home.json("undo")["error"]["code"] == "nothing_to_undo"
    assert "does not exist" in home.json("undo", "1")["error"]["message"]
