"""What people add to a request without meaning anything by it: politeness, context, typing errors, punctuation."""

from __future__ import annotations

import random
from collections.abc import Sequence

from dabhand.training.wording import Piece, Side

_BEFORE = ("please ", "pls ", "can you ", "could you ", "could you please ", "would you ", "hey, ", "hi, ", "ok, ",
           "now ", "Please ", "kindly ", "I'd like you to ", "just ",
           "next, ", "quickly ", "go ahead and ")  # fmt: skip
_AFTER = (" please", ", please", ", thanks", " for me", " thx", " if you can", ", would you", " now", " - thanks!")
_CONTEXT = {
    "train": (
        "The build broke again and I want to know why. ", "I am writing a report. ", "We had an outage last night. ",
        "I just got back to this project. ", "Someone asked me about this in a meeting. ",
        "New here, so bear with me. ",
        "This is for the weekly review. ", "Nothing is on fire, I am only curious. ", "Step one of the ticket: ",
        "My screen is small. ", "As discussed: ", "The colleague who knew this has left. ", "Before lunch: ",
    ),
    "test": (
        "Our customer is waiting on the phone. ", "I have been staring at this for an hour. ", "For the archive: ",
        "The intern set this up. ", "Small favour. ", "It worked yesterday. ",
    ),
}  # fmt: skip
_BREAKS = ("head ", "tail ", "grep ", "sed ", "cat ", "ls ", "wc ", "find .", "find /", "jq ", "rm ", "cp ", "mv ",
           "chmod ", "mkdir ", "touch ", "echo ", "sort -", "tac ", "tr ")  # fmt: skip


def is_command(pieces: Sequence[Piece]) -> bool:
    """Whether this is a command line and no sentence, so that every character counts."""
    first = pieces[0].text if pieces and not pieces[0].is_slot else ""
    return first.startswith(_BREAKS) and (first.split()[0] != "sort" or "sort -" in first) and not _is_sentence(first)


def _is_sentence(first: str) -> bool:
    return first.startswith(("grep for", "touch up", "find all"))


def noisy(pieces: Sequence[Piece], side: Side, rng: random.Random) -> list[Piece]:
    """The same request as somebody in a hurry, or somebody polite, would put it; slots stay as they are."""
    if is_command(pieces):
        return list(pieces)
    made = list(pieces)
    if rng.random() < 0.12:
        made = _mistyped(made, rng)
    made = _politely(made, side, rng)
    return _ended(made, rng)


def _politely(pieces: list[Piece], side: Side, rng: random.Random) -> list[Piece]:
    chance = rng.random()
    first = pieces[0]
    if chance < 0.10 and not first.is_slot and first.text[0].islower():
        pieces = [Piece(rng.choice(_BEFORE) + first.text), *pieces[1:]]
    elif chance < 0.17:
        pieces = [*pieces, Piece(rng.choice(_AFTER))]
    if rng.random() < 0.6:
        pieces = [_capital(pieces[0]), *pieces[1:]]
    if rng.random() < 0.06:
        context = rng.choice(_CONTEXT["test" if side == "test" else "train"])
        pieces = [Piece(context), _capital(pieces[0]), *pieces[1:]]
    return pieces


def _capital(piece: Piece) -> Piece:
    return piece if piece.is_slot else Piece(piece.text[:1].upper() + piece.text[1:])


def _ended(pieces: list[Piece], rng: random.Random) -> list[Piece]:
    last = pieces[-1].text
    asks = not pieces[0].is_slot and pieces[0].text.lower().startswith(
        ("what", "which", "how", "where", "is there", "does", "can you", "could", "would", "on which")
    )
    if last.endswith(("?", "!", ".")) and not pieces[-1].is_slot:
        return pieces
    if asks and rng.random() < 0.7:
        return [*pieces, Piece("?")]
    return [*pieces, Piece(".")] if rng.random() < 0.35 else pieces


def _mistyped(pieces: list[Piece], rng: random.Random) -> list[Piece]:
    """One letter of one longer word: left out, doubled, or swapped with its neighbour."""
    places = [
        (number, at, word)
        for number, piece in enumerate(pieces)
        if not piece.is_slot
        for at, word in enumerate(piece.text.split(" "))
        if len(word) > 4 and word.isalpha()
    ]
    if not places:
        return pieces
    number, at, word = rng.choice(places)
    place = rng.randrange(1, len(word) - 1)
    kind = rng.randrange(3)
    changed = (
        word[:place] + word[place + 1 :]
        if kind == 0
        else word[:place] + word[place] + word[place:]
        if kind == 1
        else word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    )
    words = pieces[number].text.split(" ")
    words[at] = changed
    return [*pieces[:number], Piece(" ".join(words)), *pieces[number + 1 :]]
