"""Somebody else at work on the folder: what they did stays, and nothing is lost or half done."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from dabhand.errors import Conflict
from dabhand.workspace import (
    ConfinedFolder,
    File,
    Journal,
    NoLongerKept,
    State,
    new_record_id,
    recover,
    renaming,
    undo,
)
from tests.workspace.changing import BEFORE, apply, leftovers
from tests.workspace.folders import write_state
from tests.workspace.tasks import at_calls, count_calls, seen

# somebody else at work -----------------------------------------------------------------------------------------------


def edit(root: Path) -> None:
    (root / "z").write_bytes(b"5")


def put_a_link_in_its_place(root: Path) -> None:
    root.rename(root.with_name("elsewhere"))
    root.symlink_to("elsewhere")


def put_another_in_its_place(root: Path) -> None:
    root.rename(root.with_name("elsewhere"))
    shutil.copytree(root.with_name("elsewhere"), root, symlinks=True)


def delete(root: Path) -> None:
    shutil.rmtree(root)


def make_in_the_way(root: Path) -> None:
    (root / "moved").mkdir()


@pytest.mark.parametrize(
    "act",
    [edit, put_a_link_in_its_place, put_another_in_its_place, delete, make_in_the_way],
    ids=lambda act: act.__name__,
)
def test_changed_between_snapshot_and_apply(act: Callable[[Path], None], root: Path, journal: Journal) -> None:
    found = {}

    def meanwhile() -> None:
        act(root)
        found.update(seen(root) if root.exists() else {})

    if act is put_a_link_in_its_place:
        apply(root, journal, meanwhile=meanwhile)  # the path still leads to the very folder that was looked at
        assert not (root / "gone").exists()
        return
    with pytest.raises(Conflict):
        apply(root, journal, meanwhile=meanwhile)
    assert (seen(root) if root.exists() else {}) == found
    assert journal.ids() == ()


def edit_in_place(path: Path) -> None:
    path.write_bytes(b"5")


def edit_by_renaming(path: Path) -> None:
    (path.parent.parent / "theirs").write_bytes(b"5")
    (path.parent.parent / "theirs").rename(path)


@pytest.mark.parametrize("act", [edit_in_place, edit_by_renaming])
@pytest.mark.parametrize("name", ["a", "z", "gone", "box/x"])
def test_changed_in_the_last_moment(
    act: Callable[[Path], None], name: str, root: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the last look, before the rename: what they wrote is moved aside, found there, and put back."""
    rename, target, done = renaming._rename, name.rpartition("/")[2].encode(), []

    def late(source: renaming.Name, goal: renaming.Name, flags: int) -> bool:
        if target in (source[1], goal[1]) and not done:
            done.append(act(root / name))
        return rename(source, goal, flags)

    monkeypatch.setattr(renaming, "_rename", late)
    with pytest.raises(Conflict, match=repr(name)):
        apply(root, journal)
    assert done and (root / name).read_bytes() == b"5"
    assert {*seen(root)} == {*BEFORE}


def test_a_folder_inside_becomes_a_link_out(root: Path, journal: Journal, quick_path: Path) -> None:
    outside = quick_path / "outside"
    shutil.copytree(root / "box", outside)
    before = seen(outside)

    def meanwhile() -> None:
        shutil.rmtree(root / "box")
        (root / "box").symlink_to(outside)

    with pytest.raises(Conflict):
        apply(root, journal, meanwhile=meanwhile)
    assert seen(outside) == before


def test_what_was_edited_after_a_crash_is_left_and_the_rest_taken_back(root: Path, journal: Journal) -> None:
    count = count_calls(lambda: apply(root, journal))
    for call in range(count):
        shutil.rmtree(root)
        shutil.rmtree(journal.folder, ignore_errors=True)
        write_state(root, BEFORE)
        child = os.fork()
        if child == 0:
            at_calls(lambda number, name: os._exit(0) if number == call else None)  # noqa: B023
            apply(root, journal)
            os._exit(0)
        os.waitpid(child, 0)
        (root / "z").write_bytes(b"theirs")
        cut_short = len(journal.unfinished()) == 1
        recovered = recover(journal)
        assert len(recovered) == cut_short
        found = {path: told[2] for path, told in seen(root).items() if len(told) > 2}
        assert found.pop("z") == b"theirs"
        rescued = {path for path in found if ".before-" in path}
        assert all(found.pop(path) == b"4" for path in rescued)
        assert found in ({"a": b"1", "box/x": b"2", "gone": b"3"}, {"a": b"one", "moved/x": b"2", "l": b"now a file"})


# two at once ---------------------------------------------------------------------------------------------------------

