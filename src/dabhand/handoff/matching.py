"""What a line must hold: a text, found at memory speed, or a regular expression, found in linear time (RE2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import accumulate, islice, repeat
from typing import Any, Protocol

import stringzilla

from dabhand.handoff.blocks import BLOCK, Source
from dabhand.handoff.plan import CountMatches, PlanError, Search
from dabhand.workspace.state import encode_text

WINDOW = 8 << 20
"""Bytes of one long line that a regular expression looks at at once."""
LAP = 1 << 20
"""Bytes that one such window shares with the next: matches up to that length are found wherever they are."""
LONGEST_VALUE = 1 << 16
_NEWLINE = 0x0A
_ANCHORED = re.compile(rb"\\[AzC]|\(\?[a-zA-Z]*-[a-zA-Z]*m")


_ALSO_BEYOND_ASCII = frozenset(b"ks")
"""Letters that have a third form: the sign of Kelvin, and the long s."""


class Matcher(Protocol):
    """Finds lines that match."""

    def spans(self, buffer: bytearray, end: int) -> Iterator[tuple[int, int]]:
        """Start and end (newline included) of every line that matches among whole lines at the front of a buffer."""
        ...

    def rows(self, block: memoryview) -> list[int]:
        """Which of a block's whole lines match, counted from 0; the quickest where many do."""
        ...

    def long_line(self, source: Source, start: int, end: int) -> bool | None:
        """Whether a line that is longer than a block matches; None where nothing was found and a long match may be."""
        ...


def matcher_of(plan: Search | CountMatches) -> Matcher:
    """What a plan looks for.

    Raises:
        PlanError: the regular expression is none, or the value is longer than can be searched for.
    """
    value = encode_text(plan.value)
    if len(value) > LONGEST_VALUE:
        raise PlanError(f"The value has {len(value)} bytes.", f"Look for at most {LONGEST_VALUE}.")
    return Pattern(value, plan) if plan.regex or plan.ignore_case else Literal(value)


def rows_with(block: memoryview, value: bytes) -> list[int]:
    """Which of a block's lines, counted from 0, hold a text that is within one line."""
    text = stringzilla.Str(block)
    if text.count(value) > text.count(b"\n") // 2:
        return [row for row, line in enumerate(text.split(b"\n")) if value in line]
    pieces = text.split(value)
    before = map(stringzilla.Str.count, pieces, repeat(b"\n"))
    return list(dict.fromkeys(islice(accumulate(before), len(pieces) - 1)))


class Literal:
    """A text as it is."""

    def __init__(self, value: bytes) -> None:
        self._value = value

    def spans(self, buffer: bytearray, end: int) -> Iterator[tuple[int, int]]:
        """See `Matcher`."""
        value, at = self._value, 0
        while (found := stringzilla.find(buffer, value, at, end)) >= 0:
            start = buffer.rfind(b"\n", at, found) + 1 or at
            at = buffer.find(b"\n", found, end) + 1 or end
            yield start, at

    def rows(self, block: memoryview) -> list[int]:
        """See `Matcher`."""
        return rows_with(block, self._value)

    def long_line(self, source: Source, start: int, end: int) -> bool | None:
        """See `Matcher`."""
        lap = len(self._value) - 1
        while start < end:
            if self._value in source.part(start, min(end, start + BLOCK + lap)):
                return True
            start += BLOCK
        return False


class Pattern:
    """A regular expression, or a text in either case."""

    def __init__(self, value: bytes, plan: Search | CountMatches) -> None:
        import re2

        options = re2.Options()
        options.never_nl = True
        options.log_errors = False
        options.never_capture = True
        options.case_sensitive = not plan.ignore_case
        pattern = b"(?m)" + (value if plan.regex else re2.escape(value))
        try:
            compiled: Any = re2.compile(pattern, options)
        except re2.error as error:
            said = error.args[0].decode("utf-8", "replace") if error.args else "it cannot be read"
            raise PlanError(
                f"The regular expression {plan.value!r} cannot be used: {said.replace('(?m)', '', 1)}.",
                "The syntax is that of RE2, which has no look-around and no back references.",
            ) from error
        self._search, self._span = compiled.search, bound_span(compiled) or found_span(compiled)
        self._unbounded = plan.regex and any(sign in value for sign in b"*+{")
        self._lower = value.lower() if not plan.regex and value.isascii() else b""
        self._plain = not set(self._lower) & _ALSO_BEYOND_ASCII
        self._by_line = plan.regex and _ANCHORED.search(value) is not None

    def spans(self, buffer: bytearray, end: int) -> Iterator[tuple[int, int]]:
        """See `Matcher`."""
        if self._by_line:
            yield from self._one_by_one(bytes(memoryview(buffer)[:end]))
            return
        for at, place, line_end in self._places(buffer, end):
            yield buffer.rfind(b"\n", at, place) + 1 or at, line_end

    def _places(self, buffer: bytearray, end: int) -> Iterator[tuple[int, int, int]]:
        """Of every line that matches: where what follows the last one begins, where it matches, and where it ends."""
        at, span, find = 0, self._span, buffer.find
        while at < end and (place := span(buffer, at, end)[0]) >= 0:
            if place == end and buffer[end - 1] == _NEWLINE:
                return  # behind the last newline there is no line
            before, at = at, find(b"\n", place, end) + 1 or end
            yield before, place, at

    def _one_by_one(self, text: bytes) -> Iterator[tuple[int, int]]:
        at = 0
        while at < len(text):
            end = text.find(b"\n", at) + 1 or len(text)
            if self._search(text[at:end].removesuffix(b"\n")) is not None:
                yield at, end
            at = end

    def rows(self, block: memoryview) -> list[int]:
        """See `Matcher`."""
        data = bytearray(block)
        if self._lower and (self._plain or data.isascii()):
            return rows_with(memoryview(data.lower()), self._lower)
        if self._by_line:
            places = [start for start, _ in self._one_by_one(bytes(data))]
        else:
            places = [place for _, place, _ in self._places(data, len(data))]
        return list(accumulate(map(data.count, repeat(b"\n"), [0, *places], places)))

    def long_line(self, source: Source, start: int, end: int) -> bool | None:
        """See `Matcher`."""
        at = start
        while True:
            stop = min(at + WINDOW, end)
            text = source.part(at, stop).removesuffix(b"\n")
            found = self._search(text)
            # What touches an end that only the window has may be no match in the line.
            if found and (found.start() or at == start) and (found.end() < len(text) or stop == end):
                return True
            if stop == end:
                return None if self._unbounded else False
            at = stop - LAP


_Span = Callable[[bytearray, int, int], tuple[int, int]]


def found_span(compiled: Any) -> _Span:
    """Where a compiled expression first matches between two places; below zero for nowhere."""

    def span(buffer: bytearray, at: int, end: int) -> tuple[int, int]:
        found = compiled.search(buffer, at, end)
        return (-1, -1) if found is None else found.span()

    return span


def bound_span(compiled: Any) -> _Span | None:
    """The same from what google-re2 wraps, if it is there: an object for each match takes four times as long."""
    import re2

    try:
        match, anywhere = compiled._regexp.Match, re2._re2.RE2.Anchor.UNANCHORED
    except AttributeError:
        return None

    def span(buffer: bytearray, at: int, end: int) -> tuple[int, int]:
        where: tuple[int, int] = match(anywhere, buffer, at, end)[0]
        return where

    return span
