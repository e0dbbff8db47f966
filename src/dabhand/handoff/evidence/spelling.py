"""Typing errors in wishes: a word that nobody knows and that is one slip from a known one is taken for it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from dabhand.handoff.evidence.lexicon import lexicon

_LEAST = 5  # letters; shorter words are too near each other


@lru_cache(maxsize=2000)
def corrected(word: str) -> str:
    """The word, or the known one that it is a slip away from."""
    known = lexicon().known()
    if len(word) < _LEAST or not word.isalpha() or any(word.startswith(one) for one in known if len(one) >= 4):
        return word
    # The first letter is seldom the wrong one.
    near = sorted(one for one in known if one[0] == word[0] and one_slip(word, one))
    return near[0] if near else word


def nearest(word: str, vocabulary: Iterable[str]) -> str | None:
    """A word of a log that is one slip away from a word of the wish; the first by spelling, None if there is none."""
    if len(word) < _LEAST or not word.isalpha():
        return None
    return min((one for one in vocabulary if one_slip(word, one)), default=None)


def one_slip(one: str, other: str) -> bool:
    """Whether two different words are one letter more, less, changed or swapped apart (Damerau, 1964)."""
    if one == other or abs(len(one) - len(other)) > 1 or min(len(one), len(other)) < _LEAST - 1:
        return False
    at = 0
    shorter = min(len(one), len(other))
    while at < shorter and one[at] == other[at]:
        at += 1
    if len(one) == len(other):
        swapped = one[at : at + 2] == other[at : at + 2][::-1] and one[at + 2 :] == other[at + 2 :]
        return one[at + 1 :] == other[at + 1 :] or (len(one[at : at + 2]) == 2 and swapped)
    longer, less = (one, other) if len(one) > len(other) else (other, one)
    return longer[at + 1 :] == less[at:]
