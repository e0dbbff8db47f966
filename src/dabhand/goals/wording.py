"""What may differ between two wordings of one request: courtesy around it, spelling, and slips of the keyboard.

All of it is a list of what is harmless. Whatever is not on it (a negation, a condition, an order, a direction, any word
that says something) makes another request.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from dabhand.goals.tokens import tokens_of
from dabhand.goals.vocabulary import vocabulary

_BEFORE = """
ok | okay | alright | right | so | well | hey | hi | hello | yo | hey there | hi there | hello there | good morning
| good evening | morning | pls | plz | please | could you | can you | would you | will you | could you please | can
you please | would you please | could you kindly | i want you to | i need you to | i'd like you to | i would like
you to | i'd love you to | i'd appreciate it if you could | it would be great if you could | it'd be great if you
could | kindly | go ahead and | do me a favour and | do me a favor and | be so kind as to | be so good as to | would
you mind | quickly | quick one | when you have a moment | when you get a chance | if you don't mind | assistant |
computer | dabhand | buddy | mate | friend | my friend | dear | dear friend | dude | folks | team | real quick | may
i ask you to | might i ask you to | could i ask you to | i'd be happy if you could | would you be so kind as to |
help me out and"""

_AFTER = """
please | pls | plz | ta | thanks | thank you | thx | ty | cheers | thanks a lot | thanks so much | thank you very much |
thank you so much | many thanks | much appreciated | thanks in advance | thank you in advance | for me | now | right
now | right away | straight away | at once | asap | as soon as possible | immediately | quickly | ok | okay | will
you | would you | could you | can you | if you please | if you don't mind | if you can | when you have a moment |
when you get a chance | buddy | mate | friend | my friend | dear | dude | real quick | i'd appreciate it | that
would be great | that'd be great"""

_TO_SLIP = 5
"""Letters that a word needs so that a slip in it is recognised."""

_NEVER_SLIPPED = frozenset(
    """
    first last second third fourth fifth sixth seventh eighth ninth tenth three seven eight eleven twelve twenty thirty
    without within under over above below before after until unless except excluding including every only upper lower
    uppercase lowercase ascending descending smallest largest beginning front bottom reverse reversed
    """.split()  # noqa: SIM905
)
"""Words on which too much hangs to guess them."""

FUNCTION_WORDS = frozenset(
    """
    a all an and any are as at be before beside but by containing down each either end every except excluding few first
    for from front half if in inside instead into is it last least lower max min more most neither never no none nor not
    of off on only onto or other out outside over per same second so some start than that the them then these this those
    till to top under unless until up upper upon which while whole with within without
    """.split()  # noqa: SIM905
)
"""Words that are never taken for one another, whatever was learned."""


def _phrases(listed: str) -> tuple[tuple[str, ...], ...]:
    """Phrases as the words that requests are cut into, the longest first."""
    cut = [tuple(token.lower for token in tokens_of(phrase)) for phrase in " ".join(listed.split()).split(" | ")]
    return tuple(sorted(cut, key=len, reverse=True))


@cache
def _courtesies() -> tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]]:
    return _phrases(_BEFORE), _phrases(_AFTER)


def core(words: Sequence[str]) -> tuple[int, int]:
    """Where the request itself begins and ends among words of courtesy.

    Args:
        words: of the request in small letters, "" for what is no word.
    """
    before, after = _courtesies()
    start, end = 0, len(words)
    while (length := _leading(words[start:end], before)) > 0:
        start += length
        while start < end and words[start] in (",", "!"):
            start += 1
    while (length := _trailing(words[start:end], after)) > 0:
        end -= length
        while end > start and words[end - 1] in (",", ".", "!", "?", ";"):
            end -= 1
    return start, end


def _leading(words: Sequence[str], phrases: Iterable[tuple[str, ...]]) -> int:
    return next((len(each) for each in phrases if len(each) < len(words) and tuple(words[: len(each)]) == each), 0)


def _trailing(words: Sequence[str], phrases: Iterable[tuple[str, ...]]) -> int:
    return next((len(each) for each in phrases if len(each) < len(words) and tuple(words[-len(each) :]) == each), 0)


def spelled_alike(one: str, other: str) -> bool:
    """Whether two words are the British and the American spelling of one."""
    return one != other and _american(one) == _american(other)


def _american(word: str) -> str:
    for british, american in (("isation", "ization"), ("ising", "izing"), ("ised", "ized"), ("ise", "ize")):
        if word.endswith(british) and len(word) > len(british) + 3:
            return word[: -len(british)] + american
    return word


@lru_cache(maxsize=4096)
def slipped(typed: str, meant: str) -> bool:
    """Whether a word that means nothing is surely another one with one slip: letters swapped, doubled, or one left out.

    A slip is inside the word; no other word that the grammar knows may be as near; and nothing hangs on the word that
    would turn the request around.
    """
    if meant in _NEVER_SLIPPED or not typed.isalpha() or typed in vocabulary() or not _is_slip(typed, meant):
        return False
    return not any(_is_slip(typed, other) for other in vocabulary() if other != meant)


def _is_slip(typed: str, meant: str) -> bool:
    if len(meant) < _TO_SLIP or not meant.isalpha() or abs(len(typed) - len(meant)) > 1:
        return False
    return typed != meant and typed[:1] == meant[0] and typed[-1:] == meant[-1] and typed in _slips(meant)


@cache
def _slips(word: str) -> frozenset[str]:
    return frozenset(_made(word)) - {word}


def _made(word: str) -> Iterator[str]:
    for at in range(1, len(word) - 1):
        yield word[:at] + word[at + 1 :]
        yield word[:at] + word[at] + word[at:]
        if at < len(word) - 2:
            yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
