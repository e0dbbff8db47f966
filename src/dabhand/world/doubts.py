"""Doubts: what speaks against relying on a prediction in one situation, whatever is predicted."""

from __future__ import annotations

from collections.abc import Callable

from dabhand.world.command import CommandModel
from dabhand.world.effects import Option, Print, Write
from dabhand.world.features import Situation
from dabhand.world.marks import PECULIAR
from dabhand.world.newness import has_culprit
from dabhand.world.places import At
from dabhand.world.reading import Reader
from dabhand.world.roles import NodeRole, PrintRole, Role
from dabhand.world.rules import Bits, Leaf, Split, contested, leaves, numbers, used_features

NEW_PLACE = "never tried in such a place"
NEW_WORDS = "never tried with such words"
NEW_FEATURE = "something here is new"
OTHER_PLACE = "in such a place something else was seen"
OTHER_WORDS = "with such words something else was seen"
GENERALISED = "a context like this is only generalised to"
EXCEPTION = "whenever it was like this, something else was seen"
ALIKE = "another way to tell contexts apart says otherwise"
VAGUE = "too many explanations are left"
MURKY = "much of what happens here is not understood"
NEVER_WORKED = "it was never seen to succeed"
RIVAL = "a rival explanation says otherwise"

MAX_MURKY = 0.1

Same = Callable[[Role, Option, Option], bool]
"""Whether two options of a role come to the same in a situation."""


