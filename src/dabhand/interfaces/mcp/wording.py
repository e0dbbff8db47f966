"""Hints in terms of the tools' own arguments: what else they are is written for people at a command line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_SAID = {
    "See: dabhand artifact list": "Use the id that an earlier answer gave.",
    "dabhand artifact list": "the ids in earlier answers",
    "What it did is in: dabhand history": "What it did can be taken back with `undo`.",
    "dabhand artifact show ID": "`artifact` with its id",
    "See: dabhand undo --list": "Use the run_id that an earlier `do` gave, or leave run_id out.",
    "See: dabhand commands": "See the tool `commands`.",
    "Name another place with --store.": "Whoever started the server can name another place (--store).",
    "Use --yes": "Ask through `do`",
}
_COMMAND = re.compile(r"dabhand (artifact|undo|inspect|run|do|plan|commands) ")
_FLAG = re.compile(
    r"--(request|plan|root|target|evidence-request|timeout|max-lines|shell)\b(?: (?:NAME=PATH|DIR|FILE))?"
)
_NAMES = {"target": "targets", "evidence-request": "evidence_request", "max-lines": "max_lines"}


def for_tools(hint: str) -> str:
    """A hint as somebody needs it who has the tools and no command line."""
    if "start the server" in hint:
        return hint
    for said, instead in _SAID.items():
        hint = hint.replace(said, instead)
    hint = re.sub(r"\bdabhand (learn|explain|host|model|doctor|world|tool)\b", r"a person can run dabhand \1", hint)
    hint = _COMMAND.sub(lambda found: f"`{found[1]}` with ", hint)
    return _FLAG.sub(lambda found: f"`{_NAMES.get(found[1], found[1])}`", hint)


def reworded(answer: Mapping[str, Any]) -> dict[str, Any]:
    """An answer with its hints, and those of its error, so."""
    told = dict(answer)
    if isinstance(told.get("hint"), str):
        told["hint"] = for_tools(told["hint"])
    for name in ("error", "result"):
        if isinstance(told.get(name), Mapping):
            told[name] = reworded(told[name])
    return told
