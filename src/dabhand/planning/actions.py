"""Sensible steps in one imagined folder: what brings the goal nearer, found backwards from what is not yet so."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from dabhand.commands import Template
from dabhand.planning.beliefs import Beliefs, Means, leading_to
from dabhand.planning.fillings import Material
from dabhand.planning.recipes import BEYOND, Recipes, Way
from dabhand.planning.target import Target
from dabhand.planning.texts import Texts, texts_at
from dabhand.planning.trees import all_above
from dabhand.workspace import File, Folder, State

MAX_HOLDERS = 3
"""Files with one and the same text that are worth reading it from."""

Labels = Mapping[str, Texts]
"""What the files hold that a plan has written."""
Holders = dict[Texts, list[str]]


class Action(msgspec.Struct, frozen=True):
    """One filling of one command, and which texts its files then hold."""

    template: Template
    slots: dict[str, str | int]
    labels: tuple[tuple[str, Texts], ...] = ()

    @property
    def given(self) -> tuple[tuple[str, str | int], ...]:
        """Its words and numbers."""
        return tuple((slot.name, self.slots[slot.name]) for slot in self.template.slots if slot.kind != "path")


class Guide:
    """Knows what is left to do in a folder, how far that is, and which steps may be next.

    Args:
        target: what is wanted.
        material: names for intermediate files.
        beliefs: what commands are believed to be means to.
        recipes: which texts make which.
        variants: folders in which several ways to the goal are held against each other; none where that needs not be.
    """

    def __init__(
        self,
        target: Target,
        material: Material,
        beliefs: Beliefs,
        recipes: Recipes,
        variants: tuple[Target, ...] = (),
    ) -> None:
        self.variants = variants
        self.target = target
        self.material = material
        self.beliefs = beliefs
        self.recipes = recipes
        self.trees = target.trees
        self.copied = self.trees.copied
        spoken = [path for path in target.goal.paths if path in target.paths]
        self.order = {path: index for index, path in enumerate(dict.fromkeys((*spoken, *target.paths)))}
        named = dict.fromkeys((*material.sources, *target.paths))
        self.originals = {path: texts for path in named if (texts := texts_at(path, recipes.folders)) is not None}
        self.read = tuple(path for path in material.sources if path in self.originals)
        self.begun = {texts: share.share for texts, share in recipes.landmarks.items() if texts not in recipes.sources}

    # -- how far it is ------------------------------------------------------------------------------------------------

    def holders(self, state: State, labels: Labels) -> Holders:
        """The files that hold each text, those that were there before first."""
        found: Holders = {}
        before = self.target.before
        for path, texts in self.originals.items():
            if path not in labels and state.get(path) == before[path]:
                found.setdefault(texts, []).append(path)
        for path, texts in labels.items():
            if isinstance(state.get(path), File):
                found.setdefault(texts, []).append(path)
        return found

    def needs(self, state: State, labels: Labels) -> list[str]:
        """Paths that are not as wanted, in the order of the goal, then scratch files; of a tree only its top.

        What only happens to hold the wanted text, having been written as something else, is not as wanted.
        """
        wrong = (*self.target.wrong(state), *(path for path in labels if self._is_mistaken(path, state, labels)))
        every = set(wrong)
        tops = [path for path in wrong if not self._comes_with(path, every)]
        return sorted(tops, key=lambda path: self.order.get(path, len(self.order)))

    def _is_mistaken(self, path: str, state: State, labels: Labels) -> bool:
        """Whether a file was written as another text than the wanted one, though here the two are alike."""
        wanted = self.recipes.wanted.get(path)
        if wanted is None or path not in labels or labels[path] == wanted:
            return False
        return self.target.is_right(path, state.get(path))

    def _comes_with(self, path: str, wrong: set[str]) -> bool:
        return any(
            above in wrong and (above in self.copied or above not in self.target.wanted) for above in all_above(path)
        )

    def distance(self, state: State, labels: Labels, answered: bool) -> float:
        """About how many steps are left; far more where something is lost that is still needed."""
        holders = self.holders(state, labels)
        steps = self.recipes.steps(frozenset(holders))
        needs = self.needs(state, labels)
        later = dict.fromkeys(inner for path in needs for inner in self.trees.inside(path) if inner not in needs)
        total = sum(self._left(path, state, labels, holders, steps) for path in needs)
        total += sum(self._left_after(path, state, labels, holders, steps) for path in later)
        if not answered:
            ready = [sum(steps.get(one, BEYOND) for _, one in way.inputs) for way in self.recipes.printed]
            total += 1.0 + min(ready, default=self._unreached(holders))
        return total

    def _left(self, path: str, state: State, labels: Labels, holders: Holders, steps: Mapping[Texts, float]) -> float:
        wanted, now = self.target.wanted.get(path), state.get(path)
        source = self.copied.get(path)
        if source is not None and not isinstance(wanted, File):
            return 1.0 if self.trees.whole(path, state) else BEYOND
        mistaken = self._is_mistaken(path, state, labels)
        if not isinstance(wanted, File) or (isinstance(now, File) and now.data == wanted.data and not mistaken):
            return 1.0
        mode = float(wanted.executable and source is None and not (isinstance(now, File) and now.executable))
        texts = self.recipes.wanted.get(path)
        if texts is None:
            return 1.0 + mode
        if texts in holders:
            return 1.0 + mode
        ways = self.recipes.ways.get(texts, [])
        if not ways and texts not in self.recipes.sources:
            return 1.0 + mode + self._unreached(holders)
        held = labels.get(path) or (self.originals.get(path) if path not in labels else None)
        if any(way.maker.own and dict(way.inputs).get(way.maker.own) == held for way in ways):
            return 1.0 + mode
        return max(1.0, steps.get(texts, BEYOND)) + mode

    def _unreached(self, holders: Holders) -> float:
        """For a text that nothing is known to make: less, the further along the furthest landmark is."""
        return 2.0 - 1.8 * max((self.begun.get(texts, 0.0) for texts in holders), default=0.0)

    def _left_after(
        self, path: str, state: State, labels: Labels, holders: Holders, steps: Mapping[Texts, float]
    ) -> float:
        """What will be left to do at a path once the folder that it is in has come."""
        brought = self.trees.brought(path)
        wanted = self.target.wanted.get(path)
        if wanted is None or brought is None:
            return float(wanted is not brought) and self._left(path, state, labels, holders, steps)
        there, texts = self.target.before[brought], self.recipes.wanted.get(path)
        if texts is not None and texts == self.originals.get(brought):
            return float(not self.target.is_right(path, there))
        if texts is None and isinstance(there, File) and isinstance(wanted, File) and there.data == wanted.data:
            return float(there != wanted)
        if isinstance(there, Folder) and isinstance(wanted, Folder) and path not in self.copied:
            return 0.0
        return self._left(path, state, labels, holders, steps)

    # -- what may be next ---------------------------------------------------------------------------------------------

    def choices(self, state: State, labels: Labels, answered: bool, *, rescue: bool) -> Iterator[list[Action]]:
        """For each thing left to do, the steps that further it."""
        holders = self.holders(state, labels)
        unused = next((name for name in self.material.scratch if name not in state), None)
        # A scratch file that is there may be written again: what it holds is often not needed any more.
        spare = [name for name in self.material.scratch if name in state or name == unused]
        for path in self.needs(state, labels):
            yield list(self._for_path(path, state, labels, holders, spare, rescue))
        if not answered:
            yield list(self._for_answer(holders, spare))
        if rescue and unused is not None:
            yield [
                action
                for path in self.target.paths
                if state.get(path) == self.target.before.get(path)
                for action in self._copies(path, unused, self.originals.get(path))
            ]

    def _for_path(
        self, path: str, state: State, labels: Labels, holders: Holders, spare: Sequence[str], thorough: bool
    ) -> Iterator[Action]:
        wanted, now = self.target.wanted.get(path), state.get(path)
        if now is not None and (wanted is None or isinstance(now, Folder) != isinstance(wanted, Folder)):
            yield from self._at(self.beliefs.removers, path)
            if isinstance(now, Folder) and thorough:
                for inner in reversed(state.below(path)[:MAX_INNER]):
                    yield from self._at(self.beliefs.removers, inner)
            return
        if path in self.copied:
            for source in self.trees.places_of(self.copied[path], state):
                yield from self._copies(source, path, self.originals.get(self.copied[path]), labels)
        if isinstance(wanted, Folder):
            yield from self._at(self.beliefs.folder_makers, path)
        elif isinstance(wanted, File):
            mistaken = self._is_mistaken(path, state, labels)
            if isinstance(now, File) and now.data == wanted.data and not mistaken:
                yield from self._at(self.beliefs.modes[wanted.executable], path)
            elif path in self.recipes.wanted:
                yield from self._for_text(self.recipes.wanted[path], (path,), (path, *spare), holders, set())

    def _for_text(
        self, texts: Texts, places: Sequence[str], others: Sequence[str], holders: Holders, seen: set[Texts]
    ) -> Iterator[Action]:
        """Steps towards a text in one of some places; what is needed for it goes to others."""
        seen.add(texts)
        for source in holders.get(texts, [])[:MAX_HOLDERS]:
            for place in places:
                yield from self._copies(source, place, texts)
        for way in self.recipes.ways.get(texts, []):
            missing = [one for _, one in way.inputs if one not in holders]
            if not missing:
                done = [action for place in places for action in self._done(way, place, texts, holders)]
                # What reads the very file that it is to write is made elsewhere first.
                yield from done or (action for place in others for action in self._done(way, place, texts, holders))
            for one in missing:
                if one not in seen:
                    yield from self._for_text(one, others[::-1], others, holders, seen)

    def _for_answer(self, holders: Holders, spare: Sequence[str]) -> Iterator[Action]:
        for way in self.recipes.printed:
            missing = [one for _, one in way.inputs if one not in holders]
            if not missing:
                yield from self._done(way, None, None, holders)
            for one in missing:
                yield from self._for_text(one, spare, spare, holders, set())

    def _done(self, way: Way, place: str | None, texts: Texts | None, holders: Holders) -> Iterator[Action]:
        """A way with files for all it reads; where it changes a text in its place, that text may first go there."""
        maker, inputs = way.maker, dict(way.inputs)
        if maker.own and place is not None:
            own = inputs.pop(maker.own)
            if place not in holders[own]:
                for source in holders[own][:MAX_HOLDERS]:
                    yield from self._copies(source, place, own)
                return
        read = [[one for one in holders[texts] if one != place][:MAX_HOLDERS] for texts in inputs.values()]
        for paths in itertools.product(*read):
            named = {**dict(way.paths), **dict(zip(inputs, paths, strict=True))}
            if maker.place is None:
                yield self._action(maker.template, {**named, **dict(way.given)}, ())
                continue
            assert place is not None
            where = leading_to(maker.place, place, named.get(getattr(maker.place, "named", "")))
            if where is not None and texts is not None:
                yield self._action(maker.template, {**named, **where, **dict(way.given)}, ((place, texts),))

    def _copies(self, source: str, place: str, texts: Texts | None, labels: Labels | None = None) -> Iterator[Action]:
        if source == place:
            return
        meant = tuple(self._moved(source, place, labels or {})) if texts is None else ((place, texts),)
        for means in self.beliefs.copiers:
            where = leading_to(means.place, place, source)
            if where is not None:
                yield self._action(means.template, {means.source: source, **where}, meant)

    def _moved(self, source: str, place: str, labels: Labels) -> Iterator[tuple[str, Texts]]:
        """What the files in a folder hold after it is moved, those that are spoken of."""
        held = {**{path: self.originals[path] for path in self.read}, **labels}
        for path, texts in held.items():
            if path.startswith(source + "/"):
                yield place + path[len(source) :], texts

    def _at(self, many: Sequence[Means], path: str) -> Iterator[Action]:
        for means in many:
            where = leading_to(means.place, path, None)
            if where is not None:
                yield self._action(means.template, {**where}, ())

    def _action(
        self, template: Template, slots: Mapping[str, str | int], labels: tuple[tuple[str, Texts], ...]
    ) -> Action:
        return Action(template, {slot.name: slots[slot.name] for slot in template.slots}, labels)


MAX_INNER = 12
"""Entries of a folder that are removed one by one, at most."""
