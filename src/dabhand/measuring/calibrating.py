"""What a model's answers are worth, learned on a validation set that is neither trained on nor tested with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dabhand.errors import DabhandError
from dabhand.goals.backends import LocalGoals
from dabhand.handoff.evidence.model import LocalLines
from dabhand.handoff.words.backends import LocalPlans
from dabhand.measuring import goals
from dabhand.measuring.cases import Case
from dabhand.measuring.goals import Recording
from dabhand.measuring.plans import by_chain, judged
from dabhand.models.completion import Engine
from dabhand.models.confidence import Calibration, learned
from dabhand.models.prompts import Task

_ALL = Calibration(enough=0.0)
"""Believes everything."""


def calibrated(engine: Engine, cases: Sequence[Case], task: Task) -> Calibration:
    """Learn what answers to a task are worth.

    Args:
        engine: the model.
        cases: of a validation set.
        task: which of them count.
    """
    chosen = [case for case in cases if case.task == task]
    answers = {"plan": _plans, "goal": _goals, "evidence": _lines}[task]
    return learned(answers(engine, chosen))


def _plans(engine: Engine, cases: Sequence[Case]) -> Iterator[tuple[float, bool]]:
    """Of every plan that the request supports: its probability, and whether it came to what was wanted.

    As in use: the model is asked for what the grammar gives back, which is harder than the rest.
    """
    recording = Recording(engine)
    model = by_chain(LocalPlans(recording, _ALL))
    for case in cases:
        recording.last = None
        for _, one in judged([case], {"it": model}):
            if recording.last is not None and one.verdict in ("right", "wrong") and not one.why:
                yield recording.last.probability, one.verdict == "right"


def _goals(engine: Engine, cases: Sequence[Case]) -> Iterator[tuple[float, bool]]:
    """Of every goal that can be read and is supported: its probability, and whether it comes to what was wanted."""
    recording = Recording(engine)
    answer = goals.by_chain(LocalGoals(recording, _ALL))
    for case in cases:
        recording.last = None
        for _, one in goals.judged([case], {"it": answer}):
            if recording.last is not None and one.verdict in ("right", "wrong") and not one.why:
                yield recording.last.probability, one.verdict == "right"


def _lines(engine: Engine, cases: Sequence[Case]) -> Iterator[tuple[float, bool]]:
    """Of every answer about one window: its probability, and whether it names just the wanted lines."""
    recording = Recording(engine)
    model = LocalLines(recording, _ALL)
    for case in cases:
        recording.last = None
        try:
            numbers, _ = model.lines(case.lines, case.request)
        except DabhandError:
            continue
        if recording.last is not None:
            yield recording.last.probability, set(numbers) == set(case.answer or ())
