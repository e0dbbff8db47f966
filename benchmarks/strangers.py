"""Tools from three examples as strangers write them, judged on texts that were held back, awkward ones among them.

python benchmarks/strangers.py [--json] [--draws 1 2 3] [--seconds 5] [--workers 2] [--only WORD ...]

A tool is *right* or *wrong* where it would be made; where it would not be, because *several fit*, it is counted too
whether what is right is among those that are told. The references are plain Python (strangers_tasks.py).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import Any

from strangers_inputs import AWKWARD
from strangers_tasks import TASKS, Right

from dabhand.language import Term, show
from dabhand.toolmaking.examples import Example
from dabhand.toolmaking.search import result_of, search

HELD = 15
EXAMPLES = 3
TURNS = 200
"""How often examples are drawn anew until they show something."""


def drawn(name: str, draw: int) -> tuple[list[Example], list[Example]]:
    """Three examples that show what is meant, and what is held back."""
    make, right = TASKS[name]
    rng = Random(f"{draw} {name}")
    turns = [[Example(text, right(text)) for text in (make(rng) for _ in range(EXAMPLES))] for _ in range(TURNS)]
    others = [its for other, (_, its) in TASKS.items() if other != name]
    siblings = [its for other, (its_make, its) in TASKS.items() if other != name and its_make is make]
    shown = next((one for those in (others, siblings) for one in turns if _shows(one, those)), turns[0])
    texts = [*(make(rng) for _ in range(HELD)), *AWKWARD.get(make, ())]
    return shown, [Example(text, right(text)) for text in texts]


def _shows(shown: list[Example], others: list[Right]) -> bool:
    """Whether examples are such as people choose: all different, and not those of another task as well."""
    changed = sum(one.input != one.output for one in shown)
    if changed < 2 or len({one.output for one in shown}) < EXAMPLES or len({one.input for one in shown}) < EXAMPLES:
        return False
    return not any(_fits(right, shown) for right in others)


def _fits(right: Right, shown: list[Example]) -> bool:
    try:
        return all(right(one.input) == one.output for one in shown)
    except (ValueError, LookupError, TypeError, ArithmeticError):
        return False


def measured(name: str, draw: int, seconds: float) -> dict[str, Any]:
    """What comes of one task and draw."""
    shown, held = drawn(name, draw)
    began = time.process_time()
    found = search(shown, seconds=seconds, clock=time.process_time)
    spent = time.process_time() - began
    terms = () if found.term is None else (found.term, *found.others)
    missed = [_missed(term, held) for term in terms]
    if found.term is None:
        verdict = "unsolved"
    elif found.is_sure:
        verdict = "wrong" if missed[0] else "right"
    else:
        verdict = "several fit, right among them" if not all(missed) else "several fit, right not told"
    return {
        "name": name,
        "draw": draw,
        "verdict": verdict,
        "seconds": round(spent, 2),
        "tried": found.tried,
        "terms": [show(term) for term in terms],
        "missed": [len(one) for one in missed],
        "first_missed": missed[0][0] if terms and missed[0] else None,
        "telling": found.telling,
        "held_back": found.held_back,
        "length": found.length,
    }


def _missed(term: Term, held: list[Example]) -> list[tuple[str, str, str | None]]:
    made = [(one.input, one.output, result_of(term, one.input)) for one in held]
    return [one for one in made if one[1] != one[2]]


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Counts, and each tool that is wrong."""
    counts = Counter(row["verdict"] for row in rows)
    lines = [f"tools from three examples of strangers: {len(rows)} sets of {len({row['name'] for row in rows})} tasks"]
    lines += [f"  {verdict}: {count}" for verdict, count in sorted(counts.items())]
    for row in rows:
        if row["verdict"] == "wrong":
            lines.append(f"  wrong: {row['name']} ({row['draw']}): {row['terms'][0]} {row['first_missed']}")
    size = max(len(rows), 1)
    ratios = {"strangers_wrong": counts["wrong"] / size, "strangers_right": counts["right"] / size}
    return {"counts": dict(counts), "rows": rows, "ratios": ratios, "shown": "\n".join(lines)}


def main(arguments: list[str] | None = None) -> int:
    """Measure and print; exit code 0."""
    parser = argparse.ArgumentParser(description="Tools from the examples of strangers.")
    parser.add_argument("--draws", type=int, nargs="+", default=(1, 2, 3))
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--only", nargs="+", default=[""], help="tasks with one of these words in their names")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    names = [name for name in TASKS if any(word in name for word in options.only)]
    jobs = [(name, draw) for draw in options.draws for name in names]
    with ProcessPoolExecutor(options.workers) as pool:
        waiting = [pool.submit(measured, name, draw, options.seconds) for name, draw in jobs]
        rows = [one.result() for one in waiting]
    found = summary(rows)
    print(json.dumps(found, ensure_ascii=False) if options.json else found["shown"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
