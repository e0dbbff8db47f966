"""What of a wish was not understood, or not found under the words that it has: said, so that nothing means nothing."""

from __future__ import annotations

from collections.abc import Collection

from dabhand.handoff.evidence.text import Log
from dabhand.handoff.evidence.topics import spoken
from dabhand.handoff.evidence.wish import Ask, Topic


def doubt_of(log: Log, ask: Ask, found: Collection[int]) -> str:
    """Why what was found may not be all that an ask means; empty where its conditions were understood."""
    if ask.is_empty():
        known = ask.demands or ask.order or ask.extreme or ask.everything or ask.answers
        return "" if known else "It does not say which lines are wanted."
    heavy = [topic for topic in ask.topics if not topic.light]
    absent = _unheard_of(log, heavy)
    if absent and (not found or len(absent) == len(heavy)) and not ask.mention:
        return f"No line has {_listed(absent)}; lines that say it in other words were not looked for."
    exact = ask.kinds or ask.literals or ask.exact or ask.begins or ask.ends or ask.levels or ask.demands or ask.span
    if not found and heavy and not exact and not ask.mention and not any(topic.telling for topic in heavy):
        return f"No line says enough of {_listed(heavy)}."
    return ""


def unmet(log: Log, ask: Ask, found: Collection[int]) -> str:
    """Why what is not wanted may not all have been left out."""
    if found:
        return ""
    absent = _unheard_of(log, ask.topics)
    if absent:
        return f"Nothing was left out for {_listed(absent)}, which no line has."
    return "It was not understood what is not wanted." if ask.is_empty() and not ask.demands else ""


def _unheard_of(log: Log, topics: Collection[Topic]) -> list[Topic]:
    """Words that stand for themselves, for which nothing else is known, and that no line has."""
    return [topic for topic in spoken(log, topics).absent if not topic.known]


def _listed(topics: Collection[Topic]) -> str:
    names = [repr(topic.name) for topic in topics]
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
