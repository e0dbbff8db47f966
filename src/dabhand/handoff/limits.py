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
    if len(data) > limits.bytes:
        data = data[: data.rfind(raw.separator, 0, limits.bytes) + 1]
    if not data:
        return _cut(raw, 0, limits)
    count = data.count(raw.separator) + (not data.endswith(raw.separator))
    if count > limits.lines:
        count = limits.lines
        data = data[: len(data) - len(data.split(raw.separator, count)[-1])]
    return raw.lines_from(0, data, count), len(data)


def _last(raw: Raw, limits: Limits) -> tuple[tuple[Line, ...], int]:
    """The last lines, and how many bytes of the raw result they are."""
    if not limits.lines or not limits.bytes or not raw.lines:
        return (), 0
    data = raw.tail(limits.bytes + 1)
    if len(data) > limits.bytes:  # begins in the middle of a line, or with the end of one
        data = data[data.find(raw.separator, 0, len(data) - 1) + 1 or len(data) :]
    if not data:
        return _cut(raw, raw.lines - 1, limits)
    count = data.count(raw.separator) + (not data.endswith(raw.separator))
    if count > limits.lines:
        count = limits.lines
        data = data[len(data.removesuffix(raw.separator).rsplit(raw.separator, count)[0]) + 1 :]
    return raw.lines_from(raw.lines - count, data, count), len(data)


def _cut(raw: Raw, row: int, limits: Limits) -> tuple[tuple[Line, ...], int]:
    """The beginning of a line that is too long to be shown as a whole."""
    start, length = raw.place_of(row)
    data = raw.slice(start, min(length, limits.bytes))
    if len(data) == length:  # only what ends the line is too much
        return (raw.line(row, data),), min(length + 1, raw.size - start)
    data = whole_characters(data)
    return (raw.line(row, data, length - len(data)),), len(data)
