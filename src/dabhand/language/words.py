"""Blocks over single words: parts of them, letters and digits in them, and yes or no about them."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from dabhand.language.declarations import block
from dabhand.language.kinds import BOOL, LINES, NUMBER, TEXT, WORD, EvalError
from dabhand.language.limits import check_size, checked_text
from dabhand.language.lines import Lines, whole
from dabhand.language.numbers import NUMBER_TEXT

if TYPE_CHECKING:
    from dabhand.language.kinds import Number

# Letters


@block([TEXT], TEXT, python="{0}.upper()")
def upper_case(text: str) -> str:
    """The text with all letters as capitals."""
    return checked_text(text.upper())


@block([TEXT], TEXT, python="{0}.lower()")
def lower_case(text: str) -> str:
    """The text with all letters small."""
    return checked_text(text.lower())


@block([WORD], WORD, python="{0}.upper()")
def capitals(word: str) -> str:
    """The word with all letters as capitals."""
    return word.upper()


@block([WORD], WORD, python="{0}.lower()")
def small(word: str) -> str:
    """The word with all letters small."""
    return word.lower()


@block([WORD], WORD, cost=3, python="{0}.capitalize()")
def capital_first(word: str) -> str:
    """The word with the first letter as a capital, the others small."""
    return word.capitalize()


@block([WORD], WORD, python="{0}.strip()")
def bare(word: str) -> str:
    """The word without white space at both ends."""
    return word.strip()


@block([WORD], WORD, cost=3, python="{0}[::-1]")
def backwards(word: str) -> str:
    """The word with its characters in reverse order."""
    return word[::-1]


@block([WORD], WORD, cost=3, python="''.join(char for char in {0} if char.isdigit())")
def only_digits(word: str) -> str:
    """The digits in the word."""
    return "".join([char for char in word if char.isdigit()])


@block([WORD], WORD, cost=3, python="''.join(char for char in {0} if char.isalpha())")
def only_letters(word: str) -> str:
    """The letters in the word."""
    return "".join([char for char in word if char.isalpha()])


@block([WORD], WORD, cost=3, python="''.join(char for char in {0} if not char.isdigit())")
def no_digits(word: str) -> str:
    """The word without its digits."""
    return "".join([char for char in word if not char.isdigit()])


@block([WORD], WORD, cost=3, python="''.join(char for char in {0} if char.isupper())")
def only_capitals(word: str) -> str:
    """The capitals in the word."""
    return "".join([char for char in word if char.isupper()])


# Parts


@block([WORD, WORD], WORD, python="({0} + {1})")
def glued(word: str, other: str) -> str:
    """Two words as one, nothing between them."""
    return checked_text(word + other)


def _mark(mark: str) -> str:
    if not mark:
        raise EvalError("nothing cannot be looked for")
    return mark


@block([WORD, WORD], WORD, python="{1}.partition({0})[0]")
def before(word: str, other: str) -> str:
    """What stands in the second word before the first occurrence of the first word; all of it where there is none."""
    return other.partition(_mark(word))[0]


@block([WORD, WORD], WORD, python="{1}.partition({0})[2]")
def after(word: str, other: str) -> str:
    """What stands in the second word after the first occurrence of the first word; nothing where there is none."""
    return other.partition(_mark(word))[2]


@block([WORD, WORD], WORD, cost=3, python="{1}.rpartition({0})[0]")
def before_last(word: str, other: str) -> str:
    """What stands in the second word before the last occurrence of the first word; nothing where there is none."""
    return other.rpartition(_mark(word))[0]


@block([WORD, WORD], WORD, python="{1}.rpartition({0})[2]")
def after_last(word: str, other: str) -> str:
    """What stands in the second word after the last occurrence of the first word; all of it where there is none."""
    return other.rpartition(_mark(word))[2]


@block([NUMBER, WORD], WORD, suggests={0: (1, 2, 3)})
def head(number: Number, word: str) -> str:
    """The first so many characters of a word; a negative number leaves out so many at the end."""
    return word[: whole(number)]


@block([NUMBER, WORD], WORD, suggests={0: (1, 2, 3)})
def tail(number: Number, word: str) -> str:
    """The word without its first so many characters; a negative number keeps so many at the end."""
    return word[whole(number) :]


@block([NUMBER, NUMBER, WORD], WORD, cost=3, suggests={0: (1, 2), 1: (2, 3)})
def slice_(number: Number, to: Number, word: str) -> str:
    """The characters of a word after the first so many, up to a place counted from its beginning."""
    return word[whole(number) : whole(to)]


@block([WORD, WORD], WORD, cost=3, python="{1}.replace({0}, '')")
def lacking(word: str, other: str) -> str:
    """The second word without all occurrences of the first."""
    return other.replace(_mark(word), "")


@block([WORD, WORD, WORD], WORD, cost=2)
def exchanged(word: str, new: str, other: str) -> str:
    """The third word with every occurrence of the first replaced by the second."""
    check_size(other.count(_mark(word)) * len(new) + len(other))
    return checked_text(other.replace(word, new))


@block([WORD, WORD, WORD], WORD, cost=3)
def exchanged_once(word: str, new: str, other: str) -> str:
    """The third word with the first occurrence of the first replaced by the second."""
    return checked_text(other.replace(_mark(word), new, 1))


@block([WORD], LINES, python="tuple({0}.split())")
def parts(word: str) -> Lines:
    """What stands in the word between white space."""
    return tuple(word.split())


@block([WORD], LINES, cost=3, python="tuple({0})")
def letters_of(word: str) -> Lines:
    """The characters of the word."""
    return tuple(word)


@block([NUMBER, LINES], WORD, suggests={0: (1, 2)})
def item_back(number: Number, lines: Lines) -> str:
    """The line with a number counted from the end; 1 is the last."""
    place = whole(number)
    if not 1 <= place <= len(lines):
        raise EvalError(f"there is no line {place} from the end among {len(lines)}")
    return lines[-place]


# Words in texts


_LETTERS = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_DIGITS = re.compile(r"[+-]?(?:\d+(?:\.\d+)?|\.\d+)")


@block([TEXT], LINES, cost=4)
def letter_runs(text: str) -> Lines:
    """The words of a text without punctuation: runs of letters, with ' and - only inside them."""
    return tuple(_LETTERS.findall(text))


