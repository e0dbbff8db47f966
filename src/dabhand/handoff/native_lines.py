"""A part of one file: its first or last lines, a range, all of it, or how many lines it has."""

from __future__ import annotations

import stringzilla

from dabhand.handoff.blocks import Source
from dabhand.handoff.plan import FirstLines, LastLines, LineRange, WholeFile
from dabhand.handoff.raw import Raw


def read_part(source: Source, plan: FirstLines | LastLines | LineRange | WholeFile, raw: Raw) -> None:
    """Write the part of the file that a plan names."""
    match plan:
        case WholeFile():
            _copy(source, raw, 0, source.size, None, 1)
        case FirstLines(count=count):
            end, lines = source.after_lines(0, count)
            _copy(source, raw, 0, end, lines, 1)
        case LineRange(first=first, last=last):
            _range(source, raw, first, last)
        case LastLines(count=count):
            start, lines = source.before_lines(source.size, count)
            before = source.line_number_at(start)
            _copy(source, raw, start, source.size, lines, -lines if before is None else before + 1)


def _range(source: Source, raw: Raw, first: int, last: int | None) -> None:
    start, before = source.after_lines(0, first - 1) if first > 1 else (0, 0)
    if before < first - 1:
        return
    if last is None:
        _copy(source, raw, start, source.size, None, first)
        return
    end, lines = source.after_lines(start, last - first + 1)
    _copy(source, raw, start, end, lines, first)


def _copy(source: Source, raw: Raw, start: int, end: int, lines: int | None, n: int) -> None:
    """Write everything between two places; `lines` where it is known how many that are."""
    if start >= end:
        return
    raw.add(b"", 0, n)
    for piece in source.pieces(start, end):
        start += len(piece)
        raw.write(piece, (0 if lines is not None else stringzilla.count(piece, b"\n")))
    raw.lines += lines if lines is not None else source.ends_open and end == source.size
