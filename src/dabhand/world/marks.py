"""What the words of a filling are like: marks by which kinds of words are told apart."""

from __future__ import annotations

from dabhand.world.features import SPECIAL, Situation
from dabhand.world.places import At

PECULIAR = "!"
"""Begins a mark of words that may change what a command does altogether."""


def word_marks(situation: Situation) -> list[str]:
    """The characters with a meaning that each word has.

    A word that starts with a dash may be an option, and options differ, so each is a mark of its own; a 0 may change
    anything, too. Those begin with `PECULIAR`.
    """
    found = []
    for name, value in situation.filling.items():
        if value == 0:
            found.append(f"{PECULIAR}{name} is 0")
        elif isinstance(value, str) and At(name) not in situation.spots:
            if value.startswith("-"):
                found.append(f"{PECULIAR}{name} is {value}")
            elif not value:
                found.append(f"{name} is empty")
            else:
                found += [f"{name} has {char}" for char in sorted(SPECIAL.intersection(value)) or ("no special",)]
    return found
