"""What runtimes print when a program dies: how it begins, and which lines belong to it."""

from __future__ import annotations

import re

import msgspec

from dabhand.handoff.evidence.text import Log

_MOST = 400  # lines
_BACK = 200  # lines above a line of a trace in which it may begin


class Trace(msgspec.Struct, frozen=True):
    """The form of a trace.

    Attributes:
        head: its first line.
        inside: every further line.
        resumed: the line after an empty one that still belongs to it; nothing does where it is empty.
        message: lines after the head that may be of any form, as the message that the head announces.
    """

    head: re.Pattern[str]
    inside: re.Pattern[str]
    resumed: re.Pattern[str] | None = None
    message: int = 0


_NOTE_OF_RUST = r"note: (?:run with|some details|panic did|the panic)"
TRACES = (
    Trace(  # Go: the message, then each goroutine with its calls and their places
        re.compile(r"^(?:panic: |fatal error: |goroutine \d+ \[|.*\bhttp: panic serving )"),
        re.compile(
            r"^(?:\t|\[signal |goroutine \d+ |created by |\s*panic: |\.\.\.\d* ?(?:additional )?frames"
            r"|runtime(?: stack)?[.:]"
            r"|[\w.\-/%*·\[\]{}()]+\([^()]*(?:\([^()]*\)[^()]*)*\)$|r[a-z0-9]{1,3}\s+0x|[cfg]s\s+0x)"
        ),
        re.compile(r"^(?:goroutine \d+ |\[signal |\t|runtime stack:|r[a-z0-9]{1,3}\s+0x)"),
    ),
    Trace(  # Rust: the message stands below its place
        re.compile(r".*\bpanicked at .*:$"),
        re.compile(
            rf"^(?:\s+\S|stack backtrace:|{_NOTE_OF_RUST}|expected substring|assertion )",
            re.IGNORECASE,
        ),
        message=1,
    ),
    Trace(  # Rust before 1.73: the message stands beside its place
        re.compile(r".*\bpanicked at "),
        re.compile(rf"^(?:\s+(?:\d+:|at |left:|right:) ?|stack backtrace:|{_NOTE_OF_RUST})", re.IGNORECASE),
    ),
    Trace(  # Python's exception groups are drawn as a tree
        re.compile(r"^\s*\+ Exception Group Traceback"),
        re.compile(r"^\s*(?:\||\+-)"),
    ),
    Trace(
        re.compile(r"^(?:PHP )?(?:Fatal error|Warning): .*\b(?:Uncaught|thrown)\b|^(?:PHP )?Stack trace:$"),
        re.compile(r"^(?:PHP )?(?:Stack trace:|\s*#?\d+[. ]|\s+thrown in )"),
    ),
    Trace(  # the kernel: what is not a call is registers and code
        re.compile(r"^(?:\[\s*[\d.]+\] ?)?\s*(?:Call Trace:|Backtrace:)"),
        re.compile(
            r"^(?:\[\s*[\d.]+\] ?)?\s*(?:</?\w+>|\?? ?\S+\+0x[\da-f]+/|RIP:"
            r"|R[A-Z\d]{2}: |Code: |\[<[\da-f]+>\])"
        ),
    ),
    Trace(  # sanitizers: until the first empty line
        re.compile(r"^(?:==\d+==\s?)?(?:ERROR|WARNING): \w+Sanitizer: "),
        re.compile(r"^(?:\s+#\d+ |(?:READ|WRITE) of size |.*\bis located\b|\s+\S)"),
    ),
)


def end_of_trace(log: Log, start: int) -> int | None:
    """Where the trace ends that a line heads; None if it heads none."""
    line = log.clean[start]
    for trace in TRACES:
        if trace.head.match(line):
            return _end(log, start, trace)
    return None


def start_of_trace(log: Log, place: int) -> int | None:
    """The head of the trace in which a line stands; None if it stands in none."""
    starts = [
        start
        for trace in TRACES
        if trace.inside.match(log.clean[place])
        if (start := _start(log, place, trace)) is not None
    ]
    return min(starts, default=None)


def _start(log: Log, place: int, trace: Trace) -> int | None:
    found = None
    message = trace.message
    for back in range(place - 1, max(place - _BACK, -1), -1):
        line = log.clean[back]
        if trace.head.match(line):
            if _end(log, back, trace) <= place:
                break
            found = back
        elif not (trace.inside.match(line) or (trace.resumed is not None and not line.strip())):
            message -= 1
            if message < 0:
                break
    return found


def _end(log: Log, start: int, trace: Trace) -> int:
    at = start + 1
    message = trace.message
    while at < min(len(log), start + _MOST):
        line = log.clean[at]
        if not line.strip():
            follows = log.clean[at + 1] if at + 1 < len(log) else ""
            if trace.resumed is None or not trace.resumed.match(follows):
                break
        elif not trace.inside.match(line):
            if not message:
                break
            message -= 1
        else:
            message = 0
        at += 1
    return at
