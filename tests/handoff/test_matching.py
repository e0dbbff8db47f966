"""Lines that match, by every way in which they are found, and the lines around them, as a simple reading has it."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
import re2

import dabhand
from dabhand.handoff.matching import Pattern, bound_span, found_span, matcher_of
from dabhand.handoff.plan import CountMatches

PATTERNS = (
    "a",
    "^b",
    "c$",
    "a|c",
    "x*",
    "^$",
    "b.*a",
    r"\bab\b",
    "(a)(b)",
    "[^a]",
    r"a\n?",
    "$",
    r"\Aa",
    r"c\z",
    "(?i)AB",
)


def _texts(rng: random.Random, count: int) -> list[str]:
    made = []
    for _ in range(count):
        lines = ["".join(rng.choice("abc  ") for _ in range(rng.randint(0, 6))) for _ in range(rng.randint(1, 9))]
        made.append("\n".join(lines) + rng.choice(("", "\n")))
    return made


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_is_found_in_the_same_lines_by_both_faces_of_the_library(pattern: str) -> None:
    matcher = matcher_of(CountMatches(path="x", value=pattern, regex=True))
    slow = matcher_of(CountMatches(path="x", value=pattern, regex=True))
    assert isinstance(matcher, Pattern)
    assert isinstance(slow, Pattern)
    options = re2.Options()
    options.never_nl = True
    slow._span = found_span(re2.compile(b"(?m)" + pattern.encode(), options))
    simple = re.compile(pattern.replace(r"\z", r"\Z").replace(r"\n?", ""))
    for text in _texts(random.Random(5), 200):
        data = text.encode()
        wanted = [row for row, line in enumerate(_lines(text)) if simple.search(line)]
        if data:
            assert matcher.rows(memoryview(data)) == wanted, text
            spans = list(matcher.spans(bytearray(data), len(data)))
            assert [data.count(b"\n", 0, start) for start, _ in spans] == wanted
            assert slow.rows(memoryview(data)) == wanted


def test_the_wrapped_part_of_the_library_is_there() -> None:
    compiled = re2.compile(b"b+")
    bound = bound_span(compiled)
    assert bound is not None
    for at, end in ((0, 6), (2, 6), (3, 6), (5, 6), (0, 1), (6, 6)):
        assert bound(bytearray(b"abbabb"), at, end) == found_span(compiled)(bytearray(b"abbabb"), at, end)
    assert bound_span(object()) is None


@pytest.mark.parametrize("most", [1, 3, None])
def test_lines_around_matches_are_those_of_a_simple_reading(tmp_path: Path, most: int | None) -> None:
    rng = random.Random(7)
    root = tmp_path / "root"
    root.mkdir()
    for text in _texts(rng, 150):
        before, after = rng.randint(0, 3), rng.randint(0, 3)
        (root / "x").write_text(text)
        lines = _lines(text)
        hits = [row for row, line in enumerate(lines) if "a" in line]
        wanted = sorted({n for row in hits for n in range(row - before, row + after + 1) if 0 <= n < len(lines)})
        plan = {"operation": "search", "path": "x", "value": "a", "before": before, "after": after}
        packet = dabhand.inspect_request(root, plan=plan, max_lines=most, store=tmp_path / "store")
        shown = [(line.n, line.text, line.matched) for line in packet.output.lines]
        assert shown == [(row + 1, lines[row], row in hits) for row in wanted][:most]
        assert packet.output.total_lines == len(wanted)
        assert packet.output.complete == (len(shown) == len(wanted))
