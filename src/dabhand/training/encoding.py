"""Examples as tokens: what is asked, then the answer, of which alone the loss is taken."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import msgspec

from dabhand.errors import UsageError
from dabhand.handoff.plan import Plan, plan_from_value
from dabhand.models.answers import ABSTAIN, PlanForm, goal_text, lines_text
from dabhand.models.prompts import evidence_prompt, goal_prompt, plan_prompt
from dabhand.training.example import Example

CEILING = 2048
"""Tokens of an example, at most."""

IGNORED = -100
"""The label of what is no answer."""

_PLANS = PlanForm(Plan)


class Tokenizer(Protocol):
    """What is needed of a tokenizer."""

    bos_token_id: int | None
    eos_token_id: int

    def encode(self, text: str, *, add_special_tokens: bool) -> list[int]:
        """The tokens of a text."""


class TooLong(UsageError):
    """An example has more tokens than fit: cut off, it would lose its answer."""

    code = "too_long"


class Encoded(msgspec.Struct, frozen=True):
    """An example as tokens.

    Attributes:
        tokens: prompt, answer and the end of text.
        answered: how many of them, from the end, are labels.
    """

    tokens: tuple[int, ...]
    answered: int


def prompt_of(example: Example) -> str:
    """What the model is asked."""
    match example.task:
        case "plan":
            return plan_prompt(example.request, example.references)
        case "goal":
            return goal_prompt(example.request, example.things)
        case "evidence":
            return evidence_prompt(example.lines, example.request)


def answer_of(example: Example) -> str:
    """What it is to answer."""
    if example.task == "evidence":
        return lines_text(example.answer)
    if example.answer is None:
        return ABSTAIN
    if example.task == "goal":
        return goal_text(example.answer)
    return _PLANS.text(plan_from_value(example.answer), example.request)


def encoded(example: Example, tokenizer: Tokenizer, ceiling: int = CEILING) -> Encoded:
    """An example as tokens; prompt and answer are cut into tokens apart, as they are where the model is asked.

    Raises:
        TooLong: it does not fit.
    """
    start = [] if tokenizer.bos_token_id is None else [tokenizer.bos_token_id]
    asked = [*start, *tokenizer.encode(prompt_of(example), add_special_tokens=False)]
    answer = [*tokenizer.encode(answer_of(example), add_special_tokens=False), tokenizer.eos_token_id]
    if len(asked) + len(answer) > ceiling:
        raise TooLong(
            f"The example {example.id} has {len(asked) + len(answer)} tokens, and {ceiling} are allowed.",
            "Leave it out, or make its output shorter.",
        )
    return Encoded((*asked, *answer), len(answer))


class Packed(msgspec.Struct, frozen=True):
    """Several examples in one row, each with positions of its own, so that none sees another and nothing is padded.

    Attributes:
        tokens: of all of them.
        positions: counted anew in each.
        labels: the token that is to follow, or IGNORED.
    """

    tokens: list[int]
    positions: list[int]
    labels: list[int]


def packed(examples: Iterable[Encoded]) -> Packed:
    """Examples one after the other."""
    row = Packed([], [], [])
    for one in examples:
        size = len(one.tokens)
        row.tokens.extend(one.tokens)
        row.positions.extend(range(size))
        ahead = [*one.tokens[1:], IGNORED]
        first = size - 1 - one.answered
        row.labels.extend(ahead[place] if place >= first else IGNORED for place in range(size))
    return row


def tokens_in(examples: Sequence[Encoded]) -> dict[str, Any]:
    """How long examples are."""
    sizes = sorted(len(one.tokens) for one in examples)
    return {
        "tokens": sum(sizes),
        "median": sizes[len(sizes) // 2] if sizes else 0,
        "longest": sizes[-1] if sizes else 0,
    }
