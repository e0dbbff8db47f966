"""Who chooses lines of outputs, and whether they are the wanted ones."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from dabhand.errors import DabhandError
from dabhand.handoff.evidence import select
from dabhand.handoff.evidence.model import LineModel, chosen_by
from dabhand.measuring.cases import Case

Chooser = Callable[[Case], Sequence[int]]


class Chosen(msgspec.Struct, frozen=True):
    """One case.

    Attributes:
        verdict: exact, partly, wrong, or why there is none.
        found: wanted lines that were chosen.
        wanted: how many were wanted.
        chosen: how many were chosen.
    """

    id: str
    verdict: str
    found: int
    wanted: int
    chosen: int
    milliseconds: float


def by_rules(case: Case) -> Sequence[int]:
    """The rules."""
    return select(list(case.lines), case.request, failed=None).lines


def by_oracle(case: Case) -> Sequence[int]:
    """What is wanted: a floor for latency, never called accuracy."""
    return tuple(case.answer or ())


def by_model(model: LineModel) -> Chooser:
    """A model alone."""
    return lambda case: chosen_by(model, case.request, case.lines).lines


def measured(cases: Sequence[Case], choosers: Mapping[str, Chooser]) -> Iterator[tuple[str, Chosen]]:
    """Every case by everybody, who take turns in going first."""
    names = list(choosers)
    for place, case in enumerate(cases):
        for name in names[place % len(names) :] + names[: place % len(names)]:
            yield name, _measure(case, choosers[name])


def _measure(case: Case, chooser: Chooser) -> Chosen:
    wanted = set(case.answer or ())
    started = time.perf_counter()
    try:
        found = set(chooser(case))
        verdict = "exact" if found == wanted else "partly" if found & wanted else "wrong"
    except DabhandError as error:
        found, verdict = set(), f"failed: {error.message}"
    took = round((time.perf_counter() - started) * 1000, 2)
    return Chosen(case.id, verdict, len(found & wanted), len(wanted), len(found), took)


def summary(found: Sequence[Chosen]) -> dict[str, Any]:
    """Counts, recall and precision over all lines, and times."""
    times = sorted(one.milliseconds for one in found)
    wanted, chosen = sum(one.wanted for one in found), sum(one.chosen for one in found)
    right = sum(one.found for one in found)
    nothing = [one for one in found if not one.wanted]
    return {
        "cases": len(found),
        "exact": sum(one.verdict == "exact" for one in found),
        "failed": sum(one.verdict.startswith("failed") for one in found),
        "recall": [right, wanted],
        "precision": [right, chosen],
        "nothing_as_nothing": [sum(not one.chosen for one in nothing), len(nothing)],
        "median_ms": times[len(times) // 2] if times else 0.0,
    }
