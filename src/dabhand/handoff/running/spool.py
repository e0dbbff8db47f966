"""Both streams of a command as one raw result, line by line in order of arrival, in constant memory.

A line goes to the raw result when it is whole, so two streams never mix within a line; one that outgrows `LONGEST` goes
in pieces. Line numbers, everywhere, are those of the raw result; which of them are standard error's is kept as runs.
"""

from __future__ import annotations

from array import array
from collections import deque

import msgspec

from dabhand.handoff.raw import Raw, whole_characters
from dabhand.handoff.running.process import Stream

LONGEST = 1 << 20
"""Bytes of an unfinished line that are held back."""
LARGEST = 256 << 20
"""Bytes of raw result that are kept; what comes after is counted, and its last lines are remembered."""
MOST_RUNS = 100_000
"""How many changes from one stream to the other are kept."""
_SHOWN_PIECE = 64 << 10


class Numbered(msgspec.Struct, frozen=True):
    """A line: its number in the raw result, its text without the newline, and how many bytes of it are not here."""

    n: int
    text: bytes
    cut: int = 0

    @property
    def size(self) -> int:
        """Bytes with the newline."""
        return len(self.text) + 1


class _Ends:
    """The first and the last lines of a stream, so far as they may be shown."""

    def __init__(self, most_lines: int, most_bytes: int) -> None:
        self.most_lines, self.most_bytes = most_lines, most_bytes
        self.first: list[Numbered] = []
        self.last: deque[Numbered] = deque()
        self.first_size = self.last_size = 0

    def add(self, n: int, block: bytes, count: int) -> None:
        """Take in lines, of which the first has the number `n`; of a large block only its ends are looked at."""
        if count <= 2 * self.most_lines:
            for at, text in enumerate(block.split(b"\n", count - 1) if count > 1 else [block]):
                self._add(_numbered(n + at, text))
            return
        for at, text in enumerate(block.split(b"\n", self.most_lines)[: self.most_lines]):
            self._add(_numbered(n + at, text))
        tail = block.removesuffix(b"\n").rsplit(b"\n", self.most_lines)[1:]
        for at, text in enumerate(tail, n + count - len(tail)):
            self._add(_numbered(at, text))

    def go_on(self, more: bytes) -> None:
        """The last line goes on."""
        for kept in (self.first, self.last):
            if kept and kept[-1].n == (self.last[-1].n if self.last else kept[-1].n):
                whole = kept[-1]
                room = max(_SHOWN_PIECE - len(whole.text), 0)
                more = more.removesuffix(b"\n")
                kept[-1] = Numbered(whole.n, whole.text + more[:room], whole.cut + max(len(more) - room, 0))

    def _add(self, line: Numbered) -> None:
        if len(self.first) < self.most_lines and self.first_size < self.most_bytes:
            self.first.append(line)
            self.first_size += line.size
        self.last.append(line)
        self.last_size += line.size
        while len(self.last) > self.most_lines or (len(self.last) > 1 and self.last_size > 2 * self.most_bytes):
            self.last_size -= self.last.popleft().size


def _numbered(n: int, text: bytes) -> Numbered:
    text = text.removesuffix(b"\n")
    return Numbered(n, text[:_SHOWN_PIECE], max(len(text) - _SHOWN_PIECE, 0))


class Side:
    """What is known of one stream.

    Attributes:
        lines: how many; a last one without a newline is one.
        bytes: how many, kept or not.
        ends: its first and last lines.
    """

    def __init__(self, stream: Stream, most_lines: int, most_bytes: int) -> None:
        self.stream = stream
        self.pending = bytearray()
        self.lines = self.bytes = 0
        self.begun = False  # part of the unfinished line has gone to the raw result already
        self.ends = _Ends(most_lines, most_bytes)


