"""Everything learned as one JSON document, to carry from one store to another."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from math import isfinite
from typing import Annotated

import msgspec

from dabhand.errors import StateError, StoreError, TemplateError
from dabhand.store.database import Store
from dabhand.store.records import Experiment, require_triable
from dabhand.workspace.state import State

DOCUMENT_FORMAT = "dabhand-world"
DOCUMENT_VERSION = 1
_AGAIN = "Make one with: dabhand world export FILE"
PRIVATE = "do"
"""Origin of experiments that were runs on the user's own folders."""


def to_document(store: Store) -> dict[str, object]:
    """The experiments that practice made, as one JSON document.

    What was run on folders of the user's stays out: it holds their texts. Beliefs stay out too: whoever takes the
    document in draws them anew from the experiments, so that none is believed without its evidence.
    """
    return {
        "format": DOCUMENT_FORMAT,
        "version": DOCUMENT_VERSION,
        "experiments": [
            _experiment_to_json(experiment) for experiment in store.experiments() if experiment.origin != PRIVATE
        ],
    }


def add_document(store: Store, document: object) -> int:
    """Take in a document that `to_document` made, all or nothing; return how many experiments were new.

    Raises:
        StoreError: the document is not such a document, or a newer dabhand wrote it; the store is left as it was.
    """
    match document:
        case {"format": "dabhand-world", "version": int(version), "experiments": list(items)} if version >= 1:
            if version > DOCUMENT_VERSION:
                raise StoreError(f"The world document is of version {version}.", "Update dabhand to read it.")
            read = [_experiment_from_json(index, item) for index, item in enumerate(items)]
            _require_own_numbers(read)
            return store.add_experiments(read)
        case _:
            raise StoreError("This is not a world document.", _AGAIN)


def _require_own_numbers(experiments: Sequence[Experiment]) -> None:
    seen: dict[int, int] = {}
    for index, experiment in enumerate(experiments):
        if experiment.id and (first := seen.setdefault(experiment.id, index)) != index:
            raise StoreError(
                f"Experiments {first} and {index} of the world document have the same id, {experiment.id}.",
                "Give each an id of its own, or the id 0.",
            )


def _experiment_to_json(experiment: Experiment) -> dict[str, object]:
    form = {name: getattr(experiment, name) for name in experiment.__struct_fields__}
    form["before"] = experiment.before.to_json()
    form["after"] = experiment.after.to_json()
    form["stdout"] = base64.b64encode(experiment.stdout).decode("ascii")
    form["slots"] = dict(experiment.slots)
    return form


def _experiment_from_json(index: int, value: object) -> Experiment:
    try:
        if not isinstance(value, dict):
            raise StateError("It is no object.")
        before, after = State.from_json(value.get("before")), State.from_json(value.get("after"))
        wire = msgspec.convert(value, _Wire)
        if not isfinite(wire.time):
            raise StateError("Its time is no number of seconds.")
        experiment = Experiment(before=before, after=after, **msgspec.structs.asdict(wire))
        require_triable(experiment.template, experiment.slots)
    except (StateError, TemplateError) as error:
        raise StoreError(f"Experiment {index} of the world document is none. {error.message}", _AGAIN) from error
    except msgspec.ValidationError as error:
        raise StoreError(f"Experiment {index} of the world document is none: {error}.", _AGAIN) from error
    return experiment


_Int64 = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]


class _Wire(msgspec.Struct, frozen=True):
    """The fields of an experiment that are not folders; bytes are base64 in JSON."""

    template: str
    slots: dict[str, str | int]
    ok: bool
    stdout: bytes
    exit_code: _Int64 | None
    stdout_complete: bool
    origin: Annotated[str, msgspec.Meta(pattern=r"^[ -~]{1,64}$")]
    seed: _Int64
    time: float
    id: Annotated[int, msgspec.Meta(ge=0, le=2**62)]
