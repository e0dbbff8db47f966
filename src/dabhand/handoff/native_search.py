"""Searching a file once, in constant memory: lines that match, with their numbers and the lines around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, pairwise

import msgspec
import stringzilla

from dabhand.handoff.blocks import BLOCK, Source, summed
from dabhand.handoff.matching import LAP, Matcher
from dabhand.handoff.raw import Raw, prefix

SEARCH_BLOCK = 4 << 20
"""Bytes that a search reads at once; measured: of 1, 2 and 4 MB the quickest."""
_NEWLINE = 0x0A
FEW, NEAR = 24, 1 << 20
"""So many matches within so many bytes, and the rest of a block is looked at as a whole instead of match by match;
measured."""


class Hits(msgspec.Struct, frozen=True, gc=False):
    """Lines that match.

    Attributes:
        numbers: theirs.
        start: where the only one begins.
        end: where it ends, its newline included.
        text: all of it, if it is not very long.
        lines: several, without their newlines.
        ends_open: the last of them is the file's last, and has no newline.
    """

    numbers: Sequence[int]
    start: int = 0
    end: int = 0
    text: bytes | None = None
    lines: Sequence[bytes] = ()
    ends_open: bool = False


class Scan:
    """Goes through a file and yields its matching lines.

    Args:
        source: the file, which may be read meanwhile.
        matcher: what is looked for.
        together: many matches may come at once, as their lines.

    Attributes:
        partly: numbers of lines that are too long for every match to be found.
    """

    def __init__(self, source: Source, matcher: Matcher, *, together: bool) -> None:
        self._source, self._matcher, self._together = source, matcher, together
        self._buffer = bytearray(min(source.size, SEARCH_BLOCK))
        self.partly: list[int] = []
        self._at = 0
        self._n = 1  # the number of the line that begins at `_counted`
        self._counted = 0
        self._always = False  # newlines are counted whether something was found or not

    def hits(self) -> Iterator[Hits]:
        """Every line that matches, in order."""
        source = self._source
        while self._at < source.size:
            got = source.into(self._buffer, self._at)
            end = got
            if self._at + got < source.size:
                end = self._buffer.rfind(b"\n", 0, got) + 1
            if end:
                yield from self._in_block(end)
                self._at += end
            else:
                yield from self._long_line()

    def _count_to(self, place: int) -> None:
        """Know the number of the line that begins at a place in the block, of which nothing before is needed any more.

        Until something is found no newline is counted: they are of no use where nothing is. Then what was passed over
        is read once more, and from there on every block is counted while it is at hand.
        """
        if self._counted < self._at:
            self._n += self._source.newlines(self._counted, self._at)
            self._counted, self._always = self._at, True
        view = memoryview(self._buffer)[self._counted - self._at : place - self._at]
        self._n += summed(view) if view else 0
        self._counted = place

    def _in_block(self, end: int) -> Iterator[Hits]:
        spans = self._matcher.spans(self._buffer, end)
        while batch := list(islice(spans, FEW)):
            texts = [bytes(memoryview(self._buffer)[start:stop]) for start, stop in batch]
            for (start, stop), text in zip(batch, texts, strict=True):
                self._count_to(self._at + start)
                yield Hits((self._n,), self._at + start, self._at + stop, text)
                self._counted, self._n = self._at + stop, self._n + 1
            last = batch[-1][1]
            if self._together and len(batch) == FEW and last - batch[0][0] < NEAR:
                yield from self._rest(last, end)
                return
        if self._always or self._counted > self._at:
            self._always = True
            self._count_to(self._at + end)

    def _rest(self, start: int, end: int) -> Iterator[Hits]:
        view = memoryview(self._buffer)[start:end]
        if not view:
            return
        rows = self._matcher.rows(view)
        if rows:
            lines = stringzilla.Str(view).split(b"\n")
            texts = [bytes(lines[row]) for row in rows]
            last = self._at + end == self._source.size and view[-1] != _NEWLINE and rows[-1] == len(lines) - 1
            yield Hits([self._n + row for row in rows], lines=texts, ends_open=last)
        self._n += stringzilla.count(view, b"\n")
        self._counted, self._always = self._at + end, True

    def _long_line(self) -> Iterator[Hits]:
        stop = self._source.line_end(self._at)
        found = self._matcher.long_line(self._source, self._at, stop)
        if found or found is None:
            self._count_to(self._at)
        if found is None:
            self.partly.append(self._n)
        if found:
            yield Hits((self._n,), self._at, stop)
        if self._counted == self._at:
            self._n, self._counted = self._n + 1, stop
        self._at = stop


class Found(msgspec.Struct, frozen=True):
    """How a search of one file went."""

    matches: int
    notes: tuple[str, ...] = ()


def search_file(
    source: Source,
    matcher: Matcher,
    raw: Raw,
    *,
    before: int,
    after: int,
    most: int | None,
    path: str | None,
) -> Found:
    """Write the lines of a file that match, and those around them.

    Args:
        source: the file.
        matcher: what is looked for.
        raw: takes the lines.
        before: lines of context before a match.
        after: lines of context after a match.
        most: matches at most.
        path: what each line begins with, together with its number; None for nothing.
    """
    if source.size <= SEARCH_BLOCK:
        return _search_whole(source, matcher, raw, before, after, most, path)
    scan = Scan(source, matcher, together=not before and not after)
    writing = _Writing(source, raw, path)
    matches = owed = 0
    for hits in scan.hits() if most != 0 else ():
        if hits.lines:
            room = len(hits.lines) if most is None else most - matches
            writing.put_each(hits.lines[:room], hits.numbers[:room], hits.ends_open and room >= len(hits.lines))
            matches += min(room, len(hits.lines))
        elif hits.numbers:
            n = hits.numbers[0]
            if before or after:
                _around(writing, n, hits.start, owed, before)
            writing.put(n, 1, hits.start, hits.end, matched=True, text=hits.text)
            matches, owed = matches + 1, after
        if matches == most:
            break
    if owed:
        end, lines = source.after_lines(writing.end, owed)
        writing.put(writing.n, lines, writing.end, end, matched=False)
    return Found(matches, tuple(_partly(source.path, n) for n in scan.partly))


def _search_whole(
    source: Source, matcher: Matcher, raw: Raw, before: int, after: int, most: int | None, path: str | None
) -> Found:
    """Search a file that is held as a whole: no line is looked at twice."""
    data = source.part(0, source.size)
    rows = matcher.rows(memoryview(data))[:most] if data else []
    if not rows:
        return Found(0)
    text = stringzilla.Str(data)
    lines = text.split(b"\n")
    total = len(lines) - data.endswith(b"\n")
    if before or after:
        _put_around(data, text, lines, rows, before, after, raw, path, total)
    else:
        numbers = [row + 1 for row in rows]
        ending = b"\n" if path is not None or rows[-1] < total - 1 or data.endswith(b"\n") else b""
        texts: Iterable[bytes] = map(lines.__getitem__, rows)
        if path is not None:
            texts = (prefix(path, n, matched=True) + bytes(line) for n, line in zip(numbers, texts, strict=True))
        raw.add_each(b"\n".join(texts) + ending, numbers)
    return Found(len(rows))


def _put_around(
    data: bytes,
    text: stringzilla.Str,
    lines: stringzilla.Strs,
    rows: Sequence[int],
    before: int,
    after: int,
    raw: Raw,
    path: str | None,
    total: int,
) -> None:
    """Write lines that match and those around them; where each comes from only for as many as are to be told."""
    begins, ends = _spans(rows, before, after, total)
    count = sum(ends) - sum(begins)
    every = chain.from_iterable(map(range, begins, ends))
    wanted = list(every if path is not None else islice(every, raw.room))
    matching = frozenset(rows)
    matched = [row in matching for row in wanted]
    numbers = [row + 1 for row in wanted]
    if path is None:
        starts = [lines[row].offset_within(text) for row in begins]
        stops = [len(data) if row >= total else lines[row].offset_within(text) for row in ends]
        raw.add_each(b"".join(map(data.__getitem__, map(slice, starts, stops))), numbers, matched, count)
        return
    prefixes = [prefix(path, n, matched=hit) for n, hit in zip(numbers, matched, strict=True)]
    texts = [start + bytes(lines[row]) for start, row in zip(prefixes, wanted, strict=True)]
    raw.add_each(b"\n".join(texts) + b"\n", numbers, matched)


def _spans(rows: Sequence[int], before: int, after: int, total: int) -> tuple[list[int], list[int]]:
    """First rows of stretches of rows that match and those around them, and the rows behind the last; none touch."""
    most = before + after + 1
    apart = [place for place, (one, other) in enumerate(pairwise(rows), 1) if other - one > most]
    begins = [max(0, rows[0] - before), *(rows[place] - before for place in apart)]
    ends = [*(rows[place - 1] + 1 + after for place in apart), min(rows[-1] + 1 + after, total)]
    return begins, ends


def _around(writing: _Writing, n: int, start: int, owed: int, before: int) -> None:
    """Write what is owed of the lines after the last match, and the lines before this one."""
    source = writing.source
    between = n - writing.n
    if owed and between:
        count = min(owed, between)
        end, lines = source.after_lines(writing.end, count) if count < between else (start, between)
        writing.put(writing.n, lines, writing.end, end, matched=False)
    if before and writing.end < start:
        begin, lines = source.before_lines(start, before, writing.end)
        writing.put(n - lines, lines, begin, start, matched=False)


class _Writing:
    """Puts lines of a file into the raw result, and knows how far it has come."""

    def __init__(self, source: Source, raw: Raw, path: str | None) -> None:
        self.source, self._raw, self._path = source, raw, path
        self.end, self.n = 0, 1

    def put(self, n: int, lines: int, start: int, end: int, *, matched: bool, text: bytes | None = None) -> None:
        """Write `lines` whole lines that lie between two places; `text` where it is at hand."""
        if start >= end:
            return
        self.end, self.n = end, n + lines

        if self._path is None:
            if text is not None:
                self._raw.add(text, lines, n, matched=matched)
                return
            self._raw.add(b"", 0, n, matched=matched)
            for piece in self.source.pieces(start, end):
                self._raw.write(piece, 0)
            self._raw.lines += lines
            return
        if text is None and end - start > BLOCK:
            self._long(n, lines, start, end, matched)
            return
        text = self.source.part(start, end) if text is None else text
        for at, line in enumerate(text.removesuffix(b"\n").split(b"\n"), n):
            self._raw.add(prefix(self._path, at, matched=matched) + line + b"\n", 1, at, matched=matched)

    def put_each(self, lines: Sequence[bytes], numbers: Sequence[int], ends_open: bool) -> None:
        """Write lines that match, without their newlines, of which the last has none if it `ends_open`."""
        if self._path is not None:
            start, ends_open = self._path, False
            lines = [prefix(start, n, matched=True) + line for n, line in zip(numbers, lines, strict=True)]
        if lines:
            self._raw.add_each(b"\n".join(lines) + (b"" if ends_open else b"\n"), numbers)

    def _long(self, n: int, lines: int, start: int, end: int, matched: bool) -> None:
        for at in range(n, n + lines):
            stop = self.source.line_end(start)
            self._raw.add(prefix(self._path or "", at, matched=matched), 0, at, matched=matched)
            for piece in self.source.pieces(start, stop):
                self._raw.write(piece, 0)
            self._raw.write(b"" if self.source.part(stop - 1, stop) == b"\n" else b"\n", 0)
            self._raw.lines += 1
            start = stop


def _partly(path: str, n: int) -> str:
    return f"Line {n} of {path!r} is very long, and matches of more than {LAP >> 20} MB in it were not looked for."


def count_file(source: Source, matcher: Matcher) -> Found:
    """How many lines of a file match."""
    if source.size <= SEARCH_BLOCK:
        return Found(len(matcher.rows(memoryview(source.part(0, source.size)))) if source.size else 0)
    scan = Scan(source, matcher, together=True)
    matches = sum(len(hits.numbers) for hits in scan.hits())
    return Found(matches, tuple(_partly(source.path, n) for n in scan.partly))
