"""Whether a text is of the kind that the examples show, so that it is fair to ask what should come of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dabhand.language.numbers import NUMBER_TEXT
from dabhand.toolmaking.search_task import form_of

_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")
_SPACED = (re.compile(r"^\s|\s$"), re.compile(r"\S\s\s+\S"))
_MIXED = re.compile(r"[^\W\d_]\d|\d[^\W\d_]")
ONCE = frozenset("@\"'()[]{}<>")
"""Marks that do not come once more in what is otherwise alike; others may (a.b.c after a.b)."""


class Likeness:
    """What all lines of some texts have in common: marks, a single word each, numbers, cells.

    Args:
        given: the texts of the examples.
    """

    def __init__(self, given: Sequence[str]) -> None:
        self.form = form_of(given)
        lines = [line for text in given for line in _lines(text)]
        marks = {char for line in lines for char in line if not char.isalnum() and not char.isspace()}
        counts = {mark: {line.count(mark) for line in lines} for mark in marks}
        self.marks = {mark: sizes.pop() for mark, sizes in counts.items() if len(sizes) == 1}
        self.is_single = bool(lines) and all(len(line.split()) == 1 for line in lines)
        self.tight = [spaced for spaced in _SPACED if not any(map(spaced.search, lines))]
        self.is_whole = self.form == "numbers" and not any("." in line for line in lines)
        self.is_plainly_numeric = self.form == "numbers" and all(_PLAIN_NUMBER.fullmatch(line) for line in lines)
        self.has_letters = any(char.isalpha() for line in lines for char in line)
        self.is_mixed = any(map(_MIXED.search, lines)) or not any(char.isdigit() for line in lines for char in line)

    def holds(self, text: str) -> bool:
        """Whether a text has all of it too."""
        return self.form == "json" or all(map(self._holds, _lines(text)))

    def _holds(self, line: str) -> bool:
        if self.form == "numbers":
            return self._is_number(line)
        if self.form == "csv" and '"' in line:
            return True
        more = 0 if self.form == "csv" else 1
        return (
            all(0 <= line.count(mark) - size <= more * (mark not in ONCE) for mark, size in self.marks.items())
            and (self.has_letters or not any(map(str.isalpha, line)))
            and (self.is_mixed or not _MIXED.search(line))
            and not (self.is_single and len(line.split()) > 1)
            and not any(spaced.search(line) for spaced in self.tight)
        )

    def _is_number(self, line: str) -> bool:
        if self.is_whole and "." in line:
            return False
        return bool((_PLAIN_NUMBER if self.is_plainly_numeric else NUMBER_TEXT).fullmatch(line)) and line != "-0"


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]
