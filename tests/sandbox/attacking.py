"""What attacks in the sandbox have in common."""

from __future__ import annotations

import time
from pathlib import Path

from dabhand.sandbox import Outcome, Worker
from dabhand.workspace import FOLDER, File, State

SCENE = State({"a": File(b"b\na\n"), "box": FOLDER, "box/in": File(b"x")})
SECRET = "dabhand-test-secret-5f1c"


def right_afterwards(worker: Worker) -> None:
    """Make sure that the next experiments are as if nothing had been."""
    for line in ("sort a > out", "{ sort a > out; }"):
        outcome = worker.run(SCENE, line)
        assert (outcome.exit_code, outcome.stdout, outcome.stderr, outcome.survivors) == (0, b"", b"", 0)
        assert outcome.state == SCENE.with_changes({"out": File(b"a\nb\n")})
    assert worker.run(SCENE, "ls -A . /tmp 2>&1; ls /dev/shm 2>&1 | grep planted").stdout.count(b"\n") < 8


def python(program: str) -> str:
    """A command line for a Python program; without one inside, the attack cannot even be made."""
    return f"/usr/bin/python3 -I -S -c '{program}'"


def gone(marker: str) -> bool:
    """No process anywhere has the marker among its arguments."""
    for _ in range(20):
        found = [entry for entry in Path("/proc").glob("[0-9]*/cmdline") if marker in _text(entry)]
        if not found:
            return True
        time.sleep(0.05)
    return False


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("latin-1")
    except OSError:
        return ""


def said(outcome: Outcome) -> str:
    return (outcome.stdout + outcome.stderr).decode("utf-8", "replace")
