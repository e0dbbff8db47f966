"""Quotes around names and texts, of all the kinds that people use."""

from __future__ import annotations

import random

QUOTES = (("'", "'"), ('"', '"'), ("`", "`"), ("\u201c", "\u201d"), ("\u2018", "\u2019"), ("\u00ab", "\u00bb"))
_WEIGHTS = (4.0, 4.0, 1.0, 1.0, 1.0, 0.3)
_PLAIN = frozenset("._-/@:=$#+%~")


def quoted(text: str, rng: random.Random, *, bare: float, command: bool = False) -> str:
    """A text in quotes of some kind, or without, where it can stand so.

    Args:
        text: what is quoted.
        rng: what is chosen by.
        bare: how often a plain text stands without quotes.
        command: it stands in a command line, where quotes are the shell's.
    """
    plain = bool(text) and all(letter.isalnum() or letter in _PLAIN for letter in text) and text[-1] not in ".:"
    if plain and rng.random() < bare:
        return text
    known = dict(zip(QUOTES, _WEIGHTS, strict=True))
    fitting = [pair for pair in QUOTES[: 2 if command else None] if not set(pair) & set(text)]
    if not fitting:
        return "'" + text.replace("'", "'\\''") + "'" if command else f"\u00ab{text}\u00bb"
    opening, closing = rng.choices(fitting, [known[pair] for pair in fitting])[0]
    return f"{opening}{text}{closing}"
