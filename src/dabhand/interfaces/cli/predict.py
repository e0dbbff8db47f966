"""`dabhand predict`: ask the world model, one question per line."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dabhand.errors import DabhandError, UsageError
from dabhand.interfaces.cli.options import common, store_directory

if TYPE_CHECKING:
    from dabhand.commands import Template
    from dabhand.toolmaking.reporting import Foretelling
    from dabhand.world import Prediction

BAD_LINE = 2
LARGEST = 10**18 - 1
"""As `commands.render` takes numbers."""

ONE_OBJECT = "Give one JSON object per line."


@click.command("predict")
@common
def command(as_json: bool, store: Path | None) -> int:
    """Ask what commands would do: JSON Lines in, JSON Lines out, one answer per line as it comes.

    \b
    in:  {"id": 1, "command": "sort {A} > {B}", "slots": {"A": "x.txt", "B": "y.txt"},
          "state": {"x.txt": {"text": "b\\na\\n"}}}
    out: {"id": 1, "known": true, "trusted": true, "confidence": 0.97, "ok": true,
          "state": {...the whole folder after...}, "stdout": ""}

    A line that cannot be read is answered with {"id": ..., "error": {...}}, and the exit status is then 2.
    """  # noqa: D301  (click reads the escape \b as "leave these lines as they are")
    from dabhand.interfaces.cli.output import write_document
    from dabhand.interfaces.cli.recall import recall
    from dabhand.store import Store
    from dabhand.toolmaking.registry import Registry
    from dabhand.toolmaking.reporting import Foretelling

    with Store.open(store_directory(store)) as opened:
        world, tools = recall(opened), Registry.of(opened).all()
    status = 0
    with Foretelling(world, tools) as foretelling:
        for line in sys.stdin.buffer:
            if not line.strip():
                continue
            reply = answer(foretelling, line)
            if "error" in reply:
                status = BAD_LINE
            write_document(reply)
    return status


def answer(world: Foretelling, line: bytes) -> dict[str, object]:
    """The answer to one line."""
    number: object = None
    try:
        question = _question(line)
        number = _id(question.get("id"))
        return {"id": number, **_prediction(world, question)}
    except DabhandError as error:
        return {"id": number, "error": {"code": error.code, "message": error.message, "hint": error.hint}}


def _question(line: bytes) -> Mapping[str, object]:
    try:
        question = json.loads(line, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"The line is not JSON: {error}.", ONE_OBJECT) from error
    if not isinstance(question, dict):
        raise UsageError("The line is not a JSON object.", ONE_OBJECT)
    return question


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _id(given: object) -> object:
    """The caller's own name of a line, which must go out again as it came in."""
    try:
        json.dumps({"id": given}, allow_nan=False)
    except (ValueError, RecursionError) as error:
        raise UsageError(f'"id" cannot be given back: {error}.', "Use a number that fits a double, or text.") from error
    return given


def _prediction(world: Foretelling, question: Mapping[str, object]) -> dict[str, object]:
    from dabhand.workspace import State
    from dabhand.workspace.state import canonical

    text = question.get("command")
    if not isinstance(text, str):
        raise UsageError('"command" must be a template.', 'Such as "sort {A} > {B}".')
    template = _template(canonical(text, f"The command {text!r}"))
    slots = _slots(question.get("slots"), {slot.name: slot.kind for slot in template.slots})
    state = State.from_json(question.get("state"))
    foretold = prediction_to_json(world.predict(template.text, slots, state))
    return {**foretold, "simulated": True} if world.is_simulated(template.text) else foretold


@lru_cache(maxsize=1024)
def _template(text: str) -> Template:
    from dabhand.commands import parse_template

    return parse_template(text)


def _slots(given: object, kinds: Mapping[str, str]) -> dict[str, str | int]:
    from dabhand.workspace.state import canonical

    wanted = f"Give {', '.join(kinds)}, each once and nothing else."
    if not isinstance(given, dict):
        raise UsageError('"slots" must be an object from slot names to values.', wanted)
    if given.keys() != kinds.keys():
        names = ", ".join(map(repr, given)) or "none"
        raise UsageError(f"The slots of this command are {', '.join(kinds)}; {names} given.", wanted)
    slots: dict[str, str | int] = {}
    for name, kind in kinds.items():
        value = given[name]
        if kind == "number":
            if not isinstance(value, int) or isinstance(value, bool) or abs(value) > LARGEST:
                raise UsageError(f"{name} must be a whole number of at most 18 digits.", "Give it without quotes.")
            slots[name] = value
        elif not isinstance(value, str) or "\0" in value:
            raise UsageError(f"{name} must be text without NUL.", 'Such as "a.txt".')
        else:
            slots[name] = canonical(value, f"The value of {name}, {value!r},")
    return slots


def prediction_to_json(prediction: Prediction) -> dict[str, object]:
    """The contract's form of a prediction."""
    if not prediction.known or prediction.state is None:
        return {"known": False, "reason": prediction.reason}
    form: dict[str, object] = {
        "known": True,
        "trusted": prediction.trusted,
        "confidence": round(prediction.confidence, 4),
        "ok": prediction.ok,
        "state": prediction.state.to_json(),
        "stdout": _text(prediction.stdout),
    }
    if prediction.reason:
        form["reason"] = prediction.reason
    return form


def _text(text: str) -> object:
    """A string; `{"base64": ...}` where it is not UTF-8."""
    from dabhand.workspace import encode_text
    from dabhand.workspace.state import text_to_json

    form = text_to_json(encode_text(text))
    return form.get("text", form)
