"""Practice for real, and what it is judged by: situations drawn and carried out by code that is not ours."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dabhand.commands import parse_template
from dabhand.practice import Event, LearnReport, practise
from dabhand.store import Experiment, Store
from dabhand.workspace import State, encode_text
from dabhand.workspace.state import text_to_json
from dabhand.world import CommandReport, Prediction, World


class Lesson(NamedTuple):
    """What came of practising."""

    folder: Path
    report: LearnReport
    events: tuple[Event, ...]

    def command(self, text: str) -> CommandReport:
        """The report on one command."""
        return next(report for report in self.report.commands if report.command == text)

    def world(self) -> World:
        """What was learned, as the next session finds it."""
        with Store.open(self.folder) as store:
            world = World.load(store)
            for model in world.models.values():
                len(model.past)  # fetched while the store is open
            return world

    def experiments(self) -> list[Experiment]:
        """All that was tried."""
        with Store.open(self.folder) as store:
            return list(store.experiments())


def practised(folder: Path, commands: Sequence[str], *, experiments: int, seed: int) -> Lesson:
    """Practise in a store of this folder."""
    events: list[Event] = []
    with Store.open(folder) as store:
        templates = [parse_template(text) for text in commands]
        report = practise(store, templates, experiments=experiments, seed=seed, on_event=events.append)
    return Lesson(folder, report, tuple(events))


def situations(commands: Sequence[str], count: int, seed: int) -> list[Any]:
    """Situations for these commands in turn, drawn by the independent judge."""
    from judge.contexts import tags_of
    from judge.drawing import Drawn
    from judge.fillings import fill
    from judge.scenes import random_scene

    rng = random.Random(f"lesson {seed}")
    found = []
    for number in range(count):
        command, scene = commands[number % len(commands)], random_scene(rng)
        slots, awkward = fill(rng, command, scene)
        found.append(Drawn(command, scene, slots, tags_of(scene, slots, awkward)))
    return found


def verdicts(world: World, commands: Sequence[str], count: int, seed: int) -> list[Any]:
    """The judge's verdicts on predictions of situations that it drew, carried out in a plain shell."""
    from judge.drawing import FAST
    from judge.entries import bytes_to_json, scene_to_json
    from judge.running import run
    from judge.scoring import judge

    truth, answers = [], []
    for number, drawn in enumerate(situations(commands, count, seed)):
        result = run(drawn.scene, drawn.line, FAST)
        state = scene_to_json(drawn.scene)
        truth.append(
            {
                "id": number, "command": drawn.template, "slots": drawn.slots, "state": state, "line": drawn.line,
                "ok": result.ok, "after": scene_to_json(dict(result.after)), "stdout": bytes_to_json(result.stdout),
            }
        )  # fmt: skip
        answers.append({"id": number, **answer(world.predict(drawn.template, drawn.slots, State.from_json(state)))})
    return judge(truth, answers)


def answer(prediction: Prediction) -> dict[str, Any]:
    """A prediction as the judge reads it."""
    found = {"known": prediction.known, "trusted": prediction.trusted, "confidence": prediction.confidence}
    if not prediction.known:
        return found | {"reason": prediction.reason}
    assert prediction.state is not None
    printed = text_to_json(encode_text(prediction.stdout))
    return found | {"ok": prediction.ok, "state": prediction.state.to_json(), "stdout": printed}
