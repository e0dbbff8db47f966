"""The weights by which lines are ranked as evidence, fitted on wishes with known answers.

python benchmarks/evidence_weights.py WISHES.jsonl... > src/dabhand/handoff/evidence/weights.toml

Each file's rows are as in `evidence.py`; logs are named from its folder. Of each wish, every wanted line is held
against all unwanted ones (softmax); lines that may come count neither way. Needs numpy.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from dabhand.handoff.evidence.choosing import chosen
from dabhand.handoff.evidence.gathering import gathered
from dabhand.handoff.evidence.kinds import Reading
from dabhand.handoff.evidence.parsing import parse
from dabhand.handoff.evidence.signals import signals

STEPS, RATE, PRIOR = 150, 0.08, 0.3
HARD, OTHERS, MOST = 200, 100, 60
"""Unwanted lines per wish with the most signals, others by chance, and wanted lines."""


def main(files: list[str]) -> int:
    cases = [case for name in files for case in _cases(Path(name))]
    names = sorted({name for has, _ in cases for one in has for name in one})
    worth = fitted([(_matrix(has, names), wanted) for has, wanted in cases], len(names))
    print("[weights]")
    for name, value in zip(names, worth, strict=True):
        if abs(value) >= 0.005:
            print(f"{name} = {value:.2f}")
    return 0


def _cases(rows: Path) -> list[tuple[list[dict[str, float]], Any]]:
    cases = []
    for row in map(json.loads, rows.read_text("utf-8").splitlines()):
        lines = (rows.parent / row["log"]).read_bytes().removesuffix(b"\n").split(b"\n")
        understood = parse(row["wish"])
        log, _ = gathered(lines, understood)
        reading = Reading(log)
        found = signals(reading, understood, row["wish"], chosen(reading, understood)[0])
        must, may = set(row["must"]), set(row["may"])
        places = [place for place in sorted(found) if log.numbers[place] not in may - must]
        wanted = np.array([log.numbers[place] in must for place in places], dtype=bool)
        if wanted.any() and not wanted.all():
            cases.append(([found[place] for place in places], wanted))
    return cases


def _matrix(has: list[dict[str, float]], names: list[str]) -> Any:
    return np.array([[one.get(name, 0.0) for name in names] for one in has])


def fitted(cases: list[tuple[Any, Any]], width: int) -> Any:
    """Weights that put wanted lines before unwanted ones (Adam, with a prior for small weights)."""
    chance = np.random.RandomState(1)
    sampled = [_sampled(matrix, wanted, chance) for matrix, wanted in cases]
    worth, mean, square = np.zeros(width), np.zeros(width), np.zeros(width)
    for step in range(1, STEPS + 1):
        gradient = sum(_gradient(matrix, wanted, worth) for matrix, wanted in sampled) + PRIOR * worth
        gradient = gradient / len(sampled)
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        worth = worth - RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return worth


def _sampled(matrix: Any, wanted: Any, chance: Any) -> tuple[Any, Any]:
    good, bad = np.flatnonzero(wanted), np.flatnonzero(~wanted)
    if len(bad) > HARD + OTHERS:
        hard = bad[np.argsort(-matrix[bad].sum(1))[:HARD]]
        bad = np.union1d(hard, chance.choice(bad, OTHERS, replace=False))
    if len(good) > MOST:
        good = chance.choice(good, MOST, replace=False)
    kept = np.concatenate([good, bad])
    return matrix[kept], wanted[kept]


def _gradient(matrix: Any, wanted: Any, worth: Any) -> Any:
    scores = matrix @ worth
    odds = np.exp(scores - scores.max())
    total = odds[~wanted].sum()
    pull = np.zeros(len(scores))
    pull[wanted] = -total / (odds[wanted] + total)
    pull[~wanted] = odds[~wanted] * (1 / (odds[wanted] + total)).sum()
    return matrix.T @ pull / wanted.sum()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
