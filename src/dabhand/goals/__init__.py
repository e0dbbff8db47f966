"""From words to a goal: conditions on the final folder, stated as terms over the folder as it was.

A grammar reads plain English by composition and abstains whenever a part of the request is left over.
"""

from __future__ import annotations

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