class Doubts:
    """What speaks against a prediction.

    Args:
        model: the command.
        situation: what it is about.
        reader: of the folder's texts.
        vector: the features of the situation.

    Attributes:
        lasting: reasons that nothing dismisses.
        milder: reasons that experience may dismiss (`TrackRecord`), by name.
    """

    def __init__(self, model: CommandModel, situation: Situation, reader: Reader, vector: Bits) -> None:
        self.model = model
        self.situation = situation
        self.reader = reader
        self.vector = vector
        self.context = model.context(situation)
        self.marks = model.marks(situation, vector)
        self.lasting: list[str] = []
        self.milder: dict[str, str] = {}

    @property
    def all(self) -> list[str]:
        """All reasons, dismissed ones among them."""
        return [*self.lasting, *self.milder.values()]

    @property
    def left(self) -> list[str]:
        """The reasons that were not dismissed."""
        return [*self.lasting, *(self.milder[name] for name in self.model.record.standing(self.milder))]

    def instead(self, name: str, reason: str) -> None:
        """Leave one reason alone."""
        self.lasting, self.milder = [], {name: reason}

    def of_situation(self, *, futile: bool) -> None:
        """Doubt what was never tried like this; `futile`: a failure without effect is expected."""
        model = self.model
        if not model.successes:
            self.lasting.append(NEVER_WORKED)
        if not model.has_been(self.context):
            self._of_place(futile=futile)
        for mark in self.marks:
            if mark not in model.marked:
                if mark.startswith(PECULIAR):
                    self.lasting.append(NEW_WORDS)
                else:
                    self.milder[f"new words: {mark.partition(' ')[2]}"] = NEW_WORDS
        unseen, always = self.vector & ~model.some, model.every & ~self.vector
        for number in numbers(unseen | always):
            yes = bool(unseen >> number & 1)
            if yes and model.strange >> number & 1:  # bytes that are no text may change what it does altogether
                self.lasting.append(f"{NEW_FEATURE}: {model.name_of_feature(number, yes)}")
                continue
            name = f"{'new' if yes else 'missing'}: {model.novelty(number)}"
            self.milder[name] = f"{NEW_FEATURE}: {model.name_of_feature(number, yes)}"

    def _of_place(self, *, futile: bool) -> None:
        """Doubt a new combination of what the paths point at, the less the more is known of its parts."""
        if self.model.kinship.succeeds(self.model.template, self.context) is not None:
            self.milder["alike: as other commands do there"] = NEW_PLACE
        elif len(self.context) > len(self.situation.standings):
            self.lasting.append(NEW_PLACE)  # paths that have to do with each other: everything may differ
        elif futile:
            if has_culprit(self.model, self.situation):
                self.milder["fails: as one slot always did"] = NEW_PLACE
            elif self.model.redirects and self._each_was_tried():
                self.milder["fails where shells write: no slot always did"] = NEW_PLACE
            else:
                self.lasting.append(NEW_PLACE)
        else:
            self.lasting.append(NEW_PLACE)

    def _each_was_tried(self) -> bool:
        """Whether every path points at something that it pointed at before, though never all at once."""
        slots = (place.slot if isinstance(place, At) else None for place in self.model.places)
        pairs = zip(slots, self.situation.standings, strict=True)
        return all(slot is None or (slot, word) in self.model.standings for slot, word in pairs)

    def of_rule(self, role: Role, leaf: Leaf, vector: Bits, same: Same) -> None:
        """Doubt one rule: its context, its words, its rivals; `vector` holds the features that it looks at."""
        believed = role.options[leaf.option]
        here = self.model.contexts.get(self.context, 0) & role.members
        if here and not here & leaf.right:
            self.lasting.append(OTHER_PLACE)
        if here:
            self._of_ambiguity(role, leaf, here, same)
        self._of_words(leaf, here)
        if isinstance(believed, Write | Print):
            unseen = vector & ~leaf.some & self.model.textual
            strange = numbers(vector & self.model.strange)
            if any(not self.model.has.get(number, 0) & leaf.right & here for number in strange):
                self.lasting.append(GENERALISED)  # elsewhere it may never have been read
            for number in numbers(unseen):
                self.milder[f"new: {self.model.novelty(number)}"] = GENERALISED
        if isinstance(role.tree, Split):
            self._of_questions(role, role.tree, leaf, vector, same)
        if isinstance(role, NodeRole | PrintRole):
            if role.murky > MAX_MURKY:
                self.lasting.append(MURKY)
            if isinstance(believed, Write | Print):
                self._of_term(role, believed)
        if missed := leaf.members & ~leaf.right:
            self._of_misses(leaf, missed, vector)
        if any(not same(role, believed, rival) for rival in role.rivals(leaf)):
            self.lasting.append(RIVAL)

    def _of_misses(self, leaf: Leaf, missed: Bits, vector: Bits) -> None:
        """Doubt a rule that does not always hold where it never did, or did not with a text that is none."""
        for number in numbers(vector):
            alike = self.model.has.get(number, 0) & leaf.members
            if alike & missed and (not alike & leaf.right or self.model.strange >> number & 1):
                self.lasting.append(EXCEPTION)
                return

    def _of_ambiguity(self, role: Role, leaf: Leaf, here: Bits, same: Same) -> None:
        """Doubt what was seen in this context if something usual elsewhere would have looked the same each time."""
        assert role.tree is not None
        believed = role.options[leaf.option]
        for number in {other.option for other in leaves(role.tree)} - {leaf.option}:
            if not here & ~role.explains[number] and not same(role, believed, role.options[number]):
                self.lasting.append(RIVAL)
                return

    def _of_words(self, leaf: Leaf, here: Bits) -> None:
        """Doubt words of a kind that a rule never held for; `here` are the observations in this context."""
        workable = self.model.workable
        for mark in self.marks:
            alike = self.model.marked.get(mark, 0) & leaf.right
            if mark.startswith(PECULIAR):  # it may change anything, anywhere
                if not alike & here:
                    self.lasting.append(OTHER_WORDS)
            elif here & workable and not alike & workable:  # other words change only what the places permit
                self.milder[f"words: {mark.partition(' ')[2]}"] = OTHER_WORDS

    def _of_questions(self, role: Role, tree: Split, leaf: Leaf, vector: Bits, same: Same) -> None:
        """Doubt answers to a rule's questions that are new to it, and questions that others would replace as well."""
        relevant = 0
        for feature in used_features(tree):
            relevant |= 1 << feature
        for number in numbers(relevant & ((vector & ~leaf.some) | (leaf.every & ~vector))):
            self.milder[f"rule {type(role).__name__}: {self.model.asked(number)}"] = GENERALISED
        believed = role.options[leaf.option]
        if any(not same(role, believed, role.options[other.option]) for other in contested(tree, vector)):
            self.lasting.append(ALIKE)

    def _of_term(self, role: NodeRole | PrintRole, believed: Write | Print) -> None:
        """Hold a term against all others that explain the telling observations as well."""
        terms = role.alive.terms
        if role.alive.vague:
            self.lasting.append(VAGUE)
        elif terms and believed.term in terms:
            emptied = None
            if isinstance(role, NodeRole) and isinstance(believed, Write) and believed.emptied:
                emptied = self.situation.spots[role.place].real
            value = self.reader.value(believed.term, emptied)
            if any(self.reader.value(term, emptied) != value for term in terms):
                self.lasting.append(RIVAL)
