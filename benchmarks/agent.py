"""dabhand as the benchmarks see it: a program with a command line, and nothing else."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judge.scoring import ScoreError, parse_lines
from watching import Finished, Usage, WatchingError, watch

LEARN_TIMEOUT = 3600.0
PREDICT_TIMEOUT = 1800.0
SHOWN = 400  # characters of a complaint


class AgentError(RuntimeError):
    """dabhand did not do what it was asked, so there is nothing to measure."""


@dataclass(frozen=True)
class Learned:
    """The report of a practice run and what it cost."""

    report: dict[str, Any]
    usage: Usage


@dataclass(frozen=True)
class Predicted:
    """The answers to many questions and what they cost."""

    rows: list[dict[str, Any]]
    usage: Usage


def environment() -> dict[str, str]:
    """The environment of a user: nothing of ours changes how Python starts or where dabhand keeps things."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "DABHAND"))}


def installed() -> str:
    """The `dabhand` beside this Python, else the one on PATH.

    Raises:
        AgentError: there is none.
    """
    beside = Path(sys.executable).with_name("dabhand")
    found = str(beside) if beside.exists() else shutil.which("dabhand")
    if found is None:
        raise AgentError("There is no dabhand beside this Python nor on PATH: run `make bench`, or name one: --dabhand")
    return found


class Dabhand:
    """One installed dabhand.

    Args:
        program: the path of its script.
    """

    def __init__(self, program: str) -> None:
        self.program = program

    def learn(
        self,
        store: Path,
        seed: int,
        experiments: int | None = None,
        *,
        until_understood: bool = False,
        templates: Sequence[str] = (),
        workers: int | None = None,
    ) -> Learned:
        """Practise.

        Raises:
            AgentError: the run failed, or its report is not what the contract says.
        """
        arguments = ["learn", "--seed", str(seed), "--store", str(store), "--json"]
        arguments += [] if experiments is None else ["--experiments", str(experiments)]
        arguments += ["--until-understood"] if until_understood else []
        arguments += [] if workers is None else ["--workers", str(workers)]
        for template in templates:
            arguments += ["--template", template]
        finished = self._run(arguments, LEARN_TIMEOUT)
        if finished.exit_code:
            raise AgentError(self._complaint("learn", finished))
        try:
            report = json.loads(finished.stdout)
        except ValueError as error:
            raise AgentError(f"dabhand learn --json did not print one JSON document: {error}") from error
        if missing := {"experiments", "seconds", "understood", "commands"} - set(report):
            raise AgentError(f"the report of dabhand learn lacks {', '.join(sorted(missing))}")
        return Learned(report, finished.usage)

    def predict(self, store: Path, questions: str) -> Predicted:
        """Ask the world model; a question that it refused has a row with an "error".

        Raises:
            AgentError: it did not run to its end, or printed what is not JSON Lines.
        """
        finished = self._run(["predict", "--store", str(store)], PREDICT_TIMEOUT, questions.encode())
        # 2 is "some lines were bad": their rows say so, and the judge counts them as not predicted.
        if finished.exit_code not in (0, 2) or not finished.stdout:
            raise AgentError(self._complaint("predict", finished))
        try:
            rows = parse_lines(finished.stdout.decode(errors="replace"), "dabhand predict")
        except ScoreError as error:
            raise AgentError(str(error)) from error
        return Predicted(rows, finished.usage)

    def _run(self, arguments: list[str], timeout: float, stdin: bytes = b"") -> Finished:
        try:
            return watch([self.program, *arguments], stdin=stdin, env=environment(), timeout=timeout)
        except WatchingError as error:
            raise AgentError(f"dabhand {arguments[0]}: {error}") from error

    @staticmethod
    def _complaint(what: str, finished: Finished) -> str:
        said = (finished.stdout + finished.stderr).decode(errors="replace").strip()
        return f"dabhand {what} ended with {finished.exit_code}: {said[-SHOWN:]}"
