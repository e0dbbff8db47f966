"""What is left of the budget, used: lines that come next, because missing one is worse than one too many.

Only where conditions chose something already; "nothing" stays nothing. A line comes next when it shares rare letters in
a row with the wish (which forgives inflections and typing errors), belongs to the block of a chosen line, is like a
chosen line in shape, or is of those that say most of any log.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from dabhand.handoff.evidence.blocks import block_at
from dabhand.handoff.evidence.kinds import Reading
from dabhand.handoff.evidence.routine import shape
from dabhand.handoff.evidence.text import Log
from dabhand.handoff.evidence.wish import Ask
from dabhand.handoff.evidence.wording import METHODS

SHARE = 0.7
"""Of the characters that are granted, chosen lines included."""

MOST_OF = 0.25
"""Of the characters of a short output."""

GRAM = 4
MOST_LINES = 20_000
MOST_SHAPES = 12
"""Chosen lines of more shapes than this say nothing by their shape."""

TELLING = ("error", "failure", "verdict", "summary", "cause", "warning")
LAST = 5

_WORD = re.compile(r"[a-z0-9]{3,}")
_SAYS_LITTLE = frozenset(("the", "and", "any", "all", "are", "was", "were", "has", "have", "had", "for", "with")).union(
    ("from", "that", "this", "which", "what", "where", "when", "who", "how", "why", "did", "does", "not", "you", "can"),
    ("give", "show", "tell", "return", "find", "get", "please", "line", "lines", "log", "output", "every", "each"),
    ("only", "just", "there", "here", "about", "into", "than", "then", "them", "they", "its", "but", "our", "your"),
    ("see", "want", "need", "list", "say", "said", "says"),
)


def is_loose(ask: Ask) -> bool:
    """Whether a wish is for what a text is about; an exact condition (a name, a number, a first or last) is not."""
    texts = ask.literals or ask.exact or ask.begins or ask.ends or ask.span
    ordered = ask.demands or ask.order or ask.extreme or ask.everything
    requested = any(topic.name in METHODS and topic.known for topic in ask.topics)
    exact = texts or ordered or ask.levels or requested
    named = ask.mention or ask.kinds & {"unfinished", "warning"}
    return not (exact or named or ask.whether) and any(not topic.light for topic in ask.topics)


def padded(log: Log, wish: str, kept: Sequence[int], characters: int) -> list[int]:
    """Further places, the most likely first, as many as fit.

    Args:
        log: the output.
        wish: in words.
        kept: places that conditions chose.
        characters: that are granted for all of it.
    """
    left = min(int(characters * SHARE), int(log.total_chars * MOST_OF)) - sum(log.lengths[place] + 1 for place in kept)
    if not kept or left <= 0 or len(log) > MOST_LINES:
        return []
    chosen = set(kept)
    numbers = {log.numbers[place] for place in kept}
    more = []
    for place in _likely(log, wish, chosen):
        cost = log.lengths[place] + 1
        if cost <= left and log.numbers[place] not in numbers:
            more.append(place)
            numbers.add(log.numbers[place])
            left -= cost
    return more


def _likely(log: Log, wish: str, chosen: set[int]) -> list[int]:
    scores = _alike(log, _grams(wish))
    best = max(scores.values(), default=0.0) or 1.0
    for place in chosen:
        for at in block_at(log, place):
            scores[at] = scores.get(at, 0.0) + best / 2
    shapes = {shape(log.clean[place]) for place in chosen}
    if len(shapes) <= MOST_SHAPES:
        for place, line in enumerate(log.clean):
            if shape(line) in shapes:
                scores[place] = scores.get(place, 0.0) + best / 3
    for place in _telling(log):
        scores[place] = scores.get(place, 0.0) + best / 6
    return sorted(
        (
            place
            for place, score in scores.items()
            if score > best / 10 and place not in chosen and log.clean[place].strip()
        ),
        key=lambda place: (-scores[place], place),
    )


def _may_follow(log: Log, place: int, score: float, best: float) -> bool:
    return score > best / 10 and bool(log.clean[place].strip())


def _telling(log: Log) -> set[int]:
    """Lines that say most of any log: what failed, what was warned of, how it ended."""
    reading = Reading(log)
    found = {place for kind in TELLING for place in reading.of(kind)}
    written = [place for place, line in enumerate(log.clean) if line.strip()]
    return found | set(written[-LAST:])


def _alike(log: Log, wanted: set[str]) -> dict[int, float]:
    """How much each line shares with the wish, by letters in a row; what is in many lines counts little."""
    if not wanted:
        return {}
    per_line = [wanted & _grams(line) for line in log.clean]
    often = Counter(gram for grams in per_line for gram in grams)
    weights = {gram: math.log(1 + len(per_line) / count) for gram, count in often.items()}
    return {
        place: sum(weights[gram] for gram in grams) / math.sqrt(8 + len(log.clean[place]) / 10)
        for place, grams in enumerate(per_line)
        if grams
    }


def _grams(text: str) -> set[str]:
    found: set[str] = set()
    for word in _WORD.findall(text.lower()):
        if word not in _SAYS_LITTLE:
            found.update(word[at : at + GRAM] for at in range(max(1, len(word) - GRAM + 1)))
    return found
