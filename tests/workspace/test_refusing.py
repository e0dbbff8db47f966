"""No room, no permission, somebody else at work: a clean error, and nothing is lost or half done."""

from __future__ import annotations

import errno
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from dabhand.errors import Conflict, DabhandError, StoreError
from dabhand.workspace import (
    ApplyFailed,
    ConfinedFolder,
    File,
    Journal,
    Link,
    NoLongerKept,
    State,
    apply_to_folder,
    difference,
    new_record_id,
    recover,
    renaming,
    take_snapshot,
    undo,
)
from tests.workspace.folders import write_state
from tests.workspace.spaces import Mounts, with_mounts
from tests.workspace.tasks import Task, at_calls, count_calls, seen

BEFORE = State({"a": File(b"1"), "box/x": File(b"2", True), "gone": File(b"3"), "l": Link("a"), "z": File(b"4")})
AFTER = State({"a": File(b"one"), "moved/x": File(b"2", True), "l": File(b"now a file"), "z": File(b"four")})


def apply(root: Path, journal: Journal, after: State = AFTER, meanwhile: Callable[[], None] = lambda: None) -> None:
    with ConfinedFolder(root) as folder:
        folder.lock()
        snapshot = take_snapshot(folder)
        meanwhile()
        record_id = new_record_id(journal, 1.0)
        apply_to_folder(folder, snapshot, difference(snapshot.state, after), journal, record_id=record_id)


@pytest.fixture
def root(quick_path: Path) -> Path:
    write_state(quick_path / "root", BEFORE)
    return quick_path / "root"


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    """On another file system than the folder, where memory is one."""
    return Journal(tmp_path / "journal")


def leftovers(journal: Journal) -> list[str]:
    return [str(path) for path in journal.folder.rglob("*") if path.name.startswith((".new", ".dropped"))]


# no room -------------------------------------------------------------------------------------------------------------


def test_a_full_disk(tmp_path: Path) -> None:
    def act(mounts: Mounts) -> None:
        (tmp_path / "disk").mkdir()
        mounts.small(tmp_path / "disk", "256k")
        root = tmp_path / "disk" / "root"
        write_state(root, State({"big": File(b"x" * 150_000), "other": File(b"y"), "del": File(b"z" * 4096)}))
        before = seen(root)
        with pytest.raises(ApplyFailed, match="no space left") as failed:
            apply(root, Journal(tmp_path / "j"), State({"big": File(b"n" * 150_000), "new": File(b"n" * 50_000)}))
        assert failed.value.hint == "Nothing is left changed."
        assert seen(root) == before

    with_mounts(act)


def test_a_full_disk_under_the_journal(root: Path, tmp_path: Path) -> None:
    def act(mounts: Mounts) -> None:
        (tmp_path / "disk").mkdir()
        mounts.small(tmp_path / "disk", "64k")
        (root / "a").write_bytes(b"x" * 100_000)
        before, journal = seen(root), Journal(tmp_path / "disk" / "j")
        with pytest.raises(ApplyFailed, match=r"cannot be kept in .*no space left"):
            apply(root, journal)
        assert seen(root) == before and not leftovers(journal) and journal.ids() == ()

    with_mounts(act)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_the_system_refuses_from_any_call_on(seed: int, code: int, quick_path: Path) -> None:
    """Without room nothing new can be written; with a broken disk nothing at all, not even what takes back."""
    calls = {"write", "mkdir", "symlink"} if code == errno.ENOSPC else None
    task, rng = Task(seed), random.Random(seed)
    place, other = quick_path / "root", quick_path / "whole"
    task.make(other)
    count = count_calls(lambda: task.apply(other, Journal(quick_path / "j")))
    after = seen(other, exactly=False)
    for call in rng.sample(range(count), min(4, count)):
        shutil.rmtree(place, ignore_errors=True)
        shutil.rmtree(quick_path / "journal", ignore_errors=True)
        task.make(place)
        before, journal = seen(place), Journal(quick_path / "journal")
        failed = refused_from(call, code, calls, lambda: task.apply(place, journal))  # noqa: B023
        found = seen(place)
        if code == errno.ENOSPC:
            assert found == before if failed else seen(place, exactly=False) == after
        recover(journal)
        assert journal.unfinished() == ()
        if failed and code == errno.ENOSPC:
            assert seen(place) == before
        else:  # a broken disk may keep the mark that all was made, and say that it did not
            assert seen(place) == before or seen(place, exactly=False) == after


def refused_from(call: int, code: int, names: set[str] | None, act: Callable[[], None]) -> bool:
    """Do something in a child whose system refuses from a call on; whether that ended in an error of ours."""
    child = os.fork()
    if child == 0:

        def refuse(number: int, name: str) -> None:
            if number >= call and (names is None or name in names):
                raise OSError(code, os.strerror(code))

        try:
            at_calls(refuse)
            act()
            os._exit(0)
        except DabhandError:
            os._exit(3)
        finally:
            os._exit(1)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, 3)
    return status == 3


# no permission -------------------------------------------------------------------------------------------------------


def test_a_read_only_folder(root: Path, journal: Journal) -> None:
    def act(mounts: Mounts) -> None:
        before = seen(root)
        mounts.read_only(root)
        with pytest.raises(ApplyFailed, match="read-only file system") as failed:
            apply(root, journal)
        assert failed.value.hint == "Nothing is left changed."
        assert seen(root) == before and journal.status(journal.ids()[0]) == "rolled_back"

    with_mounts(act)


def test_a_read_only_journal(root: Path, tmp_path: Path) -> None:
    def act(mounts: Mounts) -> None:
        (tmp_path / "j").mkdir()
        before = seen(root)
        mounts.read_only(tmp_path / "j")
        with pytest.raises(StoreError, match=r"cannot be written to: Read-only"):
            apply(root, Journal(tmp_path / "j"))
        assert seen(root) == before

    with_mounts(act)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_folder_of_somebody_else(root: Path, quick_path: Path) -> None:
    def act(mounts: Mounts) -> None:
        quick_path.chmod(0o777)
        os.setgid(65534)
        os.setuid(65534)
        before = seen(root)
        with pytest.raises(ApplyFailed, match="permission denied"):
            apply(root, Journal(quick_path / "j"))
        assert seen(root) == before

    with_mounts(act)


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
