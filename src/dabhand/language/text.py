"""Primitives over whole texts and single words: into lines and back, sizes, parts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dabhand.language.declarations import primitive
from dabhand.language.kinds import LINES, NUMBER, TEXT, WORD, EvalError
from dabhand.language.limits import MAX_CHARACTERS, check_size, checked_text, to_bytes, to_text
from dabhand.language.lines import Lines, whole

if TYPE_CHECKING:
    from dabhand.language.kinds import Number


# Between texts and lines


@primitive([TEXT], LINES, cost=1)
def lines(text: str) -> Lines:
    """The lines without their ends; a last line without a newline is a line too."""
    parts = text.split("\n")
    if not parts[-1]:
        parts.pop()
    return tuple(parts)


@primitive([TEXT], LINES, cost=1)
def records(text: str) -> Lines:
    """The lines, each with the newline that ends it; the last may have none."""
    parts = text.split("\n")
    last = parts.pop()
    made = [part + "\n" for part in parts]
    return (*made, last) if last else tuple(made)


@primitive([LINES], TEXT, cost=1, python="''.join(line + '\\n' for line in {0})")
def unlines(lines: Lines) -> str:
    """The text of the lines, each ended by a newline."""
    return "\n".join(lines) + "\n" if lines else ""


@primitive([LINES], TEXT, cost=1)
def concat(lines: Lines) -> str:
    """The text of the lines one after the other, nothing between them."""
    return checked_text("".join(lines))


@primitive([WORD], TEXT, cost=1, python="({0} + '\\n')")
def line(word: str) -> str:
    """The text that is one line: a word and a newline."""
    return word + "\n"


@primitive([WORD], TEXT, cost=3, python="{0}")
def just(word: str) -> str:
    """The text that is a word and nothing else."""
    return word


@primitive([TEXT], WORD, cost=3, python="{0}.rstrip('\\n')")
def content(text: str) -> str:
    """The text without newlines at its end, as a word."""
    return text.rstrip("\n")


@primitive([TEXT, TEXT], TEXT, cost=2)
def then(text: str, other: str) -> str:
    """One text followed by another."""
    return checked_text(text + other)


_SPACES_ASCII = re.compile(r"[ \t\n\v\f\r]+")
_SPACES = re.compile(r"[ \t-\r\u1680\u2000-\u200a\u2028\u2029\u205f\u3000\xa0\u202f\u2060]+")
_VISIBLE_ASCII = re.compile(r"[!-~]").search


def _is_visible(word: str) -> bool:
    return any(char.isprintable() for char in word)


@primitive([TEXT], LINES, cost=2)
def words(text: str) -> Lines:
    """The words: what stands between white space and has something visible in it."""
    if text.isascii():
        found = _SPACES_ASCII.split(text)
        return tuple([word for word in found if word and _VISIBLE_ASCII(word)])
    return tuple([word for word in _SPACES.split(text) if _is_visible(word)])


@primitive([TEXT], LINES, cost=2, python="tuple({0})")
def chars(text: str) -> Lines:
    """The characters, each one a line of its own, newlines too."""
    return tuple(text)


@primitive([WORD, WORD], LINES, cost=3, suggests={0: (",", " ", "\t", ":")})
def split(word: str, other: str) -> Lines:
    """The pieces of the second word between occurrences of the first."""
    if not word:
        raise EvalError("a word cannot be split at nothing")
    return tuple(other.split(word))


# Sizes


@primitive([TEXT], NUMBER, cost=1, python="{0}.count('\\n')")
def newlines(text: str) -> int:
    """How many newlines the text holds."""
    return text.count("\n")


@primitive([TEXT], NUMBER, cost=1, python="len({0}.encode('utf-8', 'surrogateescape'))")
def byte_count(text: str) -> int:
    """How many bytes the text has."""
    return len(text) if text.isascii() else len(to_bytes(text))


@primitive([TEXT], NUMBER, cost=2)
def char_count(text: str) -> int:
    """How many characters the text has; bytes that are not UTF-8 are none."""
    return len(text) if text.isascii() else sum([not "\udc80" <= char <= "\udcff" for char in text])


@primitive([WORD, TEXT], NUMBER, cost=3)
def occurrences(word: str, text: str) -> int:
    """How often a word occurs in a text, without overlaps."""
    if not word:
        raise EvalError("nothing cannot be counted")
    return text.count(word)


# Parts


@primitive([NUMBER, TEXT], TEXT, cost=2)
def first_bytes(number: Number, text: str) -> str:
    """The first so many bytes; a negative number leaves out so many at the end."""
    size = whole(number)
    return text[:size] if text.isascii() else to_text(to_bytes(text)[:size])


@primitive([NUMBER, TEXT], TEXT, cost=3)
def last_bytes(number: Number, text: str) -> str:
    """The last so many bytes (a minus makes no difference)."""
    size = abs(whole(number))
    return to_text(to_bytes(text)[-size:]) if size else ""


@primitive([TEXT], TEXT, cost=3, python="{0}.strip()")
def stripped(text: str) -> str:
    """The text without white space at both ends."""
    return text.strip()


@primitive([WORD, WORD, TEXT], TEXT, cost=2)
def replaced(word: str, other: str, text: str) -> str:
    """The text with every occurrence of one word, taken literally, replaced by another."""
    if not word:
        raise EvalError("nothing cannot be replaced")
    if len(other) > len(word) and len(text) * len(other) > MAX_CHARACTERS:
        check_size(text.count(word) * len(other))
    return checked_text(text.replace(word, other))
