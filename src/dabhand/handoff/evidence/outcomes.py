"""What became of tests and steps: failed, skipped, expected to fail, and what they said."""

from __future__ import annotations

import re
from collections.abc import Iterable

from dabhand.handoff.evidence.blocks import block_at
from dabhand.handoff.evidence.text import Log

FAILED = (
    r"^#\s+Failed test |^\s*---\s+FAIL: |^FAILED\s+\S|^(?:FAIL|ERROR):\s+\S|^(?:FAIL|ERROR)\s+\S+(?:::|/|\.)\S*"
    r"|^\S.* \.\.\. (?:FAIL(?:ED)?|ERROR|failed)\b"
    r"|^\s*(?:[✗✖✘×❌])\s|^\s*●\s.+|^\s*not ok \d+(?!.*# (?:TODO|SKIP))|^\S+::\S+ (?:FAILED"
    r"|ERROR)\b|\bFAILED$|^\s*\d+\) \S"
    r"|^test .* FAILED|<<< (?:FAILURE|ERROR)!|^_{3,} .*\S.* _{3,}$|^---- .+ (?:stdout"
    r"|stderr) ----$|^ *\[ *FAILED *\] |\*{3}Failed"
    r"|^\[ERROR\]\s+\S+\.\S+:\d+|^\s*(?:FAIL|✕)\s+\S|^\s+✕ |^Failed\s+\S|^\s*FAIL\b.*\[.*\]"
)
PASSED = (
    r"\bPASSED\b|^\s*---\s+PASS: |\.\.\. ok\b|^\s*[✓✔√]\s|^\s*ok \d+(?!.*# skip)|^ok\s+\S+\s|\bPassed\s+[\d.]+ ?s"
    r"|^\s*PASS(?:ED)?\b[: \t]+\S|^ *\[ *OK *\] "
)
SKIPPED = (
    r"^\s*---\s+SKIP: |\bSKIP(?:PED)?\b(?!\w)|\.\.\. skipped\b|\.\.\. ignored\b"
    r"|^\s*ok \d+.*# skip\b|^test .* \.\.\. ignored|\bs+\s*\[ *\d+%\]$"
    r"|^\s*[○↓-] skipped|\bskipped: |^[\w/.-]+\.\w+ [.sxXFEfep]*s[.sxXFEfep]*(?:\s+\[ *\d+%\])?$"
    r"|\bSkipped\b.*(?:test|because|reason)"
    r"|\b(?:is|was|were|been) skipped\b|^\s*⏭|\bskipping:"
)
_FAILED = re.compile(FAILED)
_SKIP_COUNTS = re.compile(r"^\W*(?:.*,\s*)?\d+ skipped|skipped[=:]\s*\d+|skipped: 0", re.IGNORECASE)
XFAIL = (
    r"\bX(?:FAIL|PASS)(?:ED)?\b|\bxfail(?:ed)?\b(?!_)|expected failure|unexpected success"
    r"|^[\w/.-]+\.\w+ [.sxXFEfep]*[xX][.sxXFEfep]*(?:\s+\[ *\d+%\])?$"
    r"|^[\w/.-]+\.\w+ \S*[xX]\S*\s*\[ *\d+%\]$"
)
ASSERTED = (
    r"^E {2,}\S|\bAssert(?:ion)?(?:Error|FailedError|FailedException)?\b.*(?:fail|:)"
    r"|AssertionError|\bassertion .*failed|panicked at"
    r"|^\s*#?\s*(?:[Ee]xpected|[Rr]eceived|[Aa]ctual|left|right|got|want|[Ww]anted)\b.*[:=]"
    r"|\bexpected\b.*\bbut (?:was|got)\b|^\s+assert\b|\bExpected\b.*\bto \w+"
    r"|ComparisonFailure|expected:<|^\s+Error (?:Trace|):|^\s*[+-] (?:expected|actual)"
)
_PLACED = re.compile(r"^\s*[\w./-]+\.\w+:\d+(?::\d+)?: ?\S")
_SOURCE = re.compile(r"^>? {4,}(?:assert|self\.assert|with |return |raise )")


def failed(log: Log) -> set[int]:
    """The lines that name what failed."""
    return {place for place in log.hits(FAILED, cased=True) if not _a_heading(log.clean[place])}


def failed_among(log: Log, places: Iterable[int]) -> list[int]:
    """Of some lines those that name what failed."""
    return [place for place in places if _FAILED.search(log.clean[place]) and not _a_heading(log.clean[place])]


def _a_heading(line: str) -> bool:
    return bool(re.match(r"^_{3,} (?:summary|coverage)", line)) or line.strip() in ("FAIL", "FAILED")


def skipped(log: Log) -> set[int]:
    """The lines that name what was skipped, not those that count it."""
    found = {place for place in log.hits(SKIPPED, cased=True) if not _SKIP_COUNTS.search(log.clean[place])}
    told = {place for head in found if log.clean[head].lstrip().startswith("--- SKIP") for place in _reason(log, head)}
    found |= told
    return {place for place in found if not re.match(r"^\s*(?:Skipping|skipping) ", log.clean[place])} or found


def _reason(log: Log, head: int) -> list[int]:
    before = _said_before(log, head)[:1]
    return before or [place for place in block_at(log, head) if _PLACED.match(log.clean[place])]


def expected_failures(log: Log) -> set[int]:
    """The lines of what was expected to fail."""
    found = set(log.hits(XFAIL, cased=True))
    named = {place for place in found if not re.search(r"\d+ x(?:failed|passed)", log.clean[place])}
    return named or found


def reports(log: Log, heads: set[int]) -> set[int]:
    """What those that failed said: per report its assertion, or, where it has none by form, its last placed line."""
    found: set[int] = set()
    for head in heads:
        block = block_at(log, head)
        asserted = [
            place for place in block if place in log.hits(ASSERTED, cased=True) and not _SOURCE.match(log.clean[place])
        ]
        if asserted:
            found.update(asserted[:12])
        said_after = [place + 1 for place in block if re.search(r"panicked at .*:$", log.clean[place])]
        found.update(place for place in said_after if place < len(log))
        placed = [place for place in block if place != head and _PLACED.match(log.clean[place])]
        if placed:
            indent = min(_indent(log.clean[place]) for place in placed)
            found.add([place for place in placed if _indent(log.clean[place]) == indent][-1])
        elif re.match(r"\s*--- FAIL", log.clean[head]):
            found.update(_said_before(log, head))
    return found


def _said_before(log: Log, head: int) -> list[int]:
    """What a Go test logged since it, or the test before it, came up."""
    found = []
    for back in range(head - 1, max(head - 40, -1), -1):
        line = log.clean[back]
        if re.match(r"\s*--- |(?:ok|FAIL|PASS)\b", line):
            break
        if _PLACED.match(line) and _indent(line):
            found.append(back)
    return found


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
