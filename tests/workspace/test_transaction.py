"""Changes are applied wholly or not at all, whenever the process dies, and can be taken back."""

from __future__ import annotations

import os
import random
import signal
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings

from dabhand.errors import Conflict
from dabhand.workspace import (
    ApplyFailed,
    Change,
    ConfinedFolder,
    File,
    Journal,
    Link,
    State,
    UnknownRun,
    apply_to_folder,
    difference,
    recover,
    take_snapshot,
    undo,
)
from tests.workspace.conftest import MEMORY
from tests.workspace.folders import NAMES, states, write_state


def state_of(root: Path) -> State:
    with ConfinedFolder(root) as folder:
        return take_snapshot(folder).state


def apply_state(root: Path, after: State, journal: Journal, on_step=lambda step: None) -> None:  # type: ignore[no-untyped-def]
    with ConfinedFolder(root) as folder:
        folder.lock()
        snapshot = take_snapshot(folder)
        apply_to_folder(folder, snapshot, difference(snapshot.state, after), journal, record_id="r1", on_step=on_step)


@settings(max_examples=60, deadline=None)
@given(states(), states())
def test_apply_and_undo(before: State, after: State) -> None:
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as scratch:
        root, journal = Path(scratch) / "root", Journal(Path(scratch) / "journal")
        write_state(root, before)
        apply_state(root, after, journal)
        assert state_of(root) == after
        with ConfinedFolder(root) as folder:
            folder.lock()
            undo(folder, journal, "r1", undo_id="r2")
        assert state_of(root) == before
        assert journal.status("r1") == "undone"


def random_state(rng: random.Random) -> State:
    made: dict[str, object] = {}
    for _ in range(rng.randrange(1, 9)):
        above = rng.choice([""] + [path + "/" for path, node in made.items() if not isinstance(node, File | Link)])
        node = rng.choice(
            [File(rng.randbytes(5), rng.random() < 0.5), State.from_json({"d": {"dir": True}})["d"], Link("a")]
        )
        made.setdefault(above + rng.choice(NAMES), node)
    return State(made)  # type: ignore[arg-type]


def killed_at(step: int, root: Path, after: State, journal: Journal) -> bool:
    """Apply in a child that kills itself at a step; False when it finished before."""
    child = os.fork()
    if child == 0:
        count = 0

        def on_step(name: str) -> None:
            nonlocal count
            if count == step:
                os.kill(os.getpid(), signal.SIGKILL)
            count += 1

        exit_after(lambda: apply_state(root, after, journal, on_step))
    return was_killed(child)


def exit_after(act: Callable[[], None]) -> None:
    """End a forked child whatever happens, lest it goes on as a second test run."""
    try:
        act()
        os._exit(0)
    finally:
        os._exit(1)


def was_killed(child: int) -> bool:
    status = os.waitpid(child, 0)[1]
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


@pytest.mark.parametrize("seed", range(6))
def test_killed_at_any_step(seed: int, quick_path: Path) -> None:
    rng = random.Random(seed)
    before, after = random_state(rng), random_state(rng)
    for step in range(100):
        root, journal = quick_path / f"root{step}", Journal(quick_path / f"journal{step}")
        write_state(root, before)
        killed = killed_at(step, root, after, journal)
        recover(journal)
        found = state_of(root)
        assert found in (before, after)
        if not killed:
            assert found == after
            return
    raise AssertionError("more steps than expected")


def test_killed_while_undoing(quick_path: Path) -> None:
    before, after = random_state(random.Random(1)), random_state(random.Random(2))
    for step in range(100):
        root, journal = quick_path / f"root{step}", Journal(quick_path / f"journal{step}")
        write_state(root, before)
        apply_state(root, after, journal)
        child = os.fork()
        if child == 0:
            left = [step]

            def on_step(name: str, left: list[int] = left) -> None:
                if left[0] == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                left[0] -= 1

            with ConfinedFolder(root) as folder:
                folder.lock()
                exit_after(lambda: undo(folder, journal, "r1", undo_id="r2", on_step=on_step))  # noqa: B023
        killed = was_killed(child)
        recover(journal)
        found = state_of(root)
        assert (found, journal.status("r1")) in ((before, "undone"), (after, "done"))
        if not killed:
            return


