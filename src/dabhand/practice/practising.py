"""The practice loop: choose an experiment, run it in the sandbox, compare, learn; several in flight at once."""

from __future__ import annotations

import gc
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from types import FrameType

import msgspec

from dabhand.commands import Template, render
from dabhand.errors import SandboxFault
from dabhand.practice.curiosity import Curiosity
from dabhand.practice.report import Event, LearnReport
from dabhand.practice.scenes import random_scene
from dabhand.sandbox import Outcome, Worker, open_worker
from dabhand.store import Experiment, Store
from dabhand.workspace import State
from dabhand.world import World, expected_sentence, outcome_sentence, report_on
from dabhand.world.model import CHOSEN, FREE, REPEAT, Judgement
from dabhand.world.prediction import unknown

MAX_EXPERIMENTS = 2000
MAX_PER_COMMAND = 110
"""Experiments per command after which practice until all is understood ends in any case."""

SCENES = 4
"""Scenes at hand at once; the oldest is replaced after each experiment."""

IN_FLIGHT = 2
"""Experiments handed to one worker ahead of their outcomes, so that neither side waits for the other."""

SAVE_EVERY = 250
CHECK_EVERY = 10
MAX_FAULTS = 20

REPEAT_AFTER = 1.2
"""Seconds after which an experiment is made again to see whether its outcome depends on the time."""

FREE_JUDGED = 300
FREE_PER_COMMAND = 25
FREE_AT_LEAST = 45
MAX_SURPRISE = 0.004
"""Share of the last outcomes in freely drawn situations that may have been mispredicted when practice ends."""


class Planned(msgspec.Struct, frozen=True):
    """An experiment on its way."""

    template: Template
    scene: State
    filling: dict[str, str | int]
    line: str
    free: bool
    repeat_of: Experiment | None = None

    @property
    def origin(self) -> str:
        """Why it is made, as the store has it."""
        return REPEAT if self.repeat_of is not None else FREE if self.free else CHOSEN


NOTHING_LEARNED = Judgement(unknown("its outcome cannot be told"), right=False, unsaid=True)