HOLDER = """
import sys, time
from dabhand.workspace import ConfinedFolder
with ConfinedFolder(sys.argv[1]) as folder:
    folder.lock()
    print("locked", flush=True)
    time.sleep(float(sys.argv[2]))
"""


def holder(root: Path, seconds: float) -> subprocess.Popen[bytes]:
    process = subprocess.Popen([sys.executable, "-c", HOLDER, str(root), str(seconds)], stdout=subprocess.PIPE)
    assert process.stdout is not None and process.stdout.readline() == b"locked\n"
    return process


def test_the_second_waits_for_the_first(root: Path, journal: Journal) -> None:
    process = holder(root, 0.5)
    apply(root, journal)
    assert (root / "a").read_bytes() == b"one"
    assert process.wait(10) == 0


def test_the_second_is_refused_when_the_first_takes_long(root: Path) -> None:
    process = holder(root, 60)
    began = time.monotonic()
    with ConfinedFolder(root) as folder, pytest.raises(Conflict, match="Another dabhand is working in"):
        folder.lock(patience=0.3)
    assert time.monotonic() - began < 5
    process.kill()
    process.wait(10)
    with ConfinedFolder(root) as folder:
        folder.lock(patience=0)  # a lock dies with its process
    assert {*seen(root)} == {*BEFORE}


def test_many_at_once_come_one_after_the_other(root: Path, journal: Journal) -> None:
    children = []
    for number in range(8):
        child = os.fork()
        if child == 0:
            try:
                for _ in range(5):
                    text = f"{number}".encode()
                    apply(root, journal, State({"a": File(text), "b": File(text), f"by{number}": File(os.urandom(4))}))
                os._exit(0)
            finally:
                os._exit(1)
        children.append(child)
    assert {os.waitpid(child, 0)[1] for child in children} == {0}
    assert (root / "a").read_bytes() == (root / "b").read_bytes()
    assert len({*seen(root)}) == 3
    assert {journal.status(record_id) for record_id in journal.ids()} == {"done"} and len(journal.ids()) == 40


# what is kept --------------------------------------------------------------------------------------------------------


def test_what_only_moves_or_changes_mode_is_not_copied(root: Path, journal: Journal) -> None:
    inode = (root / "box" / "x").stat().st_ino
    apply(
        root,
        journal,
        State(
            {**{p: n for p, n in BEFORE.items() if p[:3] != "box"}, "far/x": File(b"2", True), "a": File(b"1", True)}
        ),
    )
    assert (root / "far" / "x").stat().st_ino == inode
    assert journal.kept_bytes() == 0
    with ConfinedFolder(root) as folder:
        folder.lock()
        undo(folder, journal, journal.ids()[0], undo_id="r2")
    assert (root / "box" / "x").stat().st_ino == inode
    assert not (root / "a").stat().st_mode & 0o111


def test_the_quota_takes_the_oldest_finished_and_never_the_newest(root: Path, journal: Journal) -> None:
    for text in (b"a" * 1000, b"b" * 1000, b"c" * 1000):
        apply(root, journal, State({"a": File(text)}))
    first, second, third = journal.ids()
    journal.mark(first, "applying")  # as if it had been cut short
    journal.set_quota(0)
    assert journal.tidy() == (second,)
    assert journal.unfinished() == (first,) and journal.kept_bytes() > 1000
    with ConfinedFolder(root) as folder:
        folder.lock()
        with pytest.raises(NoLongerKept, match="no longer kept"):
            undo(folder, journal, second, undo_id="r9")
        undo(folder, journal, third, undo_id="r9")


def test_what_a_crash_left_in_the_journal_is_tidied(root: Path, journal: Journal) -> None:
    apply(root, journal)
    (journal.folder / ".new-r5" / "blobs").mkdir(parents=True)
    (journal.folder / ".dropped-r6").mkdir()
    unused = journal.folder / new_record_id(journal, 2.0)
    journal.tidy()
    assert not leftovers(journal) and not unused.exists() and len(journal.ids()) == 1


def test_a_run_in_a_folder_that_is_not_there_now_waits_for_it(root: Path, journal: Journal) -> None:
    child = os.fork()
    if child == 0:
        at_calls(lambda number, name: os._exit(0) if name == "exchange" and number > 20 else None)
        apply(root, journal)
        os._exit(1)
    os.waitpid(child, 0)
    root.rename(root.with_name("unmounted"))
    assert [one.outcome for one in recover(journal)] == ["waiting"]
    root.mkdir()
    assert [one.outcome for one in recover(journal)] == ["waiting"]
    root.rmdir()
    root.with_name("unmounted").rename(root)
    assert [one.outcome for one in recover(journal)] == ["taken_back"]
    assert {*seen(root)} == {*BEFORE}
