"""How long planning takes, and what it finds, with fillings that the goal directs and without.

python benchmarks/planning.py [--json] [--store DIR] [--seed 1] [--count 96] [--undirected 24]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from agent import Dabhand, installed
from planning_goals import Wanted, wanted

from dabhand.errors import DabhandError
from dabhand.exams.suites import SUITES, draw
from dabhand.goals import understand
from dabhand.planning import Plan, Planner, Target
from dabhand.store import Store
from dabhand.workspace import State
from dabhand.world import World
from dabhand.world.reading import StateView


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    world = _practised(options.store, options.seed)
    asked: dict[str, int] = {}
    goals = [*wanted(options.seed, options.count), *_of_exams(options.seed, asked)]
    found = measured(world, goals, options.undirected) | {"exam_tasks": asked}
    print(json.dumps(found | {"shown": shown(found)}, indent=1) if options.json else shown(found))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--store", type=Path, help="what was learned (default: practises first)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=96, help="of goals, besides those of the exams")
    parser.add_argument("--undirected", type=int, default=24, help="how many of them to plan for without direction too")
    return parser


def _practised(store: Path | None, seed: int) -> World:
    """What was learned, by what is in a store or by practising now."""
    with tempfile.TemporaryDirectory() as scratch:
        if store is None:
            store = Path(scratch)
            Dabhand(installed()).learn(store, seed, until_understood=True)
        with Store.open(store) as opened:
            return World.load(opened)


def _of_exams(seed: int, asked: dict[str, int]) -> Iterator[Wanted]:
    """The tasks of the exam suites, as far as their requests are understood by grammar alone."""
    for suite in SUITES:
        tasks = draw(suite, seed)
        asked[suite] = len(tasks)
        for task in tasks:
            folder = State.from_json(task.files)
            try:
                yield Wanted(f"exam {suite}", 1, Target(understand(task.request, StateView(folder)), folder))
            except DabhandError:
                continue  # how much of English is understood is measured elsewhere


def measured(world: World, goals: list[Wanted], undirected: int) -> dict[str, Any]:
    """Times in milliseconds and counts; the comparison is made on every so many goals."""
    templates = [model.template for model in world.models.values()]
    directed: list[float] = []
    imagined: list[int] = []
    kinds: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    accidental = 0
    compared: list[tuple[float, float]] = []
    also_found = 0
    every = max(1, len(goals) // max(1, undirected))
    for number, goal in enumerate(goals):
        plan, taken = _timed(Planner(world, templates), goal.target)
        directed.append(taken)
        imagined.append(plan.imagined)
        kinds[goal.kind] += 1
        lost[goal.kind] += not isinstance(plan, Plan)
        accidental += isinstance(plan, Plan) and not plan.general
        if undirected and number % every == 0:
            other, longer = _timed(Planner(world, templates, directed=False), goal.target)
            compared.append((taken, longer))
            also_found += isinstance(other, Plan)
    return {
        "goals": len(goals),
        "found": len(goals) - lost.total(),
        "by_accident": accidental,
        "ratios": {
            "median_ms": _quantile(directed, 0.5),
            "p95_ms": _quantile(directed, 0.95),
            "undirected_to_directed": _quantile([longer / taken for taken, longer in compared], 0.5),
        },
        "max_ms": max(directed),
        "median_imagined": _quantile(imagined, 0.5),
        "undirected": {
            "goals": len(compared),
            "found": also_found,
            "median_ms": _quantile([longer for _, longer in compared], 0.5),
        },
        "kinds": {kind: {"goals": count, "not_found": lost[kind]} for kind, count in kinds.items()},
    }


def _timed(planner: Planner, target: Target) -> tuple[Any, float]:
    began = time.perf_counter()
    plan = planner.plan(target)
    return plan, (time.perf_counter() - began) * 1000


def _quantile(values: Iterable[float], share: float) -> float:
    ordered = sorted(values)
    return float(ordered[min(len(ordered) - 1, int(len(ordered) * share))]) if ordered else 0.0


def shown(found: dict[str, Any]) -> str:
    """The result for people."""
    other, ratios = found["undirected"], found["ratios"]
    lines = [
        f"planning: {found['found']} of {found['goals']} goals, {found['by_accident']} only by what the files hold",
        f"  milliseconds: median {ratios['median_ms']:.1f}, 95th percentile {ratios['p95_ms']:.1f}, "
        f"most {found['max_ms']:.0f}",
        f"  median of outcomes imagined: {found['median_imagined']:.0f}",
        f"  without direction: {other['found']} of {other['goals']}, {ratios['undirected_to_directed']:.0f} x as long",
    ]
    lines += [f"  not found: {one['not_found']} of {one['goals']} {kind}"
              for kind, one in found["kinds"].items() if one["not_found"]]  # fmt: skip
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
