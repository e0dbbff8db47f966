"""Lines that speak of what a wish speaks of: found as whole sets of like lines, or not at all."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

import msgspec

from dabhand.handoff.evidence import endings
from dabhand.handoff.evidence.blocks import block_at
from dabhand.handoff.evidence.lexicon import OF_FAILING, lexicon
from dabhand.handoff.evidence.routine import templates
from dabhand.handoff.evidence.spelling import nearest
from dabhand.handoff.evidence.text import Log
from dabhand.handoff.evidence.wish import Topic
from dabhand.handoff.evidence.wording import METHODS, word_pattern

_ENOUGH = 0.5  # of the weight of all topics: with less, nothing speaks of it
_NEARLY = 0.7  # of the best score: sets that are as good are returned with the best
_NEARLY_EITHER = 0.5  # where alternatives are named, of which a line has one
_GAIN = 0.3  # of all weight, that a further set must add to what is already spoken of
_LIKE_ITS_BEST = 0.7  # of the best of its template: lines of one form may speak of different things
_ABSENT = 0.8  # what a topic weighs that the log does not have
_WORTH = 0.35  # of the best score: lines with less are not looked at more closely
_MOST = 20_000  # lines that are looked at more closely; of more, only those that are nearly as good as the best
_ENOUGH_PRESUMED = 0.2
_ENOUGH_NAMED = 0.5
_PHRASE = 0.8  # what two words of the wish that follow each other in a line are worth, in topics
_FEW_TOLD = 8  # lines that say what happened: so few are all returned
_OWN = 0.3  # what the very word of the wish is worth, beside another for the same
_NAMED = 0.5  # what a field of the topic's name is worth, in topics
_FAILING = r"(?<![a-z])(?:fail|invalid|denied|refus|reject|error|could not|cannot|unable)"
_FAILED_INSTEAD = 0.6  # of its score has a line that says that what was asked for failed
_FEW = 30  # lines
_BELOW = 40  # lines in which an answer may follow
_NEAR_FORMS = ("version", "test", "address", "url", "size", "duration")
_FLAG = re.compile(r"(?<!\S)-{1,2}[A-Za-z]")
_ANSWERED = 0.6  # what a line of the right kind of answer is worth, in topics

_TIME = r"\b\d\d?:\d\d(?::\d\d)?\b|\b\d{4}-\d\d-\d\d\b"
_FILE = r"[\w.-]+/[\w./-]+|\b[\w-]+\.[a-z]{1,4}\b"
_ADDRESS = r"\b(?:\d{1,3}\.){3}\d{1,3}\b|\b[0-9a-f]{1,4}(?::[0-9a-f]{0,4}){3,7}\b"
FORMS = {
    "duration": endings.TIMING,
    "size": r"\d\s?(?:[kmgt]i?b?|bytes?|b)\b",
    "version": endings.VERSION,
    "time": _TIME,
    "address": _ADDRESS,
    "file": _FILE,
    "hash": r"(?<![a-z\d])(?=[a-f]*\d)[0-9a-f]{7,64}(?![a-z\d])",
    "url": r"https?://",
    "test": r"\S+::\S+|\btest_\w+|\btest[a-z]*[A-Z]\w+",
    "count": r"(?<![\w.:])\d+(?![\w.:])",
}


class Spoken(msgspec.Struct, frozen=True):
    """Which lines speak of which topics.

    Attributes:
        topics: those that the log has.
        hits: the places per topic.
        weights: of the topics; a rare one weighs more.
        absent: topics that the log does not have.
    """

    topics: tuple[Topic, ...]
    hits: tuple[frozenset[int], ...]
    weights: tuple[float, ...]
    absent: tuple[Topic, ...]

    def total(self, absent: float) -> float:
        """The weight of all topics, of those that are absent the one given; what is light need not be repeated."""
        return sum(weight for topic, weight in zip(self.topics, self.weights, strict=True) if not topic.light) + sum(
            absent for topic in self.absent if not topic.light
        )

    def scores(self) -> dict[int, float]:
        """The weight of what each line speaks of."""
        found: dict[int, float] = {}
        for places, weight in zip(self.hits, self.weights, strict=True):
            for place in places:
                found[place] = found.get(place, 0.0) + weight
        return found

    def telling(self) -> frozenset[int] | None:
        """The lines that say one of the things that happened; None when the wish names none."""
        named = [places for topic, places in zip(self.topics, self.hits, strict=True) if topic.telling]
        if not named and not any(topic.telling for topic in self.absent):
            return None
        return frozenset().union(*named)


def spoken(log: Log, topics: Iterable[Topic]) -> Spoken:
    """Find the topics in a log; a word that it does not have is tried with one typing error in it."""
    kept, hits, weights, absent = [], [], [], []
    for topic in topics:
        places = log.hits(topic.pattern)
        if not places and not topic.telling and topic.name.isalpha():
            near = nearest(topic.name, _vocabulary(log, topic.name))
            places = log.hits(word_pattern(near)) if near else places
        if not places:
            absent.append(topic)
            continue
        kept.append(topic)
        hits.append(places)
        weights.append(_weight(len(places), len(log)) * (0.4 if topic.light else 1.0))
    return Spoken(tuple(kept), tuple(hits), tuple(weights), tuple(absent))


def _weight(found: int, lines: int) -> float:
    """From 1 for a word of one line to 0.2 for a word of all."""
    return max(0.2, 1.0 - math.log(found) / math.log(max(lines, 2)) * 0.8)


def _vocabulary(log: Log, word: str) -> set[str]:
    # A slip leaves the first or the last letter as it was.
    near = (
        rf"(?<![a-z])(?:{re.escape(word[0])}[a-z]{{{len(word) - 2},{len(word)}}}"
        rf"|[a-z]{{{len(word) - 2},{len(word)}}}{re.escape(word[-1])})(?![a-z])"
    )
    return set(re.findall(near, log.lower)) if len(log.text) < 4_000_000 else set()


def speaking(
    log: Log,
    topics: Sequence[Topic],
    answers: Collection[str],
    within: Collection[int] | None = None,
    *,
    presumed: bool = False,
    whether: bool = True,
    either: bool = False,
    words: Sequence[str] = (),
) -> list[int]:
    """The sets of like lines that speak best of the topics, the best first; empty when none speaks well enough.

    Args:
        log: where to look.
        topics: what to look for.
        answers: kinds of answer that are wanted.
        within: the only places that come into question.
        presumed: the wish takes for granted that there is something.
        whether: the wish asks whether there is something at all.
        either: the wish names alternatives.
        words: all words of the wish: of two that follow each other in a line as well, that line speaks.
    """
    found = spoken(log, topics)
    scores = found.scores()
    if within is not None:
        scores = {place: score for place, score in scores.items() if place in within}
    told = found.telling()
    if not whether:
        for place in _with_phrase(log, words):
            scores[place] = scores.get(place, 0.0) + _PHRASE
    if presumed and not (told and set(told) & set(scores)):
        told = None
    if told is not None and not whether and _of_something_else(topics, found, told):
        found = spoken(log, [topic for topic in topics if not topic.telling])
        scores = {place: score for place, score in found.scores().items() if within is None or place in within}
        told = None
    if told is not None and whether:
        told = _about_something(topics, found, told)
    if told is not None:
        scores = {place: score for place, score in scores.items() if place in told}
    if not scores:
        return _of_rare_form(log, answers) if not whether and not found.topics else []
    total = found.total(_ABSENT if whether else _ABSENT / 2)
    enough = _ENOUGH if whether else _ENOUGH_PRESUMED if presumed or told is not None else _ENOUGH_NAMED
    if max(scores.values()) < enough * total:
        return []
    if told is not None and not any(topic.name in OF_FAILING for topic in found.topics):
        for place in log.hits(_FAILING) & set(scores):
            scores[place] *= _FAILED_INSTEAD
    scores = _adjusted(log, found, _near_the_best(scores), answers)
    chosen = _covering(log, found, scores, total, nearly=_NEARLY_EITHER if either else _NEARLY)
    if told is not None and len(told) <= _FEW_TOLD:
        chosen += [place for place in sorted(scores, key=lambda place: -scores[place]) if place not in chosen]
    return [*chosen, *_answering(log, found, chosen, answers)]


def _with_phrase(log: Log, words: Sequence[str]) -> frozenset[int]:
    """The lines in which two words that follow each other in the wish do so too, if they are few."""
    pairs = [
        rf"(?<![a-z]){re.escape(one)}[ _-]?{re.escape(other.rstrip('s'))}"
        for one, other in pairwise(words)
        if not {one, other} <= lexicon().stop
    ]
    fields = [rf"(?:^|\s){re.escape(word)}\s?[:=]\s*\S" for word in words if word not in ("http", "https")]
    few = max(len(log) // 20, 10)
    return frozenset().union(*(places for pattern in (*pairs, *fields) if len(places := log.hits(pattern)) <= few))


def _of_rare_form(log: Log, answers: Collection[str]) -> list[int]:
    """The lines that have the form of the answer, where they are few and no word of the wish is in the log."""
    places = sorted(
        place for answer in answers if answer in _NEAR_FORMS for place in log.hits(FORMS[answer], cased=True)
    )
    return places if len(places) <= _FEW else []


def _of_something_else(topics: Sequence[Topic], found: Spoken, told: frozenset[int]) -> bool:
    """Whether no line that says what happened has the names that a wish has: then the names are surer than the word."""
    named = [places for topic, places in zip(found.topics, found.hits, strict=True) if not (topic.known or topic.light)]
    return (
        bool(told and named)
        and not any(topic.known and topic.name in METHODS for topic in topics)
        and not any(told & places for places in named)
    )


def _about_something(topics: Sequence[Topic], found: Spoken, told: frozenset[int]) -> frozenset[int]:
    """Of the lines that say what happened those that say it of what is asked about, if anything is."""
    if not any(not topic.telling and not topic.light for topic in topics):
        return told
    named = zip(found.topics, found.hits, strict=True)
    return told & frozenset().union(*(hits for topic, hits in named if not topic.telling and not topic.light))


def _near_the_best(scores: dict[int, float]) -> dict[int, float]:
    if len(scores) <= _MOST:
        return scores
    best = max(scores.values())
    return {place: score for place, score in scores.items() if score >= _NEARLY * best}


def _adjusted(log: Log, found: Spoken, scores: dict[int, float], answers: Collection[str]) -> dict[int, float]:
    """Scores by what lines look like: commands that are shown less, fields of the topic's name and answers more."""
    adjusted = {}
    for place, score in scores.items():
        line = log.lower_line(place)
        named = any(topic_named(line, topic) for topic in found.topics)
        own = sum(topic.own != "" and re.search(topic.own, line) is not None for topic in found.topics)
        adjusted[place] = score * _plainness(log.clean[place]) + _NAMED * named + _OWN * own
    for answer in answers:
        if answer in FORMS:
            for place in _of_form(log, answer, adjusted):
                adjusted[place] += _ANSWERED
    return adjusted


