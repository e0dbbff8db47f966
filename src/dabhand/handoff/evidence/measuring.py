"""Lines by their numbers: quantities as demanded, the most of something, times of day."""

from __future__ import annotations

import re

from dabhand.handoff.evidence.quantities import (
    Demand,
    Measure,
    bare_decimals,
    counted,
    field_values,
    measured,
    unit_in_name,
)
from dabhand.handoff.evidence.text import Log
from dabhand.handoff.evidence.topics import FORMS, speaking, spoken
from dabhand.handoff.evidence.wish import Ask

_CLOCK = re.compile(r"(?<!\d)(\d\d):(\d\d)(?::(\d\d))?")
_SUPERLATIVE = re.compile(r"(?:slow|long|fast|quick|short|bigg|larg|small)est")


def measuring(log: Log, ask: Ask) -> list[int]:
    """The lines whose numbers are as demanded and that speak of the topics."""
    digits = sorted(log.hits(r"\d"))
    bare = _measured_nowhere(log, digits, ask)
    holding = {place for place in digits if as_demanded(log.clean[place], ask, bare=bare)}
    if not ask.topics or not holding:
        return sorted(holding)
    about = speaking(log, ask.topics, (), within=holding, presumed=ask.presumes, whether=ask.whether)
    return about or ([] if _told(log, ask) else sorted(holding))


def _measured_nowhere(log: Log, places: list[int], ask: Ask) -> bool:
    """Whether no line says what its durations are measured in; then a number with a decimal point may be seconds."""
    if all(demand.measure != "duration" for demand in ask.demands):
        return False
    return not any(measured(log.clean[place], "duration") for place in places[:2000])


def as_demanded(line: str, ask: Ask, *, bare: bool = False) -> bool:
    """Whether the numbers of a line are as a wish demands; bare ones with a decimal point may be durations."""
    return all(_holds(line, demand, ask, bare=bare) for demand in ask.demands)


def _told(log: Log, ask: Ask) -> bool:
    """Whether the log knows what the wish speaks of, so that having it nowhere with such numbers is an answer."""
    found = spoken(log, ask.topics)
    return not any(topic.telling for topic in found.absent) and bool(found.topics) and not found.absent


def _holds(line: str, demand: Demand, ask: Ask, *, bare: bool) -> bool:
    named = field_values(line, ask.words, demand.measure)
    values = counted(line, demand.what) or named or measured(line, demand.measure)
    values = values or unit_in_name(line, demand.measure)
    if not values and bare:
        values = bare_decimals(line)
    return any(demand.holds(value) for value in values)


def with_the_most(log: Log, ranked: list[int], extreme: tuple[Measure, bool]) -> list[int]:
    """The lines with the most or least of a measure first of all, where it is measured, beside those that name it."""
    measure, most = extreme
    values = {place: measured(log.clean[place], measure) for place in ranked}
    known = {place: (max if most else min)(found) for place, found in values.items() if found}
    if len(known) < 2:
        return ranked
    best = (max if most else min)(known.values())
    named = [place for place in ranked if _SUPERLATIVE.search(log.lower_line(place))]
    return list(dict.fromkeys([*(place for place, value in known.items() if value == best), *named]))


def all_of_form(log: Log, ask: Ask) -> list[int]:
    """The lines that name a test where the most of a test is asked for; otherwise all."""
    return sorted(log.hits(FORMS["test"], cased=True) if "test" in ask.answers else range(len(log)))


def in_time(log: Log, times: tuple[str, str] | None) -> set[int] | None:
    """The lines of a time of day; a line without a time is of the time of the line above."""
    if times is None:
        return None
    low, high = (_seconds(time) for time in times)
    found: set[int] = set()
    inside = False
    for place, line in enumerate(log.clean):
        match = _CLOCK.search(line, 0, 60)
        if match is not None:
            now = int(match[1]) * 3600 + int(match[2]) * 60 + int(match[3] or 0)
            inside = (low is None or now >= low) and (high is None or now <= high)
        if inside:
            found.add(place)
    return found


def _seconds(time: str) -> int | None:
    parts = [int(part) for part in time.split(":")] if time else []
    return sum(part * unit for part, unit in zip(parts, (3600, 60, 1), strict=False)) if parts else None
