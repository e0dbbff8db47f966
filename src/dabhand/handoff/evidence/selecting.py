"""The face of the room: lines and a wish in, a selection out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from dabhand.handoff.evidence.choosing import chosen
from dabhand.handoff.evidence.selection import Budget, Selection, taken, within
from dabhand.handoff.evidence.text import Log
from dabhand.handoff.evidence.wish import parse

DEFAULT_FAILED = "failures and the summary"
DEFAULT_PASSED = "the summary"

_LONG = 300  # characters

Chooser = Callable[[str, Sequence[str]], tuple[Sequence[int], bool]]
"""A model: the wish and the lines; the numbers it chose, from 1, and whether its answer was cut off."""


def default_wish(*, failed: bool) -> str:
    """What is wanted of a command's output when nobody says."""
    return DEFAULT_FAILED if failed else DEFAULT_PASSED


def select(
    lines: Iterable[str] | Iterable[bytes],
    wish: str | None,
    *,
    failed: bool | None = None,
    budget: Budget | None = None,
    chooser: Chooser | None = None,
) -> Selection:
    """Choose the lines that a wish asks for.

    Args:
        lines: of the whole raw output, in order, with or without their newline; read once.
        wish: in words; without one, the default wish where it is known how the command ended.
        failed: how the command ended, None where that is not known.
        budget: how much may be chosen.
        chooser: a model that chooses instead of the rules; what it chose is held against the output.
    """
    budget = budget or Budget()
    if wish is None or not wish.strip():
        if failed is None:
            return Selection((), "not_requested")
        wish = default_wish(failed=failed)
    log = Log([_text(line) for line in lines])
    if chooser is not None:
        numbers, cut_off = chooser(wish, log.raw)
        return taken(numbers, len(log), most=max(len(log) // 2, 20), cut_off=cut_off)
    ranked = chosen(log, parse(wish))
    if sum(len(log.raw[place]) + 1 for place in ranked) > budget.characters(log.total_chars):
        # Rather many lines than a few enormous ones.
        ranked.sort(key=lambda place: len(log.raw[place]) > _LONG)
    kept, left_out = within(log, ranked, budget.characters(log.total_chars))
    numbers_kept = tuple(sorted(log.numbers[place] for place in kept))
    if left_out:
        reason = (
            f"{left_out} more lines belong to it and did not fit into {budget.characters(log.total_chars)} characters."
        )
        return Selection(numbers_kept, "bounded", complete=False, reason=reason)
    return Selection(numbers_kept, "rules")


def _text(line: str | bytes) -> str:
    text = line.decode("utf-8", "surrogateescape") if isinstance(line, bytes) else line
    return text.removesuffix("\n")
