"""Waiting for a model no longer than patience allows."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class NoAnswer(Exception):
    """A model gave no answer at all, so that asking it again is no use."""


def waited(call: Callable[[], T], patience: float, name: str) -> T:
    """What a call returns, waited for no longer than so many seconds; whatever it raises is no answer.

    Raises:
        NoAnswer: it raised, or is not back in time; then it goes on in a thread that nobody waits for.
    """
    answers: list[T] = []
    raised: list[BaseException] = []

    def ask() -> None:
        try:
            answers.append(call())
        except BaseException as error:  # noqa: BLE001 (a backend may raise anything, and in a thread it would be lost)
            raised.append(error)

    thread = threading.Thread(target=ask, name=f"model {name}", daemon=True)
    thread.start()
    thread.join(patience)
    if raised:
        raise NoAnswer(f"{type(raised[0]).__name__}: {raised[0]}") from raised[0]
    if not answers:
        raise NoAnswer(f"no answer within {patience:g} seconds")
    return answers[0]
