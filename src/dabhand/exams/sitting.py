"""Setting an agent to work on the tasks of an exam, each in a fresh folder of its own, and judging what it did."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from dabhand.agent.do import Interrupted, carry_out
from dabhand.agent.document import DoDocument
from dabhand.errors import DabhandError, SandboxUnavailable, StoreError
from dabhand.exams.form import folder_in
from dabhand.exams.host.folder import make, read_back
from dabhand.exams.host.verdict import faults
from dabhand.exams.result import ExamResult, TaskResult, summed_up
from dabhand.exams.task import Expect, Task
from dabhand.goals.chain import Only
from dabhand.store import Exam, Store
from dabhand.workspace import journal_in
from dabhand.world import World, report_on

_log = logging.getLogger(__name__)

Recall = Callable[[Store], World]


class Sitting:
    """One exam being sat.

    Args:
        store: what the agent has learned; it goes on learning in there.
        suite: the name of the exam.
        seed: what it was drawn with.
        tasks: its tasks.
        translator: who says what requests mean.
        recall: how what was learned is taken out of the store.
        clock: seconds since the epoch.
    """

    def __init__(
        self,
        store: Store,
        suite: str,
        seed: int,
        tasks: Sequence[Task],
        *,
        translator: Only = "auto",
        recall: Recall = World.load,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.store = store
        self.suite = suite
        self.seed = seed
        self.tasks = tuple(tasks)
        self.translator: Only = translator
        self.recall = recall
        self.clock = clock

    def run(self, on_task: Callable[[TaskResult], None] = lambda result: None) -> ExamResult:
        """Sit all tasks, keep the result in the store, and return it.

        An interrupt ends the exam with what was sat so far; the task under way does not count.

        Raises:
            SandboxUnavailable: there is no safe place to run commands.
            StoreError: the store cannot be used.
        """
        began = time.perf_counter()
        results: list[TaskResult] = []
        with contextlib.suppress(KeyboardInterrupt):
            for task in self.tasks:
                result = self._sit(task)
                results.append(result)
                on_task(result)
        return self._kept(results, time.perf_counter() - began)

    def not_sat(self) -> ExamResult:
        """The result when somebody interrupted before the first task; it is not kept."""
        return self._result((), 0.0)

    def _sit(self, task: Task) -> TaskResult:
        with _folder_of(task) as root:
            before = read_back(root)
            began = time.perf_counter()
            document = self._attempt(task.request, root)
            seconds = time.perf_counter() - began
            after = read_back(root)
        return judged(task, document, faults(before, task.expect, after, document.answer), seconds)

    def _attempt(self, request: str, root: Path) -> DoDocument:
        """What the agent says of a request; that it failed is said of the task, and the exam goes on."""
        run_id = None
        try:
            document = carry_out(
                self.store,
                request,
                root,
                yes=True,
                translator=self.translator,
                recall=self.recall,
                clock=self.clock,
            )
            run_id = document.run_id
        except Interrupted as error:
            run_id = error.document.run_id
            raise
        except (SandboxUnavailable, StoreError):
            raise
        except DabhandError as error:
            return DoDocument(status="not_done", request=request, reason=f"{error.code}: {error.message}")
        except Exception as error:  # noqa: BLE001  (a defect of the agent costs it the task, and not the exam)
            _log.exception("The agent broke down over %r", request)
            return DoDocument(status="not_done", request=request, reason=f"broke down: {error!r}")
        finally:
            self._forget(root, run_id)
        return document

    def _forget(self, root: Path, run_id: str | None) -> None:
        """Keep a folder that is about to go out of the history: there is nothing to undo in it."""
        if run_id is not None:
            journal_in(self.store.file.parent).forget(run_id)
        self.store.forget_runs(os.fspath(root))

    def _kept(self, results: Sequence[TaskResult], seconds: float) -> ExamResult:
        result = self._result(results, seconds)
        # ASCII JSON carries lone surrogates (bytes that are not UTF-8) as escapes.
        text = json.dumps(msgspec.to_builtins(result), separators=(",", ":"))
        self.store.append_exam(Exam(self.suite, self.seed, text, self.clock()))
        return result

    def _result(self, results: Sequence[TaskResult], seconds: float) -> ExamResult:
        models = self.recall(self.store).models.values()
        return summed_up(
            self.suite,
            self.seed,
            results,
            understood=sum(report_on(model).status == "understood" for model in models),
            commands=len(models),
            seconds=seconds,
            left=len(self.tasks) - len(results),
        )


@contextlib.contextmanager
def _folder_of(task: Task) -> Iterator[Path]:
    """A fresh folder with the files of a task."""
    with tempfile.TemporaryDirectory(prefix="dabhand-exam-") as place:
        root = Path(place) / "root"
        root.mkdir()
        make(root, folder_in(task.files))
        yield root


def judged(task: Task, document: DoDocument, found: tuple[str, ...], seconds: float) -> TaskResult:
    """The agent's claim beside the host's verdict."""
    passed = not found
    claims = document.status == "done" and (document.self_check is None or document.self_check.ok)
    return TaskResult(
        id=task.id,
        kind=task.kind,
        passed=passed,
        self_check=None if document.self_check is None else document.self_check.ok,
        status=document.status,
        lm_calls=document.lm_calls,
        attempts=document.attempts,
        seconds=round(seconds, 3),
        plan=tuple(msgspec.to_builtins(step) for step in document.plan),
        request=task.request,
        goal_from=document.goal_from,
        agreed=_agreed(task.expect, claims, passed),
        false_done=document.status == "done" and not passed,
        faults=found,
        reason=document.reason,
    )


def _agreed(expect: Expect, claims: bool, passed: bool) -> bool:
    """Whether claim and verdict are the same; who leaves alone what is to be left alone need not claim anything."""
    return claims == passed or (passed and expect.nothing)
