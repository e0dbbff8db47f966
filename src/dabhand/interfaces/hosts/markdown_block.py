"""A marked block in a Markdown file that belongs to somebody else, told from what they wrote around it, and in it."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise

BEGIN = "<!-- dabhand: what follows is kept by `dabhand host` -->"
END = "<!-- dabhand: end -->"


def has(text: str) -> bool:
    """Whether the block, or one end of it, is there."""
    return any(line.strip() in (BEGIN, END) for line in text.splitlines())


def put(text: str, body: str) -> str:
    """The text with the block at its end, or as it is where the block stands in it already."""
    newline = "\r\n" if "\r\n" in text else "\n"
    block = newline.join([BEGIN, *body.strip().splitlines(), END]) + newline
    if block in text:
        return text
    gap = "" if not text else newline if text.endswith("\n") else newline * 2
    return text + gap + block


def take(text: str, body: str, written: str | None = None) -> str:
    """The text without the block and the blank line before it.

    Args:
        text: of the file.
        body: what stands in the block today. Where an end of the block was lost, only lines of it (or of `written`) go.
        written: what was put there, where that is known; other lines in it are somebody's own, and stay.
    """
    lines = text.splitlines(keepends=True)
    while (span := _span(lines)) is not None:
        start, end, is_whole = span
        inner = lines[start:end]
        if is_whole and written is None:
            kept = []
        else:
            known = [[BEGIN, *each.strip().splitlines(), END] for each in (body, written) if each is not None]
            kept = min((without(inner, each) for each in known), key=len)
        kept = [line for line in kept if line.strip() not in (BEGIN, END)]
        blank = start > 1 and not lines[start - 1].strip() and not kept
        lines = lines[: start - blank] + kept + lines[end:]
    return "".join(lines)


def without(lines: Sequence[str], ours: Sequence[str]) -> list[str]:
    """Lines, line ends included, without those that are ours, in order; blank ones go with their neighbours only."""
    given = [line.rstrip("\r\n") for line in lines]
    matched: set[int] = set()
    for block in SequenceMatcher(None, given, list(ours), autojunk=False).get_matching_blocks():
        if any(given[block.a : block.a + block.size]):
            matched.update(range(block.a, block.a + block.size))
    return [line for place, line in enumerate(lines) if place not in matched]


def _span(lines: Sequence[str]) -> tuple[int, int, bool] | None:
    """From one end of the block to the other, or from one whose other is lost as far as it may have been; and which."""
    marks = [(place, line.strip()) for place, line in enumerate(lines) if line.strip() in (BEGIN, END)]
    for (place, mark), (behind, other) in pairwise(marks):
        if mark == BEGIN and other == END:
            return place, behind + 1, True
    if not marks:
        return None
    place, mark = marks[0]
    if mark == END:
        return 0, place + 1, False
    return place, next((behind for behind, _ in marks[1:]), len(lines)), False
