"""Draw experiments, carry each out three times, keep what came out."""

from __future__ import annotations

import os
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from judge.contexts import tags_of
from judge.entries import Scene, bytes_to_json, scene_to_json
from judge.fillings import fill
from judge.quoting import render
from judge.running import Result, run
from judge.scenes import random_scene
from judge.templates import SUITES

FAST = "/dev/shm" if os.access("/dev/shm", os.W_OK | os.X_OK) else tempfile.gettempdir()
OTHER = tempfile.gettempdir()  # another kind of file system where the machine has one
WORKERS = 2
# What these do to a tree may depend on the order its names are read in (`cp -r a a/b/c` copies what it meets before b).
WALKERS = ("cp -r ", "rm -r ", "find ", "du ")
WALKER_SHUFFLES = 8


@dataclass(frozen=True)
class Drawn:
    """An experiment before it was carried out."""

    template: str
    scene: Scene
    slots: dict[str, str | int]
    tags: list[str]

    @property
    def line(self) -> str:
        return render(self.template, self.slots)


def draw(seed: int, count: int, suite: str) -> Iterator[Drawn]:
    """Draw experiments, the templates of a suite in turn and each round in another order."""
    rng = random.Random(f"heldout {suite} {seed}")
    templates: list[str] = []
    for _ in range(count):
        if not templates:
            templates = rng.sample(list(SUITES[suite]), len(SUITES[suite]))
        template = templates.pop()
        scene = random_scene(rng)
        slots, awkward = fill(rng, template, scene)
        yield Drawn(template, scene, slots, tags_of(scene, slots, awkward))


def generate(seed: int, count: int, suite: str) -> tuple[list[dict[str, Any]], Counter[str]]:
    """Draw and carry out experiments.

    Each runs twice in the same way, all of them once before any runs again so that a clock shows, and again on another
    file system with the entries made in another order (once, or often where a tree is walked). What differs between
    the first two is not repeatable; what differs after that depends on the machine.

    Returns:
        One JSON object per experiment, and how many were left out per template (only in the pack, where an outcome
        must be repeatable).
    """
    experiments = list(draw(seed, count, suite))
    with ThreadPoolExecutor(WORKERS) as pool:
        first = list(pool.map(lambda one: run(one.scene, one.line, FAST), experiments))
        second = list(pool.map(lambda one: run(one.scene, one.line, FAST), experiments))
        shuffled = list(pool.map(_run_shuffled, experiments))
    kept: list[dict[str, Any]] = []
    dropped: Counter[str] = Counter()
    for number, (one, result, again, others) in enumerate(zip(experiments, first, second, shuffled, strict=True), 1):
        record = {"id": number} | _to_json(one, result, again, others)
        if suite == "posix" and not (record["repeatable"] and record["portable"]):
            dropped[one.template] += 1
        else:
            kept.append(record)
    return kept, dropped


def _run_shuffled(drawn: Drawn) -> list[Result]:
    times = WALKER_SHUFFLES if drawn.template.startswith(WALKERS) else 1
    bases = (OTHER, FAST)
    return [run(drawn.scene, drawn.line, bases[time % 2], random.Random(time)) for time in range(times)]


def _to_json(drawn: Drawn, result: Result, again: Result, shuffled: list[Result]) -> dict[str, Any]:
    stdout = bytes_to_json(result.stdout)
    return {
        "command": drawn.template,
        "slots": drawn.slots,
        "state": scene_to_json(drawn.scene),
        "tags": drawn.tags,
        "line": drawn.line,
        "ok": result.ok,
        "after": scene_to_json(dict(result.after)),
        "stdout": stdout.get("text", stdout),
        "repeatable": again == result,
        "portable": all(other == result for other in shuffled),
    }
