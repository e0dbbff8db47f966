"""A snapshot is the folder, within bounds, with what is odd left out and said."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings

from dabhand.workspace import (
    ConfinedFolder,
    FolderTooLarge,
    SnapshotLimits,
    State,
    changed_since,
    take_snapshot,
)
from tests.workspace.folders import states, write_state


@settings(max_examples=60, deadline=None)
@given(states(12))
def test_a_snapshot_is_what_was_written(state: State) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "root"
        write_state(root, state)
        with ConfinedFolder(root) as folder:
            snapshot = take_snapshot(folder)
            assert snapshot.state == state
            assert not any(changed_since(folder, snapshot, path) for path in [*state, "not there"])


def test_odd_entries_are_left_out(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "big").write_bytes(b"x" * 100)
    (tmp_path / "small").write_bytes(b"x")
    with ConfinedFolder(tmp_path) as folder:
        snapshot = take_snapshot(folder, SnapshotLimits(file_bytes=99))
    assert list(snapshot.state) == ["small"]
    assert [odd.path for odd in snapshot.odd] == ["big", "pipe"]


@pytest.mark.parametrize("limits", [SnapshotLimits(entries=3), SnapshotLimits(bytes=3), SnapshotLimits(depth=1)])
def test_bounds(tmp_path: Path, limits: SnapshotLimits) -> None:
    (tmp_path / "a" / "b" / "c").mkdir(parents=True)
    (tmp_path / "f").write_bytes(b"four")
    with ConfinedFolder(tmp_path) as folder, pytest.raises(FolderTooLarge) as caught:
        take_snapshot(folder, limits)
    assert caught.value.exit_code == 2


def test_changes_are_noticed(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("1")
    (tmp_path / "x").write_text("1")
    with ConfinedFolder(tmp_path) as folder:
        snapshot = take_snapshot(folder)
        (tmp_path / "f").write_text("2")
        (tmp_path / "x").chmod(0o755)
        (tmp_path / "new").mkdir()
        assert [path for path in ("f", "x", "new", "other") if changed_since(folder, snapshot, path)] == [
            "f",
            "x",
            "new",
        ]
