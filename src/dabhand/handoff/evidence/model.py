"""Lines chosen by a language model: it sees numbered windows of an output, and may answer with numbers of their lines.

A long output is shown in windows that overlap, so that no line is only ever at an edge. Text in an output is data: all
that a model can do with it is name lines that are there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from dabhand.errors import DabhandError
from dabhand.handoff.evidence.selection import Selection, taken
from dabhand.models.answers import read_lines
from dabhand.models.completion import Ask, Engine, ModelFailed
from dabhand.models.confidence import Calibration, calibration
from dabhand.models.grammars import lines_grammar
from dabhand.models.prompts import WINDOW, evidence_prompt

OVERLAP = 6
"""Lines that a window shares with the one before it."""

MOST_WINDOWS = 40
"""Windows that one wish may cost; what comes after them is not looked at, which is said."""

TOKENS = 80
PATIENCE = 30.0


class LineModel(Protocol):
    """A language model that chooses lines."""

    def lines(self, window: Sequence[str], wish: str) -> tuple[tuple[int, ...], float]:
        """Numbers of lines of a window, from 1, and how often such answers are right. May raise `DabhandError`."""


class LocalLines:
    """Lines chosen by the local model.

    Args:
        engine: what it runs in.
        known: what its answers are worth.
    """

    def __init__(self, engine: Engine, known: Calibration | None = None) -> None:
        self._engine = engine
        self.known = known or calibration("evidence")

    def lines(self, window: Sequence[str], wish: str) -> tuple[tuple[int, ...], float]:
        """Numbers of lines of a window, under a grammar that has no others."""
        made = self._engine.complete(Ask(evidence_prompt(window, wish), lines_grammar(len(window)), TOKENS, PATIENCE))
        if made.cut:
            raise ModelFailed("The answer does not end.")
        return read_lines(made.text, len(window)), self.known.confidence(made.probability)


def chosen_by(model: LineModel, wish: str, lines: Sequence[str], enough: float = 0.0) -> Selection:
    """The lines that a model chooses; rejected where it fails at a window.

    Args:
        model: whom to ask.
        wish: what is wanted.
        lines: of the whole output.
        enough: the confidence from which on lines of a window are taken.
    """
    starts = list(range(0, max(1, len(lines) - OVERLAP), WINDOW - OVERLAP))
    found: set[int] = set()
    for start in starts[:MOST_WINDOWS]:
        window = lines[start : start + WINDOW]
        try:
            numbers, confidence = model.lines(window, wish)
        except DabhandError as error:
            return Selection((), "rejected", complete=False, reason=f"The model failed: {error.message}")
        if any(not 1 <= number <= len(window) for number in numbers):
            return Selection((), "rejected", complete=False, reason="The model named a line that there is not.")
        if confidence >= enough:
            found |= {start + number for number in numbers}
    return taken(sorted(found), len(lines), most=max(len(lines) // 2, 20), cut_off=len(starts) > MOST_WINDOWS)


def asked_for_more(wish: str, lines: Sequence[str]) -> Selection | None:
    """What the local model chooses where rules found nothing; None where it is not here, not sure, or finds nothing.

    It is asked only if what its answers are worth was learned, and something of them may be believed.
    """
    from dabhand.models.engines import is_usable, local_engine

    if not is_usable():
        return None
    model = LocalLines(local_engine())
    if not model.known.examples or model.known.enough > 1:
        return None
    chosen = chosen_by(model, wish, lines, model.known.enough)
    return chosen if chosen.lines else None
