"""Levels by name: which a wish asks for ("FATAL lines", "warnings and worse"), and which a line states of itself."""

from __future__ import annotations

import re
from collections.abc import Callable

from dabhand.handoff.evidence.levels import stated
from dabhand.handoff.evidence.text import Log

ORDER = ("trace", "debug", "info", "notice", "warning", "error", "critical", "alert", "fatal")
"""From the least to the gravest, after syslog (RFC 5424) and the usual loggers."""

_WORDS = {
    "trace": ("trace", "verbose", "finest"),
    "debug": ("debug", "debugging"),
    "info": ("info", "information", "informational"),
    "notice": ("notice",),
    "warning": ("warning", "warn", "warnings", "warns"),
    "error": ("error", "err", "errors", "severe"),
    "critical": ("critical", "crit", "criticals"),
    "alert": ("alert",),
    "fatal": ("fatal", "emerg", "emergency", "fatals"),
}
_LEVEL_OF = {word: level for level, words in _WORDS.items() for word in words}
_ONE = r"(?:" + "|".join(sorted(_LEVEL_OF, key=len, reverse=True)) + ")"
_SEVERAL = rf"(?P<levels>{_ONE}(?:(?:\s*(?:,|/)\s*|\s*,?\s+(?:and|or|nor)\s+){_ONE})*)"
_NOUN = (
    r"(?:[- ]?level)?(?:\s+log)?\s*(?:lines?|entries|entry|messages?|events?|records?|ones|rows?"
    r"|severity|levels?|statements?)"
)
_UPWARDS = (
    r"(?:(?:\s+level|\s+lines?|\s+messages?)?\s*,?\s*(?:and|or)\s+(?:worse|above|higher|up|upwards?|anything worse"
    r"|more (?:severe|serious|grave)|everything (?:worse|above)|more severe)|\+(?!\w))"
)
_DOWNWARDS = r"(?:(?:\s+level|\s+lines?)?\s*,?\s*(?:and|or)\s+(?:below|lower|less (?:severe|serious)|milder))"
_LEAST = r"(?:at least|no less than|not below|from)\s+(?:(?:of|at)\s+)?(?:(?:the\s+)?level\s+)?"
_ABOVE = (
    r"(?:above|worse than|more (?:severe|serious) than|higher than|graver than|over)\s+(?:an?\s+|the\s+)?(?:level\s+)?"
)
_BELOW = r"(?:below|milder than|less (?:severe|serious) than|lower than|under)\s+(?:an?\s+|the\s+)?(?:level\s+)?"
_RANGES: tuple[tuple[re.Pattern[str], Callable[[int], tuple[int, int]]], ...] = (
    (re.compile(rf"(?<![\w-])(?P<level>{_ONE}){_UPWARDS}", re.IGNORECASE), lambda at: (at, len(ORDER))),
    (re.compile(rf"(?<![\w-])(?P<level>{_ONE}){_DOWNWARDS}", re.IGNORECASE), lambda at: (0, at + 1)),
    (re.compile(rf"\b{_LEAST}(?P<level>{_ONE})(?![\w-])", re.IGNORECASE), lambda at: (at, len(ORDER))),
    (re.compile(rf"\b{_ABOVE}(?P<level>{_ONE})(?![\w-])", re.IGNORECASE), lambda at: (at + 1, len(ORDER))),
    (re.compile(rf"\b{_BELOW}(?P<level>{_ONE})(?![\w-])", re.IGNORECASE), lambda at: (0, at)),
)
_NAMED = (
    re.compile(
        rf"\b(?:of |at |with |on )?(?:the )?(?:log )?(?:level|severity)\s*(?:of|is|=|:)?\s*{_SEVERAL}(?![\w-])",
        re.IGNORECASE,
    ),
    re.compile(rf"(?<![\w./-]){_SEVERAL}{_NOUN}(?![\w-])", re.IGNORECASE),
    re.compile(rf"\bonly\s+(?:the\s+)?{_SEVERAL}(?=\s*(?:[.,;!?]|$))", re.IGNORECASE),
    re.compile(rf"(?<![\w./-]){_SEVERAL}\s+only\b", re.IGNORECASE),
    re.compile(rf"\bmark(?:s|ed)?\s+(?:\w+\s+)?(?:as\s+)?{_SEVERAL}(?![\w-])", re.IGNORECASE),
)
_CAPITALS = re.compile(
    r"(?<![\w./-])(?P<levels>(?:(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERR(?:OR)?|CRIT(?:ICAL)?|FATAL|SEVERE|ALERT"
    r"|EMERG)S?(?:\s*(?:,|/)\s*|\s*,?\s+(?:and|or|nor)\s+)?)+)(?![\w./-])"
)
_BROAD = frozenset({"warning", "error"})


def levels_of(text: str) -> tuple[frozenset[str], str]:
    """The levels that a clause names, and the clause without them; none where it names none as such.

    "Errors" and "warnings" alone are kinds of things that are looked for in any form; as levels they must be written
    in capitals, or beside another level or a comparison.
    """
    for pattern, bounds in _RANGES:
        match = pattern.search(text)
        if match is not None:
            low, high = bounds(ORDER.index(_level(match["level"])))
            return frozenset(ORDER[low:high]), _without(text, match)
    for pattern in (_CAPITALS, *_NAMED):
        for match in pattern.finditer(text):
            levels = _all(match["levels"])
            if pattern is not _CAPITALS and levels <= _BROAD:
                continue
            return levels, _without(text, match)
    return frozenset(), text


def only_levels(text: str) -> frozenset[str]:
    """The levels that a text consists of, with or without a noun: what is excluded by "except info and debug"."""
    bare = re.sub(r"[\s.,;!?]+$", "", text.strip())
    match = re.fullmatch(rf"(?:(?:the|any|all|at|level|of)\s+)*{_SEVERAL}(?:{_NOUN})?", bare, re.IGNORECASE)
    if match is None:
        return frozenset()
    levels = _all(match["levels"])
    return frozenset() if levels <= _BROAD and not any(word.isupper() for word in bare.split()) else levels


def _level(word: str) -> str:
    return _LEVEL_OF[word.lower()] if word.lower() in _LEVEL_OF else _LEVEL_OF[word.lower().removesuffix("s")]


def _all(text: str) -> frozenset[str]:
    return frozenset(
        _level(word) for word in re.findall(r"[A-Za-z]+", text) if word.lower() not in ("and", "or", "nor")
    )


def _without(text: str, match: re.Match[str]) -> str:
    return text[: match.start()] + " , " + text[match.end() :]


def of_levels(log: Log, levels: frozenset[str]) -> list[int] | None:
    """The places of lines that state one of some levels; None where the log states no levels at all."""
    found = stated_levels(log)
    if not found:
        return None
    return [place for place, level in found.items() if level in levels]


def stated_levels(log: Log) -> dict[int, str]:
    """The level that each line states in a field or a heading, by place."""
    kept: dict[int, str] | None = log.memory.get("levels")
    if kept is None:
        kept = {place: level for place, line in enumerate(log.clean) if (level := stated(line)) is not None}
        log.memory["levels"] = kept
    return kept


def with_what_follows(log: Log, places: set[int]) -> set[int]:
    """Lines, and the indented ones below each that go on with it and state no level of their own."""
    told = stated_levels(log)
    found = set(places)
    for place in places:
        at = place + 1
        while at < len(log) and at not in told and log.clean[at][:1] in (" ", "\t") and log.clean[at].strip():
            found.add(at)
            at += 1
    return found