def test_refuses_what_changed_since(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "a").write_text("1")
    with ConfinedFolder(tmp_path / "root") as folder:
        folder.lock()
        snapshot = take_snapshot(folder)
        (tmp_path / "root" / "a").write_text("2")
        (tmp_path / "root" / "b").write_text("theirs")
        changes = [Change("a", File(b"1"), None), Change("b", None, File(b"mine"))]
        with pytest.raises(Conflict, match="'a', 'b'"):
            apply_to_folder(folder, snapshot, changes, Journal(tmp_path / "j"), record_id="r1")
    assert (tmp_path / "root" / "b").read_text() == "theirs"


def test_changed_in_the_middle(tmp_path: Path) -> None:
    root = tmp_path / "root"
    write_state(root, State({"a": File(b"1"), "z": File(b"1")}))

    def on_step(step: str) -> None:
        if step == "place z":
            (root / "z").write_text("theirs")

    with pytest.raises(Conflict):
        apply_state(root, State({"a": File(b"2"), "z": File(b"2")}), Journal(tmp_path / "j"), on_step)
    assert state_of(root) == State({"a": File(b"1"), "z": File(b"theirs")})


def test_system_refuses_in_the_middle(tmp_path: Path) -> None:
    root = tmp_path / "root"
    before = State({"a": File(b"1"), "z": File(b"1")})
    write_state(root, before)

    def on_step(step: str) -> None:
        if step == "place z":
            raise OSError(28, "No space left on device")

    with pytest.raises(ApplyFailed, match="no space left"):
        apply_state(
            root, State({"a": File(b"2"), "z": File(b"2"), "new/x": File(b"")}), Journal(tmp_path / "j"), on_step
        )
    assert state_of(root) == before


def test_undo_refuses_when_edited(tmp_path: Path) -> None:
    root, journal = tmp_path / "root", Journal(tmp_path / "j")
    write_state(root, State({"a": File(b"1")}))
    apply_state(root, State({"a": File(b"2")}), journal)
    (root / "a").write_text("theirs")
    with ConfinedFolder(root) as folder:
        folder.lock()
        with pytest.raises(Conflict, match="'a'"):
            undo(folder, journal, "r1", undo_id="r2")
        with pytest.raises(UnknownRun):
            undo(folder, journal, "nonsense", undo_id="r3")
    assert (root / "a").read_text() == "theirs"


def test_modes_and_times_are_kept(tmp_path: Path) -> None:
    root, journal = tmp_path / "root", Journal(tmp_path / "j")
    write_state(root, State({"a": File(b"1"), "gone": File(b"2"), "moved": File(b"3")}))
    for name in ("a", "gone", "moved"):
        (root / name).chmod(0o640)
        os.utime(root / name, ns=(10**18, 10**18))
    apply_state(root, State({"a": File(b"new"), "there": File(b"3")}), journal)
    assert (root / "a").stat().st_mode & 0o777 == 0o640
    assert (root / "there").stat().st_mode & 0o777 == 0o640
    assert (root / "there").stat().st_mtime_ns == 10**18
    with ConfinedFolder(root) as folder:
        folder.lock()
        undo(folder, journal, "r1", undo_id="r2")
    for name in ("a", "gone", "moved"):
        assert (root / name).stat().st_mode & 0o777 == 0o640
        assert (root / name).stat().st_mtime_ns == 10**18


def test_nothing_is_touched_that_was_left_out(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "box").mkdir(parents=True)
    os.mkfifo(root / "box" / "pipe")
    with pytest.raises(Conflict, match="named pipe"):
        apply_state(root, State(), Journal(tmp_path / "j"))
    assert (root / "box" / "pipe").exists()


def test_extended_attributes_are_kept(tmp_path: Path) -> None:
    root, journal = tmp_path / "root", Journal(tmp_path / "j")
    write_state(root, State({"a": File(b"1"), "gone": File(b"2")}))
    try:
        for name in ("a", "gone"):
            os.setxattr(root / name, "user.note", name.encode())
    except OSError:
        pytest.skip("this file system has no extended attributes")
    apply_state(root, State({"a": File(b"2")}), journal)
    assert os.getxattr(root / "a", "user.note") == b"a"
    with ConfinedFolder(root) as folder:
        folder.lock()
        undo(folder, journal, "r1", undo_id="r2")
    assert os.getxattr(root / "a", "user.note") == b"a"
    assert os.getxattr(root / "gone", "user.note") == b"gone"
