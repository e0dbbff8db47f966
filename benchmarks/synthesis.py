"""Programs from examples, on public problems and our own: solved, wrong on what was held back, unsure, unsolved.

python benchmarks/synthesis.py [--data DIR] [--seconds 10] [--guide both|on|off] [--json]
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from dabhand.language import LINES, NUMBER, NUMBERS, WORD, Env, Kind, Term, Var, show
from dabhand.language.samples import TextFolder
from dabhand.toolmaking.search import Outcome, solve, value_of
from dabhand.toolmaking.search_task import Task, constants_of, number_constants

PUBLISHED = {
    "sygus": "CrossBeam 66.6 of 89 (50,000 values), plain bottom-up enumeration 54 of 89 (30 s)",
    "handwritten": "LambdaBeam 67.2 of 100 (600 s, restarts), 47.6 without restarts, enumeration 50",
}
NAMES = ("sygus_89.json", "handwritten_tasks.json", "handwritten_held_out_cases.json")


class Problem:
    """A task, and further examples that judge what is found.

    Attributes:
        held: pairs of an example and the value that is right on it.
    """

    def __init__(self, name: str, task: Task, held: Sequence[tuple[Env, Any]]) -> None:
        self.name, self.task, self.held = name, task, tuple(held)


def sygus(folder: Path) -> list[Problem]:
    """The 89 string problems; nothing is held back in them, so a program only shows consistency."""
    made = []
    for one in json.loads((folder / NAMES[0]).read_text("utf-8")):
        rows = one["trainExamples"]
        inputs = tuple([Var(f"x{place}", WORD) for place in range(len(rows[0]["inputs"]))])
        envs = tuple([_env(dict(zip([each.name for each in inputs], row["inputs"], strict=True))) for row in rows])
        wanted = tuple([row["output"] for row in rows])
        constants = constants_of([row["inputs"] for row in rows], wanted)
        made.append(Problem(one["name"], Task(inputs, envs, wanted, WORD, constants), []))
    return made


def handwritten(folder: Path) -> list[Problem]:
    """The 100 problems over numbers and lists of numbers, each with three cases held back."""
    held = {one["name"]: one for one in json.loads((folder / NAMES[2]).read_text("utf-8"))}
    made = []
    for one in json.loads((folder / NAMES[1]).read_text("utf-8")):
        names = list(one["inputs"])
        envs = _envs(one["inputs"], names)
        inputs = tuple([Var(name, _kind(envs[0].slots[name])) for name in names])
        wanted = tuple(map(_value, one["outputs"]))
        task = Task(inputs, tuple(envs), wanted, _kind(wanted[0]), number_constants(envs, wanted))
        more = held[one["name"]]
        cases = zip(_envs(more["held_out_inputs_dict"], names), map(_value, more["held_out_outputs"]), strict=True)
        made.append(Problem(one["name"], task, list(cases)))
    return made


def _envs(columns: dict[str, list[Any]], names: Sequence[str]) -> list[Env]:
    return [_env({name: _value(columns[name][place]) for name in names}) for place in range(len(columns[names[0]]))]


def _env(slots: dict[str, Any]) -> Env:
    return Env(slots, TextFolder({}))


def _value(data: Any) -> Any:
    return tuple(data) if isinstance(data, list) else data


def _kind(value: Any) -> Kind:
    if isinstance(value, tuple):
        return LINES if value and isinstance(value[0], str) else NUMBERS
    return WORD if isinstance(value, str) else NUMBER


def verdict(problem: Problem, outcome: Outcome) -> str:
    """What came of a problem: solved, unsure (a rival is named, or the program is weak), wrong, or unsolved."""
    if outcome.term is None:
        return "unsolved"
    right = all(value_of(outcome.term, env) == value for env, value in problem.held)
    if outcome.others or outcome.weak:
        return "unsure, right" if right else "unsure, not right"
    return "solved" if right else "wrong"


def measure(
    problems: Sequence[Problem], seconds: float, guide: Any, say: Callable[[str], None]
) -> list[dict[str, Any]]:
    """Every problem searched for; one row each."""
    rows = []
    for problem in problems:
        outcome = solve(problem.task, seconds=seconds, guide=guide)
        row = {
            "name": problem.name,
            "verdict": verdict(problem, outcome),
            "term": _shown(outcome.term),
            "others": [_shown(term) for term in outcome.others],
            "foretold": [sum(outcome.foretold), len(outcome.foretold)],
            "tried": outcome.tried,
            "seconds": round(outcome.seconds, 2),
        }
        rows.append(row)
        say(f"{row['verdict']:18} {row['tried']:8} {row['seconds']:6.2f}s {problem.name}: {row['term']}")
    return rows


def _shown(term: Term | None) -> str | None:
    return None if term is None else show(term)


def main(arguments: list[str] | None = None) -> int:
    """Measure and print; exit code 0."""
    parser = argparse.ArgumentParser(description="Programs from examples.")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--set", default="sygus,handwritten")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    for name, load in (("sygus", sygus), ("handwritten", handwritten)):
        if name in options.set:
            problems = [one for one in load(options.data) if options.only in one.name]
            rows = measure(problems, options.seconds, None, print)
            kinds = sorted({row["verdict"] for row in rows})
            print(name, {kind: sum(row["verdict"] == kind for row in rows) for kind in kinds})
            print("published:", PUBLISHED[name], "median tried", statistics.median(row["tried"] for row in rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
