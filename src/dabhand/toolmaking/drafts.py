"""Code that is being written: which step wrote which line, and what happens when it runs in the sandbox."""

from __future__ import annotations

import difflib
import re
import shlex

import msgspec

from dabhand.sandbox import Limits, Outcome, Worker
from dabhand.sandbox.tier import python_for_worker
from dabhand.workspace import File, State, encode_text

LIMITS = Limits(seconds=3.0, cpu_seconds=3, memory_bytes=512 << 20)
MOST_SAID = 1_500
"""Characters of an error that are given back."""

_LINE = re.compile(r'File "<tool>", line (\d+)')

_DRIVER = """
import sys, traceback
try:
    scope = {"__name__": "tool"}
    with open("code", encoding="utf-8") as file:
        exec(compile(file.read(), "<tool>", "exec"), scope)
    with open("in", "rb") as file:
        given = file.read().decode("utf-8", "surrogateescape")
    make = scope.get("make")
    if not callable(make):
        sys.exit("there is no function make(text)")
    made = make(given)
    if not isinstance(made, str):
        sys.exit(f"make(text) must return a str and returned {type(made).__name__}")
    with open("out", "wb") as file:
        file.write(made.encode("utf-8", "surrogateescape"))
except Exception:
    traceback.print_exc()
    sys.exit(1)
"""


class Draft(msgspec.Struct, frozen=True):
    """Code, and the step (from 1) that wrote each of its lines."""

    code: str = ""
    owners: tuple[int, ...] = ()

    def rewritten(self, code: str, step: int) -> Draft:
        """The draft after a step: lines that stayed keep their owner."""
        old, new = self.code.split("\n"), code.split("\n")
        owners = [step] * len(new)
        for block in difflib.SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
            owners[block.b : block.b + block.size] = self.owners[block.a : block.a + block.size]
        return Draft(code, tuple(owners))

    def at_fault(self, error: str) -> int | None:
        """The step that wrote the line which an error's traceback ends in."""
        lines = [int(found) for found in _LINE.findall(error)]
        inside = [line for line in lines if 1 <= line <= len(self.owners)]
        return self.owners[inside[-1] - 1] if inside else None


class Ran(msgspec.Struct, frozen=True):
    """What became of one text.

    Attributes:
        made: the result; None where there is none.
        error: why, as the writer is told.
    """

    made: str | None
    error: str = ""


def run_code(code: str, text: str, worker: Worker) -> Ran:
    """Run `make` of some code on a text, in the sandbox, and see that it does nothing else."""
    before = State({"code": File(code.encode("utf-8", "replace")), "in": File(encode_text(text))})
    interpreter, _ = python_for_worker()
    outcome = worker.run(before, shlex.join((interpreter, "-I", "-c", _DRIVER)), LIMITS)
    error = _error(outcome)
    made = outcome.state.get("out")
    if error:
        return Ran(None, error[-MOST_SAID:])
    if not isinstance(made, File):
        return Ran(None, "it ended without a result")
    if outcome.state != before.with_changes({"out": made}) or outcome.oddities:
        return Ran(None, "it changed other files; make(text) may only return the result")
    if outcome.survivors:
        return Ran(None, "it left a process behind")
    return Ran(made.text)


def _error(outcome: Outcome) -> str:
    if outcome.timed_out:
        return f"it did not end within {LIMITS.seconds:g} seconds"
    if outcome.signal is not None:
        return f"it was ended by signal {outcome.signal} (too much memory or time?)"
    if outcome.exit_code != 0:
        return outcome.stderr.decode("utf-8", "replace").strip() or f"it ended with exit status {outcome.exit_code}"
    return ""
