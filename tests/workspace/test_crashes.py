"""`kill -9` at any system call, also of recovery and of undoing: the folder is entirely before or entirely after.

Here at a few calls of each task; at every single one with DABHAND_EVERY_CALL=1 (minutes).
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from dabhand.workspace import ConfinedFolder, File, Journal, recover, undo
from tests.workspace.tasks import Task, count_calls, in_child, kernel, seen

EVERY_CALL = bool(os.environ.get("DABHAND_EVERY_CALL"))
CALLS_PER_TASK = 2
TASKS_PER_TEST = 11


def chosen(count: int, rng: random.Random, few: int = CALLS_PER_TASK) -> Iterable[int]:
    return range(count) if EVERY_CALL else rng.sample(range(count), min(few, count))


def recover_through_crashes(journal: Journal, rng: random.Random) -> None:
    """Recover, killed once more on the way."""
    in_child(lambda: (recover(journal), None)[1], at_call=rng.randrange(25))
    recover(journal)
    assert journal.unfinished() == ()


def undo_run(root: Path, journal: Journal) -> None:
    with ConfinedFolder(root) as folder:
        folder.lock()
        undo(folder, journal, "r1", undo_id="r2")


class Place:
    """A folder and a journal for one try."""

    def __init__(self, scratch: Path) -> None:
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()
        self.root, self.journal = scratch / "root", Journal(scratch / "journal")


@pytest.fixture(params=range(3), ids=["new kernel", "no exchange", "no hard links"])
def any_kernel(request: pytest.FixtureRequest) -> Iterator[int]:
    with kernel(request.param):
        yield request.param


@pytest.mark.parametrize("start", range(0, 200, 3 * TASKS_PER_TEST))
def test_killed_while_applying(start: int, any_kernel: int, quick_path: Path) -> None:
    first = start + any_kernel * TASKS_PER_TEST
    for seed in range(first, first + TASKS_PER_TEST):
        task, rng = Task(seed), random.Random(seed)
        whole = Place(quick_path / "whole")
        task.make(whole.root)
        calls = count_calls(lambda: task.apply(whole.root, whole.journal))  # noqa: B023
        after = seen(whole.root, exactly=False)
        for call in chosen(calls, rng):
            tried = Place(quick_path / "tried")
            task.make(tried.root)
            before = seen(tried.root)
            in_child(lambda: task.apply(tried.root, tried.journal), at_call=call)  # noqa: B023
            recover_through_crashes(tried.journal, rng)
            assert seen(tried.root) == before or seen(tried.root, exactly=False) == after, (seed, call)


@pytest.mark.parametrize("start", range(0, 198 if EVERY_CALL else 99, 3 * TASKS_PER_TEST))
def test_killed_while_undoing(start: int, any_kernel: int, quick_path: Path) -> None:
    first = start + any_kernel * TASKS_PER_TEST
    for seed in range(first, first + TASKS_PER_TEST):
        task, rng = Task(seed), random.Random(seed)
        whole = Place(quick_path / "whole")
        task.make(whole.root)
        before = times_of_files(whole.root)
        task.apply(whole.root, whole.journal)
        calls = count_calls(lambda: undo_run(whole.root, whole.journal))  # noqa: B023
        assert times_of_files(whole.root) == before, seed
        for call in chosen(calls, rng, few=1):
            tried = Place(quick_path / "tried")
            task.make(tried.root)
            task.apply(tried.root, tried.journal)
            after = seen(tried.root)
            in_child(lambda: undo_run(tried.root, tried.journal), at_call=call)  # noqa: B023
            recover_through_crashes(tried.journal, rng)
            if tried.journal.status("r1") == "undone":
                assert times_of_files(tried.root) == before, (seed, call)
            else:
                assert seen(tried.root) == after, (seed, call)


def times_of_files(root: Path) -> dict[str, tuple[object, ...]]:
    """All of a folder but which file it is: one that was put back is a new one."""
    return {path: told[:4] for path, told in seen(root).items()}


def contents(folder: Path) -> set[bytes]:
    """All that files hold, in the folder and in the journal."""
    return {told[2] for told in seen(folder, exactly=False).values() if len(told) > 2}  # type: ignore[misc]


@pytest.mark.parametrize("act", ["delete", "link", "file"])
def test_whatever_somebody_does_after_a_crash_recovery_comes_to_an_end(act: str, quick_path: Path) -> None:
    for seed in range(300, 340):
        task, rng = Task(seed), random.Random(seed)
        tried = Place(quick_path / "tried")
        task.make(tried.root)
        in_child(lambda: task.apply(tried.root, tried.journal), at_call=rng.randrange(10, 60))  # noqa: B023
        found = sorted(path for path in os.listdir(tried.root) if not path.startswith("."))  # noqa: PTH208
        if not found:
            continue
        place = tried.root / rng.choice(found)
        shutil.rmtree(place) if place.is_dir() and not place.is_symlink() else place.unlink()
        if act == "link":
            place.symlink_to(quick_path)
        elif act == "file":
            place.write_bytes(b"theirs")
        there = {node.data for node in task.before.values() if isinstance(node, File)} - {b"", b"same\n"}
        there &= contents(quick_path / "tried")  # what others hold as well may go with those
        recover(tried.journal)
        assert tried.journal.unfinished() == (), seed
        assert there <= contents(quick_path / "tried"), seed
        assert act != "file" or place.read_bytes() == b"theirs"
        assert not [path for path in seen(tried.root) if path.rpartition("/")[2].startswith(".dabhand-")], seed
