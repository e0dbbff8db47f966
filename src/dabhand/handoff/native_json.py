"""One top-level field of a JSON object, cut out of the file as it is written there.

A file of ordinary size is parsed, so that what is no JSON is said to be none. A very large one is gone through in
blocks by its brackets and quotes alone, in constant memory.
"""

from __future__ import annotations

import json
import re
from typing import Any

from dabhand.handoff.blocks import BLOCK, Failed, Source

PARSED = 16 << 20
"""Bytes of the largest file that is parsed."""
_LONGEST_VALUE = 16 << 20
_SPACE = re.compile(r"[ \t\n\r]*")
_OUTSIDE = re.compile(rb'["{}\[\],:]')
_INSIDE = re.compile(rb'["\\]')


def field_text(source: Source, key: str) -> tuple[bytes | None, int]:
    """The JSON text of the last field of that name at the top level (None: there is none), and how many there are.

    Raises:
        Failed: the file holds no JSON object, or a value too long to be given as one.
    """
    if source.size > PARSED:
        return _Streaming(source, key).found()
    text = source.part(0, source.size).decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    try:
        spans = _spans(text, key)
    except (ValueError, RecursionError) as error:
        raise Failed(f"{source.path!r} is no JSON object: {error}.") from error
    if not spans:
        return None, 0
    start, end = spans[-1]
    return text[start:end].encode("utf-8", "surrogateescape"), len(spans)


def _spans(text: str, key: str) -> list[tuple[int, int]]:
    """Where the values of a key begin and end.

    Raises:
        ValueError: it is no JSON object.
    """
    decode = json.JSONDecoder(parse_constant=_no_constant, parse_int=str, parse_float=str).raw_decode
    at, found = _skip(text, 0), []
    at = _skip(text, _expected(text, at, "{"))
    while text[at : at + 1] != "}":
        name, at = _name(text, at)
        at = _skip(text, _expected(text, _skip(text, at), ":"))
        _, end = decode(text, at)
        if name == key:
            found.append((at, end))
        at = _skip(text, end)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
            if text[at : at + 1] != '"':
                raise ValueError(f"a name is missing at character {at}")
        elif text[at : at + 1] != "}":
            raise ValueError(f"a ',' or a '}}' is missing at character {at}")
    if _skip(text, at + 1) != len(text):
        raise ValueError(f"something follows the object at character {at + 1}")
    return found


def _name(text: str, at: int) -> tuple[str, int]:
    if text[at : at + 1] != '"':
        raise ValueError(f"a name is missing at character {at}")
    name, end = json.JSONDecoder().raw_decode(text, at)
    return str(name), end


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _expected(text: str, at: int, letter: str) -> int:
    if text[at : at + 1] != letter:
        raise ValueError(f"a {letter!r} is missing at character {at}")
    return at + 1


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


class _Streaming:
    """Follows brackets and quotes through a file, and notes where the wanted value begins and ends."""

    def __init__(self, source: Source, key: str) -> None:
        self._source, self._key = source, key
        self._depth = 0
        self._string = -1  # where the string that is open began
        self._names = True  # at the top level, a name is next (and not a value)
        self._value = -1  # where the wanted value began
        self._spans: list[tuple[int, int]] = []
        self._wanted = False
        self._started = self._ended = False

    def found(self) -> tuple[bytes | None, int]:
        """See `field_text`."""
        at, skip = 0, 0
        for piece in self._source.pieces(0, self._source.size):
            skip = self._piece(piece, at, skip)
            at += len(piece)
        if not self._ended or self._string >= 0:
            raise Failed(f"{self._source.path!r} is no JSON object: it ends in the middle.")
        if not self._spans:
            return None, 0
        start, end = self._spans[-1]
        if end - start > _LONGEST_VALUE:
            raise Failed(f"The value has {end - start} bytes.", "Read the file in parts.")
        return self._source.part(start, end).strip(b" \t\r\n"), len(self._spans)

    def _piece(self, piece: bytes, base: int, skip: int) -> int:
        at = skip
        while at < len(piece):
            pattern = _INSIDE if self._string >= 0 else _OUTSIDE
            match = pattern.search(piece, at)
            if match is None:
                break
            place, sign = match.start(), match.group()
            at = place + 1
            if sign == b"\\":
                at += 1
            elif self._string >= 0:
                self._close_string(base + place)
            elif sign == b'"':
                self._string = base + place
            else:
                self._structure(sign, base + place)
        return max(0, at - len(piece)) if at > len(piece) else 0

    def _close_string(self, place: int) -> None:
        start, self._string = self._string, -1
        if self._depth == 1 and self._names:
            text = self._source.part(start, place + 1) if place - start < BLOCK else b'""'
            try:
                self._wanted = json.loads(text.decode("utf-8", "surrogateescape")) == self._key
            except ValueError as error:
                raise Failed(f"{self._source.path!r} is no JSON object: {error}.") from error

    def _structure(self, sign: bytes, place: int) -> None:
        if not self._started:
            if sign != b"{" or self._source.part(0, place).strip(b" \t\r\n\xef\xbb\xbf"):
                raise Failed(f"{self._source.path!r} is no JSON object.")
            self._started = True
        elif self._ended:
            raise Failed(f"{self._source.path!r} is no JSON object: something follows it at byte {place}.")
        if sign in b"{[":
            self._depth += 1
        elif self._depth == 1 and sign == b":":
            self._names = False
            self._value = place + 1
        if self._depth == 1 and sign in b",}":
            self._end_value(place)
        if sign in b"}]":
            self._depth -= 1
            self._ended = self._depth == 0

    def _end_value(self, place: int) -> None:
        if self._wanted and self._value >= 0:
            self._spans.append((self._value, place))
        self._wanted, self._names, self._value = False, True, -1
