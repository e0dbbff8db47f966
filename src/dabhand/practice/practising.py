"""The practice loop: choose an experiment, run it in the sandbox, compare, learn; several in flight at once."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from random import Random

import msgspec

from dabhand.commands import Template, parse_template, render
from dabhand.practice.curiosity import Curiosity
from dabhand.practice.report import Event, LearnReport
from dabhand.practice.scenes import random_scene
from dabhand.sandbox import Outcome, Worker, open_worker
from dabhand.store import Experiment, Store
from dabhand.workspace import State
from dabhand.world import World, expected_sentence, outcome_sentence, report_on
from dabhand.world.model import Judgement

MAX_EXPERIMENTS = 2000
SCENES = 4
"""Scenes at hand at once; the oldest is replaced after each experiment."""

IN_FLIGHT = 2
"""Experiments handed to one worker ahead of their outcomes, so that neither side waits for the other."""

SAVE_EVERY = 250


class Planned(msgspec.Struct, frozen=True):
    """An experiment on its way."""

    template: Template
    scene: State
    filling: dict[str, str | int]
    line: str
    free: bool
    repeat_of: Experiment | None = None


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
        self.made = 0
        self.surprises = 0
        self.sandbox_seconds = 0.0
        self.started = time.monotonic()

    def close(self) -> None:
        """End the sandboxes and keep the beliefs."""
        for worker in self.workers:
            worker.close()
        self.world.save(self.store)

    def run(self, experiments: int, until_understood: bool, on_event: Callable[[Event], None]) -> None:
        """Experiment until the number is reached, or all is understood, or nothing more is learned."""
        planned = 0
        turn = 0
        while True:
            while planned < experiments and len(self.flying) < IN_FLIGHT * len(self.workers):
                worker = self.workers[turn % len(self.workers)]
                turn += 1
                plan = self._plan()
                worker.submit(plan.scene, plan.line)
                self.flying.append((worker, plan))
                planned += 1
            if not self.flying:
                return
            worker, plan = self.flying.popleft()
            on_event(self._learn(plan, worker.collect()))
            if until_understood and self.made % 10 == 0 and self._done():
                planned = experiments

    def _plan(self) -> Planned:
        if self.again and self.rng.random() < 0.5:
            return self.again.popleft()
        template, scene, filling, free = self.curiosity.choose(self.scenes)
        self.scenes.append(random_scene(self.rng))
        return Planned(template, scene, filling, render(template, filling), free)

    def _learn(self, plan: Planned, outcome: Outcome) -> Event:
        self.made += 1
        self.sandbox_seconds += outcome.seconds
        ok = outcome.exit_code == 0
        experiment = Experiment(
            plan.template.text, plan.filling, plan.scene, outcome.state, ok, outcome.stdout, outcome.exit_code,
            outcome.stdout_complete, "practice", self.seed, self.clock(),
        )  # fmt: skip
        number = self.store.append_experiment(experiment)
        if plan.repeat_of is not None:
            self._compare(plan, experiment)
        judged = self.world.learn(experiment, number)
        self.recent.append(judged.right)
        self.surprises += judged.surprise
        self.curiosity.learned(plan.template, right=judged.right, free=plan.free)
        if judged.unsaid and plan.repeat_of is None and self.world.model(plan.template).wants_repeat:
            self.again.append(msgspec.structs.replace(plan, repeat_of=experiment))
        if self.made % SAVE_EVERY == 0:
            self.world.save(self.store)
        return self._event(plan, outcome, judged)

    def _compare(self, plan: Planned, now: Experiment) -> None:
        then = plan.repeat_of
        assert then is not None
        same = (then.ok, then.stdout, then.after) == (now.ok, now.stdout, now.after)
        self.world.model(plan.template).repeated(same=same)

    def _event(self, plan: Planned, outcome: Outcome, judged: Judgement) -> Event:
        seconds = max(time.monotonic() - self.started, 1e-9)
        printed = outcome.stdout.decode("utf-8", "surrogateescape")
        return Event(
            number=self.made,
            command=plan.template.text,
            slots=plan.filling,
            line=plan.line,
            predicted=expected_sentence(plan.scene, judged.prediction),
            observed=outcome_sentence(plan.scene, outcome.state, outcome.exit_code == 0, printed),
            surprise=judged.surprise,
            known=judged.prediction.known,
            rate=self.made / seconds,
            accuracy=sum(self.recent) / len(self.recent) if self.recent else 0.0,
            status_counts={},
        )

    def _done(self) -> bool:
        return all(self.curiosity.settled(template) for template in self.templates)

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
        experiments: how many to make at most (default 2,000).
        until_understood: stop as soon as all are understood, or nothing more is learned.
        seed: makes the run repeatable.
        workers: sandboxes to run side by side.
        on_event: told of every experiment.

    Raises:
        SandboxUnavailable: there is no safe place to run commands.
    """
    practice = Practice(store, templates, seed=seed, workers=workers)
    interrupted = False
    try:
        practice.run(MAX_EXPERIMENTS if experiments is None else experiments, until_understood, on_event)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        practice.close()
    return practice.report(interrupted=interrupted)


def templates_from(texts: Sequence[str]) -> Iterator[Template]:
    """Templates from their texts, in order."""
    return (parse_template(text) for text in texts)
