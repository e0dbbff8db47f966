"""Which lines are of a kind that a wish names: errors, warnings, failed tests, verdicts, exit statuses, and so on."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from dabhand.handoff.evidence import endings, outcomes
from dabhand.handoff.evidence.blocks import block_at
from dabhand.handoff.evidence.levels import Grade, graded, says_failure
from dabhand.handoff.evidence.text import Log
from dabhand.handoff.evidence.unfinished import unfinished

_REASONS = (
    r"command not found|no such file|not found|no module named|cannot find|can't find"
    r"|could not find|could not resolve|permission denied"
    r"|\[cause\]:|connection refused|timed? ?out|no space left|out of memory|caused by|because|reason:"
    r"|undefined reference|already in use|does not exist"
    r"|not installed|is not recognized|unable to resolve|conflict|expected .* (?:but|got|found)"
    r"|missing|cannot import|killed|incompatible"
    r"|unsupported|not supported|invalid|unresolved|mismatch|denied|unexpected|syntax ?error"
)
ADVICE = (
    r"\b(?:you can|you may|you should|try|use|run|consider|please|to fix|see|hint|help|note"
    r"|did you mean|suggest\w*|recommend\w*|instead)\b"
)
_ONLY_PLACED = r"^[\w./\\-]+\.[a-z]\w{0,4}:\d+:\d+: \S"
_CAUSED = re.compile(r"caused by|\[cause\]:|root cause:|direct cause")
_TITLE = re.compile(r"^[_=#*-]{3,} .* [_=#*-]{3,}$|.*(?:FAILED|ERROR)\s*\[ *\d+%\]$")
_REMOVED_OR_ADDED = re.compile(r"^[ +-]?[+-](?![+-]{2} )")
_DIFF_START = re.compile(r"^(?:diff --|--- [^-])")


class Reading:
    """A log with what is read from it, each thing once."""

    def __init__(self, log: Log) -> None:
        """Nothing is read yet."""
        self.log = log
        self._grades: dict[int, Grade] | None = None

    @property
    def grades(self) -> dict[int, Grade]:
        """What lines say of themselves."""
        if self._grades is None:
            self._grades = graded(self.log)
        return self._grades

    def of_level(self, level: str) -> list[int]:
        """Lines of a level: those that are so by form, and, where there are none, those that say so in words."""
        sure = [place for place, grade in self.grades.items() if grade.level == level and grade.sure]
        said = [place for place, grade in self.grades.items() if grade.level == level and not grade.sure]
        return [*sure, *said]

    def of(self, kind: str) -> list[int]:
        """Lines of a kind, those that matter most first."""
        return _KINDS[kind](self)


def _errors(reading: Reading) -> list[int]:
    log = reading.log
    found = reading.of_level("error")
    # A compiler that names the place alone means an error.
    placed = sorted(log.hits(_ONLY_PLACED) - set(reading.grades))
    return list(dict.fromkeys([*found, *sorted(outcomes.failed(log) & set(reading.grades)), *placed]))


def _failures(reading: Reading) -> list[int]:
    named = sorted(outcomes.failed(reading.log))
    told = sorted(outcomes.reports(reading.log, set(named)))
    summed = [place for place in named if re.match(r"(?:FAILED|ERROR) \S+::", reading.log.clean[place])]
    titles = [place for place in named if _TITLE.match(reading.log.clean[place])]
    others = [place for place in named if place not in titles]
    return list(dict.fromkeys([*summed, *told, *others, *reading.of_level("error"), *titles]))


def _thwarted(reading: Reading) -> list[int]:
    """What could not be done: failures, and warnings that say so."""
    warned = [place for place in reading.of_level("warning") if says_failure(reading.log.clean[place])]
    return list(dict.fromkeys([*_failures(reading), *warned]))


def _assertions(reading: Reading) -> list[int]:
    heads = outcomes.failed(reading.log)
    return sorted(outcomes.reports(reading.log, heads) | set(reading.log.hits(outcomes.ASSERTED, cased=True)))


def _warnings(reading: Reading) -> list[int]:
    log = reading.log
    found = reading.of_level("warning")
    titles = [place for place in log.hits(r"^=+ warnings summary") if place + 1 < len(log)]
    for title in titles:
        for place in block_at(log, title):
            line = log.clean[place]
            if line.startswith(("  ", "\t")) and line.strip():
                found.append(place)
    return list(dict.fromkeys(found))


def _traces(reading: Reading) -> list[int]:
    log = reading.log
    heads = sorted(
        log.hits(
            r"traceback \(most recent call last\)|stack ?trace|call trace:|backtrace:|^goroutine \d+"
            r"|^exception in thread"
            r"|panicked at|^panic:"
        )
    )
    first_frames = [
        place - 1 for place in log.hits(r"^\s+at \S+[(:]") if place and not re.match(r"\s+at ", log.clean[place - 1])
    ]
    found: list[int] = []
    for head in sorted({*heads, *first_frames}):
        found.extend(block_at(log, head))
    return list(dict.fromkeys(found))


def _causes(reading: Reading) -> list[int]:
    """The most concrete thing that was said to be wrong: a reason by its words, early and rare rather than late."""
    log = reading.log
    wrong = {place for place, grade in reading.grades.items() if grade.level == "error"}
    wrong |= {place for place in reading.of_level("warning") if says_failure(log.clean[place])}
    reasons = log.hits(_REASONS)
    by_form = {place for place in wrong if reading.grades[place].sure}
    ranked = sorted(
        wrong | (reasons & by_form),
        key=lambda place: (
            -(2 * (place in reasons) + (place in by_form) + 2 * (_CAUSED.search(log.lower_line(place)) is not None)),
            place,
        ),
    )
    named = outcomes.failed(log)
    ranked = [at for place in ranked[:6] for at in (place, place - 1, place + 1) if at == place or at in by_form]
    return list(dict.fromkeys([*ranked, *sorted(outcomes.reports(log, named))[:6]]))


def _advice(reading: Reading) -> list[int]:
    return sorted(reading.log.hits(ADVICE))


def _changes(reading: Reading) -> list[int]:
    """Removed and added lines of the diffs in a log."""
    log = reading.log
    found: list[int] = []
    inside = False
    for place in sorted(log.hits(r"^(?:diff --|@@|[ +-]?[+-])")):
        line = log.clean[place]
        if _DIFF_START.match(line):
            inside = True
        elif line.startswith(("+++ ", "@@")):
            continue
        elif inside and _REMOVED_OR_ADDED.match(line) and _in_hunk(log, place):
            found.append(place)
    return found


def _in_hunk(log: Log, place: int) -> bool:
    for back in range(place - 1, max(place - 400, -1), -1):
        line = log.clean[back]
        if line.startswith("@@"):
            return True
        if line and line[0] not in " +-\\":
            return False
    return False


def _summaries(reading: Reading) -> list[int]:
    log = reading.log
    found = endings.closing(log)
    for title in sorted(log.hits(r"\bshort test summary|^=+ .*summary.* =+$|^summary:?$|^failures:$")):
        found.extend(
            place
            for place in range(title + 1, min(title + 30, len(log)))
            if log.clean[place].strip() and place not in found
        )
    return found


_KINDS: dict[str, Callable[[Reading], list[int]]] = {
    "error": _errors,
    "failure": _failures,
    "thwarted": _thwarted,
    "warning": _warnings,
    "complaint": lambda reading: [*_errors(reading), *_warnings(reading)],
    "note": partial(Reading.of_level, level="note"),
    "traceback": _traces,
    "assertion": _assertions,
    "cause": _causes,
    "advice": _advice,
    "passing": lambda reading: sorted(reading.log.hits(outcomes.PASSED, cased=True)),
    "verdict": lambda reading: endings.closing(reading.log),
    "summary": _summaries,
    "exit": lambda reading: sorted(endings.exits(reading.log)),
    "skipped": lambda reading: sorted(outcomes.skipped(reading.log)),
    "xfail": lambda reading: sorted(outcomes.expected_failures(reading.log)),
    "cut": lambda reading: sorted(endings.cuts(reading.log)),
    "unfinished": lambda reading: unfinished(reading.log),
    "diff": _changes,
    "command": lambda reading: sorted(reading.log.hits(r"command ?line\b") or reading.log.hits(r"^\s*(?:\$|\++|>) \S")),
    "unusual": lambda reading: reading.of_level("warning") + reading.of_level("error"),
}
