"""Asking an engine to go on with a text, and what comes of it."""

from __future__ import annotations

import math
import threading
from typing import Protocol

import msgspec

from dabhand.errors import DabhandError


class ModelFailed(DabhandError):
    """A model gave no answer: it failed, took too long, was stopped, or what it sent cannot be read."""

    code = "model_failed"
    exit_code = 3


class Ask(msgspec.Struct, frozen=True):
    """What an engine is asked.

    Attributes:
        prompt: the text that it goes on with.
        grammar: what it may write; empty: anything.
        tokens: how many tokens it may write.
        patience: seconds that it may take.
    """

    prompt: str
    grammar: str = ""
    tokens: int = 64
    patience: float = 20.0


class Completion(msgspec.Struct, frozen=True):
    """What an engine wrote.

    Attributes:
        text: all of it.
        logprobs: for each token, the natural logarithm of the probability that the model itself gave it, whatever the
            grammar allowed.
        read: tokens of the prompt.
        kept: of these, how many were in the cache.
        cut: it was not finished when its tokens were used up.
    """

    text: str
    logprobs: tuple[float, ...] = ()
    read: int = 0
    kept: int = 0
    cut: bool = False

    @property
    def probability(self) -> float:
        """Of the whole answer, as the model saw it; 0 where it says nothing about that."""
        return math.exp(sum(self.logprobs)) if self.logprobs else 0.0


class Engine(Protocol):
    """Something that goes on with a text."""

    def complete(self, ask: Ask, stop: threading.Event | None = None) -> Completion:
        """Go on with a text.

        Args:
            ask: what is asked.
            stop: once it is set, the engine stops.

        Raises:
            ModelFailed: no answer came of it.
            ModelUnavailable: there is no such engine here.
        """

    def close(self) -> None:
        """Give back the memory; the next question loads the model again."""
