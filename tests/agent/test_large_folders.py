"""Requests in folders too large to be taken in: only what they name is read, and it runs beside everything else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dabhand.agent.do import carry_out
from dabhand.agent.document import DoDocument
from dabhand.commands import parse_template
from dabhand.practice import practise
from dabhand.sandbox import probe, probe_overlay
from dabhand.store import Store
from dabhand.workspace import ConfinedFolder, Journal, undo

pytestmark = pytest.mark.skipif(not any(tier.available for tier in probe()), reason="no isolation on this machine")
needs_overlay = pytest.mark.skipif(not probe_overlay().available, reason="no overlay on this machine")
TRAPPED = "sort {A} > {B}; if test -e trap; then rm trap; fi"


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("learned")
    texts = ("cp {A} {B}", "rm {A}", "mkdir {A}", "cat {A}", TRAPPED)
    with Store.open(home) as store:
        practise(store, [parse_template(text) for text in texts], until_understood=True, experiments=350, seed=1)
    return home


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    (root / "box").mkdir(parents=True)
    for number in range(400):
        (root / f"f{number}.txt").write_text("x\n")
        (root / "box" / f"g{number}.txt").write_text("y\n")
    (root / "piano.txt").write_text("b\na\n")
    with (root / "huge.bin").open("wb") as file:
        file.truncate(2 << 30)
    return root


def done(home: Path, request: str, root: Path, **how: object) -> DoDocument:
    with Store.open(home) as store:
        return carry_out(store, request, root, **how)  # type: ignore[arg-type]


@needs_overlay
def test_only_what_is_named_is_read_and_kept(learned: Path, root: Path) -> None:
    document = done(learned, "Copy piano.txt to copy.txt", root)
    assert (document.status, document.staged) == ("done", "overlay"), document.reason
    assert (root / "copy.txt").read_text() == "b\na\n"
    assert [change.path for change in document.changes] == ["copy.txt"]
    with Store.open(learned) as store:
        last = list(store.experiments())[-1]
        kept = last[1] if isinstance(last, tuple) else last
    assert set(kept.before) == {"piano.txt"} and set(kept.after) == {"piano.txt", "copy.txt"}
    assert document.run_id is not None
    with ConfinedFolder(root) as folder:
        folder.lock()
        undo(folder, Journal(learned / "journal"), document.run_id, undo_id="undo")
    assert not (root / "copy.txt").exists()


def test_a_folder_in_a_large_one_is_taken_with_all_in_it(learned: Path, root: Path) -> None:
    (root / "small" / "deep").mkdir(parents=True)
    (root / "small" / "deep" / "x.txt").write_text("x\n")
    document = done(learned, "Copy small/deep/x.txt to small/y.txt", root)
    assert document.status == "done", document.reason
    assert (root / "small" / "y.txt").read_text() == "x\n"


def test_what_is_too_large_is_refused_by_name(learned: Path, root: Path) -> None:
    document = done(learned, "Copy huge.bin to h.bin", root)
    assert document.status == "refused" and "huge.bin" in document.reason
    assert not (root / "h.bin").exists()


@needs_overlay
def test_a_change_elsewhere_is_never_applied_nor_learned(learned: Path, root: Path) -> None:
    (root / "trap").write_text("precious\n")
    with Store.open(learned) as store:
        before = sum(1 for _ in store.experiments())
    document = done(learned, "Sort piano.txt into sorted.txt", root, yes=True)
    assert (document.status, document.changes) == ("not_done", ()), document.reason
    assert document.plan[-1].surprise
    assert (root / "trap").read_text() == "precious\n" and not (root / "sorted.txt").exists()
    with Store.open(learned) as store:
        kept = list(store.experiments())[before:]
    assert all("trap" not in json.dumps([repr(one)]) or "test -e trap" in repr(one) for one in kept)


def test_a_scratch_name_that_is_taken_is_left_alone(learned: Path, root: Path) -> None:
    (root / "scratch-1.tmp").write_text("mine\n")
    document = done(learned, "Sort piano.txt in place", root, yes=True)
    assert document.status == "done", document.reason
    assert (root / "piano.txt").read_text() == "a\nb\n"
    assert (root / "scratch-1.tmp").read_text() == "mine\n"


@pytest.mark.parametrize("crowded", [True, False])
def test_what_was_read_is_held_against_its_stamp(learned: Path, root: Path, tmp_path: Path, crowded: bool) -> None:
    if not crowded:
        root = tmp_path / "few"
        root.mkdir()
        (root / "piano.txt").write_text("b\na\n")

    def edit(document: DoDocument) -> bool:
        (root / "piano.txt").write_text("somebody else\n")
        return True

    document = done(learned, "Copy piano.txt to copy.txt", root, confirm=edit)
    assert document.status == "not_done" and "piano.txt" in document.reason
    assert not (root / "copy.txt").exists()
    assert (root / "piano.txt").read_text() == "somebody else\n"


@needs_overlay
def test_write_protected_files_are_tried_on_a_copy(learned: Path, root: Path) -> None:
    (root / "piano.txt").chmod(0o444)
    document = done(learned, "Copy piano.txt to copy.txt", root)
    assert (document.status, document.staged) == ("done", "copy"), document.reason


def test_somebody_is_asked_before_any_change(learned: Path, root: Path) -> None:
    asked: list[str] = []

    def no(document: DoDocument) -> bool:
        asked.append(document.plan[0].predicted)
        return False

    assert done(learned, "Copy piano.txt to copy.txt", root, confirm=no).status == "refused"
    assert asked and not (root / "copy.txt").exists()
    assert done(learned, "Show piano.txt", root, confirm=no).status in ("done", "abstained")
    assert len(asked) == 1
