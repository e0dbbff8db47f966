"""Lines that belong together: a diagnostic and its caret, a traceback, the report of a failed test."""

from __future__ import annotations

import re

from dabhand.handoff.evidence.text import Log
from dabhand.handoff.evidence.traces import end_of_trace, start_of_trace

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
    r"^\s+(?:at\s|by 0x|#\d+ |File \"|\.\.\. \d+ more|in \S+ at )|^Caused by|^\s*Suppressed:|^goroutine \d+"
    r"|^\s*\d+: +\S+::|^\s+from "
)
_EXCEPTION = re.compile(
    r"^(?:[\w$]+\.)*[A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt|Failure|Fault"
    r"|Iteration)?\b(?::|$)|^\w[\w.]*: "
)
_RAISED = re.compile(r"^(?:[\w$]+\.)*[A-Z]\w*(?:Error|Exception|Throwable)\b(?::|$)")
_CHAINED = re.compile(r"^(?:During handling of|The above exception)")
_TRACEBACK = re.compile(r"^(?P<before>.*?)(?:Traceback \(most recent call last\)|stack traceback:)")
_NOTED = re.compile(r"^\S+?:\d+(?::\d+)?: note: ")
_STARTS = re.compile(r"^\W*\d[\d:T.,/-]{4,}|^\[?[A-Z]{4,}\b")
_MESSAGE = 12  # lines of what an exception says
_PLACED = re.compile(r"^\S+?[:(]\d+(?:[:,]\d+)?\)?:?\s")
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
        if _TRACEBACK.match(above) and back < place and _end(log, back) > place:
            return back
        if _TITLED.match(above) and back < place:
            return back if above.lstrip().startswith(("_", "-")) and _end(log, back) > place else place
    if (head := start_of_trace(log, place)) is not None:
        return head
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
    if traceback and "Exception Group" not in line:
        return _end_of_traceback(log, start, len(traceback["before"]))
    if _TITLED.match(line):
        return _end_of_section(log, start)
    trace = end_of_trace(log, start)
    if trace is not None:
        return max(trace, _end_of_diagnostic(log, start)) if _PLACED.match(line) else trace
    if re.match(r"^#\s+Failed test", line):
        at = start + 1
        while at < len(log) and re.match(r"^#\s+(?!Failed test|Looks like)", log.clean[at]):
            at += 1
        return at
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
        if line.strip() and _indent(line) <= indent:
            break
        at += 1
    return _without_blank_end(log, start, at)


def _end_of_diagnostic(log: Log, start: int) -> int:
    indent = _indent(log.clean[start])
    at = _after_caret(log, start)
    if at == start + 1:
        at = _first_frame(log, start) or at
    while at < min(len(log), start + 60):
        line = log.clean[at]
        if not line.strip() or _BANNER.match(line):
            break
        if _NOTED.match(line) and _PLACED.match(log.clean[start]):
            at = _after_caret(log, at)
            continue
        if line == "}" and at > start + 1:
            return at + 1  # what a thrown object holds besides its message
        stack = at == start + 1 and _RAISED.match(line) is not None
        if stack and (frame := _first_frame(log, at)) is not None:
            at = frame
            continue
        deeper = stack or _indent(line) > indent or _goes_on(log.clean[at - 1], line)
        if not (_UNDER.match(line) or _STACK.match(line) or deeper) or (_NEW.match(line) and not deeper):
            break
        at += 1
    return at


def _first_frame(log: Log, raised: int) -> int | None:
    """The first line of the stack of what was raised, if its message has several lines; None otherwise."""
    if not _RAISED.match(log.clean[raised]):
        return None
    for at in range(raised + 1, min(raised + _MESSAGE, len(log))):
        line = log.clean[at]
        if re.match(r"^\s+at \S", line):
            return at if at > raised + 1 else None
        if not line.strip() or _NEW.match(line) or _STARTS.match(line):
            break
    return None


def _goes_on(before: str, line: str) -> bool:
    """Whether a line is the rest of a sentence that the line before began."""
    return (
        len(before) >= 60
        and not _NEW.match(line)
        and line[:1].islower()
        and before[-1:].isalnum() | (before[-1:] == ",")
    )


def _after_caret(log: Log, start: int) -> int:
    """Past the source line of a diagnostic that is not indented, as its caret below tells."""
    for at in range(start + 1, min(start + 4, len(log))):
        if re.match(r"^\s*[\^~]+\s*$", log.clean[at]) and _PLACED.match(log.clean[start]):
            return at + 1
        if _NEW.match(log.clean[at]) or not log.clean[at].strip():
            break
    return start + 1


def introduced(log: Log, place: int) -> range:
    """What a line introduces: after a colon, "the following", or a line that is only a file's name."""
    line = log.clean[place].rstrip()
    only_a_path = re.fullmatch(r"[\w./\\-]*[/\\.][\w./\\-]+", line) is not None
    if not (line.endswith((":", ":-")) or "following" in line or only_a_path):
        return range(place, place)
    at = place + 1
    most = place + (60 if only_a_path else 12)
    while at < min(len(log), most) and log.clean[at].strip():
        if only_a_path and _indent(log.clean[at]) == 0:
            break
        if not only_a_path and (_NEW.match(log.clean[at]) or _indent(log.clean[at]) < _indent(line)):
            break
        if _STACK.match(log.clean[at]) or log.clean[at].startswith("stack "):
            break
        at += 1
        if "following" in line and not line.endswith(":"):
            at = min(at, place + 3)
            if at == place + 3:
                break
    if at == place + 1 and line.endswith(":") and place + 2 < len(log) and not log.clean[place + 1].strip():
        return range(place + 1, place + 3)
    return range(place + 1, at)


def headed_by(log: Log, place: int) -> list[int]:
    """The line above that is only a file's name and heads the indented line at a place; none where there is none."""
    if not _indent(log.clean[place]):
        return []
    for back in range(place - 1, max(place - _MOST, -1), -1):
        line = log.clean[back]
        if line and not _indent(line):
            return [back] if re.fullmatch(r"\S*[/\\.]\S+", line) else []
    return []


def is_title(line: str) -> bool:
    """Whether a line is the title of a section, between rules of one sign."""
    return _TITLED.match(line) is not None


def section_of(log: Log, title: int) -> range:
    """A title and all below it, to the next rule of any sign."""
    at = title + 1
    while at < min(len(log), title + _MOST) and not _BANNER.match(log.clean[at]):
        at += 1
    return range(title, at)


def _indent(line: str) -> int:
    """Of what a line says; the mark of a comment counts as space."""
    return len(line) - len(line.lstrip(" \t#"))


def _without_blank_end(log: Log, start: int, end: int) -> int:
    while end > start + 1 and not log.clean[end - 1].strip():
        end -= 1
    return end
