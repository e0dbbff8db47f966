"""From a wish to lines: each ask by its conditions, as sets; what fits none of them is not there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

import msgspec

from dabhand.handoff.evidence.blocks import block_at, headed_by, introduced, is_title, section_of
from dabhand.handoff.evidence.conditions import everything, headed, levelled, met, named_in, requested
from dabhand.handoff.evidence.doubts import doubt_of, unmet
from dabhand.handoff.evidence.kinds import Reading
from dabhand.handoff.evidence.measuring import all_of_form, as_demanded, in_time, measuring, with_the_most
from dabhand.handoff.evidence.text import Log
from dabhand.handoff.evidence.topics import speaking, spoken
from dabhand.handoff.evidence.wish import Ask, Topic, Wish
from dabhand.handoff.evidence.wording import METHODS

_ASSERTIONS_FAILED = re.compile(r"\bassertions? (?:that )?fail|\bfail\w* assert")
_LAST = 3  # lines for "the last thing": an exit status is often added below it
_STRICT = frozenset(
    {"error", "failure", "warning", "note", "skipped", "xfail", "assertion", "cut", "unfinished", "exit", "complaint"}
)  # of these there may well be none
_ENDINGS = frozenset({"verdict", "summary", "exit", "cause"})
_EVENTS = frozenset({"error", "failure", "warning", "note"})


def chosen(reading: Reading, wish: Wish) -> tuple[list[int], list[str]]:
    """The places of the lines that a wish asks for, those that matter most first; and what was not understood of it."""
    log = reading.log
    each = [_asked(reading, ask) for ask in wish.asks]
    left_out = [met(reading, ask) for ask in wish.without]
    if any(ask.kinds for ask in wish.asks):
        left_out = [frozenset(headed(log, places)) for places in left_out]
    doubts = [doubt for ask, found in zip(wish.asks, each, strict=True) if (doubt := doubt_of(log, ask, found))]
    doubts += [doubt for ask, found in zip(wish.without, left_out, strict=True) if (doubt := unmet(log, ask, found))]
    unwanted = frozenset().union(*left_out)
    timely = in_time(log, wish.times)
    found = dict.fromkeys(_in_turns(each))
    return [place for place in found if place not in unwanted and (timely is None or place in timely)], doubts


def _in_turns(lists: list[list[int]]) -> list[int]:
    """One ranking of several, in which none has to wait for a longer one."""
    ordered: list[int] = []
    for turn in range(max(map(len, lists), default=0)):
        ordered.extend(one[turn] for one in lists if turn < len(one))
    return ordered


def _asked(reading: Reading, ask: Ask) -> list[int]:
    log = reading.log
    if ask.span is not None:
        spanned = _spanned(log, ask.span)
        if spanned:
            return spanned
    if ask.everything and not ask.order:
        return everything(reading)
    if ask.order and ask.is_empty() and not ask.demands:
        written = sorted(everything(reading))
        return written[: ask.amount] if ask.order == "first" else written[-max(ask.amount, _LAST) :]
    named = named_in(log, ask)
    if named is not None and not named:
        return []
    if any(topic.known and topic.name in METHODS for topic in ask.topics):
        named = requested(log, ask, named)
        if not named:
            return []
    if ask.levels:
        named = levelled(reading, ask, named)
        if not named:
            return []
    if ask.demands and not _meant(ask) and named is None:
        ranked = measuring(log, ask)
    else:
        ranked = [place for place in _of_kinds(reading, ask, named) if as_demanded(log.clean[place], ask)]
    if not ranked and not ask.whether and (ask.presumes or ask.answers) and not (ask.kinds or ask.demands):
        ranked = _by_lighter_words(log, ask)
    if ask.extreme is not None:
        ranked = with_the_most(log, ranked or _speaking(log, ask) or all_of_form(log, ask), ask.extreme)
    if ask.order and not ask.kinds & _ENDINGS:
        sure = [place for place in ranked if place in reading.grades and reading.grades[place].sure]
        ordered = sorted(sure if sure and ask.kinds & _EVENTS else ranked)
        ranked = ordered[: ask.amount] if ask.order == "first" else ordered[-ask.amount :]
    if ask.whole:
        ranked = list(dict.fromkeys([*ranked, *_blocks(log, ranked)]))
    return ranked


def _by_lighter_words(log: Log, ask: Ask) -> list[int]:
    """The lines that speak best of the words that only say where something came from, where no other word is there."""
    heavier = tuple(msgspec.structs.replace(topic, light=False) for topic in ask.topics)
    return speaking(log, heavier, ask.answers, presumed=True, whether=False, either=True, words=ask.words)


def _blocks(log: Log, places: Iterable[int]) -> list[int]:
    return [place for one in places for place in block_at(log, one) if log.clean[place].strip()]


def _spanned(log: Log, span: tuple[str, str]) -> list[int]:
    starts = sorted(log.hits(re.escape(span[0].lower())))
    for start in starts:
        ends = [place for place in log.hits(re.escape(span[1].lower())) if place >= start]
        if ends:
            return [place for place in range(start, min(ends) + 1) if log.clean[place].strip()]
    return []


def _of_kinds(reading: Reading, ask: Ask, named: set[int] | None) -> list[int]:
    log = reading.log
    if ask.mention and not ask.kinds:
        return _mentioning(log, ask, named)
    kinds = _meant(ask)
    if not kinds:
        if named is None:
            found = _speaking(log, ask)
            return list(dict.fromkeys([*found, *(at for place in found[:50] for at in introduced(log, place))]))
        headed = [at for place in sorted(named) for at in introduced(log, place) if _only_a_name(log, place)]
        return _narrowed(log, sorted({*named, *headed}), ask.topics, named=True, ask=ask)
    section = _section(log, ask)
    if section and named is None:
        return section
    ranked = list(dict.fromkeys(place for kind in sorted(kinds) for place in reading.of(kind)))
    if named is not None and "diff" in kinds:
        return _of_files(log, ranked, named)
    if named is not None and kinds == {"complaint"}:
        return _narrowed(log, sorted(named), ask.topics, named=True, ask=ask)
    if named is not None:
        inside = [place for place in ranked if place in named or set(block_at(log, place)) & named]
        ranked = inside if inside or ask.whether else sorted(named)
    if "advice" in kinds or "cause" in kinds:
        ranked = list(dict.fromkeys([*ranked, *(at for place in ranked[:20] for at in introduced(log, place))]))
    if "unfinished" in kinds:
        spoken_of = frozenset().union(*(log.hits(topic.pattern) for topic in ask.topics if not topic.telling))
        return [place for place in ranked if place in spoken_of] or ranked
    if "cause" in kinds:
        narrowed = _first(_narrowed(log, ranked, ask.topics, named=True, ask=ask), ranked)
    else:
        narrowed = _narrowed(log, ranked, ask.topics, named=named is not None or ask.presumes, ask=ask)
    if "file" in ask.answers:
        narrowed = list(dict.fromkeys([*(at for place in narrowed for at in headed_by(log, place)), *narrowed]))
    if not narrowed and not ask.whether and not kinds & _STRICT:
        return _speaking(log, ask)
    if not narrowed and ask.presumes and any(not topic.light and log.hits(topic.pattern) for topic in ask.topics):
        return _speaking(log, ask)
    if "cause" in kinds:
        narrowed += [at for place in narrowed for at in (place - 1, place + 1) if at in ranked and at not in narrowed]
    return narrowed


def _first(these: list[int], all_of_them: list[int]) -> list[int]:
    return list(dict.fromkeys([*these, *all_of_them]))


def _speaking(log: Log, ask: Ask) -> list[int]:
    return speaking(
        log, ask.topics, ask.answers, presumed=ask.presumes, whether=ask.whether, either=ask.either, words=ask.words
    )


def _section(log: Log, ask: Ask) -> list[int]:
    """The sections whose titles have a word of the wish beside the kinds."""
    words = [topic for topic in ask.topics if not topic.light and not topic.telling]
    if not words:
        return []
    titles = {place for topic in words for place in log.hits(topic.pattern) if is_title(log.clean[place])}
    return [at for title in sorted(titles) for at in section_of(log, title) if log.clean[at].strip()]


def _of_files(log: Log, ranked: list[int], named: set[int]) -> list[int]:
    """The lines of those diffs whose heading has the name."""
    heads = sorted(log.hits(r"^diff --|^--- \S"))
    found = []
    for place in ranked:
        above = [head for head in heads if head < place]
        if above and any(one in named for one in range(above[-1], min(above[-1] + 4, place))):
            found.append(place)
    return found


def _meant(ask: Ask) -> frozenset[str]:
    """The kinds that decide: a count of errors is a tally, a failed assertion is an assertion."""
    if any(demand.measure == "status" for demand in ask.demands):
        return frozenset()
    kinds = ask.kinds - {"advice"} if ask.whole and len(ask.kinds) > 1 else ask.kinds
    if (
        "count" in ask.answers
        and (kinds or not ask.topics)
        and kinds <= {"error", "failure", "warning", "skipped", "verdict", "complaint"}
    ):
        return frozenset({"summary"})
    for stronger in ("cause", "assertion", "xfail", "skipped", "unfinished", "cut", "diff", "exit"):
        if stronger in kinds:
            kinds -= {"failure", "error", "verdict"} if stronger != "assertion" else {"error"}
    of_tests = "test" in ask.answers or any(topic.name in ("test", "tests") for topic in ask.topics)
    if "assertion" in kinds and not of_tests and _ASSERTIONS_FAILED.search(" ".join(ask.words)):
        kinds -= {"failure"}
    if "skipped" in ask.kinds or (of_tests and "failure" in ask.kinds):
        kinds -= {"cause"}
        kinds |= ask.kinds & {"failure"}
    return kinds


def _only_a_name(log: Log, place: int) -> bool:
    return re.fullmatch(r"\S+", log.clean[place].strip()) is not None


def _mentioning(log: Log, ask: Ask, named: set[int] | None) -> list[int]:
    sets: list[Collection[int]] = [] if named is None else [named]
    for topic in ask.topics:
        word = (
            log.hits(rf"(?<![a-z0-9]){re.escape(topic.name)}(?![a-z0-9])")
            or log.hits(topic.pattern)
            or log.containing(topic.name)
        )
        sets.append(word)
    if not sets:
        return []
    common = set(sets[0]).intersection(*map(set, sets[1:]))
    return sorted(common or set().union(*map(set, sets)))


def _narrowed(log: Log, ranked: list[int], topics: tuple[Topic, ...], *, named: bool, ask: Ask) -> list[int]:
    """Of some lines those that speak of the topics, where any of them do."""
    heavy = tuple(topic for topic in topics if not topic.light)
    if not heavy or not ranked:
        return ranked
    found = spoken(log, heavy)
    if ask.whether:
        ranked = _of_all(log, ranked, heavy, either=ask.either)
    told = found.telling()
    if told is not None:
        telling = [place for place in ranked if place in told or not told.isdisjoint(block_at(log, place))]
        if not telling:
            return ranked if named else []
        ranked = telling
    blocks = {place: set(block_at(log, place)) for place in ranked} if len(ranked) < 3000 else {}
    scores = {
        place: sum(
            weight
            for places, weight in zip(found.hits, found.weights, strict=True)
            if place in places or blocks.get(place, set()) & places
        )
        for place in ranked
    }
    best = max(scores.values(), default=0.0)
    if best <= 0.3 * found.total(1.0):
        return ranked
    return [place for place in ranked if scores[place] >= 0.6 * best]


def _of_all(log: Log, ranked: list[int], topics: tuple[Topic, ...], *, either: bool) -> list[int]:
    """Of some lines those that, with their blocks, speak of all that a wish asks about, or of one of alternatives."""
    places = [log.hits(topic.pattern) for topic in topics if not topic.telling]
    if not places:
        return ranked
    enough = any if either else all
    return [one for one in ranked if enough(one in hits or not hits.isdisjoint(block_at(log, one)) for hits in places)]
