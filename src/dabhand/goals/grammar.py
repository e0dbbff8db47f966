"""From English to a goal: every reading of the request that uses all of it, or none at all."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping

import msgspec

from dabhand.errors import LanguageError, NotUnderstood
from dabhand.goals import clauses as _clauses
from dabhand.goals import entries as _entries
from dabhand.goals.acts import Acts
from dabhand.goals.goal import Answers, Goal, Holds, Refused, condition_sentence
from dabhand.goals.grounding import ground
from dabhand.goals.lexicon import DROPPED, INTRODUCERS
from dabhand.goals.phrases import ENGLISH
from dabhand.goals.rules import Reader
from dabhand.goals.tokens import Token, tokens_of
from dabhand.language import FolderView, evaluate

RULES = (_clauses, _entries)
"""The modules that declare what requests can say."""


_STOPS = ".,;!?"


class Reading(msgspec.Struct, frozen=True):
    """One way to take a request."""

    acts: Acts
    goal: Goal


def understand(request: str, folder: FolderView, targets: Mapping[str, str] | None = None) -> Goal:
    """The goal that a request states.

    Args:
        request: plain English, with `{{name}}` for bound targets.
        folder: the folder that it is about; nothing is read but the kinds and texts of what the request names.
        targets: paths by name.

    Raises:
        NotUnderstood: a part of the request could not be used, or it can be taken in several ways.
        Refused: it is understood and names what is not there, or asks for what must not be done.
    """
    readings = readings_of(request, folder, targets)
    if len(readings) > 1:
        listed = "; or: ".join(
            ", ".join(condition_sentence(one) for one in reading.goal.conditions) for reading in readings[:4]
        )
        raise NotUnderstood(f"The request can be taken in {len(readings)} ways: {listed}.", "Say it differently.")
    return readings[0].goal


def readings_of(request: str, folder: FolderView, targets: Mapping[str, str] | None = None) -> tuple[Reading, ...]:
    """All ways to take a request that differ in what they come to in this folder; at least one.

    Raises:
        NotUnderstood, Refused: there is none.
    """
    tokens = [token for token in tokens_of(request, targets) if token.lower not in DROPPED]
    while tokens and tokens[-1].kind == "mark" and tokens[-1].text in _STOPS:
        tokens.pop()
    introduced = {name.text for noun, name in itertools.pairwise(tokens) if noun.lower in INTRODUCERS}
    reader = Reader(
        ENGLISH, tokens, request, lambda path: path in introduced or folder.kind(path.rstrip("/")) != "missing"
    )
    parsed = [acts for acts, end in reader.read("REQUEST", 0) if end == len(tokens)]
    if not parsed:
        raise NotUnderstood(_unused(tokens, reader.furthest, request), "Say it in other words, or in smaller steps.")
    return _grounded(parsed, folder)


def _grounded(parsed: Iterable[Acts], folder: FolderView) -> tuple[Reading, ...]:
    found: dict[object, Reading] = {}
    refusals: list[Refused | NotUnderstood] = []
    for acts in dict.fromkeys(parsed):
        try:
            goal = ground(acts, folder)
            found.setdefault(_meaning(goal, folder), Reading(acts, goal))
        except (Refused, NotUnderstood) as error:
            refusals.append(error)
    if found:
        return tuple(found.values())
    # Of several refusals the one that got furthest into naming what is wrong is the plain one: a missing file.
    raise next((error for error in refusals if isinstance(error, Refused)), refusals[0])


def _meaning(goal: Goal, folder: FolderView) -> object:
    """What tells two readings apart here: two terms with one value are one."""
    parts: list[object] = []
    for one in goal.conditions:
        if isinstance(one, Holds | Answers):
            try:
                parts.append((one.word, one.path, evaluate(one.content, {}, folder)))
            except LanguageError as error:
                raise Refused(f"What the request asks for has no value here: {error.message}") from error
        else:
            parts.append(one)
    return tuple(parts)


def _unused(tokens: list[Token], furthest: int, request: str) -> str:
    if not tokens:
        return "The request is empty."
    if furthest >= len(tokens):
        return f"The request seems to be cut short after {tokens[-1].text!r}."
    return f"I do not understand {request[tokens[furthest].start :]!r}."
