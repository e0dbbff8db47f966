"""From English to a goal: every reading of the request that uses all of it, or none at all."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from dabhand.errors import LanguageError, NotUnderstood
from dabhand.goals import (
    changing,
    columns,
    counts,
    described,
    entries,
    figures,
    making,
    replacing,
    riders,
    sentences,
    telling,
    texts,
    writing,
)
from dabhand.goals.acts import Acts
from dabhand.goals.expressions import asks_whether, takes_them
from dabhand.goals.goal import Ambiguous, Answers, Goal, Holds, IsCopy, Refused, Unread, condition_sentence
from dabhand.goals.grounding import ground
from dabhand.goals.lexicon import DROPPED, INTRODUCERS, UNSETTLED
from dabhand.goals.names import require_decided, require_plain_names
from dabhand.goals.rules import Reader
from dabhand.goals.tokens import Token, tokens_of
from dabhand.goals.words import ENGLISH
from dabhand.language import FolderView, evaluate

RULES = (
    texts,
    making,
    writing,
    changing,
    replacing,
    telling,
    entries,
    described,
    counts,
    columns,
    figures,
    riders,
    sentences,
)
"""The modules that declare what requests can say."""


_STOPS = ".,;!?"


class Reading(msgspec.Struct, frozen=True):
    """One way to take a request."""

    acts: Acts
    goal: Goal


class Parsed(msgspec.Struct, frozen=True):
    """All that a request may say: what the grammar reads, before it is held against a folder's contents."""

    tokens: tuple[Token, ...]
    acts: tuple[Acts, ...]


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
    return only_goal(readings_of(request, folder, targets))


def only_goal(readings: Sequence[Reading]) -> Goal:
    """The goal of the one reading.

    Raises:
        NotUnderstood: there are several; `readings` of the error holds their goals.
    """
    if len(readings) > 1:
        listed = "; or: ".join(
            ", ".join(condition_sentence(one) for one in reading.goal.conditions) for reading in readings[:4]
        )
        error = NotUnderstood(f"The request can be taken in {len(readings)} ways: {listed}.", "Say it differently.")
        error.readings = tuple(reading.goal for reading in readings)
        raise error
    return readings[0].goal


def readings_of(request: str, folder: FolderView, targets: Mapping[str, str] | None = None) -> tuple[Reading, ...]:
    """All ways to take a request that differ in what they come to in this folder; at least one.

    Raises:
        NotUnderstood, Refused: there is none.
    """
    return readings_in(parse_request(request, folder, targets), folder)


def parse_request(request: str, folder: FolderView, targets: Mapping[str, str] | None = None) -> Parsed:
    """All that a request may say; of the folder only the kinds of what the request names are asked.

    Raises:
        NotUnderstood: it says nothing that uses all of it.
    """
    every = tokens_of(request, targets)
    require_plain_names(every, request, folder)
    tokens = spoken(every)
    introduced = frozenset(name.text for noun, name in itertools.pairwise(tokens) if noun.lower in INTRODUCERS)
    reader = Reader(
        ENGLISH, tokens, request, lambda path: path in introduced or folder.kind(path.rstrip("/")) != "missing"
    )
    parsed = [acts for acts, end in reader.read("REQUEST", 0) if end == len(tokens)]
    if not parsed:
        raise _unused(tokens, reader, request)
    return Parsed(every, tuple(dict.fromkeys(parsed)))


def spoken(every: Iterable[Token]) -> list[Token]:
    """The tokens that say something: without words of courtesy and the marks that end a request."""
    tokens = [token for token in every if token.lower not in DROPPED]
    while tokens and tokens[-1].kind == "mark" and tokens[-1].text in _STOPS:
        tokens.pop()
    return tokens


def readings_in(parsed: Parsed, folder: FolderView) -> tuple[Reading, ...]:
    """What a request comes to in a folder: those ways to take it that differ there; at least one.

    Raises:
        NotUnderstood, Refused: there is none.
    """
    readings = _grounded(parsed, folder)
    if any(takes_them(reading.acts, parsed.tokens) for reading in readings):
        raise Ambiguous(
            'The request can be taken in 2 ways: "them" stands for the lines that are taken away; or: for the others.',
            'Say "the rest" or "those lines with ...".',
        )
    if any(asks_whether(reading.acts, parsed.tokens) for reading in readings):
        raise Ambiguous(
            "The request can be taken in 2 ways: something is to be deleted; or: whether that is to be done is asked.",
            "Leave out the question mark if it is to be done.",
        )
    for reading in readings:
        require_decided(parsed.tokens, reading.goal, folder)
    return readings


def _grounded(parsed: Parsed, folder: FolderView) -> tuple[Reading, ...]:
    found: dict[object, Reading] = {}
    refusals: list[Refused | NotUnderstood] = []
    for acts in parsed.acts:
        try:
            goal = ground(acts, folder)
            found.setdefault(_meaning(goal, folder), Reading(acts, goal))
        except (Refused, NotUnderstood) as error:
            refusals.append(error)
    if found:
        return tuple(found.values())
    # Of several refusals: a doubt about what is there, then the plain one, which names what is not there.
    # Words in quotes are more often what is to be written than names.
    quoted = [repr(token.text)[1:-1] for token in parsed.tokens if token.kind == "quoted"]
    refusals.sort(key=lambda one: any(f"{text}'" in one.message for text in quoted))
    for kind in (Ambiguous, Refused):
        for refusal in refusals:
            if isinstance(refusal, kind):
                raise refusal
    raise refusals[0]


def _meaning(goal: Goal, folder: FolderView) -> object:
    """What tells two readings apart here: two terms with one value are one."""
    parts: list[object] = []
    for one in goal.conditions:
        if isinstance(one, Holds | Answers):
            try:
                parts.append((one.word, one.path, evaluate(one.content, {}, folder)))
            except LanguageError as error:
                raise Refused(f"What the request asks for has no value here: {error.message}") from error
        elif isinstance(one, IsCopy) and folder.kind(one.source) == "file":
            parts.append((Holds.word, one.path, folder.text(one.source)))
        else:
            parts.append(one)
    return tuple(parts)


def _unused(tokens: list[Token], reader: Reader, request: str) -> NotUnderstood:
    """Why nothing reads all of a request."""
    smaller = "Say it in other words, or in smaller steps."
    if not tokens:
        return NotUnderstood("The request is empty.", smaller)
    unsettled = next((token.text for token in tokens if token.lower in UNSETTLED), None)
    if unsettled is not None:
        return NotUnderstood(
            f"{unsettled!r} is not settled: the word itself is meant, or what it stands for.",
            "Put it in quotes if the word itself is meant; else name every file.",
        )
    if reader.furthest < len(tokens):
        return Unread(f"I do not understand {request[tokens[reader.furthest].start :]!r}.", smaller)
    last = tokens[-1]
    if last.kind == "word" and not reader.exists(last.text):
        return Unread(
            f"Nothing in the folder is called {last.text!r}, and I cannot read the request in another way.",
            'Put a new name in quotes, or say "the folder NAME" or "the file NAME".',
        )
    return Unread(f"I cannot read the request: something seems to be missing after {last.text!r}.", smaller)
