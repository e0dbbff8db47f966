"""The parts of a regular expression that stand for one character or place: escapes, brackets, character classes."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from dabhand.language.kinds import EvalError
from dabhand.language.regex_tree import Atom

Dialect: TypeAlias = Literal["grep", "sed", "extended"]

ANY: Final = r"[^\udc80-\udcff]"  # a byte that is no character is matched by nothing

SPACE = r"[ \t-\r\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]"
ESCAPED_ATOMS = {
    "w": Atom(r"\w", 1),
    "W": Atom(r"[^\w\udc80-\udcff]", 1),
    "s": Atom(SPACE, 1),
    "S": Atom(rf"(?!{SPACE})" + ANY, 1),
    "<": Atom(r"\b(?=\w)", 0),
    ">": Atom(r"\b(?<=\w)", 0),
    "b": Atom(r"\b", 0),
    "B": Atom(r"(?:(?<=\w)(?=\w)|(?<!\w)(?!\w))", 0),
    "`": Atom(r"\A", 0, True),
    "'": Atom(r"\Z", 0, True),
}
START, END = Atom(r"\A", 0, True), Atom(r"\Z", 0, True)

# The escapes that sed turns into characters before it reads a pattern.
_SED_ESCAPES = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_SED_NUMBERS = {"d": (10, r"[0-9]{1,3}"), "o": (8, r"[0-7]{1,3}"), "x": (16, r"[0-9a-fA-F]{1,2}")}


def sed_escape(text: str, place: int) -> tuple[str, int] | None:
    r"""The character that sed reads an escape such as \t, \x41, \o101, \d065, \cA as, and where it ends.

    Args:
        text: a pattern or a replacement.
        place: of the character after the backslash.
    """
    letter = text[place]
    if letter in _SED_ESCAPES:
        return _SED_ESCAPES[letter], place + 1
    if letter in _SED_NUMBERS:
        base, digits = _SED_NUMBERS[letter]
        found = re.compile(digits).match(text, place + 1)
        if found is None:
            return None
        code = int(found[0], base) & 255
        if code > 127:
            raise EvalError("an escape that makes half a character is not read")
        return chr(code), found.end()
    if letter == "c" and place + 1 < len(text):
        control = text[place + 1].upper()
        if control == "\\" or not control.isascii():
            raise EvalError("this control escape is not read")
        return chr(ord(control) ^ 64), place + 2
    return None


_CLASSES = {
    "alpha": r"(?![0-9_])\w",
    "digit": r"[0-9]",
    "alnum": r"(?!_)\w",
    "space": SPACE,
    "blank": r"[ \t\u1680\u2000-\u2006\u2008-\u200a\u205f\u3000]",
    "punct": r"(?:[!-/:-@\[-`{-~]|(?![\x00-\xa0\w\s\udc80-\udcff])[\s\S])",
    "print": r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\udc80-\udcff]",
    "graph": rf"(?!{SPACE})[^\x00-\x1f\x7f-\x9f\udc80-\udcff]",
    "cntrl": r"[\x00-\x1f\x7f-\x9f\u2028\u2029]",
    "xdigit": r"[0-9A-Fa-f]",
}


@lru_cache(maxsize=4)
def _cased(upper: bool) -> str:
    """A class of the capital or of the small letters, up to the end of Cyrillic and Armenian."""
    test = str.isupper if upper else str.islower
    return "[" + "".join(char for char in map(chr, range(0x590)) if char.isalpha() and test(char)) + "]"


def _class_source(name: str) -> str:
    if name in ("upper", "lower"):
        return _cased(name == "upper")
    if name not in _CLASSES:
        raise EvalError(f"there is no character class [:{name}:]")
    return _CLASSES[name]


def bracket(text: str, place: int, dialect: Dialect) -> tuple[Atom, int]:
    """A bracket expression: its atom, and the place after it. `place` is after the opening bracket."""
    first = place
    negated = text.startswith("^", place)
    if negated:
        place += 1
    options: list[str] = []
    plain, ranged = "", False
    start = place
    while True:
        if place >= len(text):
            raise EvalError("unmatched [ in a pattern")
        if text[place] == "]" and place > start:
            break
        if text.startswith("[:", place):
            name, place = _named(text, place, ":")
            options.append(_class_source(name))
            continue
        if text[place] == "-" and place > start and not text.startswith("-]", place):
            raise EvalError("the end of a range in a pattern is not one")
        low, place = _bracket_char(text, place, dialect)
        if text.startswith("-", place) and not text.startswith("-]", place):
            high, place = _bracket_char(text, place + 1, dialect)
            if high < low:
                raise EvalError("the ends of a range in a pattern are in reverse order")
            plain += f"{re.escape(low)}-{re.escape(high)}"
            ranged = True
        else:
            plain += re.escape(low)
    if text[first] == ":" and text[place - 1] == ":" and place - first > 1:
        raise EvalError("a character class is written [[:space:]], not [:space:]")
    if plain:
        options.append(f"[{plain}]")
    source = options[0] if len(options) == 1 else f"(?:{'|'.join(options)})"
    simple = not negated and plain.isascii() and not ranged and options == [f"[{plain}]"]
    return Atom(f"(?!{source}){ANY}" if negated else source, 1, simple), place + 1


def _named(text: str, place: int, mark: str) -> tuple[str, int]:
    end = text.find(mark + "]", place + 2)
    if end < 0:
        raise EvalError("unmatched [ in a pattern")
    return text[place + 2 : end], end + 2


def _bracket_char(text: str, place: int, dialect: Dialect) -> tuple[str, int]:
    if place >= len(text):
        raise EvalError("unmatched [ in a pattern")
    for mark in "=.":
        if text.startswith("[" + mark, place):
            name, after = _named(text, place, mark)
            if len(name) != 1:
                raise EvalError("a collating symbol of several characters is not read")
            return name, after
    if text.startswith("[:", place):
        raise EvalError("a class cannot end a range in a pattern")
    if dialect == "sed" and text[place] == "\\" and place + 1 < len(text) and text[place + 1] not in "cdox":
        made = sed_escape(text, place + 1)
        if made is not None:
            return made
    return text[place], place + 1
