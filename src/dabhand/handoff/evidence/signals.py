"""What speaks for a line as an answer to a wish: signals, each from 0 to 1, that `ranking` weighs.

Words are compared by letters in a row, which forgives inflections and typing errors; what is in many lines counts
little. A wish of a kind looks for lines of certain roles: one that asks for a cause at what went wrong, one that asks
how it ended at verdicts. Neighbours count only in the same block or paragraph.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence

from dabhand.handoff.evidence import endings, outcomes
from dabhand.handoff.evidence.blocks import block_at, introduced
from dabhand.handoff.evidence.kinds import ADVICE, Reading
from dabhand.handoff.evidence.routine import shape
from dabhand.handoff.evidence.topics import FORMS, spoken
from dabhand.handoff.evidence.wish import Wish

GRAM = 4
CANDIDATES = 300
"""Lines of a long log whose roles are looked at."""

SEEDS = 24
"""Lines whose blocks are looked at."""

FAR = 12
"""Lines up to which a paragraph reaches."""

_WORD = re.compile(r"[a-z0-9]{3,}")
_SAYS_LITTLE = frozenset(("the", "and", "any", "all", "are", "was", "were", "has", "have", "had", "for", "with")).union(
    ("from", "that", "this", "which", "what", "where", "when", "who", "how", "why", "did", "does", "not", "you", "can"),
    ("give", "show", "tell", "return", "find", "get", "please", "line", "lines", "log", "output", "every", "each"),
    ("only", "just", "there", "here", "about", "into", "than", "then", "them", "they", "its", "but", "our", "your"),
    ("see", "want", "need", "list", "say", "said", "says"),
)
_ASKED = {
    "wrong": {"error", "failure", "cause", "assertion", "complaint", "traceback", "thwarted"},
    "warned": {"warning", "note", "unusual"},
    "ended": {"verdict", "summary", "exit"},
    "helped": {"advice"},
}
_ROLES = {
    "report": (re.compile(outcomes.ASSERTED), True),
    "tally": (re.compile(endings.TALLY), False),
    "verdict": (re.compile(endings.VERDICT), False),
    "exit": (re.compile(endings.EXIT), False),
    "advice": (re.compile(ADVICE), False),
    "timing": (re.compile(endings.TIMING), False),
    "title": (re.compile(r"^\W*[\w '-]{3,60}:$|^[=_#*-]{3,} .* [=_#*-]{3,}$"), False),
}

Signals = dict[int, dict[str, float]]


def signals(reading: Reading, understood: Wish, wish: str, chosen: Sequence[int]) -> Signals:
    """The signals of every line that has some.

    Args:
        reading: of the output.
        understood: the wish, in parts.
        wish: in words.
        chosen: places that conditions chose, the first ones first.
    """
    log = reading.log
    found: Signals = defaultdict(dict)
    letters = by_letters(reading, wish)
    topical = _by_topics(reading, understood)
    for name, scores in (("letters", letters), ("topics", topical)):
        best = max(scores.values(), default=0.0)
        for place, score in scores.items():
            found[place][name] = score
            found[place][f"{name}_best"] = (score / best) ** 2
    for kind in {kind for ask in understood.asks for kind in ask.kinds}:
        for at, place in enumerate(reading.of(kind)):
            found[place]["of_kind"] = max(found[place].get("of_kind", 0.0), 1 / (1 + at / 10))
    for at, place in enumerate(chosen):
        found[place]["chosen"] = 1.0
        found[place]["chosen_early"] = 1 / (1 + at / 10)
        found[place]["chosen_few"] = 1 / len(chosen)
    written = [place for place, line in enumerate(log.clean) if line.strip()]
    for at, place in enumerate(reversed(written[-8:])):
        found[place]["late"] = 1 - at / 8
    for place in written[:5]:
        found[place]["first"] = 1.0
    _around(reading, found, letters, topical, chosen)
    _alike(reading, found, chosen, letters, topical)
    kept = _likeliest(found) if len(log) > CANDIDATES else {place: found[place] for place in written}
    asked = _asked(understood)
    for role, places in _roles(reading, kept).items():
        for place in places:
            if place in kept:
                kept[place][f"is_{role}"] = 1.0
                for one in asked:
                    kept[place][f"{one}_{role}"] = 1.0
    for answer in {answer for ask in understood.asks for answer in ask.answers}:
        if answer in FORMS:
            for place in _of_form(reading, answer, kept):
                kept[place]["answers"] = 1.0
    alike = Counter(shape(log.clean[place]) for place in written)
    for place, has in kept.items():
        has["rare"] = 1 / alike.get(shape(log.clean[place]), 1)
        has["long"] = math.log2(1 + log.lengths[place] / 80)
        has["short"] = float(len(log.clean[place].strip()) < 4)
    return {place: has for place, has in kept.items() if log.clean[place].strip()}


def _likeliest(found: Signals) -> Signals:
    if len(found) <= CANDIDATES:
        return dict(found)
    ranked = sorted(found, key=lambda place: (-sum(found[place].values()), place))
    return {place: found[place] for place in ranked[:CANDIDATES]}


def _asked(understood: Wish) -> set[str]:
    kinds = frozenset().union(*(ask.kinds for ask in understood.asks))
    answers = frozenset().union(*(ask.answers for ask in understood.asks))
    asked = {one for one, among in _ASKED.items() if kinds & among}
    if "cause" in kinds:
        asked.add("why")
    if "count" in answers:
        asked.add("counted")
    if answers & {"duration", "time"}:
        asked.add("timed")
    return asked or {"else"}


def _roles(reading: Reading, places: Collection[int]) -> dict[str, Collection[int]]:
    log = reading.log
    graded = reading.grades
    told = {
        role: [place for place in places if pattern.search(log.clean[place] if cased else log.lower_line(place))]
        for role, (pattern, cased) in _ROLES.items()
    }
    return {
        **told,
        "error": [place for place in places if place in graded and graded[place].level == "error"],
        "sure_error": [
            place for place in places if place in graded and graded[place].level == "error" and graded[place].sure
        ],
        "warning": [place for place in places if place in graded and graded[place].level == "warning"],
        "failed": outcomes.failed_among(log, places),
    }


def _of_form(reading: Reading, answer: str, found: Signals) -> Iterable[int]:
    form = re.compile(FORMS[answer], 0 if answer == "test" else re.IGNORECASE)
    return [place for place in found if form.search(reading.log.clean[place])]


def _around(
    reading: Reading,
    found: Signals,
    letters: dict[int, float],
    topical: dict[int, float],
    chosen: Sequence[int],
) -> None:
    """What stands in a block, below a heading or in a paragraph with lines that speak of the wish."""
    log = reading.log
    both = {place: letters.get(place, 0.0) + topical.get(place, 0.0) for place in {*letters, *topical}}
    best = max(both.values(), default=0.0)
    seeds = sorted(both, key=lambda place: (-both[place], place))[:SEEDS]
    weight = {place: both[place] / best for place in seeds}
    for place in chosen[:SEEDS]:
        weight[place] = max(weight.get(place, 0.0), 0.7)
    for place, value in weight.items():
        for name, places in (("block", block_at(log, place)), ("below", introduced(log, place))):
            for at in places:
                if at != place:
                    _raise(found[at], name, value)
        for step, name in ((1, "after"), (-1, "before")):
            indent = _indent(log.clean[place])
            for far in range(1, FAR):
                at = place + step * far
                if not 0 <= at < len(log) or not log.clean[at].strip():
                    break
                _raise(found[at], name, value / far)
                if step > 0 and _indent(log.clean[at]) > indent:
                    _raise(found[at], "under", value)
                if step < 0 and _indent(log.clean[at]) < indent:
                    _raise(found[at], "head", value)
                    break


def _alike(
    reading: Reading, found: Signals, chosen: Sequence[int], letters: dict[int, float], topical: dict[int, float]
) -> None:
    """Lines of the shape of chosen ones, or of those that speak best of the wish."""
    clean = reading.log.clean
    shapes = {shape(clean[place]) for place in chosen[:SEEDS]}
    both = {place: letters.get(place, 0.0) + topical.get(place, 0.0) for place in {*letters, *topical}}
    speaking = {shape(clean[place]) for place in sorted(both, key=lambda place: (-both[place], place))[: SEEDS // 4]}
    for place, line in enumerate(clean):
        alike = shape(line)
        if alike in shapes:
            found[place]["like_chosen"] = 1.0
        if alike in speaking:
            found[place]["like_speaking"] = 1.0


def _raise(has: dict[str, float], name: str, value: float) -> None:
    has[name] = max(has.get(name, 0.0), value)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _by_topics(reading: Reading, understood: Wish) -> dict[int, float]:
    """How much of what the wish is about each line speaks of."""
    scores: dict[int, float] = {}
    for ask in understood.asks:
        told = spoken(reading.log, ask.topics)
        total = told.total(0.8) or sum(told.weights)
        for place, score in told.scores().items():
            scores[place] = max(scores.get(place, 0.0), min(score / total, 1.5))
    return scores


def by_letters(reading: Reading, wish: str) -> dict[int, float]:
    """How much each line has of the wish's words, by letters in a row."""
    log = reading.log
    scores: dict[int, float] = defaultdict(float)
    total = 0.0
    for word in dict.fromkeys(_WORD.findall(wish.lower())):
        if word in _SAYS_LITTLE:
            continue
        grams = {word[at : at + GRAM] for at in range(max(1, len(word) - GRAM + 1))}
        per_word: dict[int, float] = defaultdict(float)
        most = 0.0
        for gram in sorted(grams):
            places = log.having([gram])
            weight = math.log(1 + len(log) / max(len(places), 1)) / math.log(1 + len(log)) if len(log) > 1 else 1.0
            most = max(most, weight)
            for place in places:
                per_word[place] += weight / len(grams)
        total += most or 0.5
        for place, score in per_word.items():
            scores[place] += score
    return {place: score / total for place, score in scores.items()} if total else {}
