"""Parts of a kept result, read in this process: never more than an answer may hold, however large the result is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from dabhand.errors import UsageError
from dabhand.handoff.blocks import Source
from dabhand.handoff.inspecting import artifacts_of
from dabhand.handoff.packet import Line, line_to_json, text_field
from dabhand.interfaces.cli.artifact import span
from dabhand.interfaces.mcp import costs
from dabhand.interfaces.mcp.shortening import clipped

MOST_BYTES = 40_000
"""Read at once: more than fits into an answer of the cheapest text."""

ROOM = 3_000
"""Tokens of what is shown; it stands in the answer twice, as data and as text."""


def part_of(store: Path, name: str, lines: str | None, places: str | None) -> dict[str, Any]:
    """A part of a kept result, and what to ask for to go on (`next`).

    Args:
        store: the folder of the store.
        name: of the result.
        lines: A-B, from 1; by default all of them.
        places: bytes A-B, from 0; not together with lines.

    Raises:
        UsageError: there is no such range.
        DabhandError: there is no such result, or no longer.
    """
    if lines is not None and places is not None:
        raise UsageError("A result is read by lines or by bytes.", "Leave one of lines and bytes out.")
    artifacts = artifacts_of(store, os.environ)
    kept = artifacts.get(name)
    with Source(artifacts.open_raw(kept), name) as source:
        start, end, first = span(source, lines, places)
        told: dict[str, Any] = {"status": "ok", "total_lines": kept.lines, "total_bytes": kept.bytes}
        if start >= end and kept.bytes:
            told |= {"status": "no_match", "note": f"Nothing is there: it has {kept.lines} lines, {kept.bytes} bytes."}
        if first is None:
            return told | _as_bytes(source.part(start, min(end, start + MOST_BYTES)), start, end)
        last = (lines or "").partition("-")[2]
        return told | _as_lines(source, start, end, first, last)


def _as_bytes(data: bytes, start: int, end: int) -> dict[str, Any]:
    """As much as fits, not parting a letter where the rest comes later."""
    text = text_field(data.decode("utf-8", "surrogateescape"))
    while costs.size(text) > ROOM:
        data = data[: len(data) * 3 // 4]
        text = text_field(data.decode("utf-8", "surrogateescape"))
    if "base64" in text and start + len(data) < end:
        whole = data[: len(data) - _begun(data)]
        text = text_field(whole.decode("utf-8", "surrogateescape"))
        data = whole if whole else data
    stop = start + len(data)
    more = {"next": {"bytes": f"{stop}-{end - 1}"}} if stop < end else {}
    return {**text, "start": start, "end": stop, **more}


def _begun(data: bytes) -> int:
    """How many bytes at the end are the beginning of a letter (UTF-8)."""
    for back in range(1, min(4, len(data)) + 1):
        if data[-back] >= 0xC0:
            wanted = 2 + (data[-back] >= 0xE0) + (data[-back] >= 0xF0)
            return back if back < wanted else 0
        if data[-back] < 0x80:
            return 0
    return 0


def _as_lines(source: Source, start: int, end: int, first: int, last: str) -> dict[str, Any]:
    """The first lines that fit, whole; the first of all is cut where it alone does not."""
    data = source.part(start, min(end, start + MOST_BYTES))
    parts = data.removesuffix(b"\n").split(b"\n") if data else []
    lines, room, at = [], ROOM, start
    for n, part in enumerate(parts, first):
        line = line_to_json(Line(n, part.decode("utf-8", "surrogateescape")))
        room -= costs.size(line) + 1
        behind = at + len(part)
        if room < 0 or (behind == start + len(data) < end):
            break
        lines.append(line)
        at = behind + 1
    if parts and not lines:
        return _one_long(source, parts[0], start, first)
    if at < end:
        return {"output": {"lines": lines, "complete": False}, "next": {"lines": f"{first + len(lines)}-{last}"}}
    return {"output": {"lines": lines, "complete": True}}


def _one_long(source: Source, part: bytes, start: int, n: int) -> dict[str, Any]:
    """The beginning of a line that is longer than an answer."""
    after = source.after_lines(start, 1)[0]
    line = clipped(line_to_json(Line(n, part.decode("utf-8", "surrogateescape"))), ROOM)
    assert line is not None
    stop = start + len(part) - line.get("cut", 0)
    length = after - start - (source.part(after - 1, after) == b"\n")
    output = {"lines": [{**line, "cut": length - (stop - start)}], "complete": False}
    return {"output": output, "next": {"bytes": f"{stop}-{start + length - 1}"}}
