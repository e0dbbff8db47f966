"""No room, no permission: a clean error, and nothing is lost or half done."""

from __future__ import annotations

import errno
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from dabhand.errors import DabhandError, StoreError
from dabhand.workspace import (
    ApplyFailed,
    File,
    Journal,
    State,
    recover,
)
from tests.workspace.changing import apply, leftovers
from tests.workspace.folders import write_state
from tests.workspace.spaces import Mounts, with_mounts
from tests.workspace.tasks import Task, at_calls, count_calls, seen

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
