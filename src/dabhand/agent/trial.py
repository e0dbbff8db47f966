"""Carrying a plan out on a staged view of the folder, learning from every step, planning anew after a surprise."""

from __future__ import annotations

import msgspec

from dabhand.agent.document import ConditionCheck, SelfCheck, StepReport
from dabhand.agent.experimenting import Experimenter, is_whole, worth_keeping
from dabhand.commands import render
from dabhand.goals import condition_sentence
from dabhand.planning import Material, NoPlan, Plan, Planner, Step, Target, shortened, surroundings, variants
from dabhand.sandbox import Stage
from dabhand.workspace import State

ATTEMPTS = 3
REHEARSALS = 4
"""How many plans that are known but not trusted are tried out on a copy, to learn whether they can be."""
REHEARSING = 2.0
"""Seconds of planning after which no other is tried out."""


class Trial(msgspec.Struct, frozen=True):
    """What became of a goal on a staged view of the folder.

    Attributes:
        steps: of the last plan, as far as it was run, after those that it went on from.
        final: the known part of the folder in the end; None when no plan was carried through.
        printed: what the steps printed, the last one last.
        attempts: plans that were begun.
        no_plan: why there was no (other) plan; None when one was carried through.
        staged: how the folder was staged, "" when nothing ran.
        peculiar: a step did in this folder what it does not do on a copy of what is known of it.
        elsewhere: what changed besides what is known of the folder.
        general: the last plan is right whatever the files hold, as far as that was thought through.
    """

    steps: tuple[StepReport, ...]
    final: State | None
    printed: tuple[str, ...]
    attempts: int
    imagined: int
    planning_seconds: float
    no_plan: NoPlan | None = None
    staged: str = ""
    peculiar: bool = False
    elsewhere: tuple[str, ...] = ()
    general: bool = True


class _Run(msgspec.Struct, frozen=True):
    """How far the steps of a plan came.

    Attributes:
        state: the folder before the step that was a surprise, or in the end.
        stands: after a surprise, whether the stage still holds that state.
    """

    reports: tuple[StepReport, ...]
    state: State
    printed: tuple[str, ...]
    surprised: bool = False
    stands: bool = True
    learned: bool = True
    elsewhere: tuple[str, ...] = ()


def attempt(target: Target, planner: Planner, experimenter: Experimenter) -> Trial:
    """Plan and run on a stage until every step of a plan did what was expected of it, at most `ATTEMPTS` times.

    After a surprise that changed nothing it goes on from where it stands; after any other from the start, on a fresh
    stage. Where nothing could be learned from it, the same plan would be made again, so it ends there.
    """
    trying = _Trying(target, planner, experimenter)
    for number in range(1, ATTEMPTS + 1):
        plan = trying.planned(number)
        if isinstance(plan, NoPlan):
            return trying.ended(number - 1, no_plan=plan)
        run = trying.carry_through(plan.steps)
        if not run.surprised:
            return trying.ended(number, final=run.state)
        if not run.learned:
            return trying.ended(number, peculiar=worth_keeping(target.before))
    return trying.ended(ATTEMPTS)


