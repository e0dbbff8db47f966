"""The words of wishes, read once from lexicon.toml."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

import msgspec

OF_FAILING = frozenset(
    (
        *("crashed", "out_of_memory", "killed", "timed_out", "refused", "denied", "lost", "broken_in", "failed_"),
        *("not_found", "missing", "no_stubs", "undefined", "unused", "deprecated", "duplicate", "conflict", "invalid"),
        *("unsupported", "vulnerable", "retried", "blocked", "full", "unsafe", "expired"),
    )
)
"""Concepts of what goes wrong: lines say so where it happened."""


class Concept(msgspec.Struct, frozen=True):
    """Something that wishes and logs write differently.

    Attributes:
        name: unique.
        wish: beginnings of words, or phrases, in wishes.
        line: what logs write for it, as one regular expression over small letters.
        telling: it is something that happened; a line that does not say it is no answer.
    """

    name: str
    wish: tuple[str, ...]
    line: str
    telling: bool


class Lexicon(msgspec.Struct, frozen=True):
    """All words.

    Attributes:
        stop: words that say nothing of what is wanted.
        light: words that only say where something came from.
        parts: words for the parts of what is reported.
        tools: names of programs.
        kinds: phrases per kind of wish.
        answers: phrases per kind of answer.
        concepts: what wishes and logs write differently.
    """

    stop: frozenset[str]
    light: frozenset[str]
    parts: frozenset[str]
    tools: frozenset[str]
    kinds: dict[str, tuple[str, ...]]
    answers: dict[str, tuple[str, ...]]
    concepts: tuple[Concept, ...]

    def known(self) -> frozenset[str]:
        """Every single word of wishes, for typing errors to be compared with."""
        phrases = [
            *(phrase for group in (self.kinds, self.answers) for phrases in group.values() for phrase in phrases),
            *(phrase for concept in self.concepts for phrase in concept.wish),
        ]
        return frozenset(word for phrase in phrases for word in phrase.split()) | self.stop | self.light


@cache
def lexicon() -> Lexicon:
    """The words, read once."""
    raw = tomllib.loads(files(__package__).joinpath("lexicon.toml").read_text("utf-8"))
    return Lexicon(
        frozenset(raw["stop"].split()),
        frozenset(raw["light"].split()),
        frozenset(raw["parts"].split()),
        frozenset(raw["tools"].split()),
        {kind: tuple(phrases) for kind, phrases in raw["kinds"].items()},
        {kind: tuple(phrases) for kind, phrases in raw["answers"].items()},
        tuple(
            Concept(name, tuple(entry["wish"]), _either(entry.get("line") or entry["wish"]), group == "events")
            for group in ("events", "nouns")
            for name, entry in raw[group].items()
        ),
    )


def _either(patterns: list[str]) -> str:
    # A pattern that begins with a letter stands at the beginning of a word, so that "ban" is not in "urban".
    return "|".join(rf"(?<![a-z]){pattern}" if re.match(r"[a-z]", pattern) else pattern for pattern in patterns)
