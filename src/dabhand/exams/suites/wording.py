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

_HOLE = re.compile(r'"\{(\w+)\}"|\{(\w+)\}')

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
    for file in ("wordings.toml", "combinations.toml"):
        found |= tomllib.loads(files(__package__).joinpath(file).read_text("utf-8"))
    return found


def request(rng: Random, name: str, slots: Slots, names: frozenset[str]) -> str:
    """One request of a kind.

    Args:
        rng: chooses the wording and the quotation marks.
        name: of the kind.
        slots: what to fill in; a number is written in digits or as a word.
        names: which slots are names of files and folders: they stand in quotation marks when they need to.
    """
    fitting = [text for text in wordings(name) if _fits(text, slots)]
    quoted = rng.random() < QUOTED_NAMES
    marks = rng.choice(QUOTES if rng.random() < 0.3 else COMMON_QUOTES)
    in_words = rng.random() < 0.4

    def fill(hole: re.Match[str]) -> str:
        slot = hole[1] or hole[2]
        value = slots[slot]
        if isinstance(value, int):
            return NUMBER_WORDS[value] if in_words and value < len(NUMBER_WORDS) else str(value)
        if hole[1] or (slot in names and (quoted or needs_quotes(value))):
            return in_quotes(value, marks)
        return value

    return _HOLE.sub(fill, rng.choice(fitting))


def _fits(text: str, slots: Slots) -> bool:
    """Whether every name that the wording puts together with others can stand there as it is."""
    holes = {hole[1] or hole[2] for hole in _HOLE.finditer(text)}
    if not holes <= set(slots):
        return False
    joined = {part for pair in re.findall(r"\{(\w+)\}/(?:\{(\w+)\})?", text) for part in pair if part}
    return not any(needs_quotes(str(slots[slot])) for slot in joined)


def needs_quotes(name: str) -> bool:
    """Whether a name would fall apart where it stands bare in a sentence."""
    return re.fullmatch(r"[\w./-]+", name) is None


def in_quotes(text: str, marks: tuple[str, str]) -> str:
    """The text in quotation marks that it does not hold itself."""
    for left, right in (marks, *QUOTES):
        if left not in text and right not in text:
            return left + text + right
    raise ValueError(f"There are no quotation marks for {text!r}.")
