"""Which commands make the texts that a goal wants, out of the texts that are there: found without any folder.

Backwards from the goal, the texts worth making are those that come up while the goal's terms are worked out. Forwards,
every command that is believed to compute something is applied to every text at hand, and kept if that gives one of
those. Where a wanted text is not reached so, what lies one unforeseen text in between is tried too.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import msgspec

from dabhand.goals import Holds, IsCopy
from dabhand.language import FAILED
from dabhand.planning.beliefs import Beliefs, Maker
from dabhand.planning.fillings import Material
from dabhand.planning.target import Target
from dabhand.planning.texts import Landmark, Texts, landmarks, texts_at, texts_wanted, value_of
from dabhand.world.reading import Reader, values_of

MAX_WAYS = 6
"""Ways to make one text that are remembered."""
MAX_EVALUATED = 6000
"""Terms evaluated in looking for one unforeseen text in between, at most."""
MAX_FREE = 400
"""Unforeseen texts looked at."""
BEYOND = 30.0
"""Steps to a text that nothing makes."""


class Way(msgspec.Struct, frozen=True):
    """One command that makes (or prints) a text.

    Attributes:
        maker: the command.
        given: its words and numbers.
        inputs: the texts that its slots' files must hold, the place's own among them.
        paths: what its path slots must be, for a command that looks at more than texts.
    """

    maker: Maker
    given: tuple[tuple[str, str | int], ...]
    inputs: tuple[tuple[str, Texts], ...]
    paths: tuple[tuple[str, str], ...] = ()


class Recipes:
    """What makes what.

    Attributes:
        folders: the folder, and its variants.
        wanted: the texts that files are to hold, by path; what comes with a tree that is copied is not among them.
        answer: the text that is to be printed, without a final newline; None when none is asked for.
        landmarks: texts worth making.
        ways: how to make each.
        printed: how to print the answer.
        evaluated: how many terms that took.
    """

    def __init__(self, beliefs: Beliefs, folders: Sequence[Target], material: Material) -> None:
        self.folders = tuple(folders)
        self.beliefs = beliefs
        self.material = material
        self.evaluated = 0
        self.landmarks: dict[Texts, Landmark] = landmarks(folders)
        self.sources = self._sources()
        copied = [path + "/" for path in folders[0].trees.copied]
        said = {one.path for one in folders[0].goal.conditions if isinstance(one, Holds | IsCopy)}
        paths = [path for path in folders[0].paths if path in said or not path.startswith(tuple(copied))]
        found = {path: texts_wanted(path, folders) for path in paths}
        self.wanted: dict[str, Texts] = {path: texts for path, texts in found.items() if texts is not None}
        answers = [folder.answer for folder in folders]
        self.answer = None if None in answers else tuple(_bare(str(answer)) for answer in answers)
        self.ways: dict[Texts, list[Way]] = {}
        self.printed: list[Way] = []
        self._wide = False
        self._doubted: Collection[tuple[str, tuple[tuple[str, str | int], ...]]] = ()
        self._steps: dict[frozenset[Texts], dict[Texts, float]] = {}
        self._fillings: dict[str, tuple[tuple[tuple[str, str | int], ...], ...]] = {}
        self._last: tuple[frozenset[Texts], frozenset[str]] = frozenset(), frozenset()
        self._explore()

    def _sources(self) -> dict[Texts, str]:
        """The texts that are there, and one path for each: what the goal reads comes first."""
        found: dict[Texts, str] = {}
        for path in (*self.material.sources, *self.folders[0].goal.paths):
            texts = texts_at(path, self.folders)
            if texts is not None:
                found.setdefault(texts, path)
        return found

    @property
    def goal_texts(self) -> tuple[Texts, ...]:
        """The texts that files must hold in the end."""
        return tuple(dict.fromkeys(self.wanted.values()))

    @property
    def complete(self) -> bool:
        """Whether there is a way to everything that is wanted."""
        return not self.missing() and (self.answer is None or bool(self.printed))

    def missing(self) -> tuple[Texts, ...]:
        """The wanted texts that nothing makes."""
        return tuple(one for one in self.goal_texts if one not in self.ways and one not in self.sources)

    def known(self) -> list[Texts]:
        """All texts that are there or can be made."""
        return list(dict.fromkeys((*self.sources, *self.ways)))

    def steps(self, have: frozenset[Texts]) -> Mapping[Texts, float]:
        """How many commands it takes at least to make each text, from those at hand."""
        found = self._steps.get(have)
        if found is None:
            found = self._steps[have] = self._counted(have)
        return found

    def _counted(self, have: frozenset[Texts]) -> dict[Texts, float]:
        steps = dict.fromkeys(have, 0.0)
        for _ in range(6):
            changed = False
            for text, ways in self.ways.items():
                best = steps.get(text, BEYOND)
                for way in ways:
                    cost = 1.0 + sum(steps.get(one, BEYOND) for _, one in way.inputs) + 0.5 * bool(way.maker.own)
                    if cost < best:
                        best, changed = cost, True
                        steps[text] = best
            if not changed:
                break
        return steps

    # -- exploring ----------------------------------------------------------------------------------------------------

    def _explore(self) -> None:
        self._look_around()
        self._from_landmark_to_landmark()
        self._print()
        if not self.complete:
            self._through_unforeseen((*self.missing(), *(() if self.printed else self._answers())))
            self._print()

    def _look_around(self) -> None:
        """Commands that look at more of the folder than texts, with the paths that the goal speaks of."""
        for maker in (*self.beliefs.makers, *self.beliefs.printers):
            if not maker.looks:
                continue
            slots = [slot.name for slot in maker.template.slots if slot.kind == "path" and slot.name != _own(maker)]
            for paths in itertools.product(self.material.sources, repeat=len(slots)):
                named = tuple(zip(slots, paths, strict=True))
                for given in self._given(maker):
                    texts = self._looked(maker, dict((*named, *given)))
                    if texts is None:
                        continue
                    if maker.place is None and tuple(map(_bare, texts)) == self.answer:
                        self.printed.append(Way(maker, given, (), named))
                    elif maker.place is not None and texts in self.landmarks:
                        self._note(texts, Way(maker, given, (), named))

    def _looked(self, maker: Maker, filling: Mapping[str, str | int]) -> Texts | None:
        known = {slot.name: filling.get(slot.name, "") for slot in maker.template.slots}
        slots = values_of(maker.template.slots, known)
        values = [Reader(slots, folder.before).value(maker.term) for folder in self.folders]
        return None if any(value is FAILED for value in values) else tuple(map(str, values))

    def _from_landmark_to_landmark(self) -> None:
        foreseen = frozenset((*self.landmarks, *self.goal_texts))
        fresh = list(self.sources)
        first = True
        while fresh or first:
            known = self.known()
            before = set(self.ways)
            for maker in self.beliefs.makers:
                if maker.looks or not (_inputs(maker) or first):
                    continue
                for inputs in _choices(known, fresh, len(_inputs(maker))):
                    for given in self._given(maker):
                        texts = self._value(maker, given, inputs, foreseen)
                        if texts is not None and texts not in self.sources and texts not in inputs:
                            self._note(texts, _way(maker, given, inputs))
            fresh = [texts for texts in self.ways if texts not in before]
            first = False

    def widened(self, doubted: Collection[tuple[str, tuple[tuple[str, str | int], ...]]]) -> bool:
        """Look for other ways to all that is wanted, without commands that are doubted; whether there are any.

        Args:
            doubted: commands, with words and numbers, that are not trusted.
        """
        if self._wide or not doubted:
            return False
        self._doubted = doubted
        self.printed = [way for way in self.printed if not self._is_doubted(way)]
        for texts, ways in tuple(self.ways.items()):
            self.ways[texts] = [way for way in ways if not self._is_doubted(way)]
        self.ways = {texts: ways for texts, ways in self.ways.items() if ways}
        self._through_unforeseen((*self.goal_texts, *self._answers()))
        self._print()
        self._steps.clear()
        return self.complete

    def _is_doubted(self, way: Way) -> bool:
        return (way.maker.template.text, way.given) in self._doubted

    def _through_unforeseen(self, wanted: Iterable[Texts]) -> None:
        """Make what is wanted out of a text that is itself no part of the goal."""
        self._wide = True
        missing = frozenset(wanted)
        limit = self.evaluated + MAX_EVALUATED
        free: dict[Texts, Way] = {}
        makers = [maker for maker in self.beliefs.makers if not maker.looks and _inputs(maker)]
        for maker in makers:
            for inputs in itertools.product(self.known(), repeat=len(_inputs(maker))):
                for given in self._given(maker):
                    texts = self._value(maker, given, inputs, None)
                    if texts is not None and texts not in self.ways and texts not in self.sources and any(texts):
                        free.setdefault(texts, _way(maker, given, inputs))
        for texts, way in itertools.islice(free.items(), MAX_FREE):
            for maker in makers:
                for inputs in _choices(self.known(), [texts], len(_inputs(maker))):
                    for given in self._given(maker):
                        if self.evaluated >= limit:
                            return
                        made = self._value(maker, given, inputs, missing)
                        if made is not None:
                            self._note(made, _way(maker, given, inputs))
                            self._note(texts, way)

    def _answers(self) -> tuple[Texts, ...]:
        """The answer as a file may hold it, to be printed."""
        if self.answer is None:
            return ()
        return (self.answer, tuple(text + "\n" for text in self.answer))

    def _print(self) -> None:
        if self.answer is None:
            return
        for maker in self.beliefs.printers:
            if maker.looks:
                continue
            for inputs in itertools.product(self.known(), repeat=len(_inputs(maker))):
                for given in self._given(maker):
                    texts = self._value(maker, given, inputs, None)
                    way = _way(maker, given, inputs)
                    prints = texts is not None and tuple(map(_bare, texts)) == self.answer
                    if prints and way not in self.printed and not self._is_doubted(way):
                        self.printed.append(way)

    def _note(self, texts: Texts, way: Way) -> None:
        ways = self.ways.setdefault(texts, [])
        if len(ways) < MAX_WAYS and way not in ways and not self._is_doubted(way):
            ways.append(way)

    def _given(self, maker: Maker) -> tuple[tuple[tuple[str, str | int], ...], ...]:
        """What can fill its words and numbers."""
        found = self._fillings.get(maker.template.text)
        if found is None:
            others = [slot for slot in maker.template.slots if slot.kind != "path"]
            values: list[Iterable[str | int]] = [
                self.material.words if slot.kind == "word" else self.material.numbers for slot in others
            ]
            names = [slot.name for slot in others]
            found = tuple(tuple(zip(names, chosen, strict=True)) for chosen in itertools.product(*values))
            self._fillings[maker.template.text] = found
        return found

    def _value(
        self,
        maker: Maker,
        given: tuple[tuple[str, str | int], ...],
        inputs: tuple[Texts, ...],
        only: frozenset[Texts] | None,
    ) -> Texts | None:
        """What a command makes of texts; None where that is nothing, or none of the texts of interest."""
        names = _inputs(maker)
        slots = {**{slot.name: slot.name for slot in maker.template.slots}, **dict(given)}
        found: list[str] = []
        for index in reversed(range(len(self.folders))):
            self.evaluated += 1
            held = {name: texts[index] for name, texts in zip(names, inputs, strict=True)}
            text = value_of(maker.term, slots, held)
            if text is None:
                return None
            found.insert(0, text)
            if only is not None and len(found) == 1 and text not in self._ends(only):
                return None
        texts = tuple(found)
        return texts if only is None or texts in only else None

    def _ends(self, texts: frozenset[Texts]) -> frozenset[str]:
        """What each is in the last folder: most others differ there already."""
        if self._last[0] is not texts:
            self._last = texts, frozenset(one[-1] for one in texts)
        return self._last[1]


def _inputs(maker: Maker) -> tuple[str, ...]:
    return (*maker.reads, maker.own) if maker.own else maker.reads


def _own(maker: Maker) -> str:
    """The slot of the place that is written."""
    return str(getattr(maker.place, "slot", ""))


def _way(maker: Maker, given: tuple[tuple[str, str | int], ...], inputs: tuple[Texts, ...]) -> Way:
    return Way(maker, given, tuple(zip(_inputs(maker), inputs, strict=True)))


def _choices(known: Sequence[Texts], fresh: Sequence[Texts], count: int) -> Iterator[tuple[Texts, ...]]:
    """Texts for so many slots, one of them fresh."""
    if count == 0:
        yield ()
        return
    new = set(fresh)
    for chosen in itertools.product(known if count > 1 else fresh, repeat=count):
        if count == 1 or not new.isdisjoint(chosen):
            yield chosen


def _bare(text: str) -> str:
    return text.removesuffix("\n")
