"""How grave a line says it is: by its level field, a diagnostic's form, by an exception's name, by its words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

import msgspec

from dabhand.handoff.evidence.text import Log

Level = Literal["error", "warning", "note", "info"]


class Grade(msgspec.Struct, frozen=True):
    """What a line says of itself.

    Attributes:
        level: how grave.
        sure: by its form (a level field, a diagnostic's heading, an exception), not by words in a sentence alone.
    """

    level: Level
    sure: bool


WORDS = tuple(
    sorted(
        {
            *("err", "fail", "fatal", "warn", "exception", "panic", "crit", "alert", "emerg", "severe", "traceback"),
            *("abort", "cannot", "can't", "unable", "denied", "not found", "no such", "refused", "timed out"),
            *("segmentation", "segfault", "crash", "not ok", "killed", "out of memory", "could not", "couldn't"),
            *("undefined", "unresolved", "***", "✗", "✖", "✘", "❌", "⚠", "unhandled", "uncaught", "oops"),
            *("does not exist", "note", "help:", "hint", "incompatible", "rejected", "interrupted", "\ne  "),
            *("no space left", "unreachable", "assert", "timeout", "\nw0", "\nw1", "\ne0", "\ne1", "\nf0", "\nf1"),
            *(
                "deprecat",
                "(!)",
                "not recognized",
                "● ",
                "× ",
                "<3>",
                "<4>",
                "corrupt",
                "conflict",
                "\n  × ",
                "invalid",
            ),
        }
    )
)

_GRAVE = r"ERROR|ERR|ERRO|FATAL|CRITICAL|CRIT|ALERT|EMERG|EMERGENCY|SEVERE|PANIC|FTL"
_FIELD = re.compile(
    rf"(?<![\w./<-])(?:(?P<error>{_GRAVE})|(?P<warning>WARN|WARNING|WRN|WARNG)|(?P<note>NOTE|HINT)"
    r"|(?P<info>INFO|INF|DEBUG|DBG|TRACE|TRC|VERBOSE|NOTICE|FINE|FINER|FINEST))(?![\w/]|-\w|\.\w)"
    r"|(?:^|[\s{,(\"])(?:level|lvl|severity|loglevel"
    r"|log\.level)[\"']?\s*[=:]\s*[\"']?(?:(?P<error2>err|fatal|crit|alert|emerg|panic)"
    r"|(?P<warning2>warn)|(?P<info2>info|debug|trace|notice|verbose))"
    r"|^(?:(?P<error3>[EF])|(?P<warning3>W)|(?P<info3>I))\d{4} \d\d:"
    r"|(?:[\[<(]|^)(?:[\w.-]+:)?(?:(?P<error4>err|error|fatal|crit|critical|alert|emerg)|(?P<warning4>warn|warning)"
    r"|(?P<info4>info|debug|notice|trace))[\]>)]"
    r"|^<(?:(?P<error5>[0-3])|(?P<warning5>4)|(?P<info5>[5-7]))>"
    r"|^npm (?:(?P<error6>ERR!|error)|(?P<warning6>WARN|warn)|(?P<info6>info|verb|verbose|http"
    r"|notice|sill|silly|timing))\b"
    r"|(?:^|\s\s|\t)(?:(?P<error7>Error|Fatal|Critical)|(?P<warning7>Warning|Warn)|(?P<info7>Normal|Info|Information"
    r"|Debug|Notice|Trace))(?=\s\s|\t)"
    r"|^(?:\[(?=[A-Z] \d)|(?=[A-Z]/[\w.]+\()|[\d .:/T-]{8,40}(?=[A-Z][ /]+[\w.$-]+ ?[:(]))"
    r"(?:(?P<error8>[EF])|(?P<warning8>W)|(?P<info8>[IDV]))[ /]"
    r"|\((?:(?P<error9>EE)|(?P<warning9>WW)|(?P<info9>II))\) "
    r"|[\"']level[\"']\s*:\s*(?:(?P<error10>[56]0)|(?P<warning10>40)|(?P<info10>[123]0))\b"
)
_FIELD_WITHIN = 110  # a level field stands near the start; farther right it is a word

_CODE = r"(?:\[[\w:/-]+\]|\([\w:/-]+\)|\s+[A-Z]{1,8}-?\d+)?"
_DIAGNOSTIC = re.compile(
    rf"(?:^|[:\s)\]|>,])(?:(?P<error>(?:(?:fatal|internal|syntax|runtime|type|parse|compilation|build|link(?:er)?) )?"
    rf"errors?{_CODE}\s?[:!]|fatal{_CODE}:|panic:)"
    rf"|(?P<warning>(?:\w+ )?warnings?{_CODE}\s?[:!]|⚠\S*\s|^\(!\) )"
    rf"|(?P<note>(?:note|hint|help|remark|suggestion){_CODE}:))(?=\s|$|\S)"
    r"|^\s+\d+:\d+\s+(?:(?P<error2>error)|(?P<warning2>warning)|(?P<note2>info|note))\s"
    r"|^\s*\S+:\d+(?::\d+)?:?\s+(?:-\s+)?(?:(?P<error3>error)|(?P<warning3>warning)|(?P<note3>note|info))\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?<![\w/])(?:[\w$]+\.)*(?:(?P<error>[A-Z]\w*(?:Error|Exception|Failure|Fault|Interrupt|Exit)"
    r"|AssertionFailed\w*)"
    r"|(?P<warning>[A-Z]\w*Warning))\b(?=:|$|\s*\(|\s-\s|\]|\s*\[)"
)
_MARK = re.compile(
    r"^\s*(?:\[[^\]]*\]\s*)?(?:(?:---\s+)?FAIL(?:ED|URE)?\b|[✗✖✘❌]|[×●]\s|not ok\b(?! .*# (?:TODO|SKIP)))"
    r"|^E {2,}\S|^Traceback \(most recent|\.\.\. ?(?:FAIL|ERROR)|\bFAILED\b|\*\*\* |^\s*panicked at|' panicked at|"
    r"^!{3,}|^_{3,} .*\bERROR\b|\bERR!|BUILD FAIL|<<< (?:FAILURE|ERROR)!|\s(?:FAIL|FAILED|ERROR)$"
    r"|^(?:FAIL|ERROR)\b[: \t]|::error\b|##\[error\]"
)
_SAID = re.compile(
    r"(?<![\w./-])(?:errors?|failed|fail(?:s|ing|ures?)?|fatal|exceptions?|panic|crash(?:ed|es)?|abort(?:ed|ing)?"
    r"|segfaults?|segmentation fault|core dumped|can(?:no|')t (?:find|open|read|write|access"
    r"|create|resolve|connect|load|allocate|import|stat|execute|locate"
    r"|parse|install|convert|continue|proceed|be (?:found|opened|read|resolved|loaded|applied|converted|imported))"
    r"|could ?n[o']t|unable to"
    r"|permission denied|denied|refused"
    r"|timed ?out|(?<!^)timeout(?! ?[:=])|killed|out of memory|no such \w+|not found|does(?: not|n't) exist"
    r"|not recognized|rejected|interrupted"
    r"|giv(?:ing|e) up|gave up|giv(?:ing|e) up|gave up|undefined reference|unresolved|unhandled"
    r"|uncaught|oops|no space left|unreachable"
    r"|incompatible|corrupt(?:ed|ion)?"
    r"|conflicts?|invalid)(?![\w/]|-\w|\.\w|\()",
    re.IGNORECASE,
)
_SAID_WARNING = re.compile(r"(?<![\w./-])(?:warnings?|deprecated|deprecation)(?![\w/]|-\w|\.\w|\()", re.IGNORECASE)
_NONE_OF_THEM = re.compile(
    r"\b(?:0|no|zero|without(?: any)?)\s+(?:(?:new|known|other|\w+-)?\s*)?"
    r"(?:errors?|fail(?:ed|ures?|ing)?|warnings?|problems?|issues?|exceptions?|conflicts?|vulnerabilities)\b"
    r"|\b(?:errors?|fail(?:ed|ures?|s)?|warnings?|exceptions?|timeouts?)\s*[:=]\s*0\b",
    re.IGNORECASE,
)
_ENDS_WELL = re.compile(
    r"(?:\bok|\bOK|\bPASS(?:ED)?|\bpassed|✓|✔|\bdone|\bDONE"
    r"|\bsuccess(?:ful(?:ly)?)?)\W*(?:\(?[\d.]+ ?m?s\)?)?\s*$|^\s*(?:✓|✔|ok \d|PASS(?:ED)?\b"
    r"|--- PASS)"
)
_STAMPED = re.compile(r"[EFWI<]\d")
_LARGER = re.compile(r"\d\d+")
_ECHOED = re.compile(r"^(?:\++ |\$ |[\w.~@:/-]*[$#%>] )")  # a command line that is shown, not what it said


def grade(line: str) -> Grade | None:
    """What a clean line says of itself; None when it says nothing of the kind."""
    line = line if len(line) <= 2000 else line[:2000]
    # Lines that differ in their larger numbers alone say the same, so they are looked at once.
    return _grade(line if _STAMPED.match(line) else _LARGER.sub("11", line))


@lru_cache(maxsize=20_000)
def _grade(line: str) -> Grade | None:
    found = [
        (match.start(), level)
        for match in (_FIELD.search(line, 0, _FIELD_WITHIN + 20), _DIAGNOSTIC.search(line))
        if match is not None and (level := _level_of(match)) and match.start() <= _limit(match)
    ]
    if _ECHOED.match(line) and not line.startswith("+ :"):
        return None
    marked = _MARK.search(line)
    if found:
        level = min(found)[1]
        if level in ("info",) and marked is None:
            return Grade("info", True)
        if level != "info" and not (level == "error" and _NONE_OF_THEM.search(line)):
            return Grade(level, True)
    if _ENDS_WELL.search(line):
        return None
    if marked is not None:
        return Grade("error", True)
    named = _NAMED.search(line)
    if named is not None:
        by_form = not line[: named.start()].strip() or line[named.end() : named.end() + 1] in ("", ":")
        return Grade(_level_of(named) or "error", by_form)
    plain = _NONE_OF_THEM.sub(" ", line)
    if _SAID.search(plain):
        return Grade("error", False)
    if _SAID_WARNING.search(plain):
        return Grade("warning", False)
    return None


def says_failure(line: str) -> bool:
    """Whether words of a line say that something failed, whatever level it has."""
    return _SAID.search(_NONE_OF_THEM.sub(" ", line[:2000])) is not None


_STATED = {
    **dict.fromkeys(("trace", "trc", "finest", "verbose", "verb", "sill", "silly", "v", "10"), "trace"),
    **dict.fromkeys(("debug", "dbg", "fine", "finer", "d", "7", "20"), "debug"),
    **dict.fromkeys(("info", "inf", "i", "6", "30", "ii", "normal", "information", "http", "timing"), "info"),
    **dict.fromkeys(("notice", "5"), "notice"),
    **dict.fromkeys(("warn", "warning", "wrn", "warng", "w", "4", "40", "ww"), "warning"),
    **dict.fromkeys(("error", "err", "erro", "err!", "severe", "e", "3", "50", "ee"), "error"),
    **dict.fromkeys(("critical", "crit", "2"), "critical"),
    **dict.fromkeys(("alert", "1"), "alert"),
    **dict.fromkeys(("fatal", "ftl", "emerg", "emergency", "panic", "f", "0", "60"), "fatal"),
}


def stated(line: str) -> str | None:
    """The level that a clean line names in its level field or its heading, as trace, debug, ... fatal."""
    line = line if len(line) <= 2000 else line[:2000]
    return _stated(line if _STAMPED.match(line) or '"level":' in line else _LARGER.sub("11", line))


@lru_cache(maxsize=20_000)
def _stated(line: str) -> str | None:
    found = [
        match
        for match in (_FIELD.search(line, 0, _FIELD_WITHIN + 20), _DIAGNOSTIC.search(line))
        if match is not None and match.lastgroup and match.start() <= _limit(match)
    ]
    if not found or (_ECHOED.match(line) and not line.startswith("+ :")):
        return None
    first = min(found, key=lambda match: match.start())
    said = first[first.lastgroup or 0].lower()
    if said in _STATED:
        return _STATED[said]
    if "fatal" in said or "panic" in said:
        return "fatal"
    return {"note": "notice"}.get(level := _level_of(first) or "", level) or None


def _limit(match: re.Match[str]) -> int:
    return _FIELD_WITHIN if match.re is _FIELD else 10_000


def _level_of(match: re.Match[str]) -> Level | None:
    name = (match.lastgroup or "").rstrip("0123456789")
    return name if name in ("error", "warning", "note", "info") else None  # type: ignore[return-value]


def graded(log: Log) -> dict[int, Grade]:
    """What each line says of itself, by place; lines that say nothing of the kind are not in it."""
    return {place: found for place in _candidates(log) if (found := grade(log.clean[place])) is not None}


def _candidates(log: Log) -> Iterator[int]:
    return iter(sorted(log.having(WORDS)))
