"""What can be told of a request that nobody understands: which file it is about, and where the result is to go."""

from __future__ import annotations

import itertools

import msgspec

from dabhand.errors import NotUnderstood
from dabhand.goals.tokens import tokens_of
from dabhand.language import FolderView

_LEADING = frozenset({"into", "to", "in", "as", "file", "called", "named"})
"""Words after which the place of a result is named."""


class Sketch(msgspec.Struct, frozen=True):
    """One file that is there, and one that is to be made of it."""

    source: str
    target: str


def sketch_of(request: str, folder: FolderView) -> Sketch | None:
    """The file that a request is about and the one that it is to make; None where that is not plain."""
    try:
        tokens = tokens_of(request)
    except NotUnderstood:
        return None
    sources: list[str] = []
    targets: list[str] = []
    for before, token in itertools.pairwise((None, *tokens)):
        if token is None or token.kind == "mark":
            continue
        kind = folder.kind(token.text)
        if kind == "file":
            sources.append(token.text)
        elif kind == "missing" and token.kind != "word" and before is not None and before.lower in _LEADING:
            targets.append(token.text)
    unsafe = any(path.startswith(("/", "~")) or ".." in path.split("/") for path in targets)
    if len(set(sources)) != 1 or len(set(targets)) != 1 or unsafe:
        return None
    return Sketch(sources[0], targets[0])
