"""The planner: which folders to think a goal through in, how far to search, what to say when nothing is found."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from dabhand.commands import Template
from dabhand.errors import DabhandError
from dabhand.goals import Answers, Condition, Goal, Holds, IsCopy
from dabhand.planning.actions import Guide
from dabhand.planning.beliefs import Beliefs, Imagination
from dabhand.planning.explaining import why_not, why_not_together
from dabhand.planning.fillings import Material
from dabhand.planning.imagining import Memory
from dabhand.planning.plan import NoPlan, Plan, Step
from dabhand.planning.recipes import Recipes
from dabhand.planning.search import Doubted, Limits, Node, Search, Touched
from dabhand.planning.target import Target
from dabhand.planning.variants import generality, may_differ, variants
from dabhand.workspace import State

WIDTH = 15
DEPTH = 4
MAX_IMAGINED = 20_000
"""Outcomes imagined in one search, at most."""
PATIENCE = 2.0
"""Seconds of work in one search, at most: about what a person waits for."""


class Planner:
    """Finds plans; remembers between searches which slots' paths each command changes.

    Args:
        world: what is believed.
        templates: commands to plan with.
        clock: seconds of work, for saying how long a search took and for ending it.
        patience: seconds that one search may take.
        directed: only fillings that further the goal are imagined; without, all that could (for comparison).
    """

    def __init__(
        self,
        world: Imagination,
        templates: Sequence[Template],
        clock: Callable[[], float] = time.thread_time,
        patience: float = PATIENCE,
        *,
        directed: bool = True,
    ) -> None:
        self.world = world
        self.templates = tuple(templates)
        self.clock = clock
        self.patience = patience
        self.directed = directed
        self.touched = Touched()
        self._beliefs: tuple[list[object], Beliefs] | None = None

    @property
    def beliefs(self) -> Beliefs:
        """What the commands are believed to be means to, sorted anew when something was learned."""
        believed = [self.world.believed(template.text) for template in self.templates]
        if self._beliefs is None or self._beliefs[0] != believed:
            self._beliefs = [*believed], Beliefs(zip(self.templates, believed, strict=True))
        return self._beliefs[1]

    def plan(
        self, target: Target, start: State | None = None, *, width: int = WIDTH, depth: int = DEPTH,
        answered: bool = False,
        trusted: bool = True, patience: float | None = None,
    ) -> Plan | NoPlan:  # fmt: skip
        """The shortest plan with the fewest side effects that is found.

        First one that would also be right had the files held something else; only where there is none, one that is
        right with what they hold.

        Args:
            target: the goal in its folder.
            start: the folder to start from (the target's own unless something was done already).
            width: of the beam.
            depth: steps that may pass without the goal coming nearer.
            answered: the answer was given already.
            patience: seconds that this search may take, if not the usual.
            trusted: imagine over trusted predictions only; without, over all that is known, for a plan to try out.
        """
        limits = Limits(width, depth, MAX_IMAGINED, trusted=trusted, directed=self.directed)
        errand = _Errand(self, target, target.before if start is None else start, answered, limits,
                         self.patience if patience is None else patience)  # fmt: skip
        return errand.carry_out()

    def is_general(self, steps: Sequence[tuple[str, Mapping[str, str | int]]], target: Target) -> bool:
        """Whether steps would also reach the goal had the files held something else, as far as can be imagined."""
        sources = Material(target).sources
        folders = variants(target, sources)
        if not folders:
            return not may_differ(target, sources)
        return generality(steps, folders, self.world.predict) == 0

    def replay(self, plan: Plan, target: Target) -> Plan | None:
        """The same commands, imagined anew for another folder; None where they are not trusted to reach the goal."""
        began = self.clock()
        state, answered, steps = target.before, target.answer is None, []
        for step in plan.steps:
            expected = self.world.predict(step.template.text, step.slots, state)
            if not (expected.known and expected.trusted and expected.state is not None):
                return None
            if expected.ok != step.prediction.ok:
                return None
            steps.append(Step(step.template, step.slots, expected))
            state, answered = expected.state, answered or target.answers(expected.stdout)
        if not answered or target.wrong(state):
            return None
        seconds = plan.seconds + self.clock() - began
        return Plan(tuple(steps), plan.imagined + len(steps), seconds, plan.general, plan.cut)


class _Errand:
    """One goal to plan for."""

    def __init__(
        self, planner: Planner, target: Target, start: State, answered: bool, limits: Limits, patience: float
    ) -> None:
        self.planner = planner
        self.target = target
        self.start = start
        self.answered = answered
        self.limits = limits
        self.began = planner.clock()
        self.until = self.began + patience
        self.imagined = 0
        self.searches: list[tuple[Search, Node]] = []
        self.beliefs = planner.beliefs
        self.material = Material(target)
        self.memory = Memory(planner.world, self.beliefs.local)

    def carry_out(self) -> Plan | NoPlan:
        """A plan that does what is asked, else one that comes out right, else why there is none."""
        others = variants(self.target, self.material.sources) if self._may_vary() else ()
        recipes: Recipes | None = None
        if others:
            recipes = Recipes(self.beliefs, (self.target, *others), self.material)
            copies = any(isinstance(one, IsCopy) for one in self.target.goal.conditions)
            if recipes.complete:
                plan = self._searched(recipes, others if copies else (), self.limits)
                if plan is None and not self._is_over() and recipes.widened(self._doubted()):
                    plan = self._searched(recipes, others if copies else (), self.limits)
                if plan is not None:
                    return plan
        plain = Recipes(self.beliefs, (self.target,), self.material)
        plan = self._searched(plain, others, self.limits)
        return self._no_plan(recipes or plain) if plan is None else plan

    def _may_vary(self) -> bool:
        return self.limits.directed and self.start == self.target.before

    def _searched(self, recipes: Recipes, others: tuple[Target, ...], limits: Limits) -> Plan | None:
        guide = Guide(self.target, self.material, self.beliefs, recipes, others)
        is_open = self._may_vary() and may_differ(self.target, self.material.sources)
        general = len(recipes.folders) > 1 or not (others or is_open)
        tries = [limits]
        if limits.directed:
            tries.append(Limits(limits.width, limits.depth, limits.imagined, limits.trusted, rescue=True))
            if not self.beliefs.complete:
                tries.append(Limits(limits.width, limits.depth, limits.imagined, limits.trusted, directed=False))
        for one in tries:
            search = Search(guide, self.memory, self.planner.templates, self.planner.touched, one, self._is_over)
            found = search.run(self.start, self.answered)
            self.imagined += search.imagined
            self.searches.append((search, found))
            if search.is_done(found):
                return Plan(found.steps, self.imagined, self._seconds(), general, search.cut)
            if search.cut:
                break
        return None

    def _doubted(self) -> set[Doubted]:
        return {one for search, _ in self.searches for one in search.doubted}

    def _is_over(self) -> bool:
        return self.planner.clock() >= self.until

    def _seconds(self) -> float:
        return self.planner.clock() - self.began

    def _no_plan(self, recipes: Recipes) -> NoPlan:
        search, found = min(self.searches, key=lambda one: one[1].score)
        conditions = self.target.goal.conditions
        unmet = tuple(one for one in conditions if not search.holds(one, found)) or conditions
        blamed = tuple(one for one in unmet if not self._is_reached_alone(one))
        # Of the commands that only happen to come out right none is named where there are others.
        untrusted = next((searched.untrusted for searched, _ in self.searches if searched.untrusted), {})
        why = tuple(why_not(one, recipes) for one in blamed) or (why_not_together(unmet),)
        cut = any(searched.cut for searched, _ in self.searches)
        named = tuple(untrusted.values())[:MAX_UNTRUSTED]
        return NoPlan(blamed or unmet, self.imagined, self._seconds(), cut, why, named)

    def _is_reached_alone(self, condition: Condition) -> bool:
        """Whether there is a plan for one of several conditions, so that it is not what cannot be reached."""
        if len(self.target.goal.conditions) == 1 or isinstance(condition, Holds | Answers):
            return False
        try:
            alone = Target(Goal((condition,), self.target.goal.reads), self.start)
        except DabhandError:
            return False  # it has no meaning without the others
        errand = _Errand(self.planner, alone, self.start, True, self.limits, PATIENCE_ALONE)
        found = errand.carry_out()
        self.imagined += found.imagined
        return isinstance(found, Plan)


PATIENCE_ALONE = 0.3
"""Seconds spent on finding out whether one condition of several can be reached."""
MAX_UNTRUSTED = 5
"""Commands that would do if they were trusted, said at most."""
