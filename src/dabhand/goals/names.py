"""Names that can be read longer: words beside an unquoted name that would, with it, be another name."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from dabhand.errors import NotUnderstood
from dabhand.goals.goal import Goal
from dabhand.goals.tokens import Token
from dabhand.language import FolderView

MAX_WORDS = 16
"""Words of one name, at most."""

_OF_SOMEBODY = frozenset("my our your its their his her this that these those".split())  # noqa: SIM905
_OF_NOW = frozenset("new fresh".split())  # noqa: SIM905
_ARTICLES = frozenset("the a an brand".split())  # noqa: SIM905
_QUOTE_IT = "Put the name that you mean in quotes."


def require_plain_names(tokens: Sequence[Token], request: str, folder: FolderView) -> None:
    """Decline a request in which several unquoted words together are the name of something that is there.

    Raises:
        NotUnderstood: with both readings.
    """
    folders = _folders_named(tokens, folder)
    for start, end in _runs(tokens):
        for long in _written(tokens, start, end, request):
            found = next((path for path in _places(long, folders) if folder.kind(path) != "missing"), None)
            if found is not None:
                raise _two_ways(found, _shorter(tokens[start:end], folder))


def require_decided(tokens: Sequence[Token], goal: Goal, folder: FolderView) -> None:
    """Decline a goal that writes a name beside a word like "my", which might be the first word of a longer new name.

    Raises:
        NotUnderstood: with both readings.
    """
    for at, (before, name) in enumerate(itertools.pairwise(tokens)):
        article = at > 0 and tokens[at - 1].lower in _ARTICLES
        fresh = before.lower in _ARTICLES and name.kind == "path" and folder.kind(_plain(name.text)) == "missing"
        belongs = (
            before.lower in _OF_SOMEBODY or fresh or (before.lower in _OF_NOW and name.kind == "path" and not article)
        )
        if not belongs or name.kind not in ("word", "path"):
            continue
        plain = _plain(name.text)
        once = sum(_plain(token.text) == plain for token in tokens) == 1
        if once and any(path == plain or path.endswith("/" + plain) for path in goal.reads):
            continue  # what is read is there, and nothing with a longer name is
        for path in goal.paths:
            if folder.kind(path) != "folder" and (path == plain or path.endswith("/" + plain)):
                raise _two_ways(f"{before.text} {plain}", plain)


def _two_ways(long: str, short: str) -> NotUnderstood:
    return NotUnderstood(
        f"The request can be taken in 2 ways: {long!r} is one name; or: {short!r} is the name, and the words beside "
        "it are not part of it.",
        _QUOTE_IT,
    )


def _runs(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Runs of two or more words and marks, none of them quoted or bound, the longest from each place first."""
    for start, first in enumerate(tokens):
        if first.kind not in ("word", "path", "mark"):
            continue
        end = start + 1
        while end < len(tokens) and end - start < MAX_WORDS and tokens[end].kind in ("word", "path", "mark"):
            end += 1
        for last in range(end, start + 1, -1):
            if any(token.kind != "mark" for token in tokens[start:last]):
                yield start, last


def _written(tokens: Sequence[Token], start: int, end: int, request: str) -> Iterator[str]:
    """A run of the request as a path: as it stands, and with single spaces."""
    raw = request[tokens[start].start : tokens[end - 1].end]
    yield from dict.fromkeys((_plain(raw), _plain(" ".join(raw.split()))))


def _places(name: str, folders: Sequence[str]) -> Iterator[str]:
    if not name or name.startswith(("/", "~")) or ".." in name.split("/"):
        return
    yield name
    for folder in folders:
        yield f"{folder}/{name}"


def _folders_named(tokens: Sequence[Token], folder: FolderView) -> tuple[str, ...]:
    """Folders that the request speaks of, in which names may be meant to be."""
    found: dict[str, None] = {}
    for token in tokens:
        plain = _plain(token.text)
        if token.kind != "mark" and plain and ".." not in plain.split("/") and folder.kind(plain) == "folder":
            found[plain] = None
    return tuple(found)


def _shorter(tokens: Sequence[Token], folder: FolderView) -> str:
    """The name within a longer one that the request may speak of instead."""
    names = [token.text for token in tokens if token.kind != "mark"]
    there = [name for name in names if folder.kind(_plain(name)) != "missing"]
    paths = [token.text for token in tokens if token.kind == "path"]
    return _plain((there or paths or names)[-1])


def _plain(text: str) -> str:
    return "/".join(part for part in text.split("/") if part not in ("", ".")) if not text.startswith("/") else text
