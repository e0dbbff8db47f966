"""Language models as translators of requests into plans: asked what the grammar cannot read, believed in bounds.

An answer counts where the model was sure enough, where everything in it is said in the request and nothing that the
request names is left out, and where a generous reading of the grammar does not say otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec

from dabhand.errors import DabhandError, NotUnderstood
from dabhand.goals.tokens import Token, tokens_of
from dabhand.handoff.plan import Plan, plan_from_value
from dabhand.handoff.words.outcome import Abstained
from dabhand.handoff.words.reading import read
from dabhand.handoff.words.said import Heard, named_places
from dabhand.handoff.words.terminals import Look, known_words
from dabhand.models.answers import PlanForm
from dabhand.models.grammars import Said
from dabhand.models.waiting import NoAnswer, waited

ROOT = "."
"""What a request is about that names nothing."""

PATIENCE = 30.0
"""Seconds that a model may take for a plan."""

FORM = PlanForm(Plan)


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
    patience: float = PATIENCE,
) -> Judged:
    """Ask a model, and judge its answer.

    Args:
        model: whom to ask.
        request: with references where targets are bound.
        references: what each is.
        look: what is at a path that is not bound.
        abstained: what the grammar said.
        patience: seconds that it may take.
    """
    try:
        shown, places = named_places(request, references, look)
        known = {**references, **{name: kind for name, (_, kind) in places.items()}} or {ROOT: "folder"}
        heard = Heard(shown, known)
        question = Question(shown, known, heard.said)
        proposed = waited(lambda: model.plan(question), patience, model.kind)
        if proposed.value is None:
            return Judged(None, None, proposed.confidence, "the model abstains")
        value = proposed.value
        plan = plan_from_value(dict(value) if isinstance(value, Mapping) else value)
        restored = _restored(plan, places)
    except NoAnswer as error:
        return Judged(None, None, 0.0, f"no answer: {error}")
    except DabhandError as error:
        return Judged(None, None, 0.0, error.message)
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
    """What the grammar reads when words that mean nothing to it are passed over; None where that is nothing."""
    if abstained is None or not abstained.part:
        return None
    tokens = tokens_of(request)
    strange = [one for one in tokens if one.kind == "word" and _is_strange(one, references)]
    at = request.rfind(abstained.part)
    stuck = [one for one in tokens if one.start >= at]
    for passed in (strange, *(stuck[:count] for count in range(1, min(3, len(stuck) - 1) + 1))):
        left = _without(request, passed)
        found = read(left, references, look=look) if passed and left.strip() else None
        if found is not None and not isinstance(found, Abstained):
            return found
    return None


def _is_strange(token: Token, references: Mapping[str, str]) -> bool:
    known = token.lower in known_words() or token.text in references
    return not known and token.number is None and token.ordinal is None


def _without(request: str, passed: Sequence[Token]) -> str:
    text, at = "", 0
    for token in passed:
        text += request[at : token.start]
        at = token.end
    return text + request[at:]
