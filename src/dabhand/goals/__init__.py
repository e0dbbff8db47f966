"""From words to a goal: conditions on the final folder, stated as terms over the folder as it was.

A grammar reads plain English by composition and abstains whenever a part of the request is left over.

What is named here is imported when it is first asked for: whoever needs only a part of the room (how a request is cut
into words) does not pay for the whole grammar.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dabhand.goals.goal import (
        Answers,
        Condition,
        Goal,
        Holds,
        IsAbsent,
        IsCopy,
        IsExecutable,
        IsFolder,
        Refused,
        condition_sentence,
        condition_to_json,
    )
    from dabhand.goals.grammar import Parsed, Reading, only_goal, parse_request, readings_in, readings_of, understand

__all__ = [
    "Answers",
    "Condition",
    "Goal",
    "Holds",
    "IsAbsent",
    "IsCopy",
    "IsExecutable",
    "IsFolder",
    "Parsed",
    "Reading",
    "Refused",
    "condition_sentence",
    "condition_to_json",
    "only_goal",
    "parse_request",
    "readings_in",
    "readings_of",
    "understand",
]

_OF_GRAMMAR = frozenset({"Parsed", "Reading", "only_goal", "parse_request", "readings_in", "readings_of", "understand"})


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{'grammar' if name in _OF_GRAMMAR else 'goal'}"), name)
