"""Requests in English: one of the ways in which people ask for a kind of task, with its names and words filled in."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from random import Random

QUOTES = (('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’"), ("`", "`"))
COMMON_QUOTES = QUOTES[:2]
NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

QUOTED_NAMES = 0.15
"""Share of the requests in which even plain names stand in quotation marks."""

_HOLE = re.compile(r'"\{(?P<quoted>\w+)\}"|\{(?P<bare>\w+)\}(?:/(?:\{(?P<inside>\w+)\})?)?')
"""A slot, in quotation marks or not; of names also a folder's with a slash, and perhaps another name, after it."""

Slots = Mapping[str, str | int]


@cache
def wordings(name: str) -> tuple[str, ...]:
    """The wordings of a kind.

    Raises:
        KeyError: there is no such kind.
    """
    return _all()[name]


@cache
def _all() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for file in ("wordings.toml", "combinations.toml", "coding.toml"):
        lists = tomllib.loads(files(__package__).joinpath(file).read_text("utf-8"))
        found |= {name: tuple(texts) for name, texts in lists.items()}
    return found


def request(rng: Random, name: str, slots: Slots, names: frozenset[str]) -> str:
    """One request of a kind.

    Args:
        rng: chooses the wording and the quotation marks.
        name: of the kind.
        slots: what to fill in; a number is written in digits or as a word.
        names: which slots are names of files and folders: they stand in quotation marks when they need to.
    """
    fitting = [text for text in wordings(name) if _needs(text) <= slots.keys()]
    quoted = rng.random() < QUOTED_NAMES
    marks = rng.choice(QUOTES if rng.random() < 0.3 else COMMON_QUOTES)
    in_words = rng.random() < 0.4

    def fill(hole: re.Match[str]) -> str:
        slot = hole["quoted"] or hole["bare"]
        value = slots[slot]
        if isinstance(value, int):
            return NUMBER_WORDS[value] if in_words and value < len(NUMBER_WORDS) else str(value)
        if hole["quoted"]:
            return in_quotes(value, marks)
        value += hole[0][len(slot) + 2 :].replace(f"{{{hole['inside']}}}", str(slots.get(hole["inside"], "")))
        return in_quotes(value, marks) if slot in names and (quoted or needs_quotes(value)) else value

    return _HOLE.sub(fill, rng.choice(fitting))


def _needs(text: str) -> set[str]:
    return {slot for hole in _HOLE.finditer(text) for slot in hole.groupdict().values() if slot}


def needs_quotes(name: str) -> bool:
    """Whether a name would fall apart where it stands bare in a sentence."""
    return re.fullmatch(r"[\w./-]+", name) is None


def in_quotes(text: str, marks: tuple[str, str]) -> str:
    """The text in quotation marks that it does not hold itself."""
    for left, right in (marks, *QUOTES):
        if left not in text and right not in text:
            return left + text + right
    raise ValueError(f"There are no quotation marks for {text!r}.")
