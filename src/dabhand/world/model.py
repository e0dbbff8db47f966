"""The world model: what is believed about every command, asked and told through one face."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec

from dabhand.commands import Template, parse_template
from dabhand.errors import LanguageError, StoreError
from dabhand.store import Belief, Experiment, Store
from dabhand.workspace import State
from dabhand.world.believed import BelievedEffect, believed_of
from dabhand.world.command import CommandModel
from dabhand.world.explanations import unsaid
from dabhand.world.kinship import Kinship
from dabhand.world.observation import Observation
from dabhand.world.outlook import predict, predict_on_record
from dabhand.world.pools import plain_pool, wide_pool
from dabhand.world.prediction import Prediction, unknown
from dabhand.world.reading import values_of
from dabhand.world.record import TrackRecord

BELIEF = "command"

CHOSEN, FREE, REPEAT = "practice", "free", "repeat"
"""Origins of experiments: chosen for what they could teach, drawn freely, or made once more to see it is the same."""


class Judgement(msgspec.Struct, frozen=True):
    """How a prediction, made before learning from the outcome, compared with it.

    Attributes:
        prediction: what was expected.
        right: the whole outcome was as expected.
        unsaid: something happened that no term says.
    """

    prediction: Prediction
    right: bool
    unsaid: bool

    @property
    def surprise(self) -> bool:
        """Something was expected, and something else happened."""
        return self.prediction.known and not self.right


class World:
    """Beliefs about commands, by template text."""

    def __init__(self) -> None:
        self.models: dict[str, CommandModel] = {}
        self.kinship = Kinship()
        self._believed: dict[str, tuple[int, tuple[BelievedEffect, ...]]] = {}
        self.record = TrackRecord()

    def model(self, template: Template) -> CommandModel:
        """The beliefs about a template; empty ones when it was never seen."""
        found = self.models.get(template.text)
        if found is None:
            found = self.models[template.text] = CommandModel(
                template,
                (lambda: plain_pool(template.slots), lambda: wide_pool(template.slots)),
                self.kinship,
                self.record,
            )
        return found

    def predict(self, command: str, slots: Mapping[str, str | int], state: State) -> Prediction:
        """The whole outcome expected of a command with this filling in this folder."""
        model = self.models.get(command)
        if model is None:
            return unknown("this command was never tried")
        return predict(model, slots, state)

    def believed(self, command: str) -> tuple[BelievedEffect, ...]:
        """What a command is believed to be able to do, in one context or another; nothing for one never tried."""
        model = self.models.get(command)
        if model is None:
            return ()
        known = self._believed.get(command)
        if known is None or known[0] != len(model.ids):
            known = self._believed[command] = len(model.ids), believed_of(model)
        return known[1]

    def learn(self, experiment: Experiment, number: int = 0, *, judge: bool = True) -> Judgement:
        """Predict an experiment, compare, and learn from it.

        Args:
            experiment: what was tried and what came of it.
            number: its number in the store.
            judge: whether to predict first; without, the judgement says nothing.
        """
        model = self.model(parse_template(experiment.template))
        seen = observation_of(model, experiment)
        prediction, right = unknown("not asked"), False
        if judge:
            prediction, basis = predict_on_record(model, seen.filling, seen.before)
            right = model.judged(prediction, seen, free=experiment.origin == FREE)
            if prediction.known:
                self.record.note(model.template.text, basis, right=right)
        if experiment.origin == REPEAT:
            model.compare(seen)
        model.observe(seen, number)
        return Judgement(prediction, right, unsaid(model.roles, len(model.vectors) - 1))

    # -- keeping --------------------------------------------------------------------------------------------------

    @classmethod
    def load(cls, store: Store) -> World:
        """What a store has learned: its kept beliefs, and whatever experiments they do not rest on yet."""
        from dabhand.world import memory

        world = cls()
        for belief in store.load_beliefs(BELIEF):
            if belief.fingerprint == fingerprint():
                model = world.model(parse_template(belief.template))
                try:
                    memory.restore(model, belief.payload)
                except (LanguageError, msgspec.MsgspecError, LookupError, TypeError, ValueError, AttributeError):
                    world._forget(belief.template)  # made by other code, or damaged: concluded anew below
        world._catch_up(store)
        return world

    def _catch_up(self, store: Store) -> None:
        """Learn from experiments that no belief rests on; remember how to fetch those that one does."""
        there = [number for number, _ in store.experiment_templates()]
        for text in [text for text, model in self.models.items() if not set(there).issuperset(model.ids)]:
            self._forget(text)  # it rests on what is damaged or gone
            store.forget_belief(text, BELIEF)
        included = {number for model in self.models.values() for number in model.ids}
        missing = [number for number in there if number not in included]
        for model in self.models.values():
            ids = tuple(model.ids)
            model.past.fetch = lambda model=model, ids=ids: _fetched(store, model, ids)
        for experiment in store.experiments_by_id(missing):
            self.learn(experiment, experiment.id)

    def save(self, store: Store) -> None:
        """Keep the beliefs, so that the next session need not learn them again."""
        from dabhand.world import memory

        store.save_beliefs(
            Belief(text, BELIEF, memory.to_bytes(model), max(model.ids), fingerprint())
            for text, model in self.models.items()
            if model.ids and model.is_whole
        )

    def _forget(self, text: str) -> None:
        """Drop what is believed of a command, and all that it has told others."""
        self.kinship.forget(self.models.pop(text).template)
        self.record.forget(text)


def observation_of(model: CommandModel, experiment: Experiment) -> Observation:
    """An experiment as evidence for a command."""
    return Observation(
        experiment.slots,
        values_of(model.template.slots, experiment.slots),
        experiment.before,
        experiment.ok,
        experiment.stdout.decode("utf-8", "surrogateescape"),
        experiment.after,
    )


def _fetched(store: Store, model: CommandModel, ids: Sequence[int]) -> list[Observation]:
    """The observations that a kept belief rests on; every one, because they are told apart by their places."""
    found = [_looked_at(model, one) for one in store.experiments_by_id(ids)]
    if len(found) != len(ids):
        store.forget_belief(model.template.text, BELIEF)
        model.ids.clear()  # so that it is not kept again
        raise StoreError(
            f"What is believed about {model.template.text!r} rests on experiments that can no longer be read.",
            "It was dropped; do the same again, and it is concluded anew from the others.",
        )
    return found


def _looked_at(model: CommandModel, experiment: Experiment) -> Observation:
    seen = observation_of(model, experiment)
    seen.look(model.places)
    return seen


@cache
def fingerprint() -> str:
    """Of the code that concludes: beliefs of other code are concluded anew from the experiments."""
    digest = sha256()
    here = Path(__file__).parent
    for folder in (here, *(here.parent / room for room in ("language", "workspace", "commands"))):
        for file in sorted(folder.glob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
