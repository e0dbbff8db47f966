"""All exams with every seed, each seed from a fresh store that practises first: what is passed, and what is claimed.

python benchmarks/exams.py --seeds 1 2 3 4 5 --label before-links
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agent import AgentError, environment, installed
from results import RESULTS, LabelError, fresh_label, heading, keep, place_for
from showing import aligned
from watching import WatchingError, watch

SEEDS = (1, 2, 3, 4, 5)
SUITES = ("original", "harder", "coding")
TIMEOUT = 3600.0
SHOWN = 400  # characters of a complaint
FIGURES = ("score", "lm_calls", "self_check_agreement", "false_done", "understood", "commands", "seconds")

Seeds = dict[str, dict[str, Any]]


def measure(program: str, seeds: Sequence[int]) -> Seeds:
    """The results of all suites by seed; the first practises, as its store is fresh, and the others go on from it.

    Raises:
        AgentError: dabhand failed, or its result is not what the contract says.
    """
    found: Seeds = {}
    for seed in seeds:
        with tempfile.TemporaryDirectory(prefix="exams-") as store:
            found[str(seed)] = {suite: _sat(program, suite, seed, store) for suite in SUITES}
    return found


def _sat(program: str, suite: str, seed: int, store: str) -> dict[str, Any]:
    what = f"dabhand exam run {suite} --seed {seed}"
    arguments = [program, "exam", "run", suite, "--seed", str(seed), "--store", store, "--json"]
    try:
        finished = watch(arguments, env=environment(), timeout=TIMEOUT)
    except WatchingError as error:
        raise AgentError(f"{what}: {error}") from error
    if finished.exit_code:
        said = (finished.stdout + finished.stderr).decode(errors="replace").strip()
        raise AgentError(f"{what} ended with {finished.exit_code}: {said[-SHOWN:]}")
    try:
        result = json.loads(finished.stdout)
    except ValueError as error:
        raise AgentError(f"{what} --json did not print one JSON document: {error}") from error
    if not isinstance(result, dict):
        raise AgentError(f"{what} --json printed no JSON object")
    if missing := {*FIGURES, "tasks"} - set(result):
        raise AgentError(f"the result of {what} lacks {', '.join(sorted(missing))}")
    return result


def shown(found: Seeds) -> str:
    """A line per exam, and what went wrong."""
    rows = [[seed, suite, *_cells(result)] for seed, both in found.items() for suite, result in both.items()]
    head = ("seed", "exam", "score", "model calls", "agreement", "false done", "understood", "seconds")
    wrong = [line for both in found.values() for result in both.values() for line in _wrong(result)]
    return "\n".join([aligned(head, rows, left=2), *([""] if wrong else []), *wrong])


def _cells(result: dict[str, Any]) -> list[str]:
    passed, sat = result["score"]
    agreed, judged = result["self_check_agreement"]
    figures = [f"{passed}/{sat}", str(result["lm_calls"]), f"{agreed}/{judged}", str(result["false_done"])]
    return [*figures, f"{result['understood']}/{result['commands']}", f"{result['seconds']:.1f}"]


def _wrong(result: dict[str, Any]) -> list[str]:
    return [
        f"{'FALSE DONE' if task['false_done'] else task['status']} {task['id']}: {task['request']!r}"
        f" | {task['reason'] or '; '.join(task['faults'])}"
        for task in result["tasks"]
        if not task["passed"] or not task["agreed"]
    ]


def to_json(found: Seeds) -> dict[str, Any]:
    """What is kept: the figures, and the tasks that were not passed."""
    return {
        seed: {
            suite: {name: result[name] for name in FIGURES} | {"wrong": _wrong(result)}
            for suite, result in both.items()
        }
        for seed, both in found.items()
    }


def main(arguments: list[str] | None = None) -> int:
    """Measure, print and keep; the exit code is 0, 1 when dabhand failed, 2 for bad usage."""
    given = sys.argv[1:] if arguments is None else arguments
    parser = argparse.ArgumentParser(description="Sit all exams with every seed.")
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS)
    parser.add_argument("--dabhand", help="which program (default: the one beside this Python)")
    parser.add_argument("--label", help="what to keep the results as (default: the time)")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder of results")
    options = parser.parse_args(given)
    try:
        place = place_for(options.label or fresh_label("exams"), options.results)
    except LabelError as error:
        print(f"exams: {error}", file=sys.stderr)
        return 2
    try:
        found = measure(options.dabhand or installed(), options.seeds)
    except AgentError as error:
        print(f"exams: {error}", file=sys.stderr)
        return 1
    keep(place, heading("benchmarks/exams.py", given) | {"seeds": to_json(found)})
    print(f"{shown(found)}\n\nkept as {place.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
