"""The topics of a clause: what is left of it when the words for kinds, order and extent are taken."""

from __future__ import annotations

import re

import msgspec

from dabhand.handoff.evidence.lexicon import Concept, lexicon
from dabhand.handoff.evidence.wish import Topic

_ASIDE = re.compile(r"(?<=\w)[ ,]+(?:while|during|when|as soon as|after|before)\b[^,()]*|\bthose (?:of|from|in)\b.*$")
_NARROWING = re.compile(r"\b([a-z-]{3,}) (?:errors?|failures?|warnings?|exceptions?|problems?)\b")
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*[A-Za-z]|[A-Za-z]+\d*|\d+")


_SHOUTED = 2  # words: a longer clause without small letters is shouted
METHODS = ("get", "post", "put", "delete", "head", "patch", "options", "connect")
"""Of HTTP; in a wish they are written in capitals."""

_METHOD = re.compile(rf"(?<![\w-])(?:{'|'.join(METHODS).upper()})s?(?![\w-])")


def methods_of(text: str) -> tuple[tuple[Topic, ...], str]:
    """The methods of HTTP that a clause names in capitals, where lines of requests have them; and the rest of it."""
    if text.isupper() and len(text.split()) > _SHOUTED:
        return (), text
    named = dict.fromkeys(match.group().rstrip("s").lower() for match in _METHOD.finditer(text))
    return tuple(Topic(name, _requested(name), telling=True, known=True) for name in named), _METHOD.sub(" , ", text)


def _requested(method: str) -> str:
    name = rf"(?<![a-z]){method}(?![a-z])"
    before_a_path = r"(?=[\"'\])]?,? [\"'\[(]?(?:/|https?:|\*|\d{3}(?!\d)))"
    return rf"{name}{before_a_path}|(?:method|verb)\W{{1,5}}{name}|^{name}|\[{name}\]"


def weighed(topics: list[Topic], text: str, kinds: frozenset[str], whether: bool) -> list[Topic]:
    """Topics by their part in the clause.

    What stands before the kind narrows it ("any network errors?"), unless it names a program; where there is
    nothing but what says where something came from, that is what is asked for.
    """
    tools = lexicon().tools
    if not kinds and all(topic.light or topic.name in tools for topic in topics):
        return [msgspec.structs.replace(topic, light=False) for topic in topics]
    narrowing = _NARROWING.search(text)
    before = narrowing[1] if narrowing and whether and kinds & {"error", "failure", "warning"} else ""
    weighed = []
    for topic in topics:
        if topic.name in tools:
            topic = msgspec.structs.replace(topic, light=True)
        elif topic.name == before and not topic.light:
            topic = msgspec.structs.replace(topic, telling=True)
        weighed.append(topic)
    return weighed


def placed(text: str) -> list[Topic]:
    """The topics of a clause; those of "while it installed ..." only say where, so that a line need not repeat them."""
    aside = _ASIDE.search(text)
    if aside is None:
        return topics_of(text)
    about = topics_of(text[: aside.start()] + " , " + text[aside.end() :])
    there = [msgspec.structs.replace(topic, telling=False, light=True) for topic in topics_of(aside.group())]
    return list({topic.name: topic for topic in [*there, *about]}.values())


def topics_of(text: str) -> list[Topic]:
    """What is left of a clause, as topics."""
    words = lexicon()
    found: list[Topic] = []
    for phrase, concept in _concept_phrases():
        ending = r"[a-z]*" if len(phrase) >= 4 else ""
        pattern = re.compile(rf"(?<![\w-]){re.escape(phrase)}{ending}(?![\w-])")
        matched = pattern.findall(text)
        if matched:
            text = pattern.sub(" , ", text)
            light = set(matched) <= words.light
            own = word_pattern(matched[0]) if matched[0].isalpha() else ""
            found.append(Topic(concept.name, concept.line, own, concept.telling and not light, light, known=True))
    for word in _WORD.findall(text):
        bare = word.lower().removesuffix("'s")
        if bare in words.stop or (bare.endswith("ly") and len(bare) > 5) or (len(bare) < 2 and not bare.isdigit()):
            continue
        found.append(Topic(bare, word_pattern(bare), light=bare in words.light))
    return list(dict.fromkeys(found))


def _concept_phrases() -> list[tuple[str, Concept]]:
    return sorted(
        ((phrase, concept) for concept in lexicon().concepts for phrase in concept.wish), key=lambda pair: -len(pair[0])
    )


_ENDINGS = ("ations", "ation", "ings", "ing", "ions", "ion", "ies", "ied", "ers", "er", "ed", "es", "s", "y", "e")


def word_pattern(word: str) -> str:
    """A pattern for a word and its inflections, over small letters."""
    if word.isdigit():
        return rf"(?<![\d.]){word}(?![\d]|\.\d)"
    stem = word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            stem = word[: -len(ending)]
            break
    if len(stem) > 4 and stem[-1] == stem[-2]:
        stem = stem[:-1]
    if len(stem) < 4 or (len(stem) == 4 and stem[-1] == "s"):
        one = word.removesuffix("s") if len(word) > 3 and not word.endswith("ss") else word
        return rf"(?<![a-z]){re.escape(one)}s?(?![a-z])"
    return rf"(?<![a-z]){re.escape(stem)}"
