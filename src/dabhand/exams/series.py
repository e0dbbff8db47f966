"""A series of exams, each sat with what the one before has taught: how the agent fares as it goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from dabhand.exams.result import ExamResult, TaskResult
from dabhand.exams.sitting import Recall, Sitting
from dabhand.exams.suites import draw
from dabhand.goals.chain import Only
from dabhand.store import Store
from dabhand.world import World

RUNS = 7
SUITES = ("original", "harder")
"""In turn."""


def plan(seed: int, runs: int = RUNS) -> tuple[tuple[str, int], ...]:
    """The suite and seed of each exam: the suites in turn, the seeds going up."""
    return tuple((SUITES[number % len(SUITES)], seed + number) for number in range(runs))


def sit(
    store: Store,
    planned: Sequence[tuple[str, int]],
    *,
    translator: Only = "auto",
    recall: Recall = World.load,
    on_exam: Callable[[str, int, int], Callable[[TaskResult], None]] = lambda suite, seed, tasks: lambda result: None,
) -> Iterator[ExamResult]:
    """Sit one exam after the other with one store; the last one where somebody interrupts.

    Args:
        store: what the agent has learned; it goes on learning in there.
        planned: suites and seeds.
        translator: who says what requests mean.
        recall: how what was learned is taken out of the store.
        on_exam: told of every exam before it begins, with the number of its tasks; returns who is told of its tasks.

    Raises:
        SandboxUnavailable: there is no safe place to run commands.
    """
    for suite, seed in planned:
        tasks = draw(suite, seed)
        sitting = Sitting(store, suite, seed, tasks, translator=translator, recall=recall)
        yield (result := sitting.run(on_exam(suite, seed, len(tasks))))
        if result.interrupted:
            return
