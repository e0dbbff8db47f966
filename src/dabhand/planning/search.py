"""Beam search in imagination: from the folder as it is to the folder as wanted, over trusted predictions only."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import msgspec

from dabhand.commands import Template
from dabhand.goals import Answers, Condition
from dabhand.planning.fillings import Material, fillings
from dabhand.planning.target import Target
from dabhand.planning.variants import generality, variants
from dabhand.workspace import File, Folder, State
from dabhand.world import Prediction

WIDTH = 15
DEPTH = 4
MAX_IMAGINED = 20_000
"""Outcomes imagined in one search, at most."""
PATIENCE = 2.0
"""Seconds of work in one search, at most: about what a person waits for."""


class Imagination(Protocol):
    """What planning needs of a world model."""

    def predict(self, command: str, slots: Mapping[str, str | int], state: State) -> Prediction:
        """The whole outcome expected of a command in a folder."""


class Step(msgspec.Struct, frozen=True):
    """One command of a plan: its template, what fills it, and what is expected of it in the folder before it."""

    template: Template
    slots: Mapping[str, str | int]
    prediction: Prediction


class Plan(msgspec.Struct, frozen=True):
    """Steps that lead to the goal, in imagination.

    Attributes:
        steps: in order; none when the goal holds already.
        imagined: how many outcomes were imagined to find it.
        seconds: how long that took.
    """

    steps: tuple[Step, ...]
    imagined: int
    seconds: float


class NoPlan(msgspec.Struct, frozen=True):
    """No trusted commands lead to the goal.

    Attributes:
        unreachable: conditions that the nearest folder found does not meet.
        imagined, seconds: as of a plan.
    """

    unreachable: tuple[Condition, ...]
    imagined: int
    seconds: float


class _Node(msgspec.Struct, frozen=True):
    state: State
    steps: tuple[Step, ...]
    answered: bool
    score: tuple[float, int, float]


class Planner:
    """Finds plans; remembers between searches which slots' paths each command changes.

    Args:
        world: what is believed.
        templates: commands to plan with.
        clock: seconds of work, for saying how long a search took and for ending it.
        patience: seconds that one search may take.
    """

    def __init__(
        self,
        world: Imagination,
        templates: Sequence[Template],
        clock: Callable[[], float] = time.thread_time,
        patience: float = PATIENCE,
    ) -> None:
        self.world = world
        self.templates = tuple(templates)
        self.clock = clock
        self.patience = patience
        self._touched: dict[str, frozenset[str]] = {}

    def plan(
        self, target: Target, start: State | None = None, *, width: int = WIDTH, depth: int = DEPTH,
        answered: bool = False,
        trusted: bool = True, patience: float | None = None,
    ) -> Plan | NoPlan:  # fmt: skip
        """The shortest plan with the fewest side effects that is found.

        Args:
            target: the goal in its folder.
            start: the folder to start from (the target's own unless something was done already).
            width: of the beam.
            depth: of the beam; a long goal is reached in several stretches of this depth.
            answered: the answer was given already.
            patience: seconds that this search may take, if not the usual.
            trusted: imagine over trusted predictions only; without, over all that is known, for a plan to try out.
        """
        search = _Search(self, target, width, depth, trusted, self.patience if patience is None else patience)
        began = self.clock()
        found = search.run(target.before if start is None else start, answered)
        seconds = self.clock() - began
        if search.is_done(found):
            return Plan(found.steps, search.imagined, seconds)
        unmet = [one for one in target.goal.conditions if not search.holds(one, found)]
        return NoPlan(tuple(unmet or target.goal.conditions), search.imagined, seconds)

    def replay(self, plan: Plan, target: Target) -> Plan | None:
        """The same commands, imagined anew for another folder; None where they are not trusted to reach the goal."""
        began = self.clock()
        state, answered, steps = target.before, target.answer is None, []
        for step in plan.steps:
            expected = self.world.predict(step.template.text, step.slots, state)
            if not (expected.known and expected.ok and expected.trusted and expected.state is not None):
                return None
            steps.append(Step(step.template, step.slots, expected))
            state, answered = expected.state, answered or target.answers(expected.stdout)
        if not answered or target.wrong(state):
            return None
        return Plan(tuple(steps), plan.imagined + len(steps), plan.seconds + self.clock() - began)

    def touched(self, template: Template) -> frozenset[str] | None:
        """Slots whose paths a command has been seen to change, in imagination; None while nothing is known."""
        return self._touched.get(template.text)

    def note(self, template: Template, slots: Mapping[str, str | int], changed: set[str]) -> None:
        """Remember which slots' paths were changed (themselves, or something in them), where that is unmistakable."""
        named = [slot.name for slot in template.slots if slot.kind == "path"]
        found = set()
        for path in changed:
            at = [name for name in named if _at_or_below(path, str(slots[name]))]
            if len(at) > 1:
                return
            found.update(at)
        self._touched[template.text] = self._touched.get(template.text, frozenset()) | found


class _Search:
    """One search."""

    def __init__(
        self, planner: Planner, target: Target, width: int, depth: int, trusted: bool, patience: float
    ) -> None:
        self.planner = planner
        self.target = target
        self.width = width
        self.depth = depth
        self.material = Material(target)
        self.allowed = {*target.paths, *self.material.scratch}
        self.trusted = trusted
        self.imagined = 0
        self._until = planner.clock() + patience
        self._began = target.before
        self._ways: dict[tuple[State, State, str], list[Step]] = {}

    def run(self, start: State, answered: bool) -> _Node:
        """The best node: done, or as near as any."""
        self._began = start
        best = self._node(start, (), answered or self.target.answer is None)
        while not self.is_done(best):
            found = self._stretch(best)
            # Only a stretch that met more of the goal and left nothing lying about is worth going on from.
            if found.score >= best.score or self._is_over():
                return found if found.score < best.score else best
            if not self.is_done(found) and self._litter(found.state):
                return found
            best = found
        return best

    def is_done(self, node: _Node) -> bool:
        """Whether the goal is reached."""
        return node.answered and not self.target.wrong(node.state)

    def holds(self, condition: Condition, node: _Node) -> bool:
        """Whether a condition is met."""
        if isinstance(condition, Answers):
            return node.answered
        return self.target.holds(condition, node.state, None)

    def _is_over(self) -> bool:
        return self.imagined >= MAX_IMAGINED or self.planner.clock() >= self._until

    def _stretch(self, start: _Node) -> _Node:
        """One beam search from a node: every step an advance without scratch files, with them, then any step."""
        best = start
        for scratch, any_step in ((False, False), (True, False), (True, True)):
            best = min(best, self._beam(start, scratch, any_step), key=lambda node: node.score)
            if self._is_over() or (best.score[0] < start.score[0] and not self._litter(best.state)):
                return best
        return best

    def _beam(self, start: _Node, scratch: bool, any_step: bool) -> _Node:
        best, beam, seen = start, [start], {(start.state, start.answered)}
        for _ in range(self.depth):
            found = self._next(beam, seen, scratch, any_step)
            done = [node for node in found if self.is_done(node)]
            if done:
                return self._most_general(done)
            beam = sorted(found, key=lambda node: node.score)[: self.width]
            if not beam or self._is_over():
                break
            best = min((best, *beam), key=lambda node: node.score)
        return best

    def _next(self, beam: list[_Node], seen: set[tuple[State, bool]], scratch: bool, any_step: bool) -> list[_Node]:
        """What follows from a beam, every folder once."""
        found: dict[tuple[State, bool], _Node] = {}
        for node in beam:
            for made in self._successors(node, scratch):
                key = (made.state, made.answered)
                if key in seen or not (any_step or made.score[0] < node.score[0]):
                    continue
                if key not in found or made.score < found[key].score:
                    found[key] = made
        seen.update(found)
        return list(found.values())

    def _most_general(self, done: list[_Node]) -> _Node:
        """Of several ways to the goal, one that would also be right had the files held something else."""
        ways = [way for node in sorted(done, key=lambda node: node.score)[:3] for way in self._ways_to(node)]
        if len(ways) == 1:
            return ways[0]
        folders = variants(self.target, self.material.sources)
        predict = self.planner.world.predict

        def rank(node: _Node) -> tuple[int, tuple[float, int, float]]:
            steps = tuple((step.template.text, step.slots) for step in node.steps)
            return -generality(steps, folders, predict), node.score

        return min(ways, key=rank)

    def _ways_to(self, node: _Node) -> list[_Node]:
        """The same folders one after the other, by other commands."""
        before = self._began
        choices: list[list[Step]] = []
        for step in node.steps:
            after = step.prediction.state or before
            choices.append(self._ways.get((before, after, step.prediction.stdout), [step]))
            before = after
        chosen = itertools.islice(itertools.product(*choices), 2 * self.width)
        return [self._node(node.state, steps, node.answered) for steps in chosen]

    def _successors(self, node: _Node, scratch: bool) -> list[_Node]:
        readable = self.material.readable(node.state)
        writable = self.material.writable(node.state, scratch=scratch)
        made: list[_Node] = []
        for template in self.planner.templates:
            touched = self.planner.touched(template)
            for slots in fillings(template, touched, readable, writable, self.material):
                if self._is_over():
                    return made
                following = self._imagine(node, template, slots)
                if following is not None:
                    made.append(following)
        return made

    def _imagine(self, node: _Node, template: Template, slots: Mapping[str, str | int]) -> _Node | None:
        self.imagined += 1
        prediction = self.planner.world.predict(template.text, slots, node.state)
        if not (prediction.known and prediction.ok and prediction.state is not None):
            return None
        changed = _changed(node.state, prediction.state)
        if changed or prediction.stdout:
            self.planner.note(template, slots, changed)
        if (self.trusted and not prediction.trusted) or not changed <= self.allowed:
            return None
        answered = node.answered or self.target.answers(prediction.stdout)
        step = Step(template, slots, prediction)
        if not changed and answered == node.answered:
            return None
        ways = self._ways.setdefault((node.state, prediction.state, prediction.stdout), [])
        if all(way.template is not template for way in ways):
            ways.append(step)
        return self._node(prediction.state, (*node.steps, step), answered)

    def _node(self, state: State, steps: tuple[Step, ...], answered: bool) -> _Node:
        wrong = self.target.wrong(state)
        unmet = [path for path in wrong if path not in self.material.scratch]
        needed = sum(1 for path in self._still_needed(unmet, answered) if not self._at_hand(path, state))
        distance = len(unmet) + 2.0 * needed + (0.0 if answered else 1.0)
        if distance:
            distance -= self._progress(state) * 0.9
        litter = len(wrong) - len(unmet)
        doubt = -min((step.prediction.confidence for step in steps), default=1.0)
        return _Node(state, steps, answered, (distance + 0.1 * litter, len(steps), doubt))

    def _progress(self, state: State) -> float:
        """How far along the furthest intermediate text is that some file holds."""
        milestones = self.target.milestones
        return max((milestones.get(node.data, 0.0) for node in state.values() if isinstance(node, File)), default=0.0)

    def _still_needed(self, unmet: list[str], answered: bool) -> tuple[str, ...]:
        """Sources that what is not yet met is worked out from."""
        if not unmet and answered:
            return ()
        creating = [path for path in unmet if path in self.target.wanted]
        return self.material.sources if creating or not answered else ()

    def _at_hand(self, path: str, state: State) -> bool:
        """Whether a source is still what it was, or what was worked out from it is there."""
        return state.get(path) == self.target.before.get(path) or self._progress(state) > 0

    def _litter(self, state: State) -> bool:
        return any(name in state for name in self.material.scratch)


def _changed(before: State, after: State) -> set[str]:
    found = {path for path, node in after.items() if before.get(path) != node}
    found.update(path for path in before if path not in after)
    return found


def _at_or_below(path: str, place: str) -> bool:
    return path == place or path.startswith(place + "/")


def needed_for(condition: Condition, state: State) -> str:
    """In a few words, what kind of command would be needed for a condition, for growing a tool."""
    match condition:
        case Answers():
            return "a command that prints the answer"
        case _:
            there = condition.path is not None and isinstance(state.get(condition.path), File | Folder)
            return f"a command that {'changes' if there else 'makes'} {condition.path!r}"
