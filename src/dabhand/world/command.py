"""What is believed about one command: its observations, the roles of its outcome, and what they predict together."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_

from dabhand.commands import Template
from dabhand.language import FAILED, Term, show
from dabhand.workspace import File, State
from dabhand.world.explanations import believed_terms, slots_read
from dabhand.world.features import Feature, Situation, features_of, strange_keys
from dabhand.world.finding import places_in
from dabhand.world.kinship import Kinship, said_for_any, slot_roles
from dabhand.world.marks import PECULIAR, word_marks
from dabhand.world.observation import Observation
from dabhand.world.past import Past
from dabhand.world.places import At, Place, Spot, spoken
from dabhand.world.prediction import Prediction
from dabhand.world.reading import Reader
from dabhand.world.record import TrackRecord
from dabhand.world.roles import (
    NodeRole,
    PrintRole,
    Role,
    SuccessRole,
    roles_for,
)
from dabhand.world.rules import Bits, used_features
from dabhand.world.searching import Pools, TermSearch

UNREAD = "a text that is not read"

REFIT = 1.25
"""Rules are fitted anew when so many times the observations are in, surprise or not: they may have got simpler."""

DOUBT_RATE = 0.15
"""Weight of the newest freely drawn situation in the share of those that are not trusted."""

RECENT_FREE = 24
"""Predictions in freely drawn situations over which a command's status is judged."""

RECENT_FIRST = 16
"""Predictions in structural contexts never tried before over which is judged how well rules carry over to such."""

RECENT = 40
"""Predictions over which a command's accuracy is taken."""

BEGINNINGS = 500
"""Number of the first feature that is about how a word begins that may be an option."""

MAX_BEGINNINGS = 40
BEGINNING_COST = 0.5

RESULTS = 600
"""Number of the first feature that is about what came out (and so is open to the role of success only)."""

MAX_UNDEFINED = 3


