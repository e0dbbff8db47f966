"""An interrupt, or a disk that fails, at any call, and then `kill -9`: entirely before or entirely after all the same.

Here at a few calls of each task and at all of those around the moment that counts; at every single one with
DABHAND_EVERY_CALL=1 (minutes).
"""

from __future__ import annotations

import contextlib
import errno
import os
import random
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from dabhand.errors import DabhandError
from dabhand.workspace import (
    ApplyFailed,
    ConfinedFolder,
    File,
    Journal,
    State,
    apply_to_folder,
    difference,
    recover,
    recover_folder,
    take_snapshot,
    undo,
)
from tests.workspace.folders import write_state
from tests.workspace.tasks import Task, at_calls, count_calls, in_child, seen
from tests.workspace.test_crashes import EVERY_CALL, Place

FAULTS: dict[str, Callable[[], BaseException]] = {
    "interrupt": KeyboardInterrupt,
    "disk error": lambda: OSError(errno.EIO, os.strerror(errno.EIO)),
}
BEFORE = State({"a": File(b"old a"), "gone": File(b"precious")})
AFTER = State({"a": File(b"new a"), "new": File(b"n")})


def faulty(
    act: Callable[[], None], fault: Callable[[], BaseException], at: int, killed_after: int
) -> Callable[[], None]:
    """Something that goes wrong at one changing system call, and is killed some calls later, if it gets that far."""

    def hook(number: int, name: str) -> None:
        if number == at:
            raise fault()
        if number == at + killed_after:
            os.kill(os.getpid(), signal.SIGKILL)

    def attempt() -> None:
        at_calls(hook)
        with contextlib.suppress(KeyboardInterrupt, OSError, DabhandError):
            act()

    return attempt


@pytest.mark.parametrize("fault", FAULTS)
def test_killed_after_something_went_wrong_while_applying(fault: str, quick_path: Path) -> None:
    for seed in range(400, 405):
        task, rng = Task(seed), random.Random(seed)
        whole = Place(quick_path / "whole")
        task.make(whole.root)
        calls = count_calls(lambda: task.apply(whole.root, whole.journal))  # noqa: B023
        after = seen(whole.root, exactly=False)
        last = range(max(0, calls - 12), calls)
        for at in range(calls) if EVERY_CALL else sorted({*rng.sample(range(calls), 2), *last}):
            for killed_after in range(1, 12) if EVERY_CALL else rng.sample(range(1, 12), 2):
                tried = Place(quick_path / "tried")
                task.make(tried.root)
                before = seen(tried.root)
                act = lambda: task.apply(tried.root, tried.journal)  # noqa: B023, E731
                in_child(faulty(act, FAULTS[fault], at, killed_after))
                recover(tried.journal)
                assert tried.journal.unfinished() == ()
                assert seen(tried.root) == before or seen(tried.root, exactly=False) == after, (seed, at, killed_after)


@pytest.mark.parametrize("fault", FAULTS)
def test_killed_after_something_went_wrong_while_undoing(fault: str, quick_path: Path) -> None:
    def undone(root: Path, journal: Journal) -> None:
        with ConfinedFolder(root) as folder:
            folder.lock()
            undo(folder, journal, "r1", undo_id="r2")

    def place() -> Place:
        tried = Place(quick_path / "tried")
        write_state(tried.root, BEFORE)
        applied(tried.root, tried.journal)
        return tried

    whole = place()
    for at in range(count_calls(lambda: undone(whole.root, whole.journal))):
        for killed_after in (1, 2, 5):
            tried = place()
            act = lambda: undone(tried.root, tried.journal)  # noqa: B023, E731
            in_child(faulty(act, FAULTS[fault], at, killed_after))
            recover(tried.journal)
            expected = BEFORE if tried.journal.status("r1") == "undone" else AFTER
            assert state_of(tried.root) == expected, (at, killed_after)


@pytest.mark.parametrize("fault", FAULTS)
def test_killed_at_any_step_after_something_went_wrong_at_any_step(fault: str, quick_path: Path) -> None:
    for at in range(100):
        for killed_after in (1, 2, 4, 8):
            steps: list[str] = []

            def on_step(step: str) -> None:
                steps.append(step)  # noqa: B023
                if len(steps) == at + 1:  # noqa: B023
                    raise FAULTS[fault]()
                if len(steps) == at + 1 + killed_after:  # noqa: B023
                    os.kill(os.getpid(), signal.SIGKILL)

            def act() -> None:
                with contextlib.suppress(KeyboardInterrupt, OSError, DabhandError):
                    applied(tried.root, tried.journal, on_step)  # noqa: B023

            tried = Place(quick_path / "tried")
            write_state(tried.root, BEFORE)
            in_child(act)
            recover(tried.journal)
            assert state_of(tried.root) in (BEFORE, AFTER), (at, killed_after)


@pytest.mark.parametrize("fault", FAULTS)
def test_after_the_moment_that_counts_there_is_no_way_back(fault: str, quick_path: Path) -> None:
    tried = Place(quick_path / "tried")
    write_state(tried.root, BEFORE)

    def on_step(step: str) -> None:
        if step == "marked":
            raise FAULTS[fault]()

    try:
        applied(tried.root, tried.journal, on_step)
    except KeyboardInterrupt:
        assert fault == "interrupt"
    assert state_of(tried.root) == AFTER and tried.journal.status("r1") == "done"
    assert sorted(path.name for path in tried.root.iterdir()) == ["a", "new"]


def test_what_could_not_be_published_was_never_begun(quick_path: Path) -> None:
    """Else the next start would take away what somebody made by hand meanwhile, because it is what was wanted."""
    tried = Place(quick_path / "tried")
    write_state(tried.root, State({}))
    renamed = [False]

    def hook(number: int, name: str) -> None:
        if name == "fsync" and renamed[0]:
            renamed[0] = False
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        renamed[0] = renamed[0] or name == "rename"

    def act() -> None:
        at_calls(hook)
        with pytest.raises(ApplyFailed, match="cannot be kept"):
            applied(tried.root, tried.journal, after=State({"x": File(b"mine")}))

    in_child(act)
    (tried.root / "x").write_bytes(b"mine")
    recover(tried.journal)
    assert (tried.root / "x").read_bytes() == b"mine"


def test_nothing_is_done_without_the_lock(quick_path: Path) -> None:
    tried = Place(quick_path / "tried")
    write_state(tried.root, BEFORE)
    applied(tried.root, tried.journal)
    with ConfinedFolder(tried.root) as folder:
        snapshot = take_snapshot(folder)
        acts: tuple[Callable[[], object], ...] = (
            lambda: recover_folder(folder, tried.journal),
            lambda: undo(folder, tried.journal, "r1", undo_id="r2"),
            lambda: apply_to_folder(folder, snapshot, difference(AFTER, BEFORE), tried.journal, record_id="r3"),
        )
        for act in acts:
            with pytest.raises(RuntimeError, match="lock"):
                act()
    assert state_of(tried.root) == AFTER


def applied(
    root: Path, journal: Journal, on_step: Callable[[str], None] = lambda step: None, after: State = AFTER
) -> None:
    with ConfinedFolder(root) as folder:
        folder.lock()
        snapshot = take_snapshot(folder)
        apply_to_folder(folder, snapshot, difference(snapshot.state, after), journal, record_id="r1", on_step=on_step)


def state_of(root: Path) -> State:
    with ConfinedFolder(root) as folder:
        return take_snapshot(folder).state
