"""What somebody careful wants to know of a file before it is changed, and of a request that changes nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dabhand.goals import Answers, Goal, Holds, Refused
from dabhand.language import Const, Kind, subterms
from dabhand.workspace import Change, ConfinedFolder, File, State

_WRITABLE = 0o222


def require_single(folder: ConfinedFolder, changes: Iterable[Change]) -> None:
    """Refuse to change a file that has another name: the change would part the two, or reach out of the folder.

    Raises:
        Refused: naming it.
    """
    for change in changes:
        if change.kind in ("modified", "mode") and isinstance(change.before, File):
            found = folder.stat(change.path)
            if found is not None and found.st_nlink > 1:
                raise Refused(
                    f"{change.path!r} has another name (a hard link), which a change here would not reach.",
                    "Change it by hand, or put a copy of it in its place first.",
                )


def protected(folder: ConfinedFolder, changes: Iterable[Change]) -> tuple[str, ...]:
    """The files that would be edited, overwritten or deleted although nobody may write to them."""
    named = []
    for change in changes:
        if change.kind in ("modified", "deleted") and isinstance(change.before, File):
            found = folder.stat(change.path)
            if found is not None and not found.st_mode & _WRITABLE:
                named.append(change.path)
    return tuple(named)


def why_protected(paths: Iterable[str]) -> str:
    """A sentence that names them; empty for none."""
    named = ", ".join(map(repr, paths))
    return f"Write-protected: {named}." if named else ""


def nothing_to_do(goal: Goal, before: State) -> tuple[str, str]:
    """Why a goal was true already, and a hint where a word of it is only there in other letters.

    Empty for a question, which changes nothing in any case.
    """
    if all(isinstance(one, Answers) for one in goal.conditions):
        return "", ""
    return "Nothing to do: it is so already, and nothing had to be changed.", _other_letters(goal, before)


def _other_letters(goal: Goal, before: State) -> str:
    for one in goal.conditions:
        if not isinstance(one, Holds) or not isinstance(node := before.get(one.path), File):
            continue
        for part in subterms(one.content):
            value: Any = part.value if isinstance(part, Const) and part.kind is not Kind.PATH else None
            if not isinstance(value, str) or not value or value in node.text:
                continue
            at = node.text.lower().find(value.lower())
            if at >= 0:
                there = node.text[at : at + len(value)]
                return f"{one.path!r} does not hold {value!r}, but {there!r}: upper and lower case count."
    return ""
