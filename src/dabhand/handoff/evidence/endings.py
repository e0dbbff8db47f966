"""Lines that sum up: verdicts, tallies, times, exit statuses, marks of what was cut out."""

from __future__ import annotations

import re

from dabhand.handoff.evidence.text import Log

_THINGS = (
    r"(?:tests?|passed|passing|failed|failing|failures?|errors?|warnings?|skipped|pending|xfailed|xpassed|deselected|"
    r"problems?|issues?|examples?|assertions?|suites?|specs?|files?|packages?|modules?|succeeded|ignored|measured|"
    r"vulnerabilities|offenses|targets?|tasks?|jobs?|steps?|checks?|scenarios?|findings?|added|changed|destroyed|"
    r"upgraded|installed|updated|insertions?|deletions?|ok|todo|up-to-date|executed|unchanged)"
)
TALLY = (
    r"^\W*(?:found |ran |total:? |tests:? |suites:? )?\d[\d,]*(?: out of \d+| of \d+"
    rf"|/\d+)? (?:\w+ ){{0,2}}{_THINGS}\b"
    rf"(?=.*(?:,|\bin\b|\d|\.$|$))"
    r"|^# (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) \d"
    r"|(?<![\w/.])(?:tests?(?: suites| files)?|snapshots?|failures?|errors|passed|failed|skipped"
    r"|total)\s*(?:run|total)?\s*[:=]\s*\d+"
    rf"|\b\d+ {_THINGS}(?: \([^)]*\))?,? (?:and )?\d+ {_THINGS}\b"
    r"|\b(?:failures|errors|skipped)=\d+|^\s*found \d+ \w+ in \d+|\bresult: \w+\. \d+|\bresources: \d+"
    r"|(?:due to|with|and|generated|:) \d+ (?:previous )?(?:errors?|warnings?|failures?)\b"
    r"|^all \d+ \w+|\b\d+% tests passed"
)
VERDICT = (
    r"^\W*(?:summary|result|status|outcome|verdict):\s|^exception in thread|^\W*\d+ fixable|\bfixable with\b|"
    r"^\W*(?:ok|fail|failed|passed|success|succeeded|failure|error)\b\s*(?:\(.*\))?\W*(?:in [\d.]+ ?m?s)?\s*$"
    r"|^(?:ok|fail|---\s)\s*\t|^\S*fail\t|^ok\s+\S+\s+(?:[\d.]+s|\(cached\))"
    r"|\bbuild (?:succeeded|success\w*|fail\w*|finished|completed?|stopped|done)\b|\bbuild: (?:fail|success)"
    r"|\btest result:|\bno issues found|\ball checks passed|\ball \w+ passed"
    r"|^error: (?:could not compile|aborting due to|test failed|process didn't)|^error: \d+ target"
    r"|^make(?:\[\d+\])?: \*\*\*|^ninja: (?:build stopped|error)|\berror \d+\s*$"
    r"|\b(?:apply|destroy|setup|installation|deployment|migration|import|backup|upload|download"
    r"|rollout|compilation|pipeline|job|run|task)"
    r" (?:is )?(?:now )?(?:complete[d!]?|failed|succeeded|finished|aborted|cancelled)\b|\bcomplete!"
    r"|\b(?:successfully|unsuccessfully) (?:built|installed|completed|finished|deployed|rolled"
    r"|tagged|uninstalled|removed)\b"
    r"|\binterrupted: |^=+ .*\b(?:passed|failed|error|errors|skipped|no tests ran)\b.* =+$|\bno tests ran\b"
    r"|^\s*finished\b.*\b(?:in|target)|\bfinished in\b|\btotal time\b|^\s*time:\s|\bduration\b"
    r"|^real\s|\bdone in\b|\bcompleted in\b"
    r"|\btask failed\b|\bprocess completed with\b|^ran \d+|\bwrote \d+|^added \d+ packages"
    r"|\bpackages? (?:are )?installed\b|\bup to date\b"
    r"|\bsuccess: |\bexited with\b|\bfailed with result\b|\bcouldn't create\b.*\bpod|\bno changes\b|\bplan: \d+"
)
EXIT = (
    r"\bexit(?:ed)?(?:ing)?[ _-]?(?:status|code|value)?\s*(?:was|is|of|with|:|=)?\s*(?:status|code"
    r"|error code)?\s*[:=]?\s*-?\d+\b"
    r"|\b(?:exit|return|error|status)[ _-]?(?:code|status|value)\s*(?:was|is|of|:|=)?\s*-?\d+\b"
    r"|\breturned (?:a )?(?:non-?zero|-?\d+)"
    r"|\b(?:err)?code\s*[:=]?\s*-?\d+\b(?!\.)|\bstatus[:=]\s*-?\d+|\berrno\s*[:=]?\s*\d+"
    r"|\*\*\* \[.*\] (?:error|segm|killed|\w+) ?\d*"
    r"|\brc\s*=\s*\d+|\bterminated (?:by|with) (?:signal|status|code)|\bsig(?:kill|term|segv|abrt"
    r"|int)\b|\bnon-zero exit\b"
)
CUT = (
    r"\b(?:truncated|omitted|elided|clipped|snipped|snip\b)|\b(?:output|log|lines?|characters"
    r"|bytes) (?:was |were )?(?:cut|shortened|limited|suppressed|exceeded|hidden)"
    r"|\.\.\.\s*\(?\d+ (?:more|lines|other|previous|characters)|\bskipped \d+ (?:lines|bytes"
    r"|characters)|\b\d+ (?:more )?lines? (?:not shown|hidden|skipped)"
    r"|\blog too long\b|\bexceeded the maximum log|^\s*\[\.\.\.\]|…\s*\d+ |\btoo (?:long"
    r"|large) to (?:show|display)|\bunexpected end of\b|\bmessage repeated\b"
)
TIMING = (
    r"(?<![\w.])\d+(?:[.,]\d+)?\s?(?:ms|µs|us|ns|s|sec|secs|seconds?|m|min|mins|minutes?|h|hours?|milliseconds?)\b"
    r"|\b\d+m\s?\d+(?:\.\d+)?s\b|\b(?:real|user|sys)\s+\d+m|\b(?:time|elapsed|took"
    r"|duration)\b\D{0,12}\d|\b\d\d?:\d\d:\d\d\.\d+\b(?=\s*(?:elapsed|total))"
)
VERSION = r"(?<![\w.])v?\d+\.\d+(?:\.\d+)*(?:[-+.]?(?:rc|a|b|beta|alpha|dev|post|lts)?[\w.+-]*)?"
_SHOWN = r"^\s*(?:\++|\$|>) "