class CommandModel:
    """Everything believed about one template.

    Attributes:
        template: the command.
        ids: the store's numbers of its experiments, in order.
        past: what they showed.
        outcomes: of the last predictions, whether they were exact.
        verdicts: of every experiment in `ids`, how the prediction before it fared: "y" exact, "n" wrong, "u" nothing
            was predicted, "-" nothing was asked.
        free: of the last predictions in situations drawn freely (not chosen to teach), whether they were exact.
        first: of the last predictions in structural contexts never tried before, whether they were exact.
        repeats_same, repeats_other: experiments made twice, by whether the outcome was the same.
        successes: experiments with exit status 0.
        odd: experiments whose outcome could not be taken in (no end in time, endless output, odd files).
        doubt: share of freely drawn situations that are not trusted, as practice saw it lately.
        places: the spots that it may change.
        features: the questions that contexts are told apart by.
        roles: the parts of its outcome.
        textual: the features that are about what a text is like.
        contexts: the observations in each structural context.
        marked: the observations in which the words have each mark (`marks`).
    """

    def __init__(
        self,
        template: Template,
        pools: Pools,
        kinship: Kinship,
        record: TrackRecord | None = None,
    ) -> None:
        self.template = template
        self.record = TrackRecord() if record is None else record
        self.kinship = kinship
        self.search = TermSearch(template.slots, pools)
        self.suggested: Counter[Place] = Counter()
        self.ids: list[int] = []
        self.past = Past()
        self.verdicts: list[str] = []
        self.outcomes: deque[bool] = deque(maxlen=RECENT)
        self.free: deque[bool] = deque(maxlen=RECENT_FREE)
        self.first: deque[bool] = deque(maxlen=RECENT_FIRST)
        self.repeats_same = 0
        self.repeats_other = 0
        self.successes = 0
        self.odd = 0
        self.doubt = 1.0
        self.undefined: list[Term] = []
        self.beginnings: list[tuple[str, str]] = []
        self.places: list[Place] = [At(slot.name) for slot in template.slots if slot.kind == "path"]
        self.prepare()

    def prepare(self) -> None:
        """Start from what the places and questions are, with nothing observed."""
        self.base = features_of(self.template.slots, self.places)
        self.results = _result_features(self.places)
        self.roles: list[Role] = roles_for(self.places)
        self._terms: list[Term] = []
        self.read: frozenset[str] = frozenset()
        self.vectors: list[Bits] = []
        self.endings: list[Bits] = []
        self.has: dict[int, Bits] = {}
        self.contexts: dict[tuple[str, ...], Bits] = {}
        self.marked: dict[str, Bits] = {}
        self._workable: tuple[int, Bits] = (-1, 0)
        self.textual = sum(1 << number for number, feature in enumerate(self.base) if feature.textual)
        self._strange = {
            slot: sum(1 << number for number, feature in enumerate(self.base) if feature.key in strange_keys(slot))
            for slot in (slot.name for slot in self.template.slots if slot.kind == "path")
        }
        self.optional: Bits = 0
        self.occurrences = [number for number, feature in enumerate(self.base) if feature.occurrence]
        self._relations = [(number, one.test) for number, one in enumerate(self.base) if one.relates]
        self.standings: dict[tuple[str, str], tuple[int, int, int]] = {}
        self.some: Bits = 0
        self.every: Bits = -1
        self._said: dict[int, str] = {}
        self.fact_numbers: dict[Place, list[tuple[str, int]]] = {}
        self.defined_until: dict[Term, int] = {}
        self._recount()

    def _recount(self) -> None:
        """Costs of features, by number; those about results come after `RESULTS`."""
        self.costs = {i: feature.cost for i, feature in enumerate(self.base)}
        self.costs.update({len(self.base) + i: 0.5 for i in range(len(self.undefined))})
        self.costs.update({BEGINNINGS + i: BEGINNING_COST for i in range(MAX_BEGINNINGS)})
        self.costs_with_results = {**self.costs, **{RESULTS + i: cost for i, (_, cost) in enumerate(self.results)}}

    # -- what is true of a situation ------------------------------------------------------------------------------

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

    # -- learning -------------------------------------------------------------------------------------------------

    def observe(self, seen: Observation, number: int = 0) -> None:
        """Take in one experiment; `number` is that of the store, if it is kept there."""
        seen.look(self.places)
        self.past.append(seen)
        self.ids.append(number)
        self.verdicts += "-" * (len(self.ids) - len(self.verdicts))
        self.successes += seen.ok
        if self._find_places(seen):
            self._rebuild()
            return
        self._take(seen, len(self.vectors))
        self._refit()

    @property
    def is_whole(self) -> bool:
        """Whether the beliefs rest on experiments that are all kept, and each was taken in to the end."""
        return len(self.ids) == len(self.verdicts) == len(self.vectors) == len(self.endings) and 0 not in self.ids

    def compare(self, seen: Observation) -> None:
        """Hold an experiment that was made once more against the first time."""
        for earlier in self.past:
            if earlier.filling == seen.filling and earlier.before == seen.before:
                same = (earlier.ok, earlier.stdout, earlier.after) == (seen.ok, seen.stdout, seen.after)
                self.repeats_same += same
                self.repeats_other += not same
                return

    def judged(self, prediction: Prediction, seen: Observation, *, free: bool) -> bool:
        """Note whether a prediction, made before learning from its outcome, was exact.

        Args:
            prediction: what was expected.
            seen: what happened.
            free: whether the situation was drawn freely, and not for what it could teach.
        """
        right = prediction.known and prediction.ok == seen.ok and prediction.stdout == seen.stdout
        right = right and prediction.state == seen.after
        if not self.has_been(self.context(Situation(seen.filling, seen.before, self.places))):
            self.first.append(right)
        self.verdicts.append("y" if right else "n" if prediction.known else "u")
        self.outcomes.append(right)
        if free:
            self.free.append(right)
            self.doubt += DOUBT_RATE * ((not prediction.trusted) - self.doubt)
        return right

    def _take(self, seen: Observation, number: int) -> None:
        situation = Situation(seen.filling, seen.before, self.places)
        self._note_beginnings(situation)
        vector = self.vector(situation, seen.reader)
        ending = self.ending(seen.after, seen.stdout, situation.spots)
        self.vectors.append(vector)
        self.endings.append(vector | ending)
        self.index(number, vector | ending)
        self.some |= vector
        self.every &= vector
        context = self.context(situation)
        self.contexts[context] = self.contexts.get(context, 0) | 1 << number
        for mark in self.marks(situation, vector):
            self.marked[mark] = self.marked.get(mark, 0) | 1 << number
        self.note_optional()
        self._note_standings(seen, situation)
        self.kinship.note_context(self.template, context, seen.ok)
        for role in self.roles:
            role.add(number, seen, self.past, self.search)
            self._join(role, number)

    def _note_beginnings(self, situation: Situation) -> None:
        """Make a question of how a word begins that may be an option: no experiment before had one like it."""
        for slot in self.template.slots:
            start = str(situation.filling[slot.name])[:2]
            if slot.kind != "word" or start[:1] != "-" or not start[1:].isalpha():
                continue
            if (slot.name, start) not in self.beginnings and len(self.beginnings) < MAX_BEGINNINGS:
                self.beginnings.append((slot.name, start))

    def _note_standings(self, seen: Observation, situation: Situation) -> None:
        futile = not seen.ok and not seen.changed and not seen.stdout
        for place, word in zip(self.places, situation.standings, strict=True):
            if isinstance(place, At):
                before = self.standings.get((place.slot, word), (0, 0, 0))
                counts = self.standings[place.slot, word] = (before[0] + futile, before[1] + 1, before[2] + seen.ok)
                self.kinship.note(self.template, place.slot, word, *counts[:2])

    def index(self, number: int, bits: Bits) -> None:
        """Note an observation under each of its features."""
        while bits:
            lowest = bits & -bits
            feature = lowest.bit_length() - 1
            self.has[feature] = self.has.get(feature, 0) | 1 << number
            bits ^= lowest

    def features_for(self, role: Role, number: int) -> Bits:
        """The features of an observation that the role may depend on."""
        return self.endings[number] if isinstance(role, SuccessRole) else self.vectors[number]

    def times_same(self, first: str, second: str) -> int:
        """How often two slots named the same path."""
        key = f"{first} and {second} are the same path"
        number = next((i for i, feature in enumerate(self.base) if feature.key == key), None)
        return 0 if number is None else self.has.get(number, 0).bit_count()

    @property
    def workable(self) -> Bits:
        """The observations in structural contexts in which the command has succeeded at least once."""
        if self._workable[0] != len(self.vectors):
            succeeded = self.success.explains[0]
            found = 0
            for bits in self.contexts.values():
                if bits & succeeded:
                    found |= bits
            self._workable = (len(self.vectors), found)
        return self._workable[1]

    def note_optional(self) -> None:
        """Gather the observations in which a word may have been an option, or changed everything as one does."""
        self.optional = reduce(or_, (bits for mark, bits in self.marked.items() if mark.startswith(PECULIAR)), 0)

    def has_been(self, context: tuple[str, ...]) -> bool:
        """Whether it was tried in a structural context, with other words than such as may be options."""
        return bool(self.contexts.get(context, 0) & ~self.optional)

    @property
    def strange(self) -> Bits:
        """The features that say of a text which is read that it is none: NUL, and bytes that are no characters."""
        return reduce(or_, (self._strange.get(slot, 0) for slot in self.read), 0)

    @property
    def redirects(self) -> bool:
        """Whether a slot stands behind an operator, so that it is not the command that opens what it names."""
        return any(any(role) for role in slot_roles(self.template))

    def settle(self) -> None:
        """Learn anew the rules that observations joined since they were learned: some may be simpler by now."""
        for role in self.roles:
            if role.members.bit_count() > role.fitted_at >= 0:
                self._fit(role)
        self.speak()

    @property
    def success(self) -> Role:
        """The role of success; its first option is that it is so."""
        return self.roles[-1]

    @property
    def wants_repeat(self) -> bool:
        """Whether it is worth making an experiment twice, to see if the outcome is the same."""
        return self.repeats_other == 0 and self.repeats_same < 4

    def _join(self, role: Role, number: int) -> None:
        if not role.members >> number & 1:
            return
        features = self.features_for(role, number)
        leaf = role.leaf(features)
        if leaf is None or not role.explains[leaf.option] >> number & 1:
            role.fitted_at = -1
        else:
            leaf.join(number, features, right=True)

    def _refit(self, *, all_roles: bool = False) -> None:
        """Learn anew the rules of roles that were surprised or have grown."""
        fitted = False
        for role in self.roles:
            if all_roles or role.fitted_at < 0 or role.members.bit_count() >= REFIT * role.fitted_at:
                self._fit(role)
                fitted = True
        if fitted:
            self.speak()
        self._find_undefined()

    def speak(self) -> None:
        """Let other commands know which building blocks this one is believed to use, and which questions it asks."""
        self._terms = believed_terms(self.roles)
        self.read = slots_read(self._terms)
        self.kinship.speak(self.template, self._terms)
        for role in self.roles:
            if role.tree is not None and isinstance(role, SuccessRole | NodeRole | PrintRole):
                questions = (self.asked(f) for f in used_features(role.tree))
                self.kinship.tell(self.template, role.key, type(role).__name__, questions)

    def _fit(self, role: Role) -> None:
        """Learn a role's rules anew; questions that kin ask cost less."""
        kind = type(role).__name__
        success = isinstance(role, SuccessRole)
        costs = self.costs_with_results if success else self.costs
        has = self.has if success else {f: bits for f, bits in self.has.items() if f < RESULTS}
        fond = {f: costs[f] - self.kinship.fondness(kind, self.asked(f)) for f in has}
        role.fit(has, fond, self.endings if success else self.vectors, self.kinship.familiar, self.success.explains[0])

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

    def _find_undefined(self) -> None:
        """Make "this term has no value" a question of its own, for believed terms that had none somewhere."""
        for term in self._terms:
            if term in self.undefined or len(self.undefined) >= MAX_UNDEFINED:
                continue
            start = self.defined_until.get(term, 0)
            self.defined_until[term] = len(self.vectors)
            if any(self.past[number].reader.value(term) is FAILED for number in range(start, len(self.vectors))):
                self.undefined.append(term)
                self._rebuild()
                return

    def _rebuild(self) -> None:
        """Learn everything again: the places or the questions changed."""
        self.prepare()
        self.search.begin_anew()
        for number, seen in enumerate(self.past):
            seen.look(self.places)
            self._take(seen, number)
        self._refit(all_roles=True)

    def _find_places(self, seen: Observation) -> bool:
        """Name the places at which something unaccounted for changed."""
        found = places_in(seen, self.template, self.places, self.suggested)
        self.places += found
        return bool(found)

    # -- predicting -----------------------------------------------------------------------------------------------

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


def _result_features(places: Sequence[Place]) -> list[tuple[str, float]]:
    found = [("nothing is printed", 0.8)]
    for place in places:
        found.append((f"{spoken(place)} ends up empty", 0.8))
        found.append((f"{spoken(place)} ends up a file", 0.3))
    return found
