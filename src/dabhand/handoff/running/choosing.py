"""The evidence of a run, chosen from its raw result."""

from __future__ import annotations

from collections.abc import Iterator

from dabhand.handoff.packet import Evidence, Line
from dabhand.handoff.raw import Raw

BEGINNING, END = 4 << 20, 12 << 20
"""Of a raw result larger than both, the parts from which evidence is chosen: bytes, and `_EACH` for every line."""
_EACH = 64
"""What a line costs besides its bytes, so that a million short ones stay within the memory that is granted."""
_LONGEST = 64 << 10
"""Bytes of a line that are looked at."""


def chosen(raw: Raw, wish: str | None, *, failed: bool) -> tuple[Evidence, str]:
    """The lines that a wish asks for, and in a sentence what was left out ("" if nothing)."""
    if not raw.size:
        return Evidence((), "rules"), ""
    from dabhand.handoff.evidence import select  # half of what it takes to start, and often there is no output

    numbers, lines, whole = _lines_to_look_at(raw)
    selection = select(lines, wish, failed=failed)
    looked_at = {numbers[place - 1]: lines[place - 1] for place in selection.lines}
    long = {line.n: line for line in _long(raw, [n for n, text in looked_at.items() if len(text) == _LONGEST])}
    found = tuple(
        long.get(n) or Line(n, text.decode("utf-8", "surrogateescape")) for n, text in sorted(looked_at.items())
    )
    complete = selection.complete and whole and raw.complete
    reason = selection.reason if not selection.complete else ""
    if not whole:
        reason = (reason + " " if reason else "") + "Evidence was chosen from the beginning and the end only."
    kind = "bounded" if not whole and selection.selection == "rules" else selection.selection
    return Evidence(found, kind, complete), reason


def _lines_to_look_at(raw: Raw) -> tuple[list[int] | range, list[bytes], bool]:
    """Numbers and texts; whether that is all."""
    if raw.size + _EACH * raw.lines <= BEGINNING + END:
        lines = [line[:_LONGEST] for line in raw.rows()]
        return range(1, len(lines) + 1), lines, True
    begin, size = [], 0
    for line in raw.rows(_LONGEST):
        size += len(line) + _EACH
        if size > BEGINNING:
            break
        begin.append(line)
    tail = raw.tail(END).split(b"\n")[1:]
    if tail and not tail[-1]:
        tail.pop()
    size = 0
    for back, line in enumerate(reversed(tail)):
        size += len(line) + _EACH
        if size > END:
            tail = tail[len(tail) - back :]
            break
    first = raw.lines - len(tail) + 1
    return [*range(1, len(begin) + 1), *range(first, raw.lines + 1)], [*begin, *(one[:_LONGEST] for one in tail)], False


def _long(raw: Raw, wanted: list[int]) -> Iterator[Line]:
    """The lines of these numbers, which ascend, with how much of each is not here."""
    if not wanted:
        return
    left = set(wanted)
    for n, line in enumerate(raw.rows(), 1):
        if n in left:
            yield Line(n, line[:_LONGEST].decode("utf-8", "surrogateescape"), cut=max(len(line) - _LONGEST, 0))
        if n >= wanted[-1]:
            return
