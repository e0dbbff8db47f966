"""A language model that answers by a script."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from dabhand.goals.models import Context, ModelKind

Answer = object | BaseException | Callable[[str, Context], object]


class Scripted:
    """Gives its answers one after the other, the last one for ever."""

    def __init__(self, *answers: Answer, kind: ModelKind = "local", name: str = "scripted") -> None:
        self.answers = list(answers)
        self.kind: ModelKind = kind
        self.name = name
        self.seen: list[tuple[str, Context]] = []

    def propose(self, request: str, context: Context) -> object:
        self.seen.append((request, context))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, BaseException):
            raise answer
        return answer(request, context) if callable(answer) else answer


def goal(*conditions: tuple[str | None, str, Any]) -> dict[str, Any]:
    """A goal in the form that models write."""
    return {
        "conditions": [{"path": path, "is": word, "content": content} for path, word, content in conditions],
        "others": "unchanged",
    }


def text(value: Any) -> str:
    return json.dumps(value)
