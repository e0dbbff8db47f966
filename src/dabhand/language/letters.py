"""Primitives that change or choose characters: case, sets of bytes, vowels."""

from __future__ import annotations

import re
from functools import lru_cache

from dabhand.language.declarations import primitive
from dabhand.language.kinds import LINES, TEXT, WORD, EvalError
from dabhand.language.limits import to_bytes, to_text
from dabhand.language.lines import Lines

_UPPER = {code: code - 32 for code in range(ord("a"), ord("z") + 1)}
_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


@primitive([TEXT], TEXT)
def upper(text: str) -> str:
    """The text with a-z as A-Z; other letters stay as they are."""
    return text.upper() if text.isascii() else text.translate(_UPPER)


@primitive([TEXT], TEXT)
def lower(text: str) -> str:
    """The text with A-Z as a-z; other letters stay as they are."""
    return text.lower() if text.isascii() else text.translate(_LOWER)


_WORD = re.compile(r"\S+")
_WORD_START = re.compile(r"(?<!\S)\S")


@primitive([TEXT], TEXT, cost=3)
def title(text: str) -> str:
    """The text with every word (blanks part them) in lower case after its first character, which is in upper case."""
    return _WORD.sub(lambda found: found[0].capitalize(), text)


@primitive([TEXT], TEXT, cost=3)
def capitalized(text: str) -> str:
    """The text with the first character of every word in upper case, the others as they are."""
    return _WORD_START.sub(lambda found: found[0].upper(), text)


VOWELS = frozenset("aeiouAEIOU")


@primitive([LINES], LINES, python="tuple(line for line in {0} if line in set('aeiouAEIOU'))")
def vowels(lines: Lines) -> Lines:
    """Those of the lines that are one vowel: a, e, i, o, u, small or capital."""
    return tuple([line for line in lines if line in VOWELS])


@primitive([LINES], LINES, cost=3, python="tuple(line for line in {0} if line.isalpha())")
def alphabetic(lines: Lines) -> Lines:
    """Those of the lines that consist of letters."""
    return tuple([line for line in lines if line.isalpha()])


# Sets of bytes, as tr writes them


_ESCAPES = dict(zip(b"abfnrtv\\", b"\a\b\f\n\r\t\v\\", strict=True))
_OCTAL = re.compile(rb"[0-7]{1,3}")
_SET_CLASS = re.compile(r"\[:([^:\]]*):\]")
_SET_UNREAD = re.compile(r"\[=.*?=\]|\[.\*[0-9]*\]", re.DOTALL)


def _set_units(data: bytes) -> list[tuple[int, bool]]:
    """The bytes of a set as written, and of each whether it was escaped (and so stands for itself)."""
    units, at = [], 0
    while at < len(data):
        code, at, escaped = data[at], at + 1, False
        if code == 0x5C and at < len(data):
            escaped = True
            octal = _OCTAL.match(data, at)
            if octal is None:
                code, at = _ESCAPES.get(data[at], data[at]), at + 1
            else:
                digits = octal[0] if int(octal[0], 8) < 256 else octal[0][:2]
                code, at = int(digits, 8), at + len(digits)
        units.append((code, escaped))
    return units


@lru_cache(maxsize=1024)
def byte_set(word: str) -> bytes:
    r"""The bytes that a set means: ranges a-z, classes [:digit:], escapes \n, \t, \012; in order, repeats kept.

    Raises:
        EvalError: the set is none, or of a form that this does not read ([=c=], [c*n]).
    """
    units = _set_units(to_bytes(word))
    plain = "".join(["\0" if escaped else chr(code) for code, escaped in units])
    if _SET_UNREAD.search(plain):
        raise EvalError("this form of set is not read")
    made, at = bytearray(), 0
    while at < len(units):
        found = _SET_CLASS.match(plain, at)
        if found:
            made += class_bytes(found[1])
            at = found.end()
        elif plain[at + 1 : at + 2] == "-" and at + 2 < len(units):
            start, stop = units[at][0], units[at + 2][0]
            if stop < start:
                raise EvalError("the ends of a range are in reverse order")
            made += bytes(range(start, stop + 1))
            at += 3
        else:
            made.append(units[at][0])
            at += 1
    return bytes(made)


_CLASSES = {
    "alpha": "A-Za-z", "digit": "0-9", "alnum": "A-Za-z0-9", "upper": "A-Z", "lower": "a-z", "space": "\t-\r ",
    "blank": "\t ", "punct": "!-/:-@[-`{-~", "print": " -~", "graph": "!-~",
    "cntrl": "\0-\x1f\x7f", "xdigit": "0-9A-Fa-f",
}  # fmt: skip


def class_bytes(name: str) -> bytes:
    """The bytes of a character class, in order; only ASCII bytes are in any."""
    if name not in _CLASSES:
        raise EvalError(f"there is no character class [:{name}:]")
    spans = _CLASSES[name].replace("[-", "\\[-")
    return bytes([code for code in range(128) if re.fullmatch(f"[{spans}]", chr(code))])


@lru_cache(maxsize=256)
def translation(word: str, other: str) -> bytes:
    """The table of 256 bytes that translates one set to another."""
    source, target = byte_set(word), byte_set(other)
    if not target:
        raise EvalError("there is nothing to translate to")
    if _SET_CLASS.search(other) and {word, other} != {"[:lower:]", "[:upper:]"}:
        raise EvalError("nothing can be translated to a class but [:lower:] to [:upper:] and back")
    table = bytearray(range(256))
    for index, code in enumerate(source):
        table[code] = target[min(index, len(target) - 1)]
    return bytes(table)


@primitive([WORD, WORD, TEXT], TEXT, cost=3)
def translate(word: str, other: str, text: str) -> str:
    """The text with the bytes of one set replaced by those of another, place by place."""
    return to_text(to_bytes(text).translate(translation(word, other)))


@primitive([WORD, TEXT], TEXT, cost=2, suggests={0: ("\n", " ")})
def deleted(word: str, text: str) -> str:
    """The text without the bytes of a set."""
    return to_text(to_bytes(text).translate(None, byte_set(word)))


@primitive([WORD, TEXT], TEXT, cost=3, suggests={0: ("\n", " ")})
def squeezed(word: str, text: str) -> str:
    """The text with every run of one and the same byte of a set made a single one."""
    codes = set(byte_set(word))
    kept = bytearray()
    for code in to_bytes(text):
        if not (code in codes and kept and kept[-1] == code):
            kept.append(code)
    return to_text(bytes(kept))
