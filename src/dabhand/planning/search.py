"""Beam search in imagination: from the folder as it is to the folder as wanted, over trusted predictions only."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping

import msgspec

from dabhand.commands import Template, render
from dabhand.goals import Answers, Condition
from dabhand.planning.actions import Action, Guide
from dabhand.planning.fillings import MAX_FILLINGS, fillings
from dabhand.planning.imagining import Delta, Memory
from dabhand.planning.plan import Step, Untrusted
from dabhand.planning.target import Target
from dabhand.planning.texts import Texts
from dabhand.planning.variants import generality
from dabhand.workspace import File, State
from dabhand.world import Prediction

EPSILON = 1e-6
GRADE = 0.05
"""Confidences that differ by less are equally good."""
SLACK = 1.5
"""How much further off than the best a folder may be and still be gone on from: as much as a detour costs."""
Doubted = tuple[str, tuple[tuple[str, str | int], ...]]
"""A command that was not trusted, and its words and numbers."""
Key = tuple[State, bool, frozenset[tuple[str, Texts]]]
Score = tuple[float, int, int, float, int]
MAX_FINALISTS = 12
"""Ways to the goal that are held against each other, at most."""


class Limits(msgspec.Struct, frozen=True):
    """How far one search goes.

    Attributes:
        width: of the beam.
        depth: steps that may pass without the goal coming nearer.
        imagined: outcomes imagined, at most.
        trusted: over trusted predictions only; else over all that is known, for a plan to try out.
        directed: over fillings that further the goal; else over all that could.
        rescue: keeping copies of what will be overwritten as well.
    """

    width: int
    depth: int
    imagined: int
    trusted: bool = True
    directed: bool = True
    rescue: bool = False


class Node(msgspec.Struct, frozen=True):
    """A folder that came up, and how.

    Attributes:
        labels: what the files hold that the steps wrote.
        score: distance from the goal, steps, side effects, doubt, characters of the commands: of what is equally good
            the plainest.
    """

    state: State
    steps: tuple[Step, ...]
    answered: bool
    labels: Mapping[str, Texts]
    score: Score


class Search:
    """One search.

    Args:
        guide: what is left to do, and what may be next.
        memory: what was imagined before.
        templates: commands to plan with.
        touched: slots whose paths each command was seen to change, for a search that is not directed.
        limits: how far to go.
        is_over: whether time is up.
    """

    def __init__(
        self,
        guide: Guide,
        memory: Memory,
        templates: tuple[Template, ...],
        touched: Touched,
        limits: Limits,
        is_over: Callable[[], bool],
    ) -> None:
        self.guide = guide
        self.target: Target = guide.target
        self.memory = memory
        self.templates = templates
        self.touched = touched
        self.limits = limits
        self.allowed = {*self.target.paths, *self.target.trees.passing(), *guide.material.scratch}
        self.imagined = 0
        self.cut = False
        self.untrusted: dict[str, Untrusted] = {}
        self.doubted: set[Doubted] = set()
        self._time_is_up = is_over
        self._began = self.target.before
        self._ways: dict[tuple[State, State, str], list[Step]] = {}

    def run(self, start: State, answered: bool) -> Node:
        """The best node: done, or as near as any."""
        self._began = start
        best = self._node(start, (), answered or self.target.answer is None, {}, 0)
        beam, seen, idle = [best], {_key(best)}, 0
        while beam and idle < self.limits.depth and not self.is_done(best):
            found = self._next(beam, seen)
            done = [node for node in found if self.is_done(node)]
            if done:
                return self._most_general(done)
            beam = self._kept(found)
            if beam and beam[0].score[0] < best.score[0] - EPSILON:
                best, idle = beam[0], 0
            else:
                idle += 1
            if self._is_over():
                self.cut = True
                break
        return best

    def _kept(self, found: list[Node]) -> list[Node]:
        """The best of what was found, without what is clearly further off than the best of it."""
        ordered = sorted(found, key=lambda node: node.score)[: self.limits.width]
        return [node for node in ordered if node.score[0] <= ordered[0].score[0] + SLACK]

    def is_done(self, node: Node) -> bool:
        """Whether the goal is reached."""
        return node.answered and not self.guide.needs(node.state, node.labels)

    def holds(self, condition: Condition, node: Node) -> bool:
        """Whether a condition is met."""
        if isinstance(condition, Answers):
            return node.answered
        return self.target.holds(condition, node.state, None)

    def _is_over(self) -> bool:
        return self.imagined >= self.limits.imagined or self._time_is_up()

    def _next(self, beam: list[Node], seen: set[Key]) -> list[Node]:
        """What follows from a beam, every folder once."""
        found: dict[Key, Node] = {}
        for node in beam:
            for made in self._successors(node):
                key = _key(made)
                if key not in seen and (key not in found or made.score < found[key].score):
                    found[key] = made
        seen.update(found)
        return list(found.values())

    def _successors(self, node: Node) -> Iterator[Node]:
        for actions in self._choices(node):
            advanced = False
            for action in actions:
                if self._is_over():
                    return
                made = self._imagine(node, action)
                if made is not None:
                    advanced = advanced or made.score[0] <= node.score[0] - 1.0 + EPSILON
                    yield made
            if advanced and self.limits.directed:
                return  # what is left is no further off than before, so it can wait

    def _choices(self, node: Node) -> Iterator[list[Action]]:
        if self.limits.directed:
            yield from self.guide.choices(node.state, node.labels, node.answered, rescue=self.limits.rescue)
            return
        material = self.guide.material
        readable, writable = material.readable(node.state), material.writable(node.state, scratch=True)
        for template in self.templates:
            touched = self.touched.by(template)
            many = fillings(template, touched, readable, writable, material)
            yield [Action(template, dict(slots)) for slots in itertools.islice(many, MAX_FILLINGS)]

    def _imagine(self, node: Node, action: Action) -> Node | None:
        self.imagined += 1
        prediction, changes = self.memory.predict(action.template, action.slots, node.state)
        if not prediction.known or prediction.state is None:
            self._doubt(action, prediction)
            return None
        if prediction.ok and (changes or prediction.stdout):
            self.touched.note(action.template, action.slots, changes)
        answered = node.answered or self.target.answers(prediction.stdout)
        labels = self._labels(node, action, prediction, changes)
        if not changes and answered == node.answered and labels == node.labels:
            return None
        if not self.allowed.issuperset(changes):
            return None
        beside = sum(1 for path in changes if path not in dict(action.labels) and path not in self.target.paths)
        beside += node.score[2] + (not prediction.ok)
        step = Step(action.template, action.slots, prediction)
        made = self._node(
            prediction.state, (*node.steps, step), answered, labels, node.score[2] + beside + (not prediction.ok)
        )
        if not prediction.trusted and self.limits.trusted:
            if made.score[0] < node.score[0] or labels.keys() - node.labels.keys():
                self._doubt(action, prediction)
            return None
        ways = self._ways.setdefault((node.state, prediction.state, prediction.stdout), [])
        if all(way.template is not action.template for way in ways):
            ways.append(step)
        return made

    def _doubt(self, action: Action, prediction: Prediction) -> None:
        """Remember a command that would do, for saying so."""
        if self.limits.directed and prediction.reason:
            self.doubted.add((action.template.text, action.given))
            line = render(action.template, action.slots)
            self.untrusted.setdefault(action.template.text, Untrusted(action.template.text, line, prediction.reason))

    def _labels(self, node: Node, action: Action, prediction: Prediction, changes: Delta) -> dict[str, Texts]:
        """What the files hold: as the step was meant, where that is what came of it."""
        meant = dict(action.labels)
        labels = {path: texts for path, texts in node.labels.items() if path not in changes}
        # What is written anew just as it was shows in no change, and is now what was meant all the same.
        written = (path for path in meant if path not in changes and prediction.ok)
        for path in (*changes, *written):
            now = None if prediction.state is None else prediction.state.get(path)
            if isinstance(now, File):
                texts = meant.get(path) or ((now.text,) if not self.limits.directed else None)
                if texts is not None and texts[0] == now.text:
                    labels[path] = texts
        return labels

    def _node(
        self, state: State, steps: tuple[Step, ...], answered: bool, labels: Mapping[str, Texts], beside: int
    ) -> Node:
        doubt = 1.0 - min((step.prediction.confidence for step in steps), default=1.0)
        distance = self.guide.distance(state, labels, answered)
        length = sum(len(step.template.text) for step in steps)
        return Node(state, steps, answered, labels, (distance, len(steps), beside, doubt // GRADE, length))

    def _most_general(self, done: list[Node]) -> Node:
        """Of several ways to the goal, one that would also be right had the files held something else."""
        ordered = sorted(done, key=lambda node: node.score)
        folders = self.guide.variants
        if not folders:
            return ordered[0]
        ways = list(itertools.islice((way for node in ordered for way in self._ways_to(node)), MAX_FINALISTS))
        if len(ways) == 1:
            return ways[0]

        def predict(command: str, slots: Mapping[str, str | int], state: State) -> Prediction:
            template = next(one for one in self.templates if one.text == command)
            return self.memory.predict(template, slots, state)[0]

        def rank(node: Node) -> tuple[int, Score]:
            steps = tuple((step.template.text, step.slots) for step in node.steps)
            return generality(steps, folders, predict), node.score

        return min(ways, key=rank)

    def _ways_to(self, node: Node) -> Iterator[Node]:
        """The same folders one after the other, by other commands."""
        before = self._began
        choices: list[list[Step]] = []
        for step in node.steps:
            after = before if step.prediction.state is None else step.prediction.state
            choices.append(self._ways.get((before, after, step.prediction.stdout), [step]))
            before = after
        for steps in itertools.product(*choices):
            yield self._node(node.state, steps, node.answered, node.labels, node.score[2])


def _key(node: Node) -> Key:
    """What makes two folders one: what is in them, and what it was written as."""
    return node.state, node.answered, frozenset(node.labels.items())


class Touched:
    """Which slots' paths each command was seen to change in imagination."""

    def __init__(self) -> None:
        self._slots: dict[str, frozenset[str]] = {}

    def by(self, template: Template) -> frozenset[str] | None:
        """Those of a command; None while nothing is known."""
        return self._slots.get(template.text)

    def note(self, template: Template, slots: Mapping[str, str | int], changed: Delta) -> None:
        """Remember which slots' paths were changed (themselves, or something in them), where that is unmistakable."""
        named = [slot.name for slot in template.slots if slot.kind == "path"]
        found = set()
        for path in changed:
            at = [name for name in named if _at_or_below(path, str(slots[name]))]
            if len(at) > 1:
                return
            found.update(at)
        self._slots[template.text] = self._slots.get(template.text, frozenset()) | found


def _at_or_below(path: str, place: str) -> bool:
    return path == place or path.startswith(place + "/")
