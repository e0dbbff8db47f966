"""The questions that the contexts of one command are told apart by, and what they say of a situation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_

from dabhand.commands import Template
from dabhand.language import FAILED, Term, show
from dabhand.workspace import File, State
from dabhand.world.features import Feature, Situation, features_of, strange_keys
from dabhand.world.kinship import said_for_any
from dabhand.world.marks import word_marks
from dabhand.world.places import At, Place, Spot, spoken
from dabhand.world.reading import Reader
from dabhand.world.rules import Bits

UNREAD = "a text that is not read"
BEGINNINGS = 500
"""Number of the first feature that is about how a word begins that may be an option."""

MAX_BEGINNINGS = 40
BEGINNING_COST = 0.5
RESULTS = 600
"""Number of the first feature that is about what came out (and so is open to the role of success only)."""


class Questions:
    """What is asked of a situation: of its places, texts and words, of believed terms, and of what came out of it.

    Attributes:
        template: the command.
        places: the spots that it may change.
        undefined: believed terms that had no value somewhere.
        beginnings: slots of words, and how a word in them that may be an option began.
        base: the questions about places, texts and words.
        results: those about what came out, with their costs.
        textual: the numbers of those about what a text is like.
        read: the slots whose texts believed terms read.
    """

    def __init__(self, template: Template) -> None:
        self.template = template
        self.undefined: list[Term] = []
        self.beginnings: list[tuple[str, str]] = []
        self.places: list[Place] = [At(slot.name) for slot in template.slots if slot.kind == "path"]

    def ask(self) -> None:
        """Work out the questions anew: the places or the believed terms are others."""
        self.base = features_of(self.template.slots, self.places)
        self.results = _result_features(self.places)
        self.read: frozenset[str] = frozenset()
        self.textual = sum(1 << number for number, feature in enumerate(self.base) if feature.textual)
        self._strange = {
            slot: sum(1 << number for number, feature in enumerate(self.base) if feature.key in strange_keys(slot))
            for slot in (slot.name for slot in self.template.slots if slot.kind == "path")
        }
        self.occurrences = [number for number, feature in enumerate(self.base) if feature.occurrence]
        self._relations = [(number, one.test) for number, one in enumerate(self.base) if one.relates]
        self._said: dict[int, str] = {}
        self._recount()

    def _recount(self) -> None:
        """Costs of features, by number; those about results come after `RESULTS`."""
        self.costs = {i: feature.cost for i, feature in enumerate(self.base)}
        self.costs.update({len(self.base) + i: 0.5 for i in range(len(self.undefined))})
        self.costs.update({BEGINNINGS + i: BEGINNING_COST for i in range(MAX_BEGINNINGS)})
        self.costs_with_results = {**self.costs, **{RESULTS + i: cost for i, (_, cost) in enumerate(self.results)}}

    def vector(self, situation: Situation, reader: Reader) -> Bits:
        """The features of a situation, as a set of feature numbers."""
        bits = 0
        for number, feature in enumerate(self.base):
            if feature.test(situation):
                bits |= 1 << number
        for number, term in enumerate(self.undefined, len(self.base)):
            if reader.value(term) is FAILED:
                bits |= 1 << number
        for number, (slot, start) in enumerate(self.beginnings, BEGINNINGS):
            if str(situation.filling[slot]).startswith(start):
                bits |= 1 << number
        return bits

    def ending(self, state: State, stdout: str, spots: Mapping[Place, Spot]) -> Bits:
        """The features of what came out."""
        bits = 0 if stdout else 1 << RESULTS
        number = RESULTS + 1
        for place in self.places:
            real = spots[place].real
            node = state.get(real) if real is not None else None
            if isinstance(node, File):
                bits |= (2 if node.data else 3) << number
            number += 2
        return bits

    def name_of_feature(self, number: int, yes: bool) -> str:
        """The question, or its opposite, in words."""
        if number >= RESULTS:
            name = self.results[number - RESULTS][0]
            return name if yes else f"not: {name}"
        if number >= BEGINNINGS:
            slot, start = self.beginnings[number - BEGINNINGS]
            return f"{slot} begins with {start}" if yes else f"{slot} does not begin with {start}"
        if number >= len(self.base):
            term = show(self.undefined[number - len(self.base)])
            return f"{term} has no value" if yes else f"{term} has a value"
        feature: Feature = self.base[number]
        return feature.key if yes else feature.negated

    def asked(self, number: int) -> str:
        """A question as any command would ask it."""
        found = self._said.get(number)
        if found is None:
            found = self._said[number] = said_for_any(self.template, self.name_of_feature(number, yes=True))
        return found

    def novelty(self, number: int) -> str:
        """A question as it is counted when its answer is new: of any text, name or word, or of slots of one role.

        What a text is like that no believed term reads is all one.
        """
        if number < len(self.base) and not self.base[number].structural:
            feature = self.base[number]
            if feature.textual and feature.key.partition(" ")[0] not in self.read:
                return UNREAD
            return f"something {self.base[number].key.partition(' ')[2]}"
        return self.asked(number)

    def marks(self, situation: Situation, vector: Bits) -> tuple[str, ...]:
        """What the words are like (`word_marks`), and whether and how they occur in the files."""
        found = word_marks(situation)
        occurring = [str(number) for number in self.occurrences if vector >> number & 1]
        if self.occurrences:
            found.append(f"occurs as {' '.join(occurring)}")
        return tuple(found)

    def context(self, situation: Situation) -> tuple[str, ...]:
        """The structural context: what each path points at, and how paths relate."""
        related = (self.asked(number) for number, test in self._relations if test(situation))
        return (*situation.standings, *related)

    @property
    def strange(self) -> Bits:
        """The features that say of a text which is read that it is none: NUL, and bytes that are no characters."""
        return reduce(or_, (self._strange.get(slot, 0) for slot in self.read), 0)

    def note_beginnings(self, situation: Situation) -> None:
        """Make a question of how a word begins that may be an option: no experiment before had one like it."""
        for slot in self.template.slots:
            start = str(situation.filling[slot.name])[:2]
            if slot.kind != "word" or start[:1] != "-" or not start[1:].isalpha():
                continue
            if (slot.name, start) not in self.beginnings and len(self.beginnings) < MAX_BEGINNINGS:
                self.beginnings.append((slot.name, start))


def _result_features(places: Sequence[Place]) -> list[tuple[str, float]]:
    found = [("nothing is printed", 0.8)]
    for place in places:
        found.append((f"{spoken(place)} ends up empty", 0.8))
        found.append((f"{spoken(place)} ends up a file", 0.3))
    return found
