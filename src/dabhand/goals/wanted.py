"""Goals that no grammar read, as patterns over the slots of a request: what was wanted, and what it rested on.

Such a goal is remembered only where the request determines it: every name and word in it is one of the request's, every
number slot is used once, and nothing that the request names is left out. It holds for folders that are alike in what
they have at the goal's paths.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from dabhand.errors import LanguageError, NotUnderstood
from dabhand.goals.goal import Goal
from dabhand.goals.pattern import NUMBER, SLOT, filled
from dabhand.goals.schema import goal_from_json, goal_to_json
from dabhand.goals.shape import Shape
from dabhand.language import FolderView

Fact = tuple[Any, str]
"""A path (with holes), and what is there."""


class Wanted(msgspec.Struct, frozen=True, tag=True):
    """The conditions of a goal, and what was at the paths that they speak of."""

    goal: Any
    facts: list[Fact]


class _Undetermined(Exception):
    """Raised where a part of a goal is not one of the request's."""


def wanted_of(goal: Goal, shape: Shape, folder: FolderView) -> tuple[Wanted, frozenset[int]] | None:
    """The goal as a pattern, and the slots that it uses; None where the slots do not determine it."""
    used: Counter[int] = Counter()
    opened = _Opening(shape, used)
    try:
        form = goal_to_json(goal)
        form["conditions"] = [opened.condition(one) for one in form["conditions"]]
        facts: list[Fact] = [(opened.text(path), _standing(path, folder)) for path in (*goal.paths, *goal.reads)]
    except _Undetermined:
        return None
    numbers = set(shape.numbers)
    needed = set(range(1, len(shape.values) + 1)) - set(shape.plain_words)
    if not needed <= set(used) or any(opened.counted[slot] != 1 for slot in numbers):
        return None
    pattern = Wanted(form, facts)
    return (pattern, frozenset(used)) if wanted_goal(pattern, shape, folder) == goal else None


def wanted_goal(pattern: Wanted, shape: Shape, folder: FolderView) -> Goal | None:
    """The goal for another request; None in a folder that is not alike.

    Raises:
        StoreError: the pattern is damaged.
    """
    for path, standing in pattern.facts:
        if _standing(filled(path, shape.values, shape.numbers), folder) != standing:
            return None
    try:
        return goal_from_json(filled(pattern.goal, shape.values, shape.numbers))
    except (NotUnderstood, LanguageError):
        return None


def _standing(path: str, folder: FolderView) -> str:
    """What is at a path, as far as a goal may rest on it."""
    kind = folder.kind(path)
    if kind != "file":
        return kind
    text = folder.text(path)
    if text is None:
        return "file, unreadable"
    return "file, empty" if not text else "file" if text.endswith("\n") else "file, last line not ended"


class _Opening:
    """Puts holes into the JSON of conditions."""

    def __init__(self, shape: Shape, used: Counter[int]) -> None:
        self._slots = {value: slot for slot, value in enumerate(shape.values, 1)}
        self._numbers = {number: slot for slot, number in shape.numbers.items()}
        self._used = used
        self.counted: Counter[int] = Counter()

    def condition(self, form: dict[str, Any]) -> dict[str, Any]:
        path, content = form["path"], form["content"]
        made = self.text(content) if form["is"] == "copy" else self._term(content)
        return {**form, "path": None if path is None else self.text(path), "content": made}

    def _term(self, form: Any) -> Any:
        match form:
            case None | bool():
                return form
            case int():
                slot = self._numbers.get(form)
                if slot is None:
                    return form
                self.counted[slot] += 1
                self._used[slot] += 1
                return {NUMBER: slot}
            case str():
                return self.text(form)
            case {"constant": str(text), "kind": kind}:
                return {"constant": self.text(text), "kind": kind}
            case dict() if len(form) == 1 and "base64" not in form:
                return {name: [self._term(arg) for arg in args] for name, args in form.items()}
            case list():
                return [self._term(each) for each in form]
        raise _Undetermined

    def text(self, text: str) -> Any:
        """A text in which every part that says something is a slot."""
        if not any(each.isalnum() for each in text):
            return text
        body, end = (text[:-1], "\n") if text.endswith("\n") else (text, "")
        pieces: list[int | str] = []
        for index, part in enumerate(body.split("/")):
            pieces += ["/"] if index else []
            if part in self._slots:
                self._used[self._slots[part]] += 1
                self.counted[self._slots[part]] += 1
                pieces.append(self._slots[part])
            elif part:
                raise _Undetermined
        return {SLOT: [*pieces, *([end] if end else [])]}
