"""Several `dabhand do` on one folder, and one that is killed: none is half applied, and the next one puts it right."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from dabhand.interfaces.cli.root import run
from tests.interfaces.command_line import DABHAND, dabhand, document
from tests.workspace.tasks import at_calls

TEMPLATES = ("sort {A} > {B}", "cat {A} > {B}", "rm {A}")


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("learned")
    chosen = [part for template in TEMPLATES for part in ("--template", template)]
    done = dabhand("learn", *chosen, "--experiments", "250", "--seed", "1", "--store", str(store), "--json")
    assert done.returncode == 0, done.stderr.decode()
    return store


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "piano.txt").write_text("b\na\n")
    (tmp_path / "old.txt").write_text("old\n")
    return tmp_path


def arguments(request: str, root: Path, store: Path) -> list[str]:
    return ["do", request, "--root", str(root), "--store", str(store), "--yes", "--json"]


def test_each_waits_or_is_refused(learned: Path, root: Path) -> None:
    wanted = {f"out{number}.txt": f"Write the lines of piano.txt sorted into out{number}.txt." for number in range(3)}
    running = {
        name: subprocess.Popen([*DABHAND, *arguments(request, root, learned)], stdout=subprocess.PIPE)
        for name, request in wanted.items()
    }
    for name, process in running.items():
        out, _ = process.communicate(timeout=60)
        if process.returncode == 0:
            assert (root / name).read_text() == "a\nb\n"
        else:
            assert process.returncode == 1 and b"Another dabhand is working in" in out
            assert not (root / name).exists()
    assert any(process.returncode == 0 for process in running.values())


def test_one_that_was_killed_is_put_right_by_the_next(learned: Path, root: Path) -> None:
    child = os.fork()
    if child == 0:
        try:
            at_calls(lambda number, name: os.kill(os.getpid(), signal.SIGKILL) if name == "exchange" else None)
            run(arguments("Delete old.txt.", root, learned))
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    done = dabhand(*arguments("Write the lines of piano.txt sorted into out.txt.", root, learned))
    assert document(done)["status"] == "done"
    assert b"was cut short; what it had changed was taken back" in done.stderr
    assert {path.name for path in root.iterdir()} == {"piano.txt", "old.txt", "out.txt"}
    runs = document(dabhand("history", "--root", str(root), "--store", str(learned), "--json"))["runs"]
    assert [(run["request"], run["state"]) for run in runs[-2:]] == [
        ("Delete old.txt.", "taken back"),
        ("Write the lines of piano.txt sorted into out.txt.", "done"),
    ]
