"""What the grammar asks of how a word is written: put down here, where shapes of requests find it."""

from __future__ import annotations

import re
from collections.abc import Callable

_ASKED: dict[str, Callable[[str], bool]] = {}


def looked_at(pattern: str) -> Callable[[str], bool]:
    """A question about how words look, answered by whether a regular expression is found in them."""
    search = re.compile(pattern).search
    return _ASKED.setdefault(pattern, lambda word: search(word) is not None)


def look(word: str) -> str:
    """How a word looks to the grammar beyond being that word: equal for those that it cannot tell apart by that."""
    return "".join("ab"[_ASKED[pattern](word)] for pattern in sorted(_ASKED))
