"""The host's verdict: every difference between the folder as it is and the folder as it was to be."""

from __future__ import annotations

from collections.abc import Mapping

from dabhand.exams.form import Item, folder_in
from dabhand.exams.host.folder import Found
from dabhand.exams.task import Expect

Folders = Mapping[str, Found]

SHOWN = 60
"""Characters of a content that are quoted."""


def faults(before: Folders, expect: Expect, after: Folders, answer: str | None) -> tuple[str, ...]:
    """What is not as expected, a sentence each; nothing: the task is passed.

    Args:
        before: the folder as the task gave it.
        expect: what the task expects.
        after: the folder now.
        answer: what the agent answered.
    """
    wanted = folder_in(expect.present)
    found = [text for path, item in wanted.items() if (text := _difference(path, item, after.get(path)))]
    found += [f"{path} is still there" for path in expect.absent if path in after]
    if expect.others == "unchanged":
        found += _strays(before, wanted, expect.absent, after)
    if expect.answer is not None and _ending(answer) != _ending(expect.answer):
        found.append(f"the answer is {_quoted(answer)} instead of {_quoted(expect.answer)}")
    return tuple(found)


def _ending(answer: str | None) -> str | None:
    return None if answer is None else answer.removesuffix("\n")


def _difference(path: str, wanted: Item, found: Found | None) -> str:
    """How what is at a path differs from what was to be there; empty: it does not."""
    if found is None:
        return f"{path} is missing"
    if wanted.kind == "link":
        there = (found.kind, found.data) == ("link", wanted.data)
        return "" if there else f"{path} is not a link to {_quoted(wanted.data)}"
    if found.kind != wanted.kind:
        return f"{path} is a {found.kind} instead of a {wanted.kind}"
    if found.data != wanted.data:
        return f"{path} holds {_quoted(found.data)} instead of {_quoted(wanted.data)}"
    if wanted.kind == "file" and found.executable != wanted.executable:
        return f"{path} is {'not ' if wanted.executable else ''}executable"
    return ""


def _strays(before: Folders, wanted: Mapping[str, Item], absent: tuple[str, ...], after: Folders) -> list[str]:
    """What changed beside what the task speaks of. A folder may be where something is wanted below it."""
    found = []
    for path in sorted({*before, *after}):
        if path in wanted or _is_at_or_below(path, absent):
            continue
        was, now = before.get(path), after.get(path)
        if was == now:
            continue
        if was is None:
            found.append(f"{path} was made as well")
        elif now is None:
            found.append(f"{path} is gone as well")
        else:
            found.append(f"{path} was changed as well")
    return found


def _is_at_or_below(path: str, heads: tuple[str, ...]) -> bool:
    return any(path == head or path.startswith(head + "/") for head in heads)


def _quoted(content: bytes | str | None) -> str:
    if content is None:
        return "nothing"
    text = content.decode("utf-8", "backslashreplace") if isinstance(content, bytes) else content
    return repr(text if len(text) <= SHOWN else text[: SHOWN - 1] + "…")
