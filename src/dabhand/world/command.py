"""What is believed about one command: its observations, the roles of its outcome, and what they predict together."""

from __future__ import annotations

from collections import Counter, deque
from functools import reduce
from operator import or_

from dabhand.commands import Template
from dabhand.language import FAILED, Term
from dabhand.world.explanations import believed_terms, slots_read
from dabhand.world.features import Situation
from dabhand.world.finding import places_in
from dabhand.world.kinship import Kinship, slot_roles
from dabhand.world.marks import PECULIAR
from dabhand.world.observation import Observation
from dabhand.world.past import Past
from dabhand.world.places import At, Place
from dabhand.world.prediction import Prediction
from dabhand.world.questions import RESULTS, Questions
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

MAX_UNDEFINED = 3


class CommandModel(Questions):
    """Everything believed about one template.

    Attributes:
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
        roles: the parts of its outcome.
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
        super().__init__(template)
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
        self.prepare()

    def prepare(self) -> None:
        """Start from what the places and questions are, with nothing observed."""
        self.ask()
        self.roles: list[Role] = roles_for(self.places)
        self._terms: list[Term] = []
        self.vectors: list[Bits] = []
        self.endings: list[Bits] = []
        self.has: dict[int, Bits] = {}
        self.contexts: dict[tuple[str, ...], Bits] = {}
        self.marked: dict[str, Bits] = {}
        self._workable: tuple[int, Bits] = (-1, 0)
        self.optional: Bits = 0
        self.standings: dict[tuple[str, str], tuple[int, int, int]] = {}
        self.some: Bits = 0
        self.every: Bits = -1
        self.fact_numbers: dict[Place, list[tuple[str, int]]] = {}
        self.defined_until: dict[Term, int] = {}

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
        self.note_beginnings(situation)
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