def _plainness(line: str) -> float:
    """Less for a shown command line: it has words of everything and says nothing."""
    return 0.5 if len(_FLAG.findall(line)) >= 5 else 1.0


def topic_named(line: str, topic: Topic) -> bool:
    """Whether a line is a field of the topic's name: `numpy: 1.2`."""
    return re.match(rf"[\W\d]*(?:{topic.pattern})\w*\s*[:=]\s", line) is not None


def _answering(log: Log, found: Spoken, chosen: list[int], answers: Collection[str]) -> list[int]:
    """Where what was chosen has not the form of the answer: the lines that have, in its block or in what follows."""
    added: list[int] = []
    for answer in answers:
        if answer not in _NEAR_FORMS:
            continue
        form = re.compile(FORMS[answer], re.IGNORECASE if answer != "test" else 0)
        for place in chosen[:50]:
            if form.search(log.clean[place]):
                continue
            inside = [at for at in block_at(log, place) if form.search(log.clean[at])]
            speaking_too = frozenset().union(*found.hits)
            below = range(place + 1, min(place + _BELOW, len(log)))
            added += inside[:3] or [at for at in below if at in speaking_too and form.search(log.clean[at])]
    return added


def _of_form(log: Log, answer: str, places: Iterable[int]) -> list[int]:
    form = re.compile(FORMS[answer], re.IGNORECASE)
    return [place for place in places if form.search(log.clean[place])]


