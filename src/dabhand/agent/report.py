"""What dabhand has become: how much it understands, how well it foretells, and what it has done."""

from __future__ import annotations

import itertools
import logging
from collections import Counter
from collections.abc import Iterator

import msgspec

from dabhand.agent.history import History
from dabhand.store import Store
from dabhand.world import World, status_of

RECENT = 200
"""Predictions over which the accuracy is taken (contracts.md: `accuracy_recent`)."""
POINTS = 60
"""Stretches of all experiments whose accuracy is told, at most."""
MAX_EXAMS = 1000
_log = logging.getLogger(__name__)


class Stretch(msgspec.Struct, frozen=True):
    """Some experiments in a row, up to number `until`, and the share that was foretold exactly."""

    until: int
    accuracy: float


class ExamEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One exam: its result without the tasks (contracts.md, `dabhand exam`), and when it was sat (seconds)."""

    suite: str
    seed: int
    score: tuple[int, int]
    lm_calls: int = 0
    self_check_agreement: tuple[int, int] | None = None
    false_done: int = 0
    time: float = 0.0


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What it has become.

    Attributes:
        commands: that were practised.
        understood: those of them that are.
        status_counts: how many commands have each status.
        experiments: made in all, on files of its own or in carrying out requests.
        accuracy_recent: share of the last 200 predictions that were exact, each made before learning from its outcome;
            None when nothing was predicted yet. Where nothing could be predicted, that counts as not exact.
        predictions: how many those are.
        surprises: predictions that were wrong, of all.
        history: the accuracy in stretches of all experiments, oldest first.
        goal_shapes: shapes of requests that are remembered.
        runs: requests by how they ended and where they stand now; those undone since are counted as undone.
        exams: that were sat, newest first.
        tools: commands that were grown.
    """

    commands: int
    understood: int
    status_counts: dict[str, int]
    experiments: int
    accuracy_recent: float | None
    predictions: int
    surprises: int
    history: tuple[Stretch, ...]
    goal_shapes: int
    runs: dict[str, int]
    exams: tuple[ExamEntry, ...]
    tools: int = 0


def report_of(store: Store, world: World) -> Report:
    """Draw it up from what is kept.

    Args:
        store: the experiments and runs.
        world: what was concluded from the experiments.
    """
    statuses = Counter[str](status_of(model)[0] for model in world.models.values())
    verdicts = verdicts_of(world)
    last = verdicts[-RECENT:]
    return Report(
        commands=len(world.models),
        understood=statuses["understood"],
        status_counts={**statuses},
        experiments=store.count_experiments(),
        accuracy_recent=last.count("y") / len(last) if last else None,
        predictions=len(last),
        surprises=verdicts.count("n"),
        history=stretches(verdicts),
        goal_shapes=store.count_goal_shapes(),
        runs=dict(Counter(run.state for run in History(store).runs() if run.undoes is None)),
        exams=tuple(_exams(store)),
    )


def verdicts_of(world: World) -> str:
    """How every prediction fared, in the order of the experiments, whichever command they were with."""
    pairs = [pair for model in world.models.values() for pair in zip(model.ids, model.verdicts, strict=True)]
    return "".join(verdict for _, verdict in sorted(pairs) if verdict != "-")


def stretches(verdicts: str, points: int = POINTS) -> tuple[Stretch, ...]:
    """The accuracy of equal stretches, as many as asked for or as there are predictions."""
    count = min(points, len(verdicts))
    bounds = [len(verdicts) * number // count for number in range(count + 1)] if count else []
    return tuple(
        Stretch(end, verdicts.count("y", start, end) / (end - start)) for start, end in itertools.pairwise(bounds)
    )


def _exams(store: Store) -> Iterator[ExamEntry]:
    """The exams whose results can be read."""
    for exam in store.exams(MAX_EXAMS):
        try:
            yield msgspec.structs.replace(msgspec.json.decode(exam.document, type=ExamEntry), time=exam.time)
        except msgspec.MsgspecError:
            _log.warning("Exam %d in the store is left out: its result cannot be read.", exam.id)
