"""The evidence of a run, chosen from its raw result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dabhand.handoff.packet import Evidence, Line
from dabhand.handoff.raw import Raw

_LOOKED_AT = 8 << 20
"""Bytes of a line that are looked at."""
_LONGEST = 64 << 10
"""Bytes of a line that are shown."""


def chosen(raw: Raw, wish: str | None, *, failed: bool) -> tuple[Evidence, str]:
    """The lines that a wish asks for, and in a sentence what was left out ("" if nothing)."""
    if not raw.size:
        return Evidence((), "rules"), ""
    from dabhand.handoff.evidence import select  # half of what it takes to start, and often there is no output

    longer: list[int] = []
    selection = select(_looked_at(raw, longer), wish, failed=failed)
    found = tuple(_lines(raw, selection.lines))
    whole = not longer
    complete = selection.complete and whole and raw.complete
    reason = selection.reason if not selection.complete else ""
    if not whole:
        reason = (reason + " " if reason else "") + f"Of {len(longer)} enormous lines only the beginning was looked at."
    kind = "bounded" if not whole and selection.selection == "rules" else selection.selection
    return Evidence(found, kind, complete), reason


def _looked_at(raw: Raw, longer: list[int]) -> Iterator[bytes]:
    """Every line, of enormous ones the beginning; the numbers of those are added to `longer`."""
    for number, line in enumerate(raw.rows(_LOOKED_AT), 1):
        if len(line) >= _LOOKED_AT:
            longer.append(number)
        yield line


def _lines(raw: Raw, wanted: Sequence[int]) -> Iterator[Line]:
    """The lines of these numbers, which ascend, with how much of each is not here."""
    if not wanted:
        return
    left = set(wanted)
    for n, line in enumerate(raw.rows(), 1):
        if n in left:
            yield Line(n, line[:_LONGEST].decode("utf-8", "surrogateescape"), cut=max(len(line) - _LONGEST, 0))
        if n >= wanted[-1]:
            return
