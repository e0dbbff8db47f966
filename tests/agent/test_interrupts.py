"""Ctrl-C at any moment of a request: what it leaves is whole, is nobody else's, and is said truly."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from dabhand.agent.do import Interrupted, carry_out
from dabhand.agent.history import History
from dabhand.commands import parse_template
from dabhand.practice import practise
from dabhand.sandbox import probe
from dabhand.store import Store
from dabhand.workspace import (
    ConfinedFolder,
    File,
    Journal,
    State,
    apply_to_folder,
    difference,
    take_snapshot,
)

BEFORE = {"a.txt": b"old\n", "b.txt": b"oldb\n"}
AFTER = {"a.txt": b"new\n", "b.txt": b"newb\n"}


def contents(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in root.iterdir()}


def slowly(root: Path, journal: Journal, at: str, meanwhile: Callable[[], None]) -> int:
    """Another process that changes the folder, and takes its time at a step; its process id."""
    child = os.fork()
    if child:
        return child
    try:
        with ConfinedFolder(root) as folder:
            folder.lock()
            snapshot = take_snapshot(folder)
            changes = difference(snapshot.state, State({name: File(data) for name, data in AFTER.items()}))
            wait: Callable[[str], None] = lambda step: meanwhile() if step == at else None  # noqa: E731
            apply_to_folder(folder, snapshot, changes, journal, record_id="r1", on_step=wait)
        os._exit(0)
    finally:
        os._exit(1)


@pytest.mark.parametrize("at", ["begin", "published", "place b.txt", "performed", "clean", "done"])
def test_who_only_waits_for_another_takes_nothing_of_it_back(at: str, tmp_path: Path) -> None:
    root, ready, go = tmp_path / "root", tmp_path / "ready", tmp_path / "go"
    root.mkdir()
    for name, data in BEFORE.items():
        (root / name).write_bytes(data)

    def meanwhile() -> None:
        ready.touch()
        while not go.exists():
            time.sleep(0.01)

    with Store.open(tmp_path / "store") as store:
        journal = Journal(store.file.parent / "journal")
        child = slowly(root, journal, at, meanwhile)
        while not ready.exists():
            time.sleep(0.01)
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with pytest.raises(Interrupted) as caught:
            carry_out(store, "Sort a.txt into c.txt", root)
    go.touch()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert contents(root) == AFTER and journal.status("r1") == "done"
    document = caught.value.document
    assert (document.reason, document.hint, document.run_id) == ("Interrupted.", "Nothing was changed.", None)


TEMPLATES = ("mkdir {A}", "rm {A}", "wc -l < {A}", "mv {A} {B}")
isolated = pytest.mark.skipif(not any(tier.available for tier in probe()), reason="no isolation on this machine")


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("learned")
    with Store.open(home) as store:
        practise(store, [parse_template(text) for text in TEMPLATES], until_understood=True, experiments=400, seed=1)
    return home


@pytest.fixture
def home(learned: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(learned, tmp_path / "store"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    (folder / "a.txt").write_text("1\n2\n")
    return folder


def clock_that(act: Callable[[], None], once: Callable[[], bool], times: int = 1) -> Callable[[], float]:
    """A clock that does something so many of the times it is asked from some moment on."""
    left = [times]

    def clock() -> float:
        if left[0] and once():
            left[0] -= 1
            act()
        return 1_700_000_000.0

    return clock


def interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


@isolated
@pytest.mark.parametrize("times", [1, 2, 3])
def test_an_interrupt_after_the_change_says_that_it_was_made(home: Path, root: Path, times: int) -> None:
    clock = clock_that(interrupt, (root / "crate").exists, times)
    with Store.open(home) as store, pytest.raises(Interrupted) as caught:
        carry_out(store, "Create the folder crate", root, clock=clock)
    document = caught.value.document
    assert (root / "crate").is_dir() and document.status == "not_done"
    assert document.reason == "Interrupted after all changes were made."
    assert document.run_id is not None and document.hint == f"Take them back with: dabhand undo {document.run_id}"
    assert [change.path for change in document.changes] == ["crate"]
    with Store.open(home) as store:
        history = History(store)
        (run,) = history.runs(root)
        assert (run.run_id, run.state, run.undoable) == (document.run_id, "done", True)
        history.undo(history.find(document.run_id), time=1_800_000_000.0)
    assert not (root / "crate").exists()


@isolated
def test_an_interrupt_before_the_change_says_that_nothing_was(home: Path, root: Path) -> None:
    with Store.open(home) as store, pytest.raises(Interrupted) as caught:
        carry_out(store, "Delete a.txt", root, confirm=lambda document: interrupt() is not None)
    document = caught.value.document
    assert (document.reason, document.hint, document.run_id) == ("Interrupted.", "Nothing was changed.", None)
    assert not document.changes and not document.loses and (root / "a.txt").exists()


@isolated
@pytest.mark.parametrize("table", ["runs", "goal_shapes"])
@pytest.mark.parametrize("request_", ["Create the folder crate", "How many lines are in a.txt?"])
def test_a_store_that_fails_after_the_change_makes_it_no_less_done(
    home: Path, root: Path, table: str, request_: str
) -> None:
    def fail() -> None:
        with contextlib.closing(sqlite3.connect(file)) as connection:
            connection.execute(f"DROP TABLE {table}")

    changes = "crate" in request_
    planned: list[str] = []
    clock = clock_that(fail, (root / "crate").exists if changes else lambda: len(planned) > 2)
    with Store.open(home) as store:
        file = store.file
        document = carry_out(store, request_, root, clock=clock, progress=planned.append)
        assert document.status == "done"
        assert (document.run_id is not None) == changes == (root / "crate").exists()
        assert document.answer == (None if changes else "2")
        if table == "runs" or changes:
            assert "could not be" in document.reason
        if changes:
            assert document.hint == f"It can be undone all the same: dabhand undo {document.run_id}"


@isolated
def test_a_store_that_fails_after_an_undoing_makes_it_no_less_undone(home: Path, root: Path) -> None:
    with Store.open(home) as store:
        carry_out(store, "Create the folder crate", root)
        history = History(store)
        run = history.last_undoable(root)
        with contextlib.closing(sqlite3.connect(store.file)) as connection:
            connection.execute("DROP TABLE runs")
        undone = history.undo(run, time=1_800_000_000.0)
    assert not (root / "crate").exists()
    assert undone.status == "undone" and undone.number is None and "could not be recorded" in undone.reason
    assert undone.undo_id is not None and undone.undo_id in undone.hint
