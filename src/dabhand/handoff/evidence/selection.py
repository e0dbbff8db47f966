"""What was selected, within a budget, and how line numbers that somebody else chose are taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from dabhand.handoff.evidence.text import Log

Kind = Literal["not_requested", "rules", "model", "bounded", "rejected"]


class Budget(msgspec.Struct, frozen=True):
    """How much may be returned: the larger of a share of the output and a number of characters.

    Attributes:
        share: of the characters of the whole output.
        least: characters that are granted however short the output is.
        most: characters that are never exceeded.
    """

    share: float = 0.1
    least: int = 1000
    most: int = 200_000

    def characters(self, total: int) -> int:
        """The characters granted for an output of so many."""
        return min(max(int(total * self.share), self.least), self.most)


class Selection(msgspec.Struct, frozen=True):
    """Line numbers that answer a wish.

    Attributes:
        lines: numbers in the raw output, from 1, ascending, each once.
        selection: "rules" or "model", who chose; "bounded" when something that belongs to the answer was left out, or
            a choice had to be repaired; "rejected" when a choice could not be used; "not_requested" without a wish.
        complete: nothing that was found was left out, and all of the output was looked at.
        reason: what was left out or repaired, in a sentence; empty otherwise.
    """

    lines: tuple[int, ...] = ()
    selection: Kind = "rules"
    complete: bool = True
    reason: str = ""


def within(log: Log, ranked: Sequence[int], characters: int) -> tuple[list[int], int]:
    """As many lines, the most important first, as the budget holds, by a place of each; and how many were left out."""
    kept: list[int] = []
    numbers: set[int] = set()
    left_out: set[int] = set()
    left = characters
    for place in ranked:
        number, cost = log.numbers[place], log.lengths[place] + 1
        if number in numbers:
            continue
        if cost <= left:
            kept.append(place)
            numbers.add(number)
            left -= cost
        else:
            left_out.add(number)
    return kept, len(left_out)


def taken(numbers: Sequence[int], total_lines: int, *, most: int, cut_off: bool = False) -> Selection:
    """Take line numbers that a model chose.

    Args:
        numbers: as it named them.
        total_lines: of the output.
        most: lines that it was allowed to choose.
        cut_off: its answer ended before it was finished.
    """
    inside = [number for number in numbers if 1 <= number <= total_lines]
    unique = sorted(set(inside))
    faults = []
    if len(inside) < len(numbers):
        faults.append(f"{len(numbers) - len(inside)} line numbers are not in the output")
    if len(unique) < len(inside):
        faults.append(f"{len(inside) - len(unique)} line numbers came twice")
    if len(unique) > most:
        faults.append(f"{len(unique)} lines were chosen where {most} are allowed")
        unique = unique[:most]
    if cut_off:
        faults.append("the choice was cut off")
    if not faults:
        return Selection(tuple(unique), "model")
    reason = "; ".join(faults).capitalize() + "."
    if not unique:
        return Selection((), "rejected", complete=False, reason=reason)
    return Selection(tuple(unique), "bounded", complete=False, reason=reason)
