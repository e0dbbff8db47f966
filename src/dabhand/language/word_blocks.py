"""Blocks over single words that leave out or put in what people name: vowels, marks, initials, zeros in front."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dabhand.language.declarations import block
from dabhand.language.kinds import LINES, NUMBER, TEXT, WORD, EvalError
from dabhand.language.letters import VOWELS
from dabhand.language.limits import MAX_ITEMS, checked_text
from dabhand.language.lines import Lines, whole

if TYPE_CHECKING:
    from dabhand.language.kinds import Number


@block([WORD], WORD, cost=3, python="({0}[:1].upper() + {0}[1:])")
def capital_start(word: str) -> str:
    """The word with its first character as a capital, the others as they are."""
    return word[:1].upper() + word[1:]


@block([WORD], WORD, cost=3)
def initials(word: str) -> str:
    """The first character of everything that stands in the word between white space."""
    return "".join([part[0] for part in word.split()])


@block([WORD], WORD, cost=3)
def no_vowels(word: str) -> str:
    """The word without a, e, i, o, u, small or capital."""
    return "".join([char for char in word if char not in VOWELS])


@block([WORD], WORD, cost=3)
def no_marks(word: str) -> str:
    """The word without what is no letter, no digit and no white space."""
    return "".join([char for char in word if char.isalnum() or char.isspace()])


@block([WORD], WORD, cost=3, python="' '.join({0}.split())")
def single_spaced(word: str) -> str:
    """What stands in the word between white space, with one blank between."""
    return " ".join(word.split())


@block([NUMBER, WORD], WORD, cost=3, suggests={0: (2, 3)})
def zero_filled(number: Number, word: str) -> str:
    """The word with zeros in front, after a sign if there is one, until it has so many characters."""
    width = whole(number)
    if not 0 <= width <= MAX_ITEMS:
        raise EvalError(f"a word cannot be made {width} characters wide")
    return word.zfill(width)


_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


@block([TEXT], LINES, cost=3)
def addresses(text: str) -> Lines:
    """The addresses of electronic mail that are written in a text."""
    return tuple(_ADDRESS.findall(text))


@block([WORD], LINES, cost=4)
def numbers_in(word: str) -> Lines:
    """The whole numbers that are written in a word, without signs."""
    return tuple(re.findall("[0-9]+", word))


@block([TEXT], TEXT, cost=3)
def vowelless(text: str) -> str:
    """The text without a, e, i, o, u, small or capital."""
    return checked_text("".join([char for char in text if char not in VOWELS]))
