"""A log as text: its lines as they were, the same lines cleaned for matching, and which lines a pattern hits."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

from dabhand.handoff.evidence.finding import hits, may_hit

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])")
_STAMP = re.compile(
    r"^\ufeff?(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z ?|#\d+ (?:\d+\.\d+ )?(?=\S)"
    r"(?!/\S+\(\d+\)|\{main\}|0x|\[internal)|==\d+== ?)"
)
_LONG = 300_000  # characters of a log
_SAMPLE = 500  # lines
_DENSE = 0.15
_BACKSPACE = re.compile(r"[^\x08]\x08")


def cleaned(line: str) -> str:
    """A line as its program wrote it: no colours, no runner's time stamp, and of a progress line what came last."""
    if "\x1b" in line:
        line = _ESCAPES.sub("", line)
    if "\r" in line:
        line = next((part for part in reversed(line.split("\r")) if part.strip()), "")
    if "\x08" in line:
        line = _BACKSPACE.sub("", line)
    if line[:1] in "#2=\ufeff":
        line = _STAMP.sub("", line)  # what a runner puts before each line of what it runs
    return line.rstrip()


class Log:
    """Lines under their numbers, with set-valued questions about them.

    A question of a long log is asked of one long text, which costs a tenth of asking every line.

    Attributes:
        raw: the lines as they were, without their newline.
        numbers: the number of each in the whole output, counted from 1; parts of one line have the same.
        lengths: of the lines that they are, or are parts of.
        clean: the lines as they look on a terminal, of very long ones the beginning.
        total_chars: of the whole output, newlines too.
        total_lines: of the whole output.
        memory: what was found out about it, by name, so that it is found out once.
    """

    def __init__(
        self,
        raw: Sequence[str],
        numbers: Sequence[int] | None = None,
        *,
        lengths: Sequence[int] | None = None,
        total_chars: int | None = None,
        total_lines: int | None = None,
    ) -> None:
        """Take lines; without numbers they are a whole output."""
        self.raw = raw
        self.numbers = range(1, len(raw) + 1) if numbers is None else numbers
        self.lengths = list(map(len, raw)) if lengths is None else lengths
        self.total_chars = sum(map(len, raw)) + len(raw) if total_chars is None else total_chars
        self.total_lines = len(raw) if total_lines is None else total_lines
        self.clean = [cleaned(line) for line in raw]
        self.text = "\n".join(self.clean)
        self._lower: str | None = None
        self._lowered: list[str] | None = None
        self._bytes: dict[bool, tuple[bytes, list[int]]] = {}
        self._starts: list[int] = []
        at = 0
        for line in self.clean:
            self._starts.append(at)
            at += len(line) + 1
        self._kept: dict[tuple[str, bool], frozenset[int]] = {}
        self.memory: dict[str, Any] = {}

    def __len__(self) -> int:
        return len(self.raw)

    def hits(self, pattern: str, *, cased: bool = False) -> frozenset[int]:
        """The places (from 0) of all lines in which a regular expression matches; over small letters unless cased."""
        key = (pattern, cased)
        if key not in self._kept:
            self._kept[key] = frozenset(self._found(pattern, cased))
        return self._kept[key]

    def _found(self, pattern: str, cased: bool) -> Iterator[int]:
        lines = self.clean if cased else self.lowered
        if len(self.text) < _LONG:
            return hits(pattern, lines)
        search = re.compile(pattern).search
        sample = lines[:: max(len(lines) // _SAMPLE, 1)]
        if sum(search(line) is not None for line in sample) > len(sample) * _DENSE:
            return hits(pattern, lines)  # to stop at nearly every line costs more than to ask it
        encoded = self._encoded(cased)
        return (place for place in may_hit(pattern, *encoded) if search(lines[place]))

    def _encoded(self, cased: bool) -> tuple[bytes, list[int]]:
        """The text in bytes, and where each line begins in it."""
        if cased not in self._bytes:
            # What is no UTF-8 cannot be matched by a letter, so any other sign may stand for it.
            parts = [line.encode("utf-8", "replace") for line in (self.clean if cased else self.lowered)]
            starts = list(accumulate((len(part) + 1 for part in parts[:-1]), initial=0))
            self._bytes[cased] = (b"\n".join(parts), starts)
        return self._bytes[cased]

    def containing(self, text: str) -> frozenset[int]:
        """The places of all lines that contain a text as it is or, where none does, in whatever letters."""
        return self.hits(re.escape(text), cased=True) or self.hits(re.escape(text.lower()))

    def having(self, words: Sequence[str]) -> set[int]:
        """The places of all lines that contain one of some small-letter texts.

        A text that begins with a newline stands at the start of a line.
        """
        text = "\n" + self.lower
        found: set[int] = set()
        for word in words:
            at = text.find(word)
            while at >= 0:
                # The text is shifted by one newline, so that at, for a word at a line's start, is that line's start.
                place = bisect_right(self._starts, at if word[0] == "\n" else at - 1) - 1
                found.add(place)
                if place + 1 == len(self._starts):
                    break
                at = text.find(word, self._starts[place + 1])
        return found

    def lower_line(self, place: int) -> str:
        """The clean line at a place, in small letters."""
        return self.lowered[place]

    @property
    def lowered(self) -> list[str]:
        """The clean lines in small letters."""
        if self._lowered is None:
            self._lowered = self.lower.split("\n") if self.clean else []
        return self._lowered

    @property
    def lower(self) -> str:
        """The text in small letters, as long as the text itself."""
        if self._lower is None:
            lower = self.text.lower()
            # A few capitals become two characters when lowered; then only ASCII is lowered.
            self._lower = lower if len(lower) == len(self.text) else _ascii_lower(self.text)
        return self._lower


_CAPITALS = {ord(capital): capital.lower() for capital in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


def _ascii_lower(text: str) -> str:
    return text.translate(_CAPITALS)
