"""The models that make plans: the local one, asked for a line under a grammar, and a remote one, asked for JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from dabhand.handoff.words.asking import FORM, PlanModel, Proposed, Question, ask
from dabhand.handoff.words.chain import Declined, Origin, Translated
from dabhand.handoff.words.outcome import Abstained
from dabhand.handoff.words.terminals import Look
from dabhand.models.completion import Ask, Engine
from dabhand.models.confidence import Calibration, calibration
from dabhand.models.grammars import plan_grammar
from dabhand.models.prompts import plan_prompt

TOKENS = 64
PATIENCE = 20.0
"""Seconds that the local model may take for a plan."""


class LocalPlans:
    """Plans by the local model.

    Args:
        engine: what it runs in.
        known: what its answers are worth.
    """

    kind = "local"

    def __init__(self, engine: Engine, known: Calibration | None = None, patience: float = PATIENCE) -> None:
        self._engine = engine
        self._known = known or calibration("plan")
        self._patience = patience

    def plan(self, question: Question) -> Proposed:
        """A plan, under a grammar drawn from the request."""
        made = self._engine.complete(
            Ask(
                plan_prompt(question.request, question.references),
                plan_grammar(FORM, question.references, question.said),
                TOKENS,
                self._patience,
            )
        )
        answer = FORM.read(made.text)
        value: Mapping[str, Any] | None = None if answer is None else answer.to_json()
        return Proposed(value, self._known.confidence(made.probability), self._known.enough)


def local_plans() -> LocalPlans | None:
    """Plans by the local model, if one is here."""
    from dabhand.models.engines import is_usable, local_engine

    return LocalPlans(local_engine()) if is_usable() else None


def remote_plans() -> PlanModel | None:
    """Plans by the remote model that the user configured, if there is one."""
    return None


class Link:
    """A model as a link of the chain.

    Args:
        origin: which link.
        model: finds the model once it is needed; None from it where there is none here.
        look: what is at a path that is not bound.
    """

    def __init__(self, origin: Literal["local", "remote"], model: Callable[[], PlanModel | None], look: Look) -> None:
        self._origin: Origin = origin
        self._model = model
        self._look = look

    @property
    def origin(self) -> Origin:
        """Which link of the chain it is."""
        return self._origin

    def translate(
        self, request: str, references: Mapping[str, str], abstained: Abstained | None
    ) -> Translated | Declined | None:
        """A plan that may be relied on, or why there is none."""
        model = self._model()
        if model is None:
            return None
        judged = ask(model, request, references, self._look, abstained)
        if judged.plan is None:
            return Declined(judged.why, 1)
        return Translated(judged.plan, self._origin, 1)


def links(look: Look) -> tuple[Link, ...]:
    """The models that are here, as links of the chain."""
    return (Link("local", local_plans, look), Link("remote", remote_plans, look))
