"""Predictions: the roles of a command's outcome put together for one situation, with how sure that is."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from dabhand.language import FAILED, Value
from dabhand.workspace import FOLDER, File, Link, State
from dabhand.world.command import CommandModel
from dabhand.world.doubts import (
    ALIKE,
    GENERALISED,
    NEW_FEATURE,
    NEW_PLACE,
    NEW_WORDS,
    OTHER_PLACE,
    OTHER_WORDS,
    RIVAL,
    VAGUE,
    Doubts,
)
from dabhand.world.effects import (
    Absent,
    CopyTree,
    Drawing,
    Keep,
    MakeFolder,
    ModeOf,
    No,
    Option,
    Print,
    Unsaid,
    Write,
    Yes,
    value_of,
)
from dabhand.world.features import Situation
from dabhand.world.kinship import slot_role
from dabhand.world.places import At, Filling, Place, Spot, spoken
from dabhand.world.prediction import TRUSTED, Prediction, lower_bound, unknown
from dabhand.world.reading import Reader, values_of
from dabhand.world.record import Basis
from dabhand.world.roles import (
    ModeRole,
    NodeRole,
    ParentsRole,
    PlaceRole,
    PrintRole,
    Role,
    StrayRole,
    SuccessRole,
    ThroughRole,
)  # fmt: skip
from dabhand.world.rules import Bits, Leaf

NOWHERE_TO_GO = "leads nowhere"
CANNOT = "cannot: what is believed cannot be done there"

DOUBTED = 0.8
"""What a doubt leaves of confidence."""

FEW_TEXTS = 4
"""Tries of a rule that says what is written below which nothing makes up for the lack of more."""

SEASONED = 6
"""Experiments with a command from which its predictions say something about what such predictions are worth."""

WORTH = {
    NEW_PLACE: 0.6,
    NEW_WORDS: 0.6,
    NEW_FEATURE: 0.4,
    OTHER_PLACE: 0.5,
    OTHER_WORDS: 0.5,
    GENERALISED: 0.4,
    VAGUE: 0.3,
}
"""What an experiment that removes a doubt is worth."""


def outlook_on(model: CommandModel, filling: Filling, state: State) -> Outlook:
    """A prediction in the making."""
    situation = Situation(filling, state, model.places)
    return Outlook(model, situation, Reader(values_of(model.template.slots, filling), state))


def predict(model: CommandModel, filling: Filling, state: State) -> Prediction:
    """The whole outcome expected of this filling in this folder."""
    return outlook_on(model, filling, state).prediction() if model.vectors else unknown("never tried")


def predict_on_record(model: CommandModel, filling: Filling, state: State) -> tuple[Prediction, Basis]:
    """A prediction, and what it rests on."""
    if not model.vectors:
        return unknown("never tried"), Basis()
    outlook = outlook_on(model, filling, state)
    return outlook.prediction(), outlook.basis


class Interest(msgspec.Struct, frozen=True):
    """What trying something would teach.

    Attributes:
        value: from 0 (trusted) up: what is new about it, and how thin the evidence is.
        divided: explanations that are all still possible expect different outcomes.
        hopeful: it is expected to succeed; successes show what a command does.
    """

    value: float
    divided: bool
    hopeful: bool


def interest(model: CommandModel, filling: Filling, state: State) -> Interest:
    """How much an experiment would teach."""
    if not model.vectors:
        return Interest(2.0, True, True)
    outlook = outlook_on(model, filling, state)
    prediction = outlook.prediction()
    if not prediction.known:
        return Interest(1.0, False, outlook.hopeful())
    doubts = {doubt.partition(":")[0] for doubt in outlook.against.all}
    value = sum(WORTH.get(doubt, 0.0) for doubt in doubts)
    value += max(0.0, TRUSTED - prediction.confidence)
    return Interest(value, not {RIVAL, ALIKE}.isdisjoint(outlook.against.lasting), prediction.ok)


class Outlook:
    """One prediction in the making."""

    def __init__(self, model: CommandModel, situation: Situation, reader: Reader) -> None:
        self.model = model
        self.situation = situation
        self.reader = reader
        self.vector = model.vector(situation, reader)
        self.against = Doubts(model, situation, reader, self.vector)
        self.leaves: list[tuple[Role, Leaf]] = []
        self.tries = 1 << 30
        self.by_place: dict[Place, dict[type, Option]] = {}
        self.full = self.vector
        self.silent_support = 1 << 30
        self.guessed = False

    def _option(self, role: Role, vector: Bits) -> Option | None:
        leaf = role.leaf(vector)
        if leaf is None:
            return None
        option = role.options[leaf.option]
        if isinstance(role, ModeRole) and not isinstance(option, Yes | No) and self._stays(role.place):
            return None
        self.leaves.append((role, leaf))
        if isinstance(option, Write | Print) and self._value(role, option) is FAILED:
            other = role.otherwise(leaf, option)
            if other is not None:
                self.silent_support = min(self.silent_support, other[1])
                return other[0]
            return self._guess(role) or option
        return option

    def _guess(self, role: Role) -> Option | None:
        """What becomes of a part whose term has no value here, as was never seen: what failures like it do."""
        failures = role.members & ~self.model.success.explains[0]
        found = role.usual(failures & self.model.contexts.get(self.against.context, 0)) or role.usual(failures)
        if found is None or (isinstance(found, Write | Print) and self._value(role, found) is FAILED):
            return None
        self.guessed = True
        return found

    def _stays(self, place: Place) -> bool:
        """Whether no file is believed to be written at the place."""
        return isinstance(self.by_place.get(place, {}).get(NodeRole), Keep | Absent | MakeFolder)

    def _value(self, role: Role, option: Option) -> Value | None:
        emptied = None
        if isinstance(role, PlaceRole) and isinstance(option, Write) and option.emptied:
            emptied = self.situation.spots[role.place].real
        return value_of(option, self.reader, emptied)

    def prediction(self) -> Prediction:
        """Put the roles' options together."""
        strange = self._strange_slot()
        if strange is not None:
            return strange
        drawing = Drawing(self.situation.state)
        printed = ""
        by_place = self.by_place
        for role in self.model.roles:
            if isinstance(role, SuccessRole):
                continue
            if isinstance(role, NodeRole | ModeRole | ThroughRole | ParentsRole):
                spot = self.situation.spots[role.place]
                if not _matters(role, spot):
                    continue
                option = self._option(role, self.vector)
                if option is not None:
                    by_place.setdefault(role.place, {})[type(role)] = option
            elif isinstance(role, PrintRole):
                option = self._option(role, self.vector)
                value = None if option is None else value_of(option, self.reader, None)
                if value is None or value is FAILED:
                    return unknown("what it prints is not understood")
                printed = str(value)
            elif isinstance(role, StrayRole) and isinstance(self._option(role, self.vector), Yes):
                return unknown("it changes places that its slots do not name")
        for place, options in by_place.items():
            problem = self._draw(drawing, place, options)
            if problem == NOWHERE_TO_GO:
                return self._futile(f"{spoken(place)} leads nowhere")
            if problem:
                return unknown(problem)
        state = drawing.finish()
        if state is None:
            return self._futile("what is believed cannot be done here", torn=drawing.torn)
        self.full = self.vector | self.model.ending(state, printed, self.situation.spots)
        success = next(role for role in self.model.roles if isinstance(role, SuccessRole))
        ok = isinstance(self._option(success, self.full), Yes)
        context = self.against.context
        kin = None if context in self.model.contexts else self.model.kinship.succeeds(self.model.template, context)
        if kin is not None:
            ok = kin
        if self.guessed:
            ok = False
            self.against.lasting.append(GENERALISED)
        if ok and (hopeless := self._hopeless()) is not None:
            return hopeless
        futile = not ok and not printed and state == self.situation.state
        confidence = self._confidence(self._lent(ok, state, printed), futile=futile)
        doubts = self.against.left
        trusted = not doubts and confidence >= TRUSTED
        return Prediction(True, trusted, confidence, ok, state, printed, "; ".join(dict.fromkeys(doubts)))

    def _draw(self, drawing: Drawing, place: Place, options: Mapping[type, Option]) -> str:
        spot = self.situation.spots[place]
        node = options.get(NodeRole, Keep())
        through = options.get(ThroughRole)
        path = (
            spot.real
            if spot.real != spot.entry and not (through is not None and not isinstance(through, Yes))
            else spot.entry
        )
        if isinstance(node, Unsaid):
            return f"what becomes of {spoken(place)} is not understood"
        if isinstance(options.get(ParentsRole), Yes):
            for parent in spot.missing_parents:
                drawing.set(parent, FOLDER)
        if not isinstance(node, Keep):
            if not path:  # it has none, or it is the root itself, which is no entry
                return NOWHERE_TO_GO
            emptied = spot.real if isinstance(node, Write) and node.emptied else None
            value = value_of(node, self.reader, emptied)
            if value is FAILED:
                return f"what becomes of {spoken(place)} has no value here"
            source = self.situation.spots[node.source].entry if isinstance(node, CopyTree) else None
            drawing.apply(node, path, value, source)
        return self._draw_mode(drawing, path, options.get(ModeRole))

    def _draw_mode(self, drawing: Drawing, path: str | None, mode: Option | None) -> str:
        new = drawing.nodes.get(path) if path is not None else None
        if path is None or mode is None or not isinstance(new, File):
            return ""
        if path not in drawing.written and not isinstance(mode, Yes | No):
            return ""
        old = self.situation.state.get(path)
        was = isinstance(old, File) and old.executable
        match mode:
            case Yes() | No():
                now = isinstance(mode, Yes)
            case ModeOf(source, only_new):
                target = self.situation.spots[source].target
                now = was if only_new and isinstance(old, File) else isinstance(target, File) and target.executable
            case Unsaid():
                return "its mode is not understood"
            case _:
                now = was
        if new.executable != now:
            drawing.nodes[path] = File(new.data, now)
        return ""

    def hopeful(self) -> bool:
        """Whether success is expected, as far as that shows before what comes out is known."""
        success = next(role for role in self.model.roles if isinstance(role, SuccessRole))
        leaf = success.leaf(self.vector)
        return leaf is None or isinstance(success.options[leaf.option], Yes)

    def _futile(self, reason: str, *, torn: bool = False) -> Prediction:
        """What cannot be done should fail without effect; less surely where paths have to do with each other.

        Where beliefs only contradict each other (`torn`), one of them is wrong, and anything may happen.
        """
        if torn or len(self.against.context) > len(self.situation.standings):
            self.against.instead(CANNOT, reason)
            self.against.lasting, self.against.milder = [reason], {}
            return Prediction(True, False, 0.5, False, self.situation.state, "", reason)
        return self._failing(CANNOT, 0.5, reason)

    def _failing(self, name: str, confidence: float, reason: str) -> Prediction:
        """Failure without effect is expected, for a reason that is worth what such reasons have been worth."""
        record = self.model.record
        self.against.instead(name, reason)
        if record.dismisses(name):
            return Prediction(True, True, record.bound(name), False, self.situation.state, "", reason)
        return Prediction(True, False, confidence, False, self.situation.state, "", reason)

    def _strange_slot(self) -> Prediction | None:
        """For a slot that points at something this command was never tried with: what its kin did, or nothing."""
        model = self.model
        for place, word in zip(model.places, self.situation.standings, strict=True):
            if not isinstance(place, At) or (place.slot, word) in model.standings:
                continue
            if model.kinship.futile(model.template, place.slot, word):
                reason = f"never tried with {place.slot} {word}; other commands fail there"
                kind = f"{word} after an operator" if any(slot_role(model.template, place.slot)) else place.slot
                return self._failing(f"kin: others fail there, {kind}", 0.6, reason)
        return None

    def _hopeless(self) -> Prediction | None:
        """Failure, where a slot points at what nothing has ever been done with, by this command or any of its kin."""
        model = self.model
        for place, word in zip(model.places, self.situation.standings, strict=True):
            if isinstance(place, At) and any(slot_role(model.template, place.slot)):
                futile, tried, _ = model.standings.get((place.slot, word), (0, 0, 0))
                if 0 < tried == futile and model.kinship.futile(model.template, place.slot, word):
                    return self._failing(
                        f"kin: always fails there, {word} after an operator", 0.7, f"{place.slot} {word}"
                    )
        return None

    def _lent(self, prediction_ok: bool, state: State, printed: str) -> float:
        """Support lent by kin, when nothing but failure is expected."""
        if prediction_ok or printed or state != self.situation.state:
            return 0.0
        model = self.model
        return max(
            (
                model.kinship.lent(model.template, place.slot, word)
                for place, word in zip(model.places, self.situation.standings, strict=True)
                if isinstance(place, At)
            ),
            default=0.0,
        )

    def _confidence(self, lent: float, *, futile: bool) -> float:
        record = self.model.record
        least = lower_bound(self.silent_support, self.silent_support)
        for role, leaf in self.leaves:
            right, tried = leaf.right.bit_count(), leaf.members.bit_count()
            bound = lower_bound(right + lent, tried + lent)
            if right == tried:
                written = isinstance(role.options[leaf.option], Write | Print)
                strange = written and self.vector & self.model.strange
                if not strange and (tried >= FEW_TEXTS or not written):  # what is written may differ in many ways
                    bound = max(bound, record.after(tried))
                self.tries = min(self.tries, tried)
            least = min(least, bound)
            vector = self.full if isinstance(role, SuccessRole) else self.vector
            self.against.of_rule(role, leaf, vector, self._same)
        self.against.of_situation(futile=futile)
        dismissed = (record.bound(name) for name in self.against.milder if record.dismisses(name))
        return min(least, *dismissed, 1.0) * (DOUBTED if self.against.left else 1.0)

    @property
    def basis(self) -> Basis:
        """What the prediction rests on; once it was made."""
        firm = not self.against.lasting and len(self.model.vectors) >= SEASONED
        return Basis(tuple(self.against.milder), firm, self.tries if self.tries < 1 << 30 else 0)

    def _same(self, role: Role, first: Option, second: Option) -> bool:
        """Whether two options come to the same here."""
        if first == second:
            return True
        if isinstance(role, SuccessRole | StrayRole | ThroughRole | ParentsRole):
            return False
        if isinstance(role, PrintRole):
            return bool(value_of(first, self.reader, None) == value_of(second, self.reader, None))
        if isinstance(role, NodeRole | ModeRole):
            return self._drawn(role, first) == self._drawn(role, second)
        return False

    def _drawn(self, role: PlaceRole, option: Option) -> State | None:
        """The folder with only this place changed; a mode is judged on what is believed to be there."""
        drawing = Drawing(self.situation.state)
        options = {**self.by_place.get(role.place, {}), type(role): option}
        problem = self._draw(drawing, role.place, options)
        return None if problem else drawing.finish()


def _matters(role: PlaceRole, spot: Spot) -> bool:
    """Whether the role has anything to say about the place in this situation."""
    if isinstance(role, ParentsRole):
        return spot.entry is not None and bool(spot.missing_parents)
    if isinstance(role, ThroughRole):
        return isinstance(spot.node, Link)
    return spot.entry is not None
