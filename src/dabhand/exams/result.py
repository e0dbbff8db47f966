"""What comes of an exam (contracts.md, `dabhand exam`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec


class TaskResult(msgspec.Struct, frozen=True, kw_only=True):
    """One task, judged.

    Attributes:
        passed: the host's verdict.
        self_check: the agent's own; None: it did not get that far.
        status: as of `dabhand do`.
        plan: the steps, as of `dabhand do`.
        agreed: whether the agent's claim and the host's verdict are the same.
        false_done: the agent says that it is done, and the host says that it is not.
        faults: what the host found, a sentence each.
        reason: why the agent says that it is not done.
    """

    id: str
    kind: str
    passed: bool
    self_check: bool | None
    status: str
    lm_calls: int = 0
    attempts: int = 0
    seconds: float = 0.0
    plan: tuple[dict[str, Any], ...] = ()
    request: str = ""
    goal_from: str = ""
    agreed: bool
    false_done: bool
    faults: tuple[str, ...] = ()
    reason: str = ""


class ExamResult(msgspec.Struct, frozen=True, kw_only=True):
    """An exam, judged.

    Attributes:
        score: tasks passed, of how many that were sat.
        lm_calls: calls of language models, in all tasks.
        self_check_agreement: tasks in which the agent's claim and the host's verdict are the same, of how many.
        false_done: tasks that the agent says are done and the host says are not.
        understood, commands: commands understood afterwards, of how many that were practised.
        left: tasks that were not sat because somebody interrupted.
    """

    suite: str
    seed: int
    score: tuple[int, int]
    lm_calls: int
    self_check_agreement: tuple[int, int]
    false_done: int
    tasks: tuple[TaskResult, ...]
    understood: int
    commands: int
    seconds: float
    interrupted: bool = False
    left: int = 0

    @property
    def is_perfect(self) -> bool:
        """Whether every task was sat, passed, and claimed for what it was."""
        return not self.left and self.score[0] == self.score[1] == self.self_check_agreement[0]


def summed_up(
    suite: str, seed: int, tasks: Sequence[TaskResult], *, understood: int, commands: int, seconds: float, left: int
) -> ExamResult:
    """The result of tasks that were sat; any that are left were interrupted."""
    return ExamResult(
        suite=suite,
        seed=seed,
        score=(sum(task.passed for task in tasks), len(tasks)),
        lm_calls=sum(task.lm_calls for task in tasks),
        self_check_agreement=(sum(task.agreed for task in tasks), len(tasks)),
        false_done=sum(task.false_done for task in tasks),
        tasks=tuple(tasks),
        understood=understood,
        commands=commands,
        seconds=round(seconds, 3),
        interrupted=left > 0,
        left=left,
    )
