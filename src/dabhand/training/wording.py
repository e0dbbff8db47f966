"""Wordings with choices in them, said once in one way: `(show|print) [me] the first {n} lines of {file}`."""

from __future__ import annotations

import functools
import random
import re
import tomllib
from collections.abc import Iterator, Sequence
from importlib.resources import files

import msgspec

Side = str
"""Where an example belongs: "train", "validation" or "test"."""

_PARTS = re.compile(r"[(\[|)\]]|\{\w+\}|[^(\[|)\]{}]+")
_PERHAPS = 0.4


class Wording(msgspec.Struct, frozen=True):
    """One family of wordings.

    Attributes:
        family: its name; all that is said with it stays on one side.
        intent: what it asks for.
        text: with choices and slots.
    """

    family: str
    intent: str
    text: str
    side: Side


class Piece(msgspec.Struct, frozen=True):
    """A part of what is said: words, or a slot that is still to be filled."""

    text: str
    is_slot: bool = False


def wordings_of(name: str, only: str | None = None) -> Iterator[Wording]:
    """The wordings of one of our files; of every ten of an intent one is for validation and two are for the test."""
    for intent, texts in _file(name).items():
        if only is not None and intent != only:
            continue
        for number, text in enumerate(texts):
            yield Wording(f"{name}/{intent}/{number}", intent, text, _side(intent, number))


def _side(intent: str, number: int) -> Side:
    place = (number + len(intent)) % 10
    return "validation" if place == 4 else "test" if place in (2, 7) else "train"


@functools.cache
def _file(name: str) -> dict[str, list[str]]:
    text = files("dabhand.training").joinpath("wordings", f"{name}.toml").read_text("utf-8")
    return dict(tomllib.loads(text))


def said(wording: str, rng: random.Random) -> list[Piece]:
    """One way to say a wording.

    Raises:
        ValueError: its brackets do not fit together.
    """
    parts = _PARTS.findall(wording)
    if "".join(parts) != wording:
        raise ValueError(f"not a wording: {wording!r}")
    pieces, end = _sequence(parts, 0, rng)
    if end != len(parts):
        raise ValueError(f"a bracket closes nothing: {wording!r}")
    return _tidy(pieces)


def _sequence(parts: Sequence[str], at: int, rng: random.Random) -> tuple[list[Piece], int]:
    pieces: list[Piece] = []
    while at < len(parts) and parts[at] not in ")]|":
        part = parts[at]
        if part in "([":
            inner, at = _choice(parts, at + 1, rng)
            pieces += inner if part == "(" or rng.random() < _PERHAPS else []
        else:
            pieces.append(Piece(part[1:-1], True) if part[0] == "{" else Piece(part))
            at += 1
    return pieces, at


def _choice(parts: Sequence[str], at: int, rng: random.Random) -> tuple[list[Piece], int]:
    options = []
    while True:
        option, at = _sequence(parts, at, rng)
        options.append(option)
        if at >= len(parts):
            raise ValueError("a bracket is never closed")
        at += 1
        if parts[at - 1] != "|":
            return rng.choice(options), at


def _tidy(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces with single spaces between words, and neighbours that are words as one."""
    merged: list[Piece] = []
    for piece in pieces:
        if merged and not piece.is_slot and not merged[-1].is_slot:
            merged[-1] = Piece(merged[-1].text + piece.text)
        else:
            merged.append(piece)
    clean = [
        one if one.is_slot else Piece(re.sub(r"\s+", " ", one.text).replace(" ,", ",").replace(" ?", "?"))
        for one in merged
    ]
    if clean and not clean[0].is_slot:
        clean[0] = Piece(clean[0].text.lstrip())
    if clean and not clean[-1].is_slot:
        clean[-1] = Piece(clean[-1].text.rstrip())
    return [one for one in clean if one.text]
