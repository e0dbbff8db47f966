"""Taking in only a part of a folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dabhand.workspace import (
    FOLDER,
    ConfinedFolder,
    File,
    FolderTooLarge,
    Link,
    SnapshotLimits,
    is_small,
    take_parts,
    take_snapshot,
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "box" / "deep").mkdir(parents=True)
    (tmp_path / "box" / "deep" / "x").write_text("x")
    (tmp_path / "box" / "in").write_text("in")
    (tmp_path / "a").write_text("a")
    (tmp_path / "b").write_text("b")
    (tmp_path / "to-box").symlink_to("box")
    (tmp_path / "to-x").symlink_to("to-box/deep/x")
    (tmp_path / "box" / "up").symlink_to("../b")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "away").symlink_to("/etc")
    return tmp_path


@pytest.mark.parametrize(
    ("paths", "taken", "partial"),
    [
        (["a"], {"a"}, {""}),
        (["missing", "a/below", "box/none"], {"a", "box"}, {"", "box"}),
        (["box/in"], {"box", "box/in"}, {"", "box"}),
        (["box/in", "box"], {"box", "box/in", "box/deep", "box/deep/x", "box/up"}, {""}),
        (["box/deep/x", "box/deep"], {"box", "box/deep", "box/deep/x"}, {"", "box"}),
        (["to-x"], {"to-x", "to-box", "box", "box/deep", "box/deep/x"}, {"", "box", "box/deep"}),
        (["box/up"], {"box", "box/up", "b"}, {"", "box"}),
        (["to-box/in"], {"to-box", "box", "box/in"}, {"", "box"}),
        (["loop", "away/passwd"], {"loop", "away"}, {""}),
    ],
)
def test_what_is_named_with_all_below_and_above(
    root: Path, paths: list[str], taken: set[str], partial: set[str]
) -> None:
    with ConfinedFolder(root) as folder:
        whole = take_snapshot(folder)
        for order in (paths, paths[::-1]):
            part, found = take_parts(folder, order)
            assert (set(part.state), set(found)) == (taken, partial)
            assert all(part.state[path] == whole.state[path] for path in part.state)
            assert all(part.stamps[path] == whole.stamps[path] for path in part.state)


def test_everything_is_the_whole(root: Path) -> None:
    with ConfinedFolder(root) as folder:
        whole = take_snapshot(folder)
        part, _ = take_parts(folder, folder.names())
        assert part == whole
        assert part.state["box"] == FOLDER and part.state["to-box"] == Link("box") and part.state["a"] == File(b"a")


def test_odd_and_large_things_are_left_out_and_named(root: Path) -> None:
    os.mkfifo(root / "pipe")
    with ConfinedFolder(root) as folder:
        part, _ = take_parts(folder, ["pipe", "box", "a"], SnapshotLimits(file_bytes=1))
        assert [one.path for one in part.odd] == ["box/in", "pipe"]
        with pytest.raises(FolderTooLarge):
            take_parts(folder, ["box"], SnapshotLimits(entries=2))


def test_small(root: Path) -> None:
    with ConfinedFolder(root) as folder:
        assert is_small(folder, 11, 5) and not is_small(folder, 9, 5) and not is_small(folder, 11, 4)
