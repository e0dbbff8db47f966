"""Exact conditions on lines: names and texts they have, and whether they meet all that one part of a wish says."""

from __future__ import annotations

import re
from collections.abc import Collection

from dabhand.handoff.evidence.blocks import block_at
from dabhand.handoff.evidence.kinds import Reading
from dabhand.handoff.evidence.measuring import as_demanded
from dabhand.handoff.evidence.severity import of_levels, with_what_follows
from dabhand.handoff.evidence.text import Log
from dabhand.handoff.evidence.wish import Ask, Topic
from dabhand.handoff.evidence.wording import METHODS

_LEVELS_OF = {"error": "error", "failure": "error", "warning": "warning", "note": "note"}


def named_in(log: Log, ask: Ask) -> set[int] | None:
    """The lines that have what was named exactly; None when nothing was."""
    sets = [log.containing(text) for text in ask.literals]
    exact = [_exact(log, text) for text in ask.exact]
    sets += exact
    if ask.begins:
        sets.append(_beginning(log, ask))
    if ask.ends:
        sets.append(log.hits(re.escape(ask.ends.lower()) + r"\s*$"))
    if not sets:
        return None
    there = [one for one in sets if one]
    if not there:
        return set()
    common = set() if ask.either else set(there[0]).intersection(*there[1:])
    return common or set().union(*there)


def _exact(log: Log, text: str) -> frozenset[int]:
    """A name as a whole, not inside a longer one, or else inside one; a number only as a whole."""
    name = re.escape(text.lower())
    if text.isdigit():
        return log.hits(rf"(?<![\w./-]){name}(?![\w/-]|\.\d)")
    if re.fullmatch(r"\d+(?:\.\d+)+", text):
        return log.hits(rf"(?<![\d.]){name}(?!\.?\d)")
    if not text[-1].isalnum():
        return log.hits(rf"(?<!\w){name}")
    return log.hits(rf"(?<![\w./-]){name}(?![\w/-]|\.\w)") or log.hits(rf"(?<!\w){name}(?!\w)") or log.hits(name)


def _beginning(log: Log, ask: Ask) -> frozenset[int]:
    begins = re.escape(ask.begins.lower())
    what = re.escape(ask.begins_what.rstrip("s"))
    return (
        (log.hits(rf"(?<![a-z]){what}\w*[\s:=]+['\"`‘“]?{begins}") if what else frozenset())
        or log.hits(rf"['\"`‘“]{begins}")
        or log.hits(rf"^\s*{begins}")
        or log.hits(rf"(?<!\S){begins}")
    )


def of_level(reading: Reading, ask: Ask) -> set[int]:
    """The lines that state a wanted level; where the log states none, those that say so in other ways."""
    log = reading.log
    stated = of_levels(log, ask.levels)
    if stated is not None:
        return set(stated)
    grades = {"error": {"error"}, "warning": {"warning"}, "notice": {"note"}}
    meant = {one for level in ask.levels for one in grades.get(level, ())}
    said = log.hits("|".join(rf"(?<![\w-]){level}(?![\w-])" for level in sorted(ask.levels)))
    return {place for place, grade in reading.grades.items() if grade.level in meant} | said


def levelled(reading: Reading, ask: Ask, named: set[int] | None) -> set[int]:
    """Lines of the wanted levels that have what was named, and one of the words of the wish that the log has."""
    found = of_level(reading, ask)
    spoken_of = set().union(*(reading.log.hits(topic.pattern) for topic in ask.topics if not topic.light))
    return found & (spoken_of or found) & (found if named is None else named)


def requested(log: Log, ask: Ask, named: set[int] | None) -> set[int]:
    """Requests by the methods that were named, and by all further words that the log has."""
    found = set().union(*(log.hits(topic.pattern) for topic in ask.topics if topic.known and topic.name in METHODS))
    plain = (log.hits(topic.pattern) for topic in ask.topics if not (topic.known or topic.light))
    return found.intersection(*filter(None, plain), *([] if named is None else [named]))


def met(reading: Reading, ask: Ask) -> frozenset[int]:
    """The lines that meet every condition of an ask, with what belongs to them; none where a condition meets none."""
    log = reading.log
    sets: list[set[int]] = []
    named = named_in(log, ask)
    if named is not None:
        sets.append(named)
    if ask.levels:
        sets.append(with_what_follows(log, of_level(reading, ask)))
    if ask.kinds:
        sets.append(set().union(*(_of_kind(reading, kind) for kind in ask.kinds)))
    if ask.demands:
        sets.append({place for place in log.hits(r"\d") if as_demanded(log.clean[place], ask)})
    sets += [set(log.hits(topic.pattern)) for topic in _weighty(ask)]
    if ask.order and not sets:
        written = sorted(everything(reading))
        return frozenset(written[: ask.amount] if ask.order == "first" else written[-ask.amount :])
    return frozenset(set.intersection(*sets)) if sets else frozenset()


def headed(log: Log, places: Collection[int]) -> set[int]:
    """Lines, and the blocks that they head."""
    return {at for place in places for block in (block_at(log, place),) if block.start == place for at in block} | {
        *places
    }


def _weighty(ask: Ask) -> list[Topic]:
    """The topics that tell; where all only say where something came from, they do."""
    heavy = [topic for topic in ask.topics if not topic.light]
    alone = not (heavy or ask.kinds or ask.levels or ask.literals or ask.exact or ask.demands)
    return list(ask.topics) if alone else heavy


def _of_kind(reading: Reading, kind: str) -> set[int]:
    """Lines of a kind by their form, with the blocks that they head."""
    log = reading.log
    level = _LEVELS_OF.get(kind)
    if level is None:
        return set(reading.of(kind))
    heads = {place for place, grade in reading.grades.items() if grade.level == level and grade.sure}
    others = set(reading.grades) - heads
    return heads | {at for head in heads for at in block_at(log, head) if at not in others}


def everything(reading: Reading) -> list[int]:
    """Every line that is not blank, those first that something is wrong with."""
    log = reading.log
    written = [*{log.numbers[place]: place for place, line in enumerate(log.clean) if line.strip()}.values()]
    wrong = {place for place, grade in reading.grades.items() if grade.level in ("error", "warning")}
    return sorted(written, key=lambda place: place not in wrong)
