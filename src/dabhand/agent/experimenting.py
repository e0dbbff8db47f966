"""Running the steps of plans for real, in the sandbox, and letting the world model learn from what they did.

What is learned has to be true of the state that is kept with it. A copy of the known part of a folder is exactly that
state. Over the real folder there is more: times, neighbours, permissions. So a step that did there what was expected is
kept as one more experiment with the part alone; one that did not is repeated on a copy of the part, and what it does
*there* is learned. Where the copy shows nothing unexpected, the surprise lies in what a state does not say, and nothing
is learned from it.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

from dabhand.agent.document import StepReport
from dabhand.closing import Closing
from dabhand.commands import render
from dabhand.planning import Step
from dabhand.sandbox import Limits, Outcome, Part, Stage, Worker, open_worker, stage
from dabhand.store import Experiment, Store
from dabhand.toolmaking.workshop import Workshop
from dabhand.workspace import ConfinedFolder, File, State
from dabhand.world import expected_sentence

KEPT_BYTES = 64 << 10
"""Nothing is learned from a run in a folder with more than this: that takes long, and a store is no place for it."""
LIMITS = Limits(seconds=20.0, cpu_seconds=20, capture_bytes=32 << 20, storage_bytes=512 << 20, entries=20_000)


class Experimenter(Closing):
    """Runs steps and learns. A context manager: what it opened ends with it.

    Args:
        folder: the real folder, which is only ever read.
        part: what is known of it.
        world: what is known of commands and tools, and learns.
        store: what keeps.
        clock: seconds since the epoch.
    """

    def __init__(
        self, folder: ConfinedFolder, part: Part, world: Workshop, store: Store, clock: Callable[[], float]
    ) -> None:
        self.world = world
        self.store = store
        self.clock = clock
        self.staging_seconds = 0.0
        self._folder = folder
        self._part = part
        self._worker: Worker | None = None
        self._open = contextlib.ExitStack()

    def close(self) -> None:
        """Let go of every stage and worker."""
        self._open.close()

    def stage(self) -> Stage:
        """The folder as it is, staged anew."""
        began = time.perf_counter()
        staged = self._open.enter_context(stage(self._folder, self._part, LIMITS))
        self.staging_seconds += time.perf_counter() - began
        return staged

    def run(self, step: Step, state: State) -> tuple[StepReport, Outcome]:
        """Run one step in a folder made of a state, compare with what was expected, and learn."""
        line = render(step.template, step.slots)
        outcome = self._on_a_copy(state, self.world.line(step.template, step.slots))
        self._learn(step, state, outcome)
        return _report(step, line, state, outcome), outcome

    def run_staged(self, step: Step, state: State, staged: Stage) -> tuple[StepReport, Outcome, bool]:
        """Run one step on a stage that has come to a state; says too whether a surprise could be learned from."""
        line = render(step.template, step.slots)
        runs = self.world.line(step.template, step.slots)
        outcome = staged.run(runs)
        report = _report(step, line, state, outcome)
        if not report.surprise or staged.how == "copy":
            return report, outcome, self._learn(step, state, outcome)
        again = self._on_a_copy(state, runs)
        learned = self._learn(step, state, again)
        return report, outcome, learned and _is_surprise(step, again)

    def _on_a_copy(self, state: State, line: str) -> Outcome:
        if self._worker is None:
            self._worker = self._open.enter_context(open_worker("auto", LIMITS))
        return self._worker.run(state, line, LIMITS)

    def _learn(self, step: Step, state: State, outcome: Outcome) -> bool:
        """Learn from an outcome that says all that happened; whether it was."""
        if not is_whole(outcome) or not worth_keeping(state) or self.world.is_tool(step.template.text):
            return False
        experiment = Experiment(
            template=step.template.text,
            slots=dict(step.slots),
            before=state,
            after=outcome.state,
            ok=outcome.exit_code == 0,
            stdout=outcome.stdout,
            exit_code=outcome.exit_code,
            stdout_complete=outcome.stdout_complete,
            origin="do",
            time=self.clock(),
        )
        self.world.learn(experiment, self.store.append_experiment(experiment))
        return True


def is_whole(outcome: Outcome) -> bool:
    """Whether an outcome says all that happened: a command that hung or was cut short says nothing certain."""
    complete = not outcome.timed_out and not outcome.oddities and outcome.stdout_complete
    return complete and outcome.survivors == 0 and not outcome.elsewhere


def worth_keeping(state: State) -> bool:
    """Whether an experiment in such a folder is learned from."""
    return sum(len(node.data) for node in state.values() if isinstance(node, File)) <= KEPT_BYTES


def _is_surprise(step: Step, outcome: Outcome) -> bool:
    expected = step.prediction
    return not (
        is_whole(outcome)
        and (outcome.exit_code == 0) == expected.ok
        and outcome.state == expected.state
        and outcome.stdout.decode("utf-8", "surrogateescape") == expected.stdout
    )


def _report(step: Step, line: str, state: State, outcome: Outcome) -> StepReport:
    return StepReport(
        command=step.template.text,
        slots=dict(step.slots),
        line=line,
        confidence=round(step.prediction.confidence, 3),
        predicted=expected_sentence(state, step.prediction),
        exit_code=outcome.exit_code,
        surprise=_is_surprise(step, outcome),
    )
