"""What the store keeps, as values, and each experiment as the row that it becomes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from dabhand.commands import Template, parse_template, render
from dabhand.errors import StoreError, TemplateError
from dabhand.workspace.state import State, node_to_json

# ASCII JSON carries lone surrogates (bytes of names that are not UTF-8) as escapes, which SQLite's TEXT could not.
_encode = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


_MARK = "\N{REPLACEMENT CHARACTER}json:"

EXPERIMENT_COLUMNS = (
    "template, slots, before, changes, ok, exit_code, stdout, stdout_complete, origin, seed, time"  # id apart
)

Row = tuple[Any, ...]
_Kind = TypeVar("_Kind")


class Experiment(msgspec.Struct, frozen=True):
    """One thing that was tried: a filled template in a scene, and all that came of it.

    Attributes:
        id: its number in the store; 0 while it is not stored. Numbers only grow.
        time: seconds since the epoch, from the caller's clock.
    """

    template: str
    slots: Mapping[str, str | int]
    before: State
    after: State
    ok: bool
    stdout: bytes = b""
    exit_code: int | None = None
    stdout_complete: bool = True
    origin: str = "practice"
    seed: int = 0
    time: float = 0.0
    id: int = 0


class Belief(msgspec.Struct, frozen=True):
    """What was concluded about a template, as its maker encoded it.

    Attributes:
        based_on: the number of the newest experiment that it takes into account.
        fingerprint: of the code that concluded it; other code must conclude anew.
    """

    template: str
    kind: str
    payload: bytes
    based_on: int
    fingerprint: str


class Run(msgspec.Struct, frozen=True):
    """One request that was carried out on a real folder, with the document that was handed back (JSON text)."""

    request: str
    root: str
    document: str
    time: float = 0.0
    id: int = 0


class Exam(msgspec.Struct, frozen=True):
    """One exam that was sat, with its result (ASCII JSON text)."""

    suite: str
    seed: int
    document: str
    time: float = 0.0
    id: int = 0


class GoalShape(msgspec.Struct, frozen=True):
    """The shape of a request that was carried out, and what it says, as the memory of goals encoded both.

    Attributes:
        goal: what it says: JSON text with holes for the slots of the shape.
        origin: the translator that understood it first.
        example: the request that it was learned from; never leaves this store.
        uses: how many requests of this shape were carried out.
    """

    shape: str
    goal: str
    origin: str
    example: str
    uses: int = 1
    time: float = 0.0


def experiment_row(experiment: Experiment) -> Row:
    """The row of an experiment, its number apart; equal experiments make equal rows."""
    before, after = experiment.before, experiment.after
    changes = {
        path: None if (node := after.get(path)) is None else node_to_json(node) for path in _changed(before, after)
    }
    return (
        sealed(experiment.template),
        _encode(dict(experiment.slots)),
        _encode(before.to_json()),
        _encode(changes),
        int(experiment.ok),
        experiment.exit_code,
        experiment.stdout,
        int(experiment.stdout_complete),
        experiment.origin,
        experiment.seed,
        experiment.time,
    )


def _changed(before: State, after: State) -> list[str]:
    """Paths that differ, in order, so that equal experiments make equal rows."""
    return sorted(path for path in {*before, *after} if before.get(path) != after.get(path))


def experiment_from_row(row: Row) -> Experiment:
    """The experiment of a row that begins with its number.

    Raises:
        StoreError, StateError, TemplateError: it is none, or not one that can have been tried.
    """
    try:
        kept = msgspec.convert(row, _Row)
        entries, changes = _decode(kept.before, dict[str, Any]), _decode(kept.changes, dict[str, Any])
        slots = _decode(kept.slots, dict[str, str | int])
        template = opened(kept.template)
    except (msgspec.ValidationError, ValueError, RecursionError) as error:
        raise StoreError(f"{error}.") from error
    after = {path: entry for path, entry in (entries | changes).items() if entry is not None}
    found = Experiment(
        template=template,
        slots=slots,
        before=State.from_json(entries),
        after=State.from_json(after),
        ok=bool(kept.ok),
        stdout=kept.stdout,
        exit_code=kept.exit_code,
        stdout_complete=bool(kept.stdout_complete),
        origin=kept.origin,
        seed=kept.seed,
        time=kept.time,
        id=kept.id,
    )
    require_triable(found.template, found.slots)
    return found


class _Row(msgspec.Struct, frozen=True, array_like=True):
    """A row as SQLite gives it, which holds to no types by itself."""

    id: int
    template: str
    slots: str
    before: str
    changes: str
    ok: int
    exit_code: int | None
    stdout: bytes
    stdout_complete: int
    origin: str
    seed: int
    time: float


def _decode(text: str, kind: type[_Kind]) -> _Kind:
    return msgspec.convert(json.loads(text), kind)


def triable_template(template: object, slots: object) -> str:
    """The template of a row, where it and its slots are whole.

    Raises:
        StoreError, TemplateError: they are not.
    """
    try:
        text = opened(msgspec.convert(template, str))
        filling = _decode(msgspec.convert(slots, str), dict[str, str | int])
    except (msgspec.ValidationError, ValueError, RecursionError) as error:
        raise StoreError(f"{error}.") from error
    require_triable(text, filling)
    return text


def require_triable(text: str, slots: Mapping[str, str | int]) -> None:
    """Make sure that this can have been tried: the slots are the template's, of their kinds.

    Raises:
        TemplateError: it cannot.
    """
    template = _template(text)
    for slot in template.slots:
        value = slots.get(slot.name)
        if slot.kind == "number" and not isinstance(value, int):
            raise TemplateError(f"In {template.text!r}, slot {{{slot.name}}} takes a whole number, not {value!r}.")
    render(template, slots)


@lru_cache(maxsize=1024)
def _template(text: str) -> Template:
    return parse_template(text)


def sealed(text: str) -> str:
    """Text that SQLite can hold: lone surrogates (bytes that are not UTF-8) become a marked escape."""
    if text.startswith(_MARK):
        return _MARK + _encode(text)
    try:
        text.encode()
    except UnicodeEncodeError:
        return _MARK + _encode(text)
    return text


def opened(text: str) -> str:
    """What `sealed` was given."""
    return str(json.loads(text[len(_MARK) :])) if text.startswith(_MARK) else text
