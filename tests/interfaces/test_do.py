"""`dabhand do` as a person and as a program use it."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import msgspec
import pytest

from dabhand.agent import DoDocument
from dabhand.interfaces.cli.doing import coloured, outcome, proposal
from dabhand.interfaces.cli.root import run
from dabhand.store import Store
from tests.interfaces.command_line import DABHAND, dabhand, document

TEMPLATES = ("sort -u {A} > {B}", "wc -l < {A} > {B}", "rm {A}", "cat {A}")
SORT = "Write the lines of piano.txt sorted and without duplicates into uniq.txt."


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("learned")
    chosen = [part for template in TEMPLATES for part in ("--template", template)]
    done = dabhand("learn", *chosen, "--experiments", "400", "--seed", "1", "--store", str(store), "--json")
    assert done.returncode == 0, done.stderr.decode()
    return store


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "piano.txt").write_text("b\na\nb\n")
    (tmp_path / "old.txt").write_text("old\n")
    return tmp_path


def names(root: Path) -> list[str]:
    return sorted(entry.name for entry in root.iterdir())


def test_the_document_of_a_request(learned: Path, root: Path) -> None:
    done = dabhand("do", SORT, "--root", str(root), "--store", str(learned), "--json")
    assert done.returncode == 0, done.stdout
    result = document(done)
    assert (result["status"], result["request"], result["goal_from"], result["lm_calls"]) == (
        "done",
        SORT,
        "grammar",
        0,
    )
    (step,) = result["plan"]
    assert step["line"] == "sort -u piano.txt > uniq.txt"
    assert step.keys() >= {"command", "slots", "confidence", "predicted", "exit_code", "surprise"}
    assert result["changes"] == [{"path": "uniq.txt", "change": "created"}]
    assert result["self_check"]["ok"]
    assert (root / "uniq.txt").read_text() == "a\nb\n"


def test_a_person_reads_plan_expectation_check_and_change(learned: Path, root: Path) -> None:
    done = dabhand("do", SORT, "--root", str(root), "--store", str(learned))
    assert done.returncode == 0
    for part in (
        b"$ sort -u piano.txt > uniq.txt",
        b"expected: uniq.txt holds",
        b"nothing else changed",
        b"+ uniq.txt",
    ):
        assert part in done.stdout


def test_a_dry_run_changes_nothing(learned: Path, root: Path) -> None:
    done = dabhand("do", SORT, "--root", str(root), "--store", str(learned), "--dry-run")
    assert (done.returncode, names(root)) == (0, ["old.txt", "piano.txt"])
    assert b"would change" in done.stdout


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_what_deletes_is_refused_where_nobody_can_be_asked(learned: Path, root: Path, more: tuple[str, ...]) -> None:
    done = dabhand("do", "Delete old.txt.", "--root", str(root), "--store", str(learned), *more)
    assert (done.returncode, names(root)) == (3, ["old.txt", "piano.txt"])
    assert b"old.txt" in done.stdout and b"--yes" in done.stdout


def test_yes_allows_it(learned: Path, root: Path) -> None:
    done = dabhand("do", "Delete old.txt.", "--root", str(root), "--store", str(learned), "--yes")
    assert (done.returncode, names(root)) == (0, ["piano.txt"])


@pytest.mark.parametrize(
    ("answer", "status", "left"), [(b"y\n", 0, ["piano.txt"]), (b"\n", 3, ["old.txt", "piano.txt"])]
)
def test_a_person_is_asked(learned: Path, root: Path, answer: bytes, status: int, left: list[str]) -> None:
    master, slave = pty.openpty()
    command = [*DABHAND, "do", "Delete old.txt.", "--root", str(root), "--store", str(learned)]
    process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    shown = b""
    while b"[y/N]" not in shown:
        shown += os.read(master, 65536)
    assert b"$ rm old.txt" in shown and b"deletes old.txt" in shown
    assert names(root) == ["old.txt", "piano.txt"]
    os.write(master, answer)
    try:
        while os.read(master, 65536):
            pass
    except OSError:  # how Linux says that the other side of a terminal is closed
        pass
    os.close(master)
    assert (process.wait(60), names(root)) == (status, left)


def test_what_is_not_understood_or_not_learned_is_left_alone(learned: Path, root: Path) -> None:
    for request, store in (("Sing a song about piano.txt.", learned), (SORT, root / ".empty")):
        done = dabhand("do", request, "--root", str(root), "--store", str(store), "--json")
        assert done.returncode == 3
        assert document(done)["status"] == "abstained"
        assert document(done)["reason"]
    assert "uniq.txt" not in names(root)


def test_every_run_is_in_the_history(learned: Path, root: Path) -> None:
    with Store.open(learned) as store:
        before = len(store.runs(1000))
    dabhand("do", SORT, "--root", str(root), "--store", str(learned))
    with Store.open(learned) as store:
        assert len(store.runs(1000)) == before + 1


def test_names_that_play_tricks_are_shown_as_escapes() -> None:
    step = {"line": "rm 'a\x1b[2J'", "predicted": "gone", "confidence": 0.9, "exit_code": 0, "surprise": True}
    shown = {
        "plan": [step], "self_check": None, "changes": [{"path": "a\x1b[2J", "change": "deleted"}], "dry_run": False,
        "loses": ["a\x1b[2J"], "answer": "\x07", "status": "not_done", "reason": "\x1b", "hint": "",
    }  # fmt: skip
    for table in (outcome(shown), proposal(shown)):
        for column in table.columns:
            assert all("\x1b" not in str(cell) and "\x07" not in str(cell) for cell in column.cells)


@contextlib.contextmanager
def interrupted_at(name: str, event: str) -> Iterator[None]:
    """A real signal when a function of that name is first called, or returns."""

    def look(frame: FrameType, happens: str, given: object) -> None:
        if happens == event and frame.f_code.co_qualname == name:
            signal.raise_signal(signal.SIGINT)

    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(None)


MOMENTS = {
    ("Store.open", "call"): False,
    ("ConfinedFolder.lock", "call"): False,
    ("attempt", "call"): False,
    ("apply_to_folder", "call"): False,
    ("Carrying.perform", "return"): False,
    ("Journal.tidy", "call"): True,
    ("Errand.finish", "call"): True,
    ("Store.append_run", "call"): True,
    ("Store.append_run", "return"): True,
    ("ConfinedFolder.close", "call"): True,
    ("carry_out", "return"): True,
    ("Store.close", "call"): True,
}


@pytest.mark.parametrize(("moment", "changed"), MOMENTS.items(), ids=map("-".join, MOMENTS))
def test_an_interrupted_request_is_one_document_that_says_what_it_left(
    learned: Path, root: Path, moment: tuple[str, str], changed: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    with interrupted_at(*moment):
        status = run(["do", SORT, "--root", str(root), "--store", str(learned), "--json"])
    (line,) = capsys.readouterr().out.splitlines()
    result = json.loads(line)
    assert ("uniq.txt" in names(root)) == changed
    assert (result["hint"] == "Nothing was changed.") == (not changed)
    assert (status, result["status"]) == ((0, "done") if moment[0] == "Store.close" else (130, "not_done"))
    if not changed:
        assert result["reason"] == "Interrupted." and not result["changes"] and result["run_id"] is None
    elif moment[0] != "carry_out":  # of which then nothing is known
        assert result["changes"] == [{"path": "uniq.txt", "change": "created"}] and result["run_id"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    runs = document(dabhand("history", "--root", str(root), "--store", str(learned), "--json"))["runs"]
    assert {run["state"] for run in runs if run["run_id"]} <= ({"done"} if changed else {"taken back"})
    if moment[0] == "Store.open":  # written out by hand, so that it needs no import
        assert result == json.loads(msgspec.json.encode(DoDocument(status="not_done", request=SORT))) | {
            "reason": "Interrupted.", "hint": "Nothing was changed.",
        }  # fmt: skip


@pytest.mark.parametrize("delay", [0.15, 0.4, 0.8])
@pytest.mark.parametrize("more", [(), ("--json",)])
def test_an_interrupt_at_any_time(learned: Path, root: Path, delay: float, more: tuple[str, ...]) -> None:
    command = [*DABHAND, "do", "Delete old.txt.", "--yes", "--root", str(root), "--store", str(learned), *more]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    if process.returncode == -signal.SIGINT or b"init_import_site" in err:
        return  # Python itself had not begun yet
    assert b"Traceback" not in err
    changed = names(root) == ["piano.txt"]
    assert process.returncode == (130 if b"nterrupted" in out + err else 0)
    assert changed or b"Nothing was changed" in out + err
    if more:
        assert len(out.splitlines()) == 1 and json.loads(out)
    elif process.returncode == 130:
        assert b"nterrupted" in err


def test_a_dry_run_shows_the_difference(learned: Path, root: Path) -> None:
    (root / "uniq.txt").write_text("z\na\n")
    done = dabhand("do", SORT, "--root", str(root), "--store", str(learned), "--dry-run", "--json")
    expected = "--- a/uniq.txt\n+++ b/uniq.txt\n@@ -1,2 +1,2 @@\n-z\n a\n+b\n"
    assert document(done)["diff"] == expected
    shown = dabhand("do", SORT, "--root", str(root), "--store", str(learned), "--dry-run")
    assert expected.encode() in shown.stdout
    assert (root / "uniq.txt").read_text() == "z\na\n"


def test_the_colours_of_a_difference_play_no_tricks() -> None:
    shown = coloured("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-\x1b[2J\ta\n+b\n")
    assert shown.plain == "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-\\x1b[2J\ta\n+b"
    assert {str(span.style) for span in shown.spans} == {"bold", "cyan", "red", "green"}


def test_what_is_lost_is_named() -> None:
    change = [
        {"path": "a", "change": "deleted"},
        {"path": "b", "change": "modified"},
        {"path": "c", "change": "deleted"},
    ]
    shown = {"plan": [], "changes": change, "loses": ["b", "c"]}
    text = "\n".join(str(cell) for cell in proposal(shown).columns[1]._cells)
    assert "deletes c" in text and "overwrites b" in text and "deletes a" not in text