class Practice:
    """One run of practice.

    Args:
        store: where experiments are kept as they are made.
        templates: the commands to practise.
        seed: makes the choice of experiments repeatable.
        workers: sandboxes to run side by side.
        clock: seconds since the epoch.
    """

    def __init__(
        self,
        store: Store,
        templates: Sequence[Template],
        *,
        seed: int,
        workers: int = 1,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.store = store
        self.seed = seed
        self.clock = clock
        self.world = World.load(store)
        for template in templates:
            self.world.model(template)
        self.templates = list(templates)
        earlier = store.count_experiments()
        self.rng = Random(f"{seed}/{earlier}")
        self.curiosity = Curiosity(self.world, templates, self.rng)
        self.scenes = deque((random_scene(self.rng) for _ in range(SCENES)), maxlen=SCENES)
        self.workers: list[Worker] = [open_worker() for _ in range(max(1, workers))]
        self.flying: deque[tuple[Worker, Planned]] = deque()
        self.again: deque[Planned] = deque()
        self.recent: deque[bool] = deque(maxlen=200)
        self.free: deque[bool] = deque(maxlen=FREE_JUDGED)
        self.unsaid: dict[str, Planned] = {}
        self.statuses: dict[str, int] = {}
        self.turn = 0
        self.faults = 0
        self.stopped = False
        self.made = 0
        self.surprises = 0
        self.sandbox_seconds = 0.0
        self.started = time.monotonic()

    def close(self) -> None:
        """Keep the beliefs and end the sandboxes."""
        try:
            for template in self.templates:
                self.world.model(template).settle()
            self.world.save(self.store)
        finally:
            for worker in self.workers:
                worker.close()

    def run(self, experiments: int, until_understood: bool, on_event: Callable[[Event], None]) -> None:
        """Experiment until the number is reached, or all is understood, or nothing more is learned."""
        left = experiments
        while not self.stopped and (left > len(self.unsaid) or self.flying):
            while left > len(self.unsaid) and len(self.flying) < IN_FLIGHT * len(self.workers):
                self._submit(self._plan())
                left -= 1
            if self.flying:
                self._collect(on_event)
            if until_understood and self.made % CHECK_EVERY == 0 and self._done():
                while self.flying:  # what is still under way may bring a surprise
                    self._collect(on_event)
                if self._done():
                    left = min(left, len(self.unsaid))
        if not self.stopped:
            for plan in self._late_repeats(left):
                self._submit(plan)
                self._collect(on_event)

    def _submit(self, plan: Planned) -> None:
        worker = self.workers[self.turn % len(self.workers)]
        self.turn += 1
        worker.submit(plan.scene, plan.line)
        self.flying.append((worker, plan))

    def _collect(self, on_event: Callable[[Event], None]) -> None:
        """Take in the oldest experiment under way; one that broke the sandbox is lost, and says nothing."""
        worker, plan = self.flying.popleft()
        try:
            outcome = worker.collect()
        except SandboxFault:
            self.faults += 1
            self.world.model(plan.template).odd += 1
            if self.faults > MAX_FAULTS:
                raise
            return
        self.faults = 0
        on_event(self._learn(plan, outcome))

    def _plan(self) -> Planned:
        if self.again and self.rng.random() < 0.5:
            return self.again.popleft()
        template, scene, filling, free = self.curiosity.choose(self.scenes)
        self.scenes.append(random_scene(self.rng))
        return Planned(template, scene, filling, render(template, filling), free)

    def _late_repeats(self, left: int) -> Iterator[Planned]:
        """Experiments to make once more after a while: what depends on the time shows then."""
        for text, plan in list(self.unsaid.items())[:left]:
            if plan.repeat_of is not None and self.world.model(plan.template).repeats_other == 0:
                wait = min(plan.repeat_of.time + REPEAT_AFTER - self.clock(), REPEAT_AFTER)
                if wait > 0:
                    time.sleep(wait)
                yield plan
            self.unsaid.pop(text, None)

    def _learn(self, plan: Planned, outcome: Outcome) -> Event:
        self.made += 1
        self.sandbox_seconds += outcome.seconds
        experiment = Experiment(
            plan.template.text, plan.filling, plan.scene, outcome.state, outcome.exit_code == 0, outcome.stdout,
            outcome.exit_code, outcome.stdout_complete, plan.origin, self.seed, self.clock(),
        )  # fmt: skip
        if outcome.oddities or outcome.timed_out or not outcome.stdout_complete:
            self.world.model(plan.template).odd += 1
            return self._event(plan, outcome, NOTHING_LEARNED)
        number = self.store.append_experiment(experiment)
        judged = self.world.learn(experiment, number)
        self.recent.append(judged.right)
        self.surprises += judged.surprise
        if plan.free and not self.curiosity.is_hopeless(plan.template):
            self.free.append(judged.right)
        self.curiosity.learned(plan.template, right=judged.right)
        if self.world.model(plan.template).repeats_other:
            self.unsaid.pop(plan.template.text, None)
        elif judged.unsaid and plan.repeat_of is None:
            again = msgspec.structs.replace(plan, repeat_of=experiment, free=False)
            self.unsaid.setdefault(plan.template.text, again)
            if self.world.model(plan.template).wants_repeat:
                self.again.append(again)
        if self.made % SAVE_EVERY == 0:
            self.world.save(self.store)
        return self._event(plan, outcome, judged)

    def _event(self, plan: Planned, outcome: Outcome, judged: Judgement) -> Event:
        seconds = max(time.monotonic() - self.started, 1e-9)
        printed, ok = outcome.stdout.decode("utf-8", "surrogateescape"), outcome.exit_code == 0
        return Event(
            number=self.made,
            command=plan.template.text,
            slots=plan.filling,
            line=plan.line,
            predicted=expected_sentence(plan.scene, judged.prediction),
            observed=outcome_sentence(plan.scene, outcome.state, ok, printed),
            surprise=judged.surprise,
            known=judged.prediction.known,
            rate=self.made / seconds,
            accuracy=sum(self.recent) / len(self.recent) if self.recent else 0.0,
            status_counts=self._statuses(),
        )

    def _statuses(self) -> dict[str, int]:
        """How many commands have each status; counted anew every few experiments."""
        if self.made % CHECK_EVERY == 1 or not self.statuses:
            self.statuses = dict(Counter(record.status for record in self.curiosity.records.values()))
        return self.statuses

    def _done(self) -> bool:
        """Whether all is understood and everyday situations hold no surprise, or nothing more is to be learned."""
        if not all(self.curiosity.settled(template) for template in self.templates):
            return False
        hopeful = sum(not self.curiosity.is_hopeless(template) for template in self.templates)
        wanted = min(FREE_JUDGED, max(FREE_AT_LEAST, FREE_PER_COMMAND * hopeful)) if hopeful else 0
        if len(self.free) < wanted:
            return False
        return not wanted or list(self.free)[-wanted:].count(False) <= wanted * MAX_SURPRISE

    def report(self, *, interrupted: bool = False) -> LearnReport:
        """The document at the end."""
        commands = tuple(report_on(self.world.model(template)) for template in self.templates)
        return LearnReport(
            experiments=self.made,
            seconds=time.monotonic() - self.started,
            understood=sum(command.status == "understood" for command in commands),
            commands=commands,
            accuracy_recent=sum(self.recent) / len(self.recent) if self.recent else 0.0,
            surprises=self.surprises,
            sandbox_seconds=self.sandbox_seconds,
            tier=self.workers[0].tier,
            interrupted=interrupted,
        )


def practise(
    store: Store,
    templates: Sequence[Template],
    *,
    experiments: int | None = None,
    until_understood: bool = False,
    seed: int = 0,
    workers: int = 1,
    on_event: Callable[[Event], None] = lambda event: None,
) -> LearnReport:
    """Practise commands and keep what was learned.

    Args:
        store: where experiments and beliefs are kept.
        templates: the commands.
        experiments: how many to make at most (default 2,000; with `until_understood` so many per command).
        until_understood: stop as soon as all are understood, or nothing more is learned.
        seed: makes the run repeatable.
        workers: sandboxes to run side by side.
        on_event: told of every experiment.

    Raises:
        SandboxUnavailable: there is no safe place to run commands.
    """
    practice = Practice(store, templates, seed=seed, workers=workers)
    limit = max(MAX_PER_COMMAND * len(templates), MAX_EXPERIMENTS // 5) if until_understood else MAX_EXPERIMENTS
    if experiments is None or (until_understood and experiments > limit):
        experiments = limit
    collecting = gc.isenabled()
    gc.disable()  # what practice keeps has no cycles, and looking for some over and over cost a twentieth of the time
    try:
        with _interruptible(practice):
            practice.run(experiments, until_understood, on_event)
    finally:
        if collecting:
            gc.enable()
        practice.close()
    return practice.report(interrupted=practice.stopped)


@contextmanager
def _interruptible(practice: Practice) -> Iterator[None]:
    """Let Ctrl-C end practice between two experiments, so that none is taken in by half; a second one at once."""

    def stop(number: int, frame: FrameType | None) -> None:
        if practice.stopped:
            raise KeyboardInterrupt
        practice.stopped = True

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
