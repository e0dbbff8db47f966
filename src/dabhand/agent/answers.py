"""Answers to questions: yes or no, one of several by its number, or a name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from dabhand.agent.intents import is_word
from dabhand.agent.moves import Ask, Moves
from dabhand.errors import NotUnderstood
from dabhand.goals.tokens import tokens_of

CARDINALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_BESIDE = frozenset("the one number option please take i mean reading way use".split())  # noqa: SIM905
"""Words that may stand beside a number."""


class Open(msgspec.Struct, frozen=True):
    """A question that waits for its answer.

    Attributes:
        ask: the question.
        yes: what follows from a yes.
        no: what follows from a no.
        chosen: what follows from a choice by number (from 0).
        said: what follows from a name.
        told: what follows from any words.
    """

    ask: Ask
    yes: Callable[[], Moves] | None = None
    no: Callable[[], Moves] | None = None
    chosen: Callable[[int], Moves] | None = None
    said: Callable[[str], Moves] | None = None
    told: Callable[[str], Moves] | None = None


def number_in(line: str, choices: Sequence[str]) -> int | None:
    """The choice that an answer names, counted from 0: by its number, by "the second one", or in its own words."""
    if line in choices:
        return choices.index(line)
    words = [word.lower() for word in line.strip().rstrip(".)!").split()]
    names = [
        {str(at + 1), ORDINALS[at], *((CARDINALS[at],) if words[:-1] in ([], ["number"]) else ())}
        for at in range(len(choices))
    ]
    found = {at for word in words for at, said in enumerate(names) if word in said}
    strange = [word for word in words if word not in _BESIDE and not any(word in said for said in names)]
    return found.pop() if len(found) == 1 and not strange else None


def name_in(line: str) -> str | None:
    """The name that an answer gives: the only part of it that is quoted or looks like a path, or its only word."""
    try:
        tokens = [token for token in tokens_of(line) if token.kind != "mark"]
    except NotUnderstood:
        return None
    named = [token for token in tokens if token.kind != "word"]
    if len(named) == 1:
        return named[0].text
    return tokens[0].text if len(tokens) == 1 and not is_word(tokens[0].text) else None


def how_to_answer(asked: Open) -> str:
    """What would be an answer."""
    if asked.chosen is not None:
        return f"Say a number from 1 to {len(asked.ask.choices)}, or no to drop it."
    if asked.told is not None:
        return r"Say the text itself (\n ends a line, and tells yes\n from a yes), or no to drop it."
    return "Say yes, or no to drop it." if asked.said is None else "Say yes, another name, or no to drop it."