def _covering(log: Log, found: Spoken, scores: dict[int, float], total: float, nearly: float) -> list[int]:
    """Greedy cover of the topics by sets of like lines."""
    best = max(scores.values())
    likely = [place for place, score in scores.items() if score >= _WORTH * best]
    alike = templates(log.clean, likely)
    of_template: dict[int, list[int]] = {}
    for place in sorted(likely):
        of_template.setdefault(alike[place], []).append(place)
    top = {template: max(scores[place] for place in places) for template, places in of_template.items()}
    chosen: list[int] = []
    uncovered = set(range(len(found.topics)))
    for turn in range(3):
        left = {template: top[template] for template in top if template not in chosen}
        if not left:
            break
        gains = {
            template: sum(found.weights[topic] for topic in uncovered if found.hits[topic] & set(of_template[template]))
            for template in left
        }
        if turn == 0:
            ranked = [template for template in left if left[template] >= nearly * best]
        else:
            limit = _GAIN * max(total, 1.0)
            ranked = [template for template, gain in gains.items() if gain >= limit]
            most = max((gains[template] + 0.5 * left[template] for template in ranked), default=0.0)
            ranked = [template for template in ranked if gains[template] + 0.5 * left[template] >= 0.9 * most]
        if not ranked:
            break
        ranked.sort(key=lambda template: -left[template])
        chosen += ranked
        for template in ranked:
            places = set(of_template[template])
            uncovered = {topic for topic in uncovered if not found.hits[topic] & places}
    return [
        place
        for template in chosen
        for place in of_template[template]
        if scores[place] >= _LIKE_ITS_BEST * top[template]
    ]
