"""Lines that are several: what a progress line showed before its last state, and pieces of enormous lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from dabhand.handoff.evidence.routine import shape

PIECE = 8_000
"""Characters that patterns are tried on at once; some take time that grows with its square."""

OVERLAP = 400
"""Characters that a piece of a line shares with the next, so that no text is cut in two."""


def unfolded(lines: Sequence[str], numbers: Sequence[int]) -> tuple[list[str], list[int], list[int]]:
    """Lines as rows to look at: their texts, the line's number and its length for each."""
    rows: list[str] = []
    of: list[int] = []
    lengths: list[int] = []
    for line, number in zip(lines, numbers, strict=True):
        parts = [line] if len(line) <= PIECE and "\r" not in line else list(_parts(line))
        rows += parts
        of += [number] * len(parts)
        lengths += [len(line)] * len(parts)
    return rows, of, lengths


def _parts(line: str) -> Iterator[str]:
    states = [state for state in line.split("\r") if state.strip()] if "\r" in line else [line]
    if len(states) < 2:
        yield from _pieces(line)
        return
    for _, alike in groupby(states, key=shape):
        *_, last = alike
        yield from _pieces(last)


def _pieces(line: str) -> Iterator[str]:
    if len(line) <= PIECE:
        yield line
        return
    step = PIECE - OVERLAP
    for start in range(0, max(len(line) - OVERLAP, 1), step):
        yield line[start : start + PIECE]
