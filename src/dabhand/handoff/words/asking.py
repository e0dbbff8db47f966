"""Language models as translators of requests into plans: asked what the grammar cannot read, believed in bounds.

An answer counts where the model was sure enough, where everything in it is said in the request and nothing that the
request names is left out, and where a generous reading of the grammar does not say otherwise.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Protocol

import msgspec

from dabhand.errors import DabhandError, NotUnderstood
from dabhand.handoff.plan import Plan, plan_from_value
from dabhand.handoff.words.outcome import Abstained
from dabhand.handoff.words.reading import read
from dabhand.handoff.words.said import Heard, named_places
from dabhand.handoff.words.terminals import Look
from dabhand.models.answers import PlanForm
from dabhand.models.grammars import Said

ROOT = "."
"""What a request is about that names nothing."""

FORM = PlanForm(Plan)
_log = logging.getLogger(__name__)


class Question(msgspec.Struct, frozen=True):
    """What a model is asked for.

    Attributes:
        request: with references wherever something that is there is named.
        references: what each is: "file", "folder" or "json".
        said: what an answer may be made of.
    """

    request: str
    references: dict[str, str]
    said: Said


class Proposed(msgspec.Struct, frozen=True):
    """A model's answer.

    Attributes:
        value: the plan as JSON data, or None where it abstains.
        confidence: how often such answers are right.
        enough: the confidence from which on it may be believed.
    """

    value: Mapping[str, object] | None
    confidence: float = 0.0
    enough: float = 0.0


class PlanModel(Protocol):
    """A language model that makes plans."""

    @property
    def kind(self) -> str:
        """Whether it runs on this machine: "local" or "remote"."""

    def plan(self, question: Question) -> Proposed:
        """A plan. May raise anything; what it raises counts as no answer."""


class Judged(msgspec.Struct, frozen=True):
    """What came of asking.

    Attributes:
        plan: to be carried out, with paths instead of references; None where there is none to be believed.
        proposed: the plan as the model gave it, believed or not.
        why: why there is none.
    """

    plan: Plan | None
    proposed: Plan | None = None
    confidence: float = 0.0
    why: str = ""


AGREED = 0.5
"""The confidence that is enough where the grammar's own generous reading says the same."""


def ask(
    model: PlanModel,
    request: str,
    references: Mapping[str, str],
    look: Look | None,
    abstained: Abstained | None = None,
) -> Judged:
    """Ask a model, and judge its answer.

    Args:
        model: whom to ask.
        request: with references where targets are bound.
        references: what each is.
        look: what is at a path that is not bound.
        abstained: what the grammar said.
    """
    try:
        shown, places = named_places(request, references, look)
        known = {**references, **{name: kind for name, (_, kind) in places.items()}} or {ROOT: "folder"}
        heard = Heard(shown, known)
        proposed = model.plan(Question(shown, known, heard.said))
        if proposed.value is None:
            return Judged(None, None, proposed.confidence, "the model abstains")
        plan = plan_from_value(dict(proposed.value))
        restored = _restored(plan, places)
    except DabhandError as error:
        return Judged(None, None, 0.0, error.message)
    except Exception as error:  # noqa: BLE001 (a model is somebody else's, and may raise anything)
        _log.warning("The model failed: %s: %s", type(error).__name__, error)
        return Judged(None, None, 0.0, f"the model failed ({type(error).__name__})")
    try:
        heard.require(plan)
    except NotUnderstood as error:
        return Judged(None, restored, proposed.confidence, error.message)
    other = generous(request, references, look, abstained)
    if other is not None and other != restored:
        return Judged(None, restored, proposed.confidence, "the grammar's nearest reading says something else")
    enough = min(AGREED, proposed.enough) if other is not None else proposed.enough
    if proposed.confidence < enough:
        return Judged(None, restored, proposed.confidence, "the model is not sure")
    return Judged(restored, restored, proposed.confidence)


def _restored(plan: Plan, places: Mapping[str, tuple[str, str]]) -> Plan:
    path, _ = places.get(plan.path, (plan.path, ""))
    return msgspec.structs.replace(plan, path=path)


def generous(
    request: str, references: Mapping[str, str], look: Look | None, abstained: Abstained | None
) -> Plan | None:
    """What the grammar reads when the first words that it cannot use are passed over; None where that is nothing."""
    if abstained is None or not abstained.part:
        return None
    at = request.rfind(abstained.part)
    words = abstained.part.split(" ")
    for passed in range(1, min(3, len(words) - 1) + 1):
        found = read(request[:at] + " ".join(words[passed:]), references, look=look)
        if not isinstance(found, Abstained):
            return found
    return None
