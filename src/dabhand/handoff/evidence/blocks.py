"""Lines that belong together: a diagnostic and its caret, a traceback, the report of a failed test."""

from __future__ import annotations

import re

from dabhand.handoff.evidence.text import Log

_MOST = 400  # lines of one block; longer is no block but a section of the log
_BANNER = re.compile(r"^\s*(?P<mark>[=_#*~-])(?P=mark){3,}(?:\s.*\S)?\s*(?:(?P=mark){3,})?$")
_TITLED = re.compile(r"^\s*([=_#*~-])\1{2,}\s+\S.*\S\s+\1{2,}\s*$")
_HEADING = re.compile(
    r"^(?:\s*\S+?[:(]\d+(?:[:,]\d+)?\)?:?\s.*|(?:error|warning|note|help)(?:\[\w+\])?: .*)$", re.IGNORECASE
)
_NEW = re.compile(
    r"^(?:\S+?[:(]\d+(?:[:,]\d+)?\)?:?\s|(?:error|warning)(?:\[\w+\])?: |\s*--- (?:FAIL|PASS|SKIP)"
    r"|Traceback )"
)
_UNDER = re.compile(r"^\s*(?:\d+\s*\|(?:\s|$)|\|(?:\s|$)|-->|:::|=\s\w+:|\.\.\.$|[\^~]+\s*$|\s*[\^~][\^~ ]*)")
_STACK = re.compile(
    r"^\s+(?:at\s|File \"|\.\.\. \d+ more|in \S+ at )|^Caused by|^\s*Suppressed:|^goroutine \d+"
    r"|^\s*\d+: +\S+::|^\s+from "
)
_EXCEPTION = re.compile(
    r"^(?:[\w$]+\.)*[A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt|Failure|Fault"
    r"|Iteration)?\b(?::|$)|^\w[\w.]*: "
)
_CHAINED = re.compile(r"^(?:During handling of|The above exception)")
_TRACEBACK = re.compile(r"^(?P<before>.*?)(?:Traceback \(most recent call last\)|stack traceback:)")
_TEST_HEAD = re.compile(r"^(?P<in>\s*)--- (?:FAIL|PASS|SKIP)")


def block_at(log: Log, place: int) -> range:
    """The block in which the line at a place stands, or that it heads; at least the line itself."""
    start = _start(log, place)
    return range(start, max(_end(log, start), place + 1))


def _start(log: Log, place: int) -> int:
    line = log.clean[place]
    if _TRACEBACK.match(line) or _TITLED.match(line) or _TEST_HEAD.match(line):
        return place
    for back in range(place, max(place - 200, -1), -1):
        above = log.clean[back]
        if _TRACEBACK.match(above) and _end(log, back) > place:
            return back
        if _TITLED.match(above) and back < place:
            return back if above.lstrip().startswith(("_", "-")) and _end(log, back) > place else place
    if _UNDER.match(line):
        for back in range(place - 1, max(place - 12, -1), -1):
            if not _UNDER.match(log.clean[back]):
                return back
    if _STACK.match(line):
        for back in range(place - 1, max(place - 200, -1), -1):
            if not _STACK.match(log.clean[back]):
                return back
    return place


def _end(log: Log, start: int) -> int:
    line = log.clean[start]
    traceback = _TRACEBACK.match(line)
    if traceback:
        return _end_of_traceback(log, start, len(traceback["before"]))
    if _TITLED.match(line):
        return _end_of_section(log, start)
    test = _TEST_HEAD.match(line)
    if test:
        return _end_of_deeper(log, start, len(test["in"]))
    return _end_of_diagnostic(log, start)


def _end_of_traceback(log: Log, start: int, shift: int) -> int:
    at = start + 1
    while at < min(len(log), start + _MOST):
        line = log.clean[at][shift:] if len(log.clean[at]) >= shift else ""
        if line.startswith((" ", "\t")):
            at += 1
        elif not line and at + 1 < len(log) and (_CHAINED.match(log.clean[at + 1][shift:])):
            at += 3
        elif _TRACEBACK.match(line):
            at += 1
        elif line:
            at += 1  # the exception; a message of several lines goes on indented
            while at < len(log) and log.clean[at][shift:].startswith(("  ", "\t")):
                at += 1
            if at + 1 < len(log) and not log.clean[at].strip() and _CHAINED.match(log.clean[at + 1][shift:]):
                continue
            return at
        else:
            return at
    return min(at, len(log))


def _end_of_section(log: Log, start: int) -> int:
    mark = log.clean[start].lstrip()[0]
    at = start + 1
    while at < min(len(log), start + _MOST):
        line = log.clean[at]
        found = _BANNER.match(line)
        if (
            found
            and (found["mark"] in ("=", mark) or _TITLED.match(line))
            and len(line.strip()) > 8
            and found["mark"] != "~"
        ):
            break
        at += 1
    return _without_blank_end(log, start, at)


def _end_of_deeper(log: Log, start: int, indent: int) -> int:
    at = start + 1
    while at < min(len(log), start + _MOST):
        line = log.clean[at]
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        at += 1
    return _without_blank_end(log, start, at)


def _end_of_diagnostic(log: Log, start: int) -> int:
    indent = len(log.clean[start]) - len(log.clean[start].lstrip())
    at = start + 1
    while at < min(len(log), start + 60):
        line = log.clean[at]
        if not line.strip() or _BANNER.match(line):
            break
        deeper = len(line) - len(line.lstrip()) > indent
        if not (_UNDER.match(line) or _STACK.match(line) or deeper) or (_NEW.match(line) and not deeper):
            break
        at += 1
    return at


def _without_blank_end(log: Log, start: int, end: int) -> int:
    while end > start + 1 and not log.clean[end - 1].strip():
        end -= 1
    return end
