"""What the store keeps, as values, and each experiment as the row that it becomes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from dabhand.workspace.state import State, node_to_json

# ASCII JSON carries lone surrogates (bytes of names that are not UTF-8) as escapes, which SQLite's TEXT could not.
_encode = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


_MARK = "\N{REPLACEMENT CHARACTER}json:"

EXPERIMENT_COLUMNS = (
    "template, slots, before, changes, ok, exit_code, stdout, stdout_complete, origin, seed, time"  # id apart
)

Row = tuple[Any, ...]


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
        ValueError, StateError: the row was not made by `experiment_row`.
    """
    number, template, slots, before, changes, ok, exit_code, stdout, complete, origin, seed, time = row
    entries: dict[str, object] = json.loads(before)
    state = State.from_json(entries)
    for path, entry in json.loads(changes).items():
        if entry is None:
            del entries[path]
        else:
            entries[path] = entry
    return Experiment(
        template=opened(template),
        slots=json.loads(slots),
        before=state,
        after=State.from_json(entries),
        ok=bool(ok),
        stdout=stdout,
        exit_code=exit_code,
        stdout_complete=bool(complete),
        origin=origin,
        seed=seed,
        time=time,
        id=number,
    )


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
