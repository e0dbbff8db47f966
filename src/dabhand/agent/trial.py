"""Carrying a plan out on a copy of the folder, learning from every step, planning anew after a surprise."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from dabhand.agent.document import ConditionCheck, SelfCheck, StepReport
from dabhand.commands import render
from dabhand.goals import condition_sentence
from dabhand.planning import Material, NoPlan, Plan, Planner, Step, Target, shortened, surroundings, variants
from dabhand.sandbox import Limits, Outcome, Worker
from dabhand.store import Experiment, Store
from dabhand.workspace import File, State
from dabhand.world import World, expected_sentence

ATTEMPTS = 3
REHEARSALS = 4
"""How many plans that are known but not trusted are tried out on a copy, to learn whether they can be."""
REHEARSING = 2.0
"""Seconds of planning after which no other is tried out."""
KEPT_BYTES = 64 << 10
"""Nothing is learned from a run in a folder with more than this: that takes long, and a store is no place for it."""
LIMITS = Limits(seconds=20.0, cpu_seconds=20, capture_bytes=32 << 20, storage_bytes=512 << 20, entries=20_000)


class Trial(msgspec.Struct, frozen=True):
    """What became of a goal on a copy.

    Attributes:
        steps: of the last plan, as far as it was run.
        final: the folder in the end; None when no plan was carried through.
        printed: what the steps printed, the last one last.
        attempts: plans that were begun.
        no_plan: why there was no (other) plan; None when one was carried through.
    """

    steps: tuple[StepReport, ...]
    final: State | None
    printed: tuple[str, ...]
    attempts: int
    imagined: int
    planning_seconds: float
    no_plan: NoPlan | None = None


class Experimenter:
    """Runs steps in the sandbox and lets the world model learn from what they did.

    Args:
        worker: where commands run.
        world: what learns.
        store: what keeps.
        clock: seconds since the epoch.
    """

    def __init__(self, worker: Worker, world: World, store: Store, clock: Callable[[], float]) -> None:
        self.worker = worker
        self.world = world
        self.store = store
        self.clock = clock

    def run(self, step: Step, state: State) -> tuple[StepReport, Outcome]:
        """Run one step in a folder, compare with what was expected, and learn."""
        line = render(step.template, step.slots)
        outcome = self.worker.run(state, line, LIMITS)
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
        if is_whole(outcome) and _worth_keeping(state):
            self.world.learn(experiment, self.store.append_experiment(experiment))
        return _report(step, line, state, outcome), outcome


def attempt(target: Target, planner: Planner, experimenter: Experimenter) -> Trial:
    """Plan and run on a copy until every step of a plan did what was expected of it, at most `ATTEMPTS` times."""
    imagined, seconds = 0, 0.0
    reports: tuple[StepReport, ...] = ()
    for number in range(1, ATTEMPTS + 1):
        plan = _planned(target, planner)
        imagined, seconds = imagined + plan.imagined, seconds + plan.seconds
        if number == 1 and _may_be_bettered(plan) and _worth_keeping(target.before):
            plan = _rehearse(target, planner, experimenter, plan)
        if isinstance(plan, NoPlan):
            return Trial(reports, None, (), number - 1, imagined, seconds, plan)
        reports, final, printed = _carry_through(plan.steps, target.before, experimenter)
        if final is not None:
            return Trial(reports, final, printed, number, imagined, seconds)
        if not _worth_keeping(target.before):
            return Trial(reports, None, (), number, imagined, seconds)  # nothing was learned, so it would go the same
    return Trial(reports, None, (), ATTEMPTS, imagined, seconds)


def _planned(target: Target, planner: Planner) -> Plan | NoPlan:
    """A plan; for long files found on their first lines and then imagined for the whole."""
    short = shortened(target, Material(target).sources)
    if short is not None:
        found = planner.plan(short)
        whole = planner.replay(found, target) if isinstance(found, Plan) else None
        if whole is not None:
            return whole
    return planner.plan(target)


def _may_be_bettered(plan: Plan | NoPlan) -> bool:
    return isinstance(plan, NoPlan) or len(plan.steps) > 1


def _rehearse(target: Target, planner: Planner, experimenter: Experimenter, best: Plan | NoPlan) -> Plan | NoPlan:
    """Practise what would reach the goal in fewer steps if it were trusted; plan with it once it is.

    It is practised on the copy, on copies whose source files hold something else, and beside other things, so that an
    explanation that only happens to be right here does not become trusted by being tried here.
    """
    tried: set[tuple[str, ...]] = set()
    until = planner.clock() + REHEARSING
    for _ in range(REHEARSALS):
        if planner.clock() >= until:
            return best
        likely = planner.plan(target, trusted=False, patience=REHEARSING / 2)
        if isinstance(likely, NoPlan) or (isinstance(best, Plan) and len(likely.steps) >= len(best.steps)):
            return best
        lines = tuple(render(step.template, step.slots) for step in likely.steps)
        if lines in tried:
            return best  # the same again would be no new evidence
        tried.add(lines)
        varied = (one.before for one in variants(target, Material(target).sources))
        for folder in (target.before, *varied, *surroundings(target.before)):
            _practise(likely.steps, folder, experimenter)
        found = planner.plan(target)
        if isinstance(found, Plan):
            best = found
    return best


def _practise(steps: tuple[Step, ...], state: State, experimenter: Experimenter) -> None:
    """Run steps for what they teach, whether or not that was expected."""
    for step in steps:
        _, outcome = experimenter.run(step, state)
        if not is_whole(outcome):
            return
        state = outcome.state


def self_check(target: Target, final: State, printed: tuple[str, ...]) -> SelfCheck:
    """Test every condition, and that nothing else changed."""
    checks = tuple(
        ConditionCheck(condition_sentence(one), any(target.holds(one, final, text) for text in (*printed, None)))
        for one in target.goal.conditions
    )
    unexpected = target.unexpected(final)
    return SelfCheck(all(check.ok for check in checks) and not unexpected, checks, unexpected)


def is_whole(outcome: Outcome) -> bool:
    """Whether an outcome says all that happened: a command that hung or was cut short says nothing certain."""
    return not outcome.timed_out and not outcome.oddities and outcome.stdout_complete and outcome.survivors == 0


def _carry_through(
    steps: tuple[Step, ...], state: State, experimenter: Experimenter
) -> tuple[tuple[StepReport, ...], State | None, tuple[str, ...]]:
    reports: list[StepReport] = []
    printed: list[str] = []
    for step in steps:
        report, outcome = experimenter.run(step, state)
        reports.append(report)
        if report.surprise:
            return tuple(reports), None, ()
        printed.append(outcome.stdout.decode("utf-8", "surrogateescape"))
        state = outcome.state
    return tuple(reports), state, tuple(printed)


def _report(step: Step, line: str, state: State, outcome: Outcome) -> StepReport:
    expected = step.prediction
    surprise = not (
        is_whole(outcome)
        and (outcome.exit_code == 0) == expected.ok
        and outcome.state == expected.state
        and outcome.stdout.decode("utf-8", "surrogateescape") == expected.stdout
    )
    return StepReport(
        command=step.template.text,
        slots=dict(step.slots),
        line=line,
        confidence=round(expected.confidence, 3),
        predicted=expected_sentence(state, expected),
        exit_code=outcome.exit_code,
        surprise=surprise,
    )


def _worth_keeping(state: State) -> bool:
    return sum(len(node.data) for node in state.values() if isinstance(node, File)) <= KEPT_BYTES
