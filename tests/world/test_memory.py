"""Beliefs that are kept and taken up again: nothing changes by it, whatever was killed in between."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec
import pytest

from dabhand.commands import parse_template
from dabhand.practice import Filler, practise, random_scene
from dabhand.store import Belief, Experiment, Store
from dabhand.workspace import State
from dabhand.world import CommandReport, Prediction, World, report_on
from dabhand.world.kinship import said_for_any
from dabhand.world.memory import restore, to_bytes

COMMANDS = ("cp -r {A} {B}", "cat {A}", "grep -c {T} {A} > {B}", "head -n {N} {A} > {B}", "cp {A} {A}.bak")
COUNT = 120
KEPT = (1, 60, 110, COUNT)
Asked = tuple[str, dict[str, str | int], State]


class Learned(NamedTuple):
    """A world that learned each experiment as it was made, and the beliefs that it kept on its way."""

    world: World
    experiments: list[Experiment]
    beliefs: dict[int, list[Belief]]

    def store(self, folder: Path, kept: int) -> Store:
        """The store of a process that kept its beliefs after so many experiments, and was killed after the last."""
        store = Store.open(folder)
        for one in self.experiments:
            store.append_experiment(one)
        store.save_beliefs(self.beliefs[kept])
        return store


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Learned:
    with Store.open(tmp_path_factory.mktemp("practice")) as store:
        practise(store, [parse_template(text) for text in COMMANDS], experiments=COUNT, seed=4)
        experiments = list(store.experiments())
    world, beliefs = World(), {0: list[Belief]()}
    with Store.open(tmp_path_factory.mktemp("learned")) as store:
        for one in experiments:
            number = store.append_experiment(one)
            world.learn(one, number)
            if number in KEPT:
                world.save(store)
                beliefs[number] = store.load_beliefs()
    return Learned(world, experiments, beliefs)


def situations(count: int = 200) -> list[Asked]:
    rng = Random("asked")
    found = []
    for number in range(count):
        scene = random_scene(rng)
        template = parse_template(COMMANDS[number % len(COMMANDS)])
        found.append((template.text, Filler(scene, rng).fill(template), scene))
    return found


def predictions(world: World) -> list[Prediction]:
    return [world.predict(*asked) for asked in situations()]


def reports(world: World) -> list[CommandReport]:
    return [report_on(world.model(parse_template(text))) for text in COMMANDS]


def rules(world: World) -> list[CommandReport]:
    """The rules alone: how predictions went is not learned again from experiments."""
    return [msgspec.structs.replace(report, support=(0, 0), status="untried", reason="") for report in reports(world)]


def test_what_is_kept_predicts_as_what_was_learned(learned: Learned, tmp_path: Path) -> None:
    with learned.store(tmp_path, COUNT) as store:
        kept = World.load(store)
        assert predictions(kept) == predictions(learned.world)
        assert reports(kept) == reports(learned.world)
        assert any(prediction.trusted for prediction in predictions(kept))


@pytest.mark.parametrize("kept", KEPT[:-1])
def test_after_a_kill_the_rest_is_caught_up_with(learned: Learned, tmp_path: Path, kept: int) -> None:
    with learned.store(tmp_path, kept) as store:
        found = World.load(store)
        assert predictions(found) == predictions(learned.world)


@pytest.mark.parametrize("kept", KEPT)
def test_nothing_is_learned_twice_or_forgotten(learned: Learned, tmp_path: Path, kept: int) -> None:
    with learned.store(tmp_path, kept) as store:
        for text, model in World.load(store).models.items():
            assert model.ids == [number for number, name in store.experiment_templates() if name == text]
            assert len(model.vectors) == len(model.past) == len(model.ids)
            assert model.successes == sum(one.ok for one in learned.experiments if one.template == text)


def test_without_beliefs_all_is_learned_from_the_experiments(learned: Learned, tmp_path: Path) -> None:
    with learned.store(tmp_path, 0) as store:
        world = World.load(store)
        assert predictions(world) == predictions(learned.world)
        assert rules(world) == rules(learned.world)


def test_beliefs_of_other_code_are_learned_again(learned: Learned, tmp_path: Path) -> None:
    with learned.store(tmp_path, COUNT) as store:
        for belief in learned.beliefs[COUNT]:
            store.save_beliefs([msgspec.structs.replace(belief, fingerprint="other", payload=b"nothing we can read")])
        world = World.load(store)
        assert predictions(world) == predictions(learned.world)
        world.save(store)
        assert not any(belief.fingerprint == "other" for belief in store.load_beliefs())


@pytest.mark.parametrize("payload", [b"", b"{", b"{}", b"[]", b'{"ids": 1}', b"null"])
def test_a_belief_that_cannot_be_read_is_learned_again(learned: Learned, tmp_path: Path, payload: bytes) -> None:
    with learned.store(tmp_path, COUNT) as store:
        store.save_beliefs([msgspec.structs.replace(learned.beliefs[COUNT][0], payload=payload)])
        counts = {text: len(model.vectors) for text, model in World.load(store).models.items()}
        assert counts == {text: len(model.vectors) for text, model in learned.world.models.items()}


def test_questions_that_kin_ask_are_kept(learned: Learned, tmp_path: Path) -> None:
    with learned.store(tmp_path, COUNT) as store:
        kept = World.load(store)
    questions = {
        (role, said_for_any(model.template, model.name_of_feature(number, yes=True)))
        for model in learned.world.models.values()
        for number in range(len(model.base))
        for role in ("SuccessRole", "NodeRole", "PrintRole")
    }
    fond = {question: learned.world.kinship.fondness(*question) for question in questions}
    assert any(fond.values())
    assert {question: kept.kinship.fondness(*question) for question in questions} == fond


def test_keeping_what_was_kept_changes_nothing(learned: Learned) -> None:
    for belief in learned.beliefs[COUNT]:
        again = World().model(parse_template(belief.template))
        restore(again, belief.payload)
        assert msgspec.json.decode(to_bytes(again)) == msgspec.json.decode(belief.payload)


def test_the_track_record_is_kept(learned: Learned, tmp_path: Path) -> None:
    assert learned.world.record.counts
    with learned.store(tmp_path, COUNT) as store:
        assert World.load(store).record.counts == learned.world.record.counts


def test_the_track_record_counts_nothing_twice(learned: Learned, tmp_path: Path) -> None:
    """A command whose belief is gone is concluded anew, and with it what it says of doubts."""
    with learned.store(tmp_path, COUNT) as store:
        text = next(iter(learned.world.models))
        for _ in range(3):
            store.forget_belief(text, "command")
            world = World.load(store)
            world.save(store)
        once = sum(of for _, of in learned.world.record.counts.values())
        again = sum(of for _, of in world.record.counts.values())
        assert abs(again - once) <= once / 10, "the order of experiments is another, the number is not"


def test_what_was_restored_goes_on_learning(learned: Learned, tmp_path: Path) -> None:
    """Earlier experiments are fetched again as soon as a rule is in doubt."""
    with learned.store(tmp_path, COUNT) as store:
        world = World.load(store)
        for one in learned.experiments[:40]:
            judged = world.learn(one, store.append_experiment(one))
            assert judged.prediction.known or judged.prediction.reason
        assert sum(len(model.vectors) for model in world.models.values()) == COUNT + 40
        for model in world.models.values():
            assert len(model.past) == len(model.vectors) == len(model.ids)


def test_experiments_of_another_process_are_learned_too(learned: Learned, tmp_path: Path) -> None:
    """Two sessions append in turn; each keeps beliefs that rest on its own experiments only."""
    with Store.open(tmp_path) as store:
        one, other = World(), World()
        for number, experiment in enumerate(learned.experiments):
            (one if number % 2 else other).learn(experiment, store.append_experiment(experiment))
        other.save(store)
        one.save(store)
        for text, model in World.load(store).models.items():
            assert sorted(model.ids) == [number for number, name in store.experiment_templates() if name == text]
            assert len(model.vectors) == len(model.past) == len(model.ids)


def test_how_every_prediction_fared_is_kept_in_order(learned: Learned, tmp_path: Path) -> None:
    with learned.store(tmp_path, 60) as store:
        again = World.load(store)
    for text, model in again.models.items():
        assert len(model.verdicts) == len(model.ids)
        assert set(model.verdicts) <= {"y", "n", "u"}
        recent = [verdict == "y" for verdict in model.verdicts][-len(model.outcomes) :]
        assert recent == list(model.outcomes), text
