"""The face of the room: lines and a wish in, a selection out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from dabhand.handoff.evidence.choosing import chosen
from dabhand.handoff.evidence.gathering import gathered
from dabhand.handoff.evidence.kinds import Reading
from dabhand.handoff.evidence.parsing import parse
from dabhand.handoff.evidence.ranking import MOST_LINES, UNSURE, filled, is_settled, may_be_missed
from dabhand.handoff.evidence.routine import shape
from dabhand.handoff.evidence.selection import Budget, Selection, taken, within
from dabhand.handoff.evidence.text import Log

DEFAULT_FAILED = "failures and the summary"
DEFAULT_PASSED = "the summary"

_LONG = 300  # characters of a line
_ENOUGH_ALIKE = 3  # lines of one shape

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
    usual = False
    if wish is None or not wish.strip():
        if failed is None:
            return Selection((), "not_requested")
        wish, usual = default_wish(failed=failed), True
    understood = parse(wish)
    log, looked_at_all = gathered(lines, understood, whole_lines=chooser is not None)
    if chooser is not None:
        numbers, cut_off = chooser(wish, log.raw)
        return _by_model(log, numbers, cut_off=cut_off)
    reading = Reading(log)
    ranked, doubts = chosen(reading, understood)
    characters = budget.characters(log.total_chars)
    if sum({log.numbers[place]: log.lengths[place] + 1 for place in ranked}.values()) > characters:
        # Rather many lines than a few enormous ones, and rather different ones than the same again.
        seen: Counter[str] = Counter()
        again = {}
        for place in ranked:
            seen[shape(log.clean[place])] += 1
            again[place] = seen[shape(log.clean[place])] > _ENOUGH_ALIKE
        ranked.sort(key=lambda place: (log.lengths[place] > _LONG, again[place]))
    kept, left_out = within(log, ranked, characters)
    if not usual and len(log) <= MOST_LINES and not all(map(is_settled, understood.asks)):
        missed = not ranked and may_be_missed(reading, understood, wish)
        if ranked or missed:
            kept = filled(reading, understood, wish, ranked, characters)
            left_out = _missing(log, ranked, kept)
        if missed and kept:
            doubts.append(UNSURE)
    reasons = list(dict.fromkeys(doubts))
    if left_out:
        reasons.append(f"{left_out} more lines belong to it and did not fit into {characters} characters.")
    if not looked_at_all:
        reasons.append("The output is too long to look at all of it; only lines with words of the wish were.")
    selected = tuple(sorted({log.numbers[place] for place in kept}))
    return Selection(selected, "bounded" if reasons else "rules", complete=not reasons, reason=" ".join(reasons))


def _missing(log: Log, wanted: Iterable[int], kept: Iterable[int]) -> int:
    return len({log.numbers[place] for place in wanted} - {log.numbers[place] for place in kept})


def _by_model(log: Log, numbers: Sequence[int], *, cut_off: bool) -> Selection:
    return taken(numbers, log.total_lines, most=max(len(log) // 2, 20), cut_off=cut_off)