class Spool:
    """Takes in output and writes the raw result.

    Args:
        raw: the result.
        most_lines: how many lines of either stream may be shown.
        most_bytes: how many bytes of them.
        largest: bytes of raw result to keep.

    Attributes:
        sides: the two streams.
        dropped: bytes that are not in the raw result.
        broken_lines: newlines that were put in because the other stream came in the middle of an unfinished line.
        runs: for each change of stream, the line (from 1) and 1 for standard error.
    """

    def __init__(self, raw: Raw, *, most_lines: int, most_bytes: int, largest: int = LARGEST) -> None:
        self.raw, self._largest = raw, largest
        streams: tuple[Stream, ...] = ("stdout", "stderr")
        self.sides: dict[Stream, Side] = {one: Side(one, most_lines, most_bytes) for one in streams}
        self._open: Side | None = None  # whose unfinished line the raw result ends with
        self._lines = 0
        self.dropped = self.broken_lines = 0
        self.runs = array("q")

    def take(self, stream: Stream, piece: bytes) -> None:
        """Take in a piece of output."""
        side = self.sides[stream]
        side.bytes += len(piece)
        whole, newline, rest = piece.rpartition(b"\n")
        if newline:
            block = bytes(side.pending) + whole + b"\n"
            side.pending.clear()
            self._put(side, block)
        side.pending += rest
        if len(side.pending) > LONGEST:
            self._put(side, bytes(side.pending))
            side.pending.clear()

    def finish(self) -> None:
        """Write what is unfinished."""
        for side in self.sides.values():
            if side.pending:
                self._put(side, bytes(side.pending))
                side.pending.clear()
        self.raw.complete = self.dropped == 0

    def _put(self, side: Side, block: bytes) -> None:
        """Write whole lines, or at most one unfinished at the end, all of one stream."""
        if self._open is not None and self._open is not side:
            self._write(b"\n", 0)
            self.broken_lines += 1
            self._open = None
        count = block.count(b"\n") + (not block.endswith(b"\n"))
        goes_on = self._open is side
        if goes_on:
            head, _, block_rest = block.partition(b"\n")
            side.ends.go_on(head)
            new = count - 1
            if new:
                side.ends.add(self._lines + 1, block_rest, new)
        else:
            new = count
            self._change_to(side)
            side.ends.add(self._lines + 1, block, new)
        side.lines += count - (1 if side.begun else 0)
        side.begun = not block.endswith(b"\n")
        self._open = side if side.begun else None
        self._lines += new
        self._write(block, new)

    def _change_to(self, side: Side) -> None:
        flag = int(side.stream == "stderr")
        if (not self.runs or self.runs[-1] != flag) and len(self.runs) < 2 * MOST_RUNS:
            self.runs.extend((self._lines + 1, flag))

    def _write(self, block: bytes, new: int) -> None:
        """Write while there is room; from the first line that is left out on, all is left out."""
        if self.dropped:
            self.dropped += len(block)
            return
        room = self._largest - self.raw.size
        if len(block) > room:
            keep = block[: max(room, 0)]
            keep = keep[: keep.rfind(b"\n") + 1]
            self.dropped += len(block) - len(keep)
            left_out = block.count(b"\n", len(keep)) + (not block.endswith(b"\n"))
            block, new = keep, max(new - left_out, 0)
        if block:
            self.raw.write(block, new)


def shown(side: Side, *, most_lines: int, most_bytes: int) -> tuple[Numbered, ...]:
    """The lines of a stream that are shown: all of them, or a third from its beginning and the rest from its end."""
    first, last = side.ends.first, list(side.ends.last)
    if len(first) == side.lines <= most_lines and side.bytes <= most_bytes:
        return tuple(first)
    if side.begun and last:  # without a newline behind it
        most_bytes += 1
    begin = _within(first, most_lines // 3, most_bytes // 3)
    used = sum(line.size for line in begin)
    after = begin[-1].n if begin else 0
    rest = [line for line in reversed(last) if line.n > after]
    end = _within(rest, most_lines - len(begin), most_bytes - used)
    if not begin and not end and last and most_lines and most_bytes:  # one line alone is too long
        most_bytes -= side.begun
        only = last[-1]
        text = only.text if len(only.text) <= most_bytes else whole_characters(only.text[:most_bytes])
        end = [Numbered(only.n, text, only.cut + len(only.text) - len(text))]
    return (*begin, *reversed(end))


def _within(lines: list[Numbered], most_lines: int, most_bytes: int) -> list[Numbered]:
    """As many as fit, in their order."""
    taken: list[Numbered] = []
    size = 0
    for line in lines[:most_lines]:
        size += line.size
        if size > most_bytes:
            break
        taken.append(line)
    return taken
