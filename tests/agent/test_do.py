"""`carry_out` end to end: real practice, a real sandbox, real folders."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from dabhand.agent.do import Interrupted, carry_out
from dabhand.agent.document import DoDocument
from dabhand.commands import parse_template
from dabhand.errors import UsageError
from dabhand.goals import Goal, IsFolder
from dabhand.practice import practise
from dabhand.sandbox import probe
from dabhand.store import Store
from dabhand.workspace import ConfinedFolder, Journal, State, take_snapshot, undo
from dabhand.world import World

pytestmark = pytest.mark.skipif(not any(tier.available for tier in probe()), reason="no isolation on this machine")
TEMPLATES = ("sort -u {A} > {B}", "wc -l < {A} > {B}", "mkdir {A}", "rm {A}", "cp {A} {B}", "cat {A}")


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("learned")
    with Store.open(home) as store:
        practise(store, [parse_template(text) for text in TEMPLATES], until_understood=True, experiments=400, seed=1)
    return home


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    (folder / "box").mkdir(parents=True)
    (folder / "piano.txt").write_text("b\na\nb\n")
    (folder / "notes.txt").write_text("one two\nthree\n")
    return folder


def state_of(root: Path) -> State:
    with ConfinedFolder(root) as folder:
        return take_snapshot(folder).state


def done(home: Path, request: str, root: Path, **how: object) -> DoDocument:
    with Store.open(home) as store:
        return carry_out(store, request, root, **how)  # type: ignore[arg-type]


def test_sorted_without_duplicates(learned: Path, root: Path) -> None:
    before = state_of(root)
    document = done(learned, "Write the lines of piano.txt sorted and without duplicates into uniq.txt.", root)
    assert document.status == "done", document.reason
    assert (root / "uniq.txt").read_text() == "a\nb\n"
    assert [(change.path, change.change) for change in document.changes] == [("uniq.txt", "created")]
    assert document.self_check is not None and document.self_check.ok
    assert document.run_id is not None
    with Store.open(learned) as store, ConfinedFolder(root) as folder:
        assert store.runs()[0].request == document.request
        folder.lock()
        undo(folder, Journal(store.file.parent / "journal"), document.run_id, undo_id="undo")
    assert state_of(root) == before


def test_folders_counts_and_odd_names(learned: Path, root: Path) -> None:
    assert done(learned, "Create the folder a/b/c.", root).status == "done"
    assert (root / "a" / "b" / "c").is_dir()
    (root / "-x $(y).txt").write_text("1\n2\n")
    document = done(learned, "Count the lines of {{f}} into n.txt", root, targets={"f": "-x $(y).txt"})
    assert document.status == "done", document.reason
    assert (root / "n.txt").read_text() == "2\n"


def test_what_was_chosen_of_several_readings_is_not_read_again(learned: Path, root: Path) -> None:
    document = done(learned, "The box, please.", root, goal=Goal((IsFolder("new"),)))
    assert (document.status, document.request) == ("done", "The box, please.")
    assert (root / "new").is_dir()


def test_what_empties_the_folder_is_applied(learned: Path, tmp_path: Path) -> None:
    (tmp_path / "only.txt").write_text("x\n")
    document = done(learned, "Delete only.txt", tmp_path, yes=True)
    assert (document.status, len(document.changes)) == ("done", 1), document.reason
    assert not any(tmp_path.iterdir())


def test_dry_run_changes_nothing(learned: Path, root: Path) -> None:
    before = state_of(root)
    document = done(learned, "Copy piano.txt to copy.txt", root, dry_run=True)
    assert document.status == "done" and document.dry_run
    assert [change.path for change in document.changes] == ["copy.txt"]
    assert state_of(root) == before


def test_asks_before_deleting(learned: Path, root: Path) -> None:
    before = state_of(root)
    assert done(learned, "Delete notes.txt", root).status == "refused"
    assert done(learned, "Delete notes.txt", root, confirm=lambda document: False).status == "refused"
    assert state_of(root) == before
    assert done(learned, "Delete notes.txt", root, confirm=lambda document: True).status == "done"
    assert not (root / "notes.txt").exists()


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        ("Sort ghost.txt into a.txt", "refused"),
        ("Copy /etc/passwd to a.txt", "refused"),
        ("Do something nice", "abstained"),
        ("Write piano.txt in upper case into loud.txt", "needs_tool"),
    ],
)
def test_what_cannot_be_done_leaves_all_as_it_was(learned: Path, root: Path, request_: str, status: str) -> None:
    before = state_of(root)
    document = done(learned, request_, root, yes=True, tools=False)
    assert document.status == status
    assert document.reason and not document.changes
    assert state_of(root) == before


def test_nothing_learned_yet(tmp_path: Path, root: Path) -> None:
    document = done(tmp_path / "empty", "Create the folder x", root)
    assert document.status == "abstained"
    assert "dabhand learn" in document.hint


def test_no_such_folder(learned: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        done(learned, "Create the folder x", tmp_path / "missing")


def test_odd_files_are_left_alone(learned: Path, root: Path) -> None:
    os.mkfifo(root / "pipe")
    assert done(learned, "Copy piano.txt to copy.txt", root).status == "done"
    assert done(learned, "Delete pipe", root, yes=True).status in ("refused", "abstained")
    assert (root / "pipe").is_fifo()


def test_two_at_once(learned: Path, root: Path) -> None:
    found: list[DoDocument] = []

    def work(name: str) -> None:
        found.append(done(learned, f"Create the folder {name}1/{name}2", root))

    threads = [threading.Thread(target=work, args=(name,)) for name in "kl"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for document, name in zip(sorted(found, key=lambda document: document.request), "kl", strict=True):
        assert (document.status == "done") == (root / f"{name}1" / f"{name}2").exists()
        assert document.status in ("done", "not_done")


def modes(root: Path) -> dict[str, str]:
    return {str(path.relative_to(root)): oct(path.stat().st_mode & 0o7777) for path in sorted(root.rglob("*"))}


@pytest.fixture
def private(root: Path) -> Path:
    (root / "box" / "deep").mkdir()
    (root / "box" / "key").write_text("secret\n")
    (root / "box" / "deep" / "go.sh").write_text("echo\n")
    (root / "box" / "key").chmod(0o600)
    (root / "box" / "deep" / "go.sh").chmod(0o750)
    (root / "box" / "deep").chmod(0o700)
    (root / "box").chmod(0o711)
    (root / "piano.txt").chmod(0o600)
    for path in ("box/key", "box/deep", "box", "piano.txt"):
        os.utime(root / path, (1_000_000_000, 1_000_000_000))
    return root


def test_a_moved_thing_keeps_its_modes_and_times(moving: Path, private: Path) -> None:
    before = modes(private)
    assert done(moving, "Rename box/ to chest", private, yes=True).status == "done"
    moved = {name.replace("box", "chest", 1): mode for name, mode in before.items()}
    assert modes(private) == moved
    assert [(private / name).stat().st_mtime for name in ("chest", "chest/deep", "chest/key")] == [1e9] * 3
    document = done(moving, "Move piano.txt over to notes.txt", private, yes=True)
    assert document.status == "done", document.reason
    assert oct((private / "notes.txt").stat().st_mode & 0o777) == "0o600"


def test_a_copied_thing_keeps_its_modes(moving: Path, private: Path) -> None:
    assert done(moving, 'Copy box/ to "chest"', private).status == "done"
    found = modes(private)
    assert {found[name] == found[name.replace("box", "chest", 1)] for name in found if name.startswith("box")} == {True}
    assert done(moving, "Copy piano.txt to p.txt", private).status == "done"
    assert modes(private)["p.txt"] == "0o600"


def test_a_moved_thing_keeps_its_modes_whatever_commands_move_it(learned: Path, private: Path) -> None:
    document = done(learned, "Rename piano.txt to p.txt", private, yes=True)
    assert document.status == "done", document.reason
    assert [step.command for step in document.plan] == ["cp {A} {B}", "rm {A}"]
    assert modes(private)["p.txt"] == "0o600"


def test_what_is_undone_has_its_modes_again(moving: Path, private: Path) -> None:
    before = modes(private)
    document = done(moving, "Rename box/ to chest", private, yes=True)
    assert document.run_id is not None
    with ConfinedFolder(private) as folder:
        folder.lock()
        undo(folder, Journal(moving / "journal"), document.run_id, undo_id="undo")
    assert modes(private) == before


@pytest.fixture(scope="module")
def moving(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("moving")
    with Store.open(home) as store:
        texts = ("mv {A} {B}", "cp -r {A} {B}", "cp {A} {B}")
        practise(store, [parse_template(text) for text in texts], until_understood=True, experiments=400, seed=1)
    return home


def test_long_files_are_planned_with_on_their_first_lines(learned: Path, root: Path) -> None:
    (root / "long.txt").write_text("".join(f"line {number % 7}\n" for number in range(100_000)))
    document = done(learned, "Count the lines of long.txt into n.txt", root)
    assert document.status == "done", document.reason
    assert (root / "n.txt").read_text() == "100000\n"
    assert document.timings_ms["total"] < 20_000


def test_an_interrupt_leaves_all_as_it_was_and_says_so(learned: Path, root: Path) -> None:
    before = state_of(root)

    def interrupt(store: Store) -> World:
        raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        done(learned, "Create the folder x", root, recall=interrupt)
    document = caught.value.document
    assert document.status == "not_done" and "nterrupted" in document.reason and document.goal is not None
    assert not document.changes and state_of(root) == before


def test_what_moves_is_not_lost_but_what_it_replaces_is(moving: Path, root: Path) -> None:
    assert done(moving, "Rename piano.txt to notes.txt", root).status == "refused"
    document = done(moving, "Rename piano.txt to p.txt", root)
    assert document.status == "done", document.reason
    assert (root / "p.txt").read_text() == "b\na\nb\n" and not (root / "piano.txt").exists()


def test_what_moves_and_is_then_overwritten_is_lost(moving: Path, root: Path) -> None:
    (root / "box" / "x").write_text("precious\n")
    request = "Rename the folder box to chest, then copy piano.txt to chest/x."
    document = done(moving, request, root)
    assert (document.status, document.loses, document.run_id) == ("refused", (), None)
    assert "'box/x'" in document.reason and (root / "box" / "x").read_text() == "precious\n"
    asked: list[tuple[str, ...]] = []
    done(moving, request, root, confirm=lambda proposed: bool(asked.append(proposed.loses)))
    assert asked == [("box/x",)]


def test_what_is_lost_is_in_the_document(moving: Path, root: Path) -> None:
    assert done(moving, "Rename piano.txt to p.txt", root, yes=True).loses == ()
    document = done(moving, "Rename p.txt to notes.txt", root, yes=True)
    assert (document.status, document.loses) == ("done", ("notes.txt",)), document.reason
