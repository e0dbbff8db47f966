"""Ctrl-C at any moment of a request: what it leaves is whole, is nobody else's, and is said truly."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from dabhand.agent.do import Interrupted, carry_out
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
