"""The chain of translators: each is asked in turn, and the first that is sure is believed.

Memory of the exact shape, a near shape, the grammar, a local model, a remote model; else the request is given back with
the part that was not understood. What the grammar understands and refuses, or can take in several ways, ends the chain:
nothing further down may override it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import msgspec

from dabhand.errors import NotUnderstood
from dabhand.goals.goal import Ambiguous, Goal, Unread
from dabhand.goals.grammar import understand
from dabhand.goals.memory import GoalMemory
from dabhand.goals.models import Asked, Models, ask_models
from dabhand.goals.near import Near, near
from dabhand.goals.shape import Noted, Shape, shape_of
from dabhand.goals.wanted import wanted_of
from dabhand.language import FolderView

Origin = Literal["memory", "near", "grammar", "local", "remote"]
Only = Literal["auto", "memory", "grammar", "local", "remote"]
Remember = Callable[[float], None]
"""Called with the time (seconds since the epoch) once a request was carried out and checked."""


class Translated(msgspec.Struct, frozen=True):
    """What a request was taken to mean.

    Attributes:
        lm_calls: how many times a language model was asked.
        remember: to be called once the request was carried out and its check held; keeps the shape, as it was when the
            request was translated.
    """

    goal: Goal
    origin: Origin
    lm_calls: int
    remember: Remember

    @property
    def goal_from(self) -> str:
        """The contract's word for the origin."""
        return "memory" if self.origin == "near" else self.origin


def translate(
    request: str,
    folder: FolderView,
    targets: Mapping[str, str] | None = None,
    *,
    memory: GoalMemory | None = None,
    models: Models = (),
    only: Only = "auto",
) -> Translated:
    """What a request means, by the first translator that is sure of it.

    Args:
        request: plain English, with `{{name}}` for bound targets.
        folder: the folder that it is about.
        targets: paths by name.
        memory: what is remembered of earlier requests.
        models: whom to ask what the grammar cannot read.
        only: ask this translator alone. What the grammar refuses or doubts is refused or doubted all the same.

    Raises:
        NotUnderstood: nobody is sure; where it can be taken in several ways, `readings` of the error holds the goals.
        Refused: it is understood and must not, or cannot, be carried out in this folder.
    """
    return _Chain(request, folder, targets or {}, memory, models, only).translated()


class _Chain:
    """One request on its way down."""

    def __init__(
        self,
        request: str,
        folder: FolderView,
        targets: Mapping[str, str],
        memory: GoalMemory | None,
        models: Models,
        only: Only,
    ) -> None:
        self.request = request
        self.folder = Noted(folder)
        self.targets = targets
        self.memory = memory
        self.models = models
        self.only = only
        self.shape: Shape | None = shape_of(request, self.folder, targets)

    def translated(self) -> Translated:
        """The first sure translation."""
        if self._asks("memory") and (found := self._remembered()) is not None:
            return found
        close = self._near() if self._asks("memory") else None
        if self.only == "memory" and close is None:
            raise NotUnderstood("No request of this shape is remembered.", "Leave out --translator memory.")
        models = self._models()
        try:
            goal = understand(self.request, self.folder, self.targets)
        except Unread as error:
            return self._reworded(close) if close is not None else self._asked(models, error)
        if close is not None and set(close.goal.conditions) == set(goal.conditions):
            return Translated(goal, "near", 0, self._remember_reading)
        if self.only == "memory":
            raise NotUnderstood("It is like a remembered request, and says something else.", "Say it differently.")
        if self.only in ("local", "remote"):
            asked = self._asked(models, NotUnderstood("The model's answer could not be used."))
            if set(asked.goal.conditions) != set(goal.conditions):
                raise Ambiguous("The grammar and the model take it in two ways.", "Say it differently.")
            return asked
        return Translated(goal, "grammar", 0, self._remember_reading)

    def _near(self) -> Near | None:
        if self.memory is None or self.shape is None:
            return None
        return near(self.shape, self.folder, self.memory.known())

    def _reworded(self, found: Near) -> Translated:
        """What a remembered request says, of which this is a rewording that the grammar cannot read."""
        memory, shape = self.memory, self.shape

        def remember(time: float) -> None:
            if memory is not None and shape is not None:
                memory.remember_rewording(shape, found.wording, found.pattern, time)

        return Translated(found.goal, "near", 0, remember)

    def _models(self) -> Models:
        """The models that may be asked; looked for now only when they were asked for by kind."""
        if self.only not in ("local", "remote"):
            return self.models if self.only == "auto" else ()
        every = self.models() if callable(self.models) else self.models
        found = tuple(model for model in every if model.kind == self.only)
        if not found:
            raise NotUnderstood(
                f"There is no {self.only} model here to translate with.", "Use another --translator, or leave it out."
            )
        return found

    def _asked(self, models: Models, unread: NotUnderstood) -> Translated:
        """What a model makes of a request that the grammar cannot read.

        Raises:
            NotUnderstood: nothing that holds up; the part that the grammar could not use is named.
        """
        every = models() if callable(models) else models
        if not every or self.shape is None:
            raise unread
        ordered = sorted(every, key=lambda model: model.kind != "local")
        asked = ask_models(ordered, self.shape, self.folder, unread.message)
        if asked.goal is None or asked.model is None:
            raise _in_vain(unread, asked)
        origin, shape, memory = asked.model.kind, self.shape, self.memory
        wanted = wanted_of(asked.goal, shape, self.folder)

        def remember(time: float) -> None:
            if memory is not None and wanted is not None:
                memory.remember_goal(shape, wanted, origin, time)

        return Translated(asked.goal, origin, asked.calls, remember)

    def _asks(self, translator: Only) -> bool:
        return self.only in ("auto", translator)

    def _remembered(self) -> Translated | None:
        memory = self.memory
        if memory is None or self.shape is None or (found := memory.recall(self.shape, self.folder)) is None:
            return None
        goal, one = found
        return Translated(goal, "memory", 0, lambda time: memory.use(one, time))

    def _remember_reading(self, time: float) -> None:
        if self.memory is not None and self.shape is not None:
            self.memory.remember_reading(self.shape, self.folder, self.targets, time)


def _in_vain(unread: NotUnderstood, asked: Asked) -> NotUnderstood:
    said = "; ".join(dict.fromkeys(asked.failures))
    error = NotUnderstood(unread.message, f"{unread.hint} A model was asked in vain ({said}).".strip())
    error.lm_calls = asked.calls
    return error
