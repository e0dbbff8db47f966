"""The seam for language models that translate requests: what one is, and what asking one comes to.

A model is asked for a goal in the JSON form of `schema`. It is told the request and what is at the names in it, never
what a file holds. Nothing that it answers is believed: the answer is read strictly, must be possible in the folder, and
may say nothing that the request does not say.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Any, Literal, Protocol

import msgspec

from dabhand.errors import DabhandError, NotUnderstood
from dabhand.goals.goal import Goal
from dabhand.goals.possible import require_possible
from dabhand.goals.schema import goal_from_json, goal_schema
from dabhand.goals.shape import Shape
from dabhand.goals.supported import require_supported
from dabhand.language import FolderView
from dabhand.models.waiting import NoAnswer, waited

ENTRY_POINTS = "dabhand.translation_models"
"""The group of entry points that give models: each a function without arguments that returns one."""

MAX_CALLS = 3
"""How many times models are asked about one request, all together."""

TRIES = 2
"""How many times one model is asked, the second time with what was wrong with its first answer."""

PATIENCE = 60.0
"""Seconds that a model may take for one answer."""

MAX_ANSWER = 1 << 20
_PLAIN_PATH = re.compile(r"[\w./-]*\w/?")
_log = logging.getLogger(__name__)

ModelKind = Literal["local", "remote"]


class Context(msgspec.Struct, frozen=True):
    """What a model is told beside the request.

    Attributes:
        things: what is at each name in the request: "file", "folder" or "missing".
        schema: the JSON schema that the answer is to follow.
        not_understood: what the grammar could not use.
        rejected: what was wrong with the model's last answer; empty the first time.
    """

    things: dict[str, str]
    schema: dict[str, Any]
    not_understood: str = ""
    rejected: str = ""


class TranslationModel(Protocol):
    """A language model that translates requests into goals."""

    @property
    def name(self) -> str:
        """For people: which model."""

    @property
    def kind(self) -> ModelKind:
        """Whether it runs on this machine."""

    def propose(self, request: str, context: Context) -> object:
        """A candidate goal: JSON text, or the JSON itself. May raise anything; what it raises counts as no answer."""


Models = Sequence[TranslationModel] | Callable[[], Sequence[TranslationModel]]
"""Models, or what finds them once they are needed."""


def registered_models() -> tuple[TranslationModel, ...]:
    """The models that installed packages offer; one that cannot be loaded is left out, which is said."""
    found = []
    for point in entry_points(group=ENTRY_POINTS):
        try:
            found.append(point.load()())
        except Exception as error:  # noqa: BLE001 (a package that is none of ours may raise anything)
            _log.warning("The model %r cannot be used: %s", point.name, error)
    return tuple(found)


class Asked(msgspec.Struct, frozen=True):
    """What came of asking models.

    Attributes:
        model: the one that gave the goal.
        calls: how many times models were asked.
        failures: what was wrong with each answer.
    """

    goal: Goal | None
    model: TranslationModel | None
    calls: int
    failures: tuple[str, ...]


def ask_models(
    models: Sequence[TranslationModel],
    shape: Shape,
    folder: FolderView,
    not_understood: str,
    *,
    max_calls: int = MAX_CALLS,
    patience: float = PATIENCE,
) -> Asked:
    """Ask models in turn until one proposes a goal that holds up.

    Args:
        models: local ones first, as a rule.
        shape: of the request.
        folder: the folder that it is about.
        not_understood: what the grammar could not use.
        max_calls: how many times models are asked, all together.
        patience: seconds that one may take for one answer.
    """
    things = {one.token.text: folder.kind(one.token.text.rstrip("/")) for one in shape.elements if one.slots}
    first = Context(things, goal_schema(), not_understood)
    request = _with_names(shape)
    failures: list[str] = []
    calls = 0
    for model in models:
        context = first
        for _ in range(TRIES):
            if calls == max_calls:
                return Asked(None, None, calls, tuple(failures))
            calls += 1
            try:
                goal = _checked(answer_of(model, request, context, patience), shape, folder)
                return Asked(goal, model, calls, tuple(failures))
            except NoAnswer as error:
                failures.append(f"{model.name}: {error}")
                break
            except DabhandError as error:
                failures.append(f"{model.name}: {error.message}")
                context = msgspec.structs.replace(first, rejected=error.message)
    return Asked(None, None, calls, tuple(failures))


def _with_names(shape: Shape) -> str:
    """The request with the paths of bound targets in place of their mentions, quoted where they are not plain."""
    text, at = "", 0
    for token in shape.every:
        if token.kind == "target":
            text += shape.request[at : token.start] + _written(token.text)
            at = token.end
    return text + shape.request[at:]


def _written(path: str) -> str:
    if _PLAIN_PATH.fullmatch(path):
        return path
    quote = "'" if '"' in path else '"'
    return f"{quote}{path}{quote}"


def answer_of(model: TranslationModel, request: str, context: Context, patience: float) -> object:
    """What a model answers, waited for no longer than patience allows."""
    return waited(lambda: model.propose(request, context), patience, model.name)


def _checked(answer: object, shape: Shape, folder: FolderView) -> Goal:
    """The goal that an answer holds.

    Raises:
        NotUnderstood, Refused, LanguageError: it holds none that may be believed.
    """
    goal = goal_from_json(_parsed(answer))
    require_possible(goal, folder)
    require_supported(goal, shape, folder)
    return goal


def _parsed(answer: object) -> object:
    if not isinstance(answer, str | bytes):
        return answer
    if len(answer) > MAX_ANSWER:
        raise NotUnderstood("The answer is too long.")
    try:
        return msgspec.json.decode(answer)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise NotUnderstood(f"The answer is not JSON: {error}.") from error
