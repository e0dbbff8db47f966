"""Typing slips: a word that means nothing and is one slip away from exactly one that does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from dabhand.goals.tokens import Token
from dabhand.handoff.words.terminals import known_words, listed

LETTERS_TO_SLIP = 5
"""Letters that a word needs so that a slip in it is recognised."""

_NEVER = frozenset(
    """
    first last second third fourth fifth sixth seventh eighth ninth tenth three seven eight eleven twelve twenty thirty
    without within under over above below before after until except excluding including every least more most larger
    smaller bigger older newer greater minute minutes month months
    """.split()  # noqa: SIM905
)
"""Words on which too much hangs to guess them."""

COURTESIES = frozenset("please thanks thank kindly could would quickly".split())  # noqa: SIM905
"""Words without content that a slip may be of; what is taken for any other would be passed over unsaid."""


def mended(tokens: Sequence[Token]) -> list[Token] | None:
    """The same tokens with slips taken back; None where there are none."""
    changed = False
    mended_: list[Token] = []
    for token in tokens:
        counts = token.number is not None or token.ordinal is not None
        word = token.kind == "word" and token.text.isalpha() and not counts
        meant = _meant(token.text.lower()) if word else None
        changed = changed or meant is not None
        mended_.append(token if meant is None else Token("word", meant, token.start, token.end))
    return mended_ if changed else None


@cache
def _meant(typed: str) -> str | None:
    """The one known word that a word is a slip of."""
    if len(typed) < LETTERS_TO_SLIP - 1 or typed in known_words():
        return None
    near = _slipped().get(typed, ())
    return near[0] if len(near) == 1 else None


@cache
def _slipped() -> dict[str, tuple[str, ...]]:
    """Known words by what they become with one slip inside: letters swapped, doubled, or one left out."""
    found: dict[str, tuple[str, ...]] = {}
    for word in sorted(known_words() - (listed("neutral words") - COURTESIES)):
        if len(word) >= LETTERS_TO_SLIP and word.isalpha() and word not in _NEVER:
            for slip in set(_slips(word)) - {word}:
                found[slip] = (*found.get(slip, ()), word)
    return found


def _slips(word: str) -> Iterator[str]:
    for at in range(1, len(word) - 1):
        yield word[:at] + word[at + 1 :]
        yield word[:at] + word[at] + word[at:]
        if at < len(word) - 1:
            yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