@block([TEXT], LINES, cost=3)
def number_runs(text: str) -> Lines:
    """The numbers that are written in a text."""
    return tuple([found for found in _DIGITS.findall(text) if found.isascii()])


@block([LINES], LINES, cost=3)
def by_frequency(lines: Lines) -> Lines:
    """The distinct lines, those that occur most often first, else in order of first occurrence."""
    return tuple([line for line, _ in Counter(lines).most_common()])


@block([WORD, LINES], LINES, cost=3, suggests={0: (" ", ": ", ",", "\t")})
def frequencies(word: str, lines: Lines) -> Lines:
    """The distinct lines in order of first occurrence, each followed by a word and how often it occurs."""
    return tuple([f"{line}{word}{size}" for line, size in Counter(lines).items()])


@block([LINES], WORD, cost=5)
def most_common_first(lines: Lines) -> str:
    """The line that occurs most often; the first of them in byte order when several do."""
    if not lines:
        raise EvalError("there is no most common line of none")
    counts = Counter(lines)
    most = max(counts.values())
    return min([line for line, size in counts.items() if size == most])


# Measure, yes or no


@block([WORD], NUMBER, cost=2, python="len({0})")
def length(word: str) -> int:
    """How many characters the word has."""
    return len(word)


@block([WORD, WORD], NUMBER, cost=3)
def place_of(word: str, other: str) -> int:
    """How many characters stand in the second word before the first occurrence of the first."""
    found = other.find(_mark(word))
    if found < 0:
        raise EvalError("the word does not occur")
    return found


@block([WORD, WORD], NUMBER, cost=3)
def times_in(word: str, other: str) -> int:
    """How often the first word occurs in the second, without overlaps."""
    return other.count(_mark(word))


@block([WORD, WORD], BOOL, cost=2, python="{1}.endswith({0})")
def ends(word: str, other: str) -> bool:
    """Whether the second word ends with the first."""
    return other.endswith(word)


@block([WORD, WORD], BOOL, cost=2, python="({0} == {1})")
def is_(word: str, other: str) -> bool:
    """Whether two words are equal."""
    return word == other


@block([WORD], BOOL, cost=2, python="any(char.isdigit() for char in {0})")
def has_digit(word: str) -> bool:
    """Whether there is a digit in the word."""
    return any(char.isdigit() for char in word)


@block([WORD], BOOL, cost=2, python="{0}[:1].isupper()")
def begins_capital(word: str) -> bool:
    """Whether the word begins with a capital."""
    return word[:1].isupper()


@block([WORD], BOOL, cost=3, python="({0} == {0}[::-1])")
def palindrome(word: str) -> bool:
    """Whether the word reads the same backwards."""
    return word == word[::-1]


@block([WORD], BOOL, cost=2)
def is_numeric(word: str) -> bool:
    """Whether the word is a whole or decimal number."""
    return bool(NUMBER_TEXT.match(word))
