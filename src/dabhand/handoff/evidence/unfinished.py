"""What was begun and not ended: lines that say that something with a number starts, without one that says it ended."""

from __future__ import annotations

import re

from dabhand.handoff.evidence.text import Log

_BEGUN = (
    r"(?<![a-z])(?:running|starting|starte?d?s?|begin(?:ning|s)?|began|launch(?:ed|ing)|executing"
    r"|processing|run|entering|opening|=== run)(?![a-z])"
)
_ENDED = (
    r"(?<![a-z])(?:finished|finish|completed?|done|ended|ending|exited|closed|stopped|succeeded"
    r"|failed|passed|leaving|--- (?:pass|fail|skip):)(?![a-z])"
)
_NUMBER = re.compile(r"[A-Za-z]+[ #:=]+\d[\d.]*|[A-Za-z_]\w*(?:[/_:.-]\w+)+|[A-Z]\w*[A-Z_]\w*")
_MEASURE = re.compile(r"^(?:in|after|took|of|for) ")
_TIME = re.compile(r"^\W*(?:[\dT/:.,\[\]Z+-]+\s+)+|^\w{3}\s+\d+ [\d:]+ ")


def unfinished(log: Log) -> list[int]:
    """The lines that begin something whose end is not said."""
    ended: set[str] = set()
    for place in log.hits(_ENDED):
        ended.update(_names(log.clean[place]))
    found: dict[str, int] = {}
    told = log.hits(_ENDED)
    for place in sorted(log.hits(_BEGUN)):
        if place in told:
            continue
        names = _names(log.clean[place])
        if names <= ended:
            continue
        if names:
            found[" ".join(sorted(names))] = place
    return sorted(found.values())


def _names(line: str) -> set[str]:
    """What a line names: numbers with the word before them, and names of several parts."""
    return {name.rstrip(".") for name in _NUMBER.findall(_TIME.sub("", line)) if not _MEASURE.search(name)}
