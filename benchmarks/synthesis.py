"""Programs from examples: tools and short problems of our own, public problems, the guide left out, and the speed.

python benchmarks/synthesis.py [--json] [--data DIR] [--seconds 10] [--seeds 5] [--workers 2] [--set tools ...]

A program is *solved* when it is right on all that was held back and the search knew of nothing that speaks as well for
another; *unsure* when it did, and said so; *wrong* when it was sure and is not right.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

from synthesis_tools import ELEVEN, THIRTEEN

from dabhand.language import LINES, NUMBER, NUMBERS, TEXT, WORD, Enumeration, Env, Kind, Var, show
from dabhand.language.samples import TextFolder
from dabhand.toolmaking.examples import Example, env_of
from dabhand.toolmaking.guide import shipped_guide
from dabhand.toolmaking.search import Outcome, costs_for, solve, task_of, undisturbed, value_of
from dabhand.toolmaking.search_blocks import OUTER
from dabhand.toolmaking.search_task import Task, constants_of, number_constants

PUBLISHED = {
    "sygus": "CrossBeam 66.6 of 89 (50,000 values), plain bottom-up enumeration 54 of 89 (30 s)",
    "handwritten": "LambdaBeam 67.2 of 100 (600 s, restarts), 47.6 without restarts, enumeration 50",
}
SETS = ("tools", "short", "sygus", "sygus held back", "handwritten")
HELD = 40
LINE_PROBLEMS = ("most common word", "longest line", "keep even numbers", "title case")
TRIED = 150_000


class Problem:
    """A task, and further examples that judge what is found."""

    def __init__(self, group: str, name: str, task: Task, held: Sequence[tuple[Env, Any]]) -> None:
        self.group, self.name, self.task, self.held = group, name, task, tuple(held)


def own(seed: int) -> list[Problem]:
    """Our own problems, three examples each, drawn anew for every seed."""
    made = []
    for group, problems in (("tools", ELEVEN), ("short", THIRTEEN)):
        for name, (make, right) in problems.items():
            rng = Random(f"{seed} {name}")
            examples = [Example(text, right(text)) for text in (make(rng) for _ in range(3))]
            held = [(env_of(text), right(text)) for text in (make(rng) for _ in range(HELD))]
            made.append(Problem(group, f"{name} ({seed})", task_of(examples), held))
    return made


def sygus(folder: Path) -> list[Problem]:
    """The 89 string problems. In them nothing is held back, so a program only shows consistency; where there are four
    examples or more, a second task holds the last third of them back."""
    made = []
    for one in json.loads((folder / "sygus_89.json").read_text("utf-8")):
        rows = [(row["inputs"], row["output"]) for row in one["trainExamples"]]
        made.append(Problem("sygus", one["name"], _words(rows), []))
        if len(rows) > 3:
            keep = len(rows) - max(len(rows) // 3, 1)
            names = _words(rows).inputs
            held = [
                (_env(dict(zip([v.name for v in names], given, strict=True))), right) for given, right in rows[keep:]
            ]
            made.append(Problem("sygus held back", one["name"], _words(rows[:keep]), held))
    return made


def _words(rows: Sequence[tuple[list[str], str]]) -> Task:
    inputs = tuple([Var(f"x{place}", WORD) for place in range(len(rows[0][0]))])
    envs = tuple([_env(dict(zip([each.name for each in inputs], given, strict=True))) for given, _ in rows])
    wanted = tuple([right for _, right in rows])
    return Task(inputs, envs, wanted, WORD, constants_of([given for given, _ in rows], wanted))


def handwritten(folder: Path) -> list[Problem]:
    """The 100 problems over numbers and lists of numbers, each with three cases held back."""
    held = {one["name"]: one for one in json.loads((folder / "handwritten_held_out_cases.json").read_text("utf-8"))}
    made = []
    for one in json.loads((folder / "handwritten_tasks.json").read_text("utf-8")):
        names = list(one["inputs"])
        envs = _envs(one["inputs"], names)
        inputs = tuple([Var(name, _kind(envs[0].slots[name])) for name in names])
        wanted = tuple(map(_value, one["outputs"]))
        task = Task(inputs, tuple(envs), wanted, _kind(wanted[0]), number_constants(envs, wanted))
        more = held[one["name"]]
        cases = zip(_envs(more["held_out_inputs_dict"], names), map(_value, more["held_out_outputs"]), strict=True)
        made.append(Problem("handwritten", one["name"], task, list(cases)))
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
    """What came of a problem: "solved", "unsure, right", "unsure, not right", "wrong" or "unsolved"."""
    if outcome.term is None:
        return "unsolved"
    right = all(value_of(outcome.term, env) == value for env, value in problem.held)
    if not outcome.is_sure:
        return "unsure, right" if right else "unsure, not right"
    return "solved" if right else "wrong"


def measured(problem: Problem, seconds: float) -> dict[str, Any]:
    """A problem searched for with the guide, and without it."""
    guided = solve(problem.task, seconds=seconds, guide=shipped_guide())
    plain = solve(problem.task, seconds=seconds)
    return {
        "set": problem.group,
        "name": problem.name,
        "verdict": verdict(problem, guided),
        "term": None if guided.term is None else show(guided.term),
        "others": [show(term) for term in guided.others],
        "tried": guided.tried,
        "seconds": round(guided.seconds, 2),
        "without_guide": {
            "verdict": verdict(problem, plain),
            "tried": plain.tried,
            "seconds": round(plain.seconds, 2),
        },
    }


def speed() -> dict[str, Any]:
    """Terms per second of processor time on line problems: looked at, and of a behaviour of their own."""
    tried = kept = 0
    spent = 0.0
    for problem in own(1):
        if any(problem.name.startswith(name) for name in LINE_PROBLEMS):
            kinds = (TEXT, LINES, WORD, NUMBER, NUMBERS)
            enumeration = Enumeration(
                problem.task.inputs, problem.task.envs, kinds, OUTER,
                priced=problem.task.constants, costs=costs_for(problem.task, None),
            )  # fmt: skip
            began = time.process_time()
            with undisturbed():
                for _ in enumeration.run(40):
                    if enumeration.tried > TRIED:
                        break
            spent += time.process_time() - began
            tried += enumeration.tried
            kept += enumeration.kept
    return {"terms_per_second": round(tried / spent), "behaviours_per_second": round(kept / spent)}


def summary(rows: list[dict[str, Any]], speeds: dict[str, Any], seconds: float) -> dict[str, Any]:
    """Counts per set, the ablation, and what is wrong by name."""
    lines = [f"programs from examples, at most {seconds:g} s each, with the guide (and without)"]
    counts: dict[str, dict[str, int]] = {}
    for name in SETS:
        mine = [row for row in rows if row["set"] == name]
        if mine:
            counter = Counter(row["verdict"] for row in mine)
            plain = Counter(row["without_guide"]["verdict"] for row in mine)
            counts[name] = dict(counter)
            told = ", ".join(f"{count} {kind}" for kind, count in sorted(counter.items()))
            lines.append(
                f"  {name}, of {len(mine)}: {told}  (without: {plain['solved']} solved, {plain['wrong']} wrong)"
            )
            if name in PUBLISHED:
                lines.append(f"    published: {PUBLISHED[name]}")
    both = [row for row in rows if _found(row["verdict"]) and _found(row["without_guide"]["verdict"])]
    fewer = statistics.median(row["without_guide"]["tried"] / max(row["tried"], 1) for row in both) if both else None
    found = [sum(_found(row["verdict"]) for row in rows), sum(_found(row["without_guide"]["verdict"]) for row in rows)]
    if fewer is not None:
        lines.append(
            f"  guide: {fewer:.1f} times fewer terms (median of {len(both)}), found {found[0]}, without {found[1]}"
        )
    lines.append(f"  terms per second and core on line problems: {speeds}")
    lines += [f"  wrong: {row['name']}: {row['term']}" for row in rows if row["verdict"] == "wrong"]
    own_rows = [row for row in rows if row["set"] in ("tools", "short")]
    ratios: dict[str, float | None] = {
        "own_wrong": sum(row["verdict"] == "wrong" for row in own_rows),
        "own_found": sum(_found(row["verdict"]) for row in own_rows) / max(len(own_rows), 1),
        "guide_fewer": fewer,
        "guide_found": found[0] - found[1],
        "terms_per_second": speeds["terms_per_second"],
    }
    return {"counts": counts, "rows": rows, "speed": speeds, "ratios": ratios, "shown": "\n".join(lines)}


def _found(kind: str) -> bool:
    return kind in ("solved", "unsure, right")


def main(arguments: list[str] | None = None) -> int:
    """Measure and print; exit code 0."""
    parser = argparse.ArgumentParser(description="Programs from examples.")
    parser.add_argument("--data", type=Path, help="the folder of public problems (none: ours alone)")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--seeds", type=int, default=3, help="how often our own problems are drawn")
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--set", nargs="+", choices=SETS, default=SETS)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    problems = [problem for seed in range(1, options.seeds + 1) for problem in own(seed)]
    if options.data is not None:
        problems += [*sygus(options.data), *handwritten(options.data)]
    problems = [one for one in problems if one.group in options.set]
    with ProcessPoolExecutor(options.workers) as pool:
        rows = list(pool.map(measured, problems, [options.seconds] * len(problems)))
    found = summary(rows, speed(), options.seconds)
    print(json.dumps(found) if options.json else found["shown"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
