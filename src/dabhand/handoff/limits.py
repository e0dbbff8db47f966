"""What is shown of a raw result: whole lines within limits on lines and bytes, and a count of all that is left out."""

from __future__ import annotations

import msgspec

from dabhand.errors import UsageError
from dabhand.handoff.outcome import Done
from dabhand.handoff.packet import Line, Output
from dabhand.handoff.raw import Raw, whole_characters

MAX_LINES = 1000
MAX_BYTES = 64 << 10


class Limits(msgspec.Struct, frozen=True):
    """How much is shown.

    Attributes:
        lines: at most.
        bytes: at most, newlines included. A line that by itself is longer than that is cut, and is the only one then.
    """

    lines: int = MAX_LINES
    bytes: int = MAX_BYTES

    def checked(self) -> Limits:
        """The same limits.

        Raises:
            UsageError: one is below zero.
        """
        if self.lines < 0 or self.bytes < 0:
            raise UsageError("A limit on the output is below zero.", "Give --max-lines and --max-bytes of 0 or more.")
        return self


def output_of(raw: Raw, done: Done, limits: Limits, *, from_end: bool) -> Output:
    """What is shown.

    Args:
        raw: the result.
        done: how it came to be.
        limits: how much is shown.
        from_end: where not all is shown, it is the last lines and not the first.
    """
    lines, size = _last(raw, limits) if from_end else _first(raw, limits)
    return Output(
        lines=lines,
        total_lines=done.total_lines if done.of_file else raw.lines,
        total_bytes=done.total_bytes if done.of_file else raw.size,
        complete=raw.complete and size == raw.size,
        omitted_lines=raw.lines - len(lines),
        omitted_bytes=raw.size - size,
    )


def _first(raw: Raw, limits: Limits) -> tuple[tuple[Line, ...], int]:
    """The first lines, and how many bytes of the raw result they are."""
    if not limits.lines or not limits.bytes or not raw.lines:
        return (), 0
    data = raw.slice(0, limits.bytes + 1)
    parts = data.split(raw.separator, limits.lines)
    if len(parts) > limits.lines or data.endswith(raw.separator) or len(data) < raw.size or len(data) > limits.bytes:
        parts.pop()  # what follows, or the beginning of a line whose end is not here
    if not parts:
        return _cut(raw, 0, limits)
    size = min(sum(map(len, parts)) + len(parts), raw.size)
    if size > limits.bytes:
        parts.pop()
        size = sum(map(len, parts)) + len(parts)
    return (raw.lines_from(0, parts), size) if parts else _cut(raw, 0, limits)


def _last(raw: Raw, limits: Limits) -> tuple[tuple[Line, ...], int]:
    """The last lines, and how many bytes of the raw result they are."""
    if not limits.lines or not limits.bytes or not raw.lines:
        return (), 0
    data = raw.tail(limits.bytes + 1)
    parts = data.removesuffix(raw.separator).split(raw.separator)
    if raw.size > len(data):
        parts.pop(0)  # what is left of a line whose beginning is not here, or the end of the one before
    elif len(data) > limits.bytes:
        parts.pop(0)
    parts = parts[-limits.lines :]
    if not parts:
        return _cut(raw, raw.lines - 1, limits)
    first = raw.lines - len(parts)
    size = sum(map(len, parts)) + len(parts) - (not data.endswith(raw.separator))
    return raw.lines_from(first, parts), size


def _cut(raw: Raw, row: int, limits: Limits) -> tuple[tuple[Line, ...], int]:
    """The beginning of a line that is too long to be shown as a whole."""
    start, length = raw.place_of(row)
    data = raw.slice(start, min(length, limits.bytes))
    if len(data) == length:  # only what ends the line is too much
        return (raw.line(row, data),), min(length + 1, raw.size - start)
    data = whole_characters(data)
    return (raw.line(row, data, length - len(data)),), len(data)