class _Trying:
    """Where the attempts on one goal have come to."""

    def __init__(self, target: Target, planner: Planner, experimenter: Experimenter) -> None:
        self.target = target
        self.planner = planner
        self.experimenter = experimenter
        self.imagined = 0
        self.seconds = 0.0
        self.staged = ""
        self.general = True
        self.elsewhere: tuple[str, ...] = ()
        self.reports: tuple[StepReport, ...] = ()
        self._start_anew()

    def _start_anew(self) -> None:
        self.stage: Stage | None = None
        self.state = self.target.before
        self.printed: tuple[str, ...] = ()
        self._kept: tuple[StepReport, ...] = ()

    def planned(self, number: int) -> Plan | NoPlan:
        """A plan from where it stands, or from the start where there is none from there."""
        plan = self._plan()
        if isinstance(plan, NoPlan) and self.state is not self.target.before:
            self._start_anew()
            plan = self._plan()
        if number == 1 and _may_be_bettered(plan) and worth_keeping(self.target.before):
            plan = _rehearse(self.target, self.planner, self.experimenter, plan)
        self.general = isinstance(plan, NoPlan) or self._is_general(plan)
        return plan

    def _is_general(self, plan: Plan) -> bool:
        """Of a plan that goes on from other steps, whether all of them together are right elsewhere too."""
        if not self._kept:
            return plan.general
        done = [(report.command, report.slots) for report in self._kept]
        return self.planner.is_general([*done, *((one.template.text, one.slots) for one in plan.steps)], self.target)

    def _plan(self) -> Plan | NoPlan:
        if self.state is self.target.before:
            plan = _planned(self.target, self.planner)
        else:
            answered = self.target.answer is None or any(map(self.target.answers, self.printed))
            plan = self.planner.plan(self.target, self.state, answered=answered)
        self.imagined, self.seconds = self.imagined + plan.imagined, self.seconds + plan.seconds
        return plan

    def carry_through(self, steps: tuple[Step, ...]) -> _Run:
        """Run a plan from where the stage stands."""
        if self.stage is None and steps:
            self.stage = self.experimenter.stage()
            self.staged = self.stage.how
        run = _carried(steps, self.state, self.stage, self.experimenter)
        self.reports = self._kept + run.reports
        self.printed += run.printed
        self.elsewhere = run.elsewhere
        if run.surprised and not run.stands:
            self._start_anew()
        elif run.surprised:
            self.state, self._kept = run.state, self.reports
        return run

    def ended(
        self, attempts: int, *, final: State | None = None, no_plan: NoPlan | None = None, peculiar: bool = False
    ) -> Trial:
        """What is to be said of it all."""
        return Trial(
            steps=self.reports,
            final=final,
            printed=self.printed,
            attempts=attempts,
            imagined=self.imagined,
            planning_seconds=self.seconds,
            no_plan=no_plan,
            staged=self.staged,
            peculiar=peculiar,
            elsewhere=self.elsewhere,
            general=self.general,
        )


def _carried(steps: tuple[Step, ...], state: State, stage: Stage | None, experimenter: Experimenter) -> _Run:
    reports: list[StepReport] = []
    printed: list[str] = []
    for step in steps:
        assert stage is not None
        report, outcome, learned = experimenter.run_staged(step, state, stage)
        reports.append(report)
        if report.surprise:
            # What was cut short may have left more than can be seen, and a copy that said so is written anew.
            stands = outcome.state == state and is_whole(outcome)
            return _Run(tuple(reports), state, tuple(printed), True, stands, learned, outcome.elsewhere)
        printed.append(outcome.stdout.decode("utf-8", "surrogateescape"))
        state = outcome.state
    return _Run(tuple(reports), state, tuple(printed))


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
    return isinstance(plan, NoPlan) or len(plan.steps) > 1 or not plan.general


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
        if isinstance(likely, NoPlan) or (isinstance(best, Plan) and not _is_better(likely, best)):
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


def _is_better(plan: Plan, best: Plan) -> bool:
    """Whether a plan does what was asked where the other only happens to come out right, or does it in fewer steps."""
    if plan.general != best.general:
        return plan.general
    return len(plan.steps) < len(best.steps)


def _practise(steps: tuple[Step, ...], state: State, experimenter: Experimenter) -> None:
    """Run steps for what they teach, whether or not that was expected."""
    for step in steps:
        _, outcome = experimenter.run(step, state)
        if not is_whole(outcome):
            return
        state = outcome.state


def self_check(target: Target, final: State, printed: tuple[str, ...], elsewhere: tuple[str, ...] = ()) -> SelfCheck:
    """Test every condition, and that nothing else changed."""
    checks = tuple(
        ConditionCheck(condition_sentence(one), any(target.holds(one, final, text) for text in (*printed, None)))
        for one in target.goal.conditions
    )
    unexpected = (*target.unexpected(final), *elsewhere)
    return SelfCheck(all(check.ok for check in checks) and not unexpected, checks, unexpected)