def exits(log: Log) -> set[int]:
    """Lines that state an exit status or the signal that ended something."""
    return set(log.hits(EXIT)) - set(log.hits(_SHOWN))


def cuts(log: Log) -> set[int]:
    """Lines that say that something was left out of the output."""
    return set(log.hits(CUT))


def closing(log: Log) -> list[int]:
    """The lines that say how it all ended, the most telling first."""
    if not len(log):
        return []
    said = set(log.hits(TALLY)) | set(log.hits(VERDICT))
    ends = {place for place in exits(log) if place >= len(log) - 12}
    if not said and not ends:
        return _last_lines(log, 2)
    ranked = sorted(said, key=lambda place: (-_weight(log.lower_line(place)), -place))
    best = _weight(log.lower_line(ranked[0])) if ranked else 0
    kept = [place for place in ranked if _weight(log.lower_line(place)) >= max(best - 2, 1)]
    beside = (
        [at for at in (ranked[0] - 1, ranked[0] + 1) if 0 <= at < len(log) and re.search(r"\b\d+ \w", log.clean[at])]
        if ranked
        else []
    )
    late = [place for place in sorted(said, reverse=True) if place >= len(log) - 15]
    return list(
        dict.fromkeys(
            [*kept[:14], *(at for at in beside if len(log.clean[at]) < 160), *late[:8], *sorted(ends, reverse=True)[:3]]
        )
    )


_TESTS = re.compile(
    r"\b(?:tests?|passed|failed|failures|errors|xfailed|problems|examples|ok|result|build)\b"
    r"|\bran \d+"
)
_WHOLE = re.compile(
    r"^=+ .* =+$|^ran \d+|^test result|^tests run|^found \d|^(?:ok|failed|fail)\b|^build"
    r"|^\W*\d+ (?:passed|failed|passing|failing)|^\s*tests?:|^error: (?:could not|aborting)"
    r"|^make(?:\[\d+\])?: \*\*\*|^\W*success|^apply complete|^finished|^(?:result|summary): |^# (?:tests|pass|fail) "
)


def _weight(line: str) -> int:
    """How much a line looks like the last word on everything rather than on a part."""
    weight = 0
    if re.search(TALLY, line):
        weight += 2
    if re.search(VERDICT, line):
        weight += 2
    if _TESTS.search(line):
        weight += 1
    if _WHOLE.search(line.strip()):
        weight += 2
    return weight


def _last_lines(log: Log, count: int) -> list[int]:
    found = [place for place in range(len(log) - 1, -1, -1) if log.clean[place].strip()]
    return found[:count]
