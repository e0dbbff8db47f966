"""What is left of the budget, used: one ranking of lines and of the lines of their blocks, by weighed signals.

The weights are fitted by `benchmarks/evidence_weights.py`. "Nothing" stays nothing: no line is taken where conditions
found none, unless the wish is for something that they are known to miss.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from dabhand.handoff.evidence.kinds import Reading
from dabhand.handoff.evidence.selection import within
from dabhand.handoff.evidence.signals import by_letters, signals
from dabhand.handoff.evidence.text import Log
from dabhand.handoff.evidence.topics import FORMS, spoken
from dabhand.handoff.evidence.wish import Ask, Wish
from dabhand.handoff.evidence.wording import METHODS

MOST_LINES = 20_000
"""Lines of a log up to which lines are ranked."""

MOST_OF = 0.7
"""Of the characters of an output, that may be filled."""

SHORT = 800
"""Characters of an output below which none are added: it is read as a whole sooner than a choice of it."""

MOST_ADDED = 4_000
"""Characters beside those of the lines that conditions chose."""

_IN_DOUBT = re.compile(r"\b(?:any|anything|anybody|anyone|anywhere|if)\b", re.IGNORECASE)
"""Words of wishes that do not take for granted that there is something."""

_OPEN_KINDS = frozenset({"cause", "advice", "summary", "verdict"})
"""Kinds that forms of lines do not settle."""

_SETTLING_KINDS = frozenset({"warning", "note", "unfinished"})
"""Kinds that forms of lines settle whatever they are about."""

CLEARLY = 0.45
"""Of a wish's words by letters, that a line has which is taken though conditions found none."""

UNSURE = "No line meets all of the wish; those that come nearest were taken."


@cache
def weights() -> dict[str, float]:
    """What each signal is worth."""
    return dict(tomllib.loads(files(__package__).joinpath("weights.toml").read_text("utf-8"))["weights"])


def is_exact(ask: Ask) -> bool:
    """Whether a condition says which lines are meant: a name, a number, a level, a first or last."""
    texts = ask.literals or ask.exact or ask.begins or ask.ends or ask.span
    numbers = ask.demands or ask.order or ask.extreme
    return bool(texts or numbers or ask.levels or ask.mention or ask.whole or ask.everything)


def is_settled(ask: Ask) -> bool:
    """Whether its conditions are all that an ask says, so that no other line can be meant."""
    if ask.span or ask.everything or ask.mention or ask.demands or ask.levels or ask.extreme:
        return True
    if (ask.order and not ask.topics) or any(topic.name in METHODS and topic.known for topic in ask.topics):
        return True
    if ask.kinds & _SETTLING_KINDS:
        return True
    if any(not topic.light for topic in ask.topics):
        return False
    if ask.kinds:
        return not (ask.answers or ask.kinds & _OPEN_KINDS)
    return bool(ask.literals or ask.exact or ask.begins or ask.ends)


def may_be_missed(reading: Reading, understood: Wish, wish: str) -> bool:
    """Whether lines may well be there though no condition found any: the form of the answer, or most words, are."""
    return any(_may_be_missed(reading, ask) for ask in understood.asks) or _is_nearly_said(reading, understood, wish)


def _is_nearly_said(reading: Reading, understood: Wish, wish: str) -> bool:
    """Whether one line has about half of the words of a wish that does not ask whether there is something."""
    if any(ask.whether or is_exact(ask) for ask in understood.asks) or _IN_DOUBT.search(wish):
        return False
    return max(by_letters(reading, wish).values(), default=0.0) >= CLEARLY


def _may_be_missed(reading: Reading, ask: Ask) -> bool:
    heavy = [topic for topic in ask.topics if not topic.light]
    if ask.whether or ask.kinds or is_exact(ask) or any(topic.telling for topic in heavy):
        return False
    if any(answer in FORMS and reading.log.hits(FORMS[answer].lower()) for answer in ask.answers - {"count"}):
        return True
    return len(heavy) > 1 and 2 * len(spoken(reading.log, heavy).topics) > len(heavy)


def _is_unmet(log: Log, ask: Ask, chosen: Sequence[int]) -> bool:
    """Whether no chosen line has some word of an ask."""
    patterns = [topic.pattern for topic in ask.topics if not topic.light]
    return any(log.hits(pattern).isdisjoint(chosen) for pattern in patterns)


def filled(reading: Reading, understood: Wish, wish: str, chosen: Sequence[int], characters: int) -> list[int]:
    """The places that are taken, as many as fit.

    Args:
        reading: of the output.
        understood: the wish, in parts.
        wish: in words.
        chosen: places that conditions chose, those that matter most first.
        characters: that are granted.
    """
    log = reading.log
    fits = sum({log.numbers[place]: log.lengths[place] + 1 for place in chosen}.values()) <= characters
    first = chosen if fits or any(map(is_exact, understood.asks)) else ()
    kept, _ = within(log, first, characters)
    if log.total_chars < SHORT and kept and not any(_is_unmet(log, ask, kept) for ask in understood.asks):
        return kept
    likely = ranked(reading, understood, wish, chosen)
    if fits:
        taken = sum(log.lengths[place] + 1 for place in kept)
        characters = max(taken, min(characters, int(log.total_chars * MOST_OF), taken + MOST_ADDED))
    return within(log, [*kept, *likely], characters)[0]


def ranked(reading: Reading, understood: Wish, wish: str, chosen: Sequence[int]) -> list[int]:
    """All places that anything speaks for, the likeliest first."""
    worth = weights()
    scores = {
        place: sum(worth.get(name, 0.0) * value for name, value in has.items())
        for place, has in signals(reading, understood, wish, chosen).items()
    }
    return sorted(scores, key=lambda place: (-scores[place], place))
