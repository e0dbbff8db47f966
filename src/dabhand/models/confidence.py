"""How often a model's answers of one probability are right, learned on a validation set; and from where on it may act.

The probability that a model gives its own answer is no confidence: small models are sure of themselves. Answers of a
validation set are sorted by it; the share of right ones, made to rise with it (isotonic regression by pooling adjacent
violators: Ayer et al. 1955; for calibration: Zadrozny and Elkan, KDD 2002), is what it is worth.
"""

from __future__ import annotations

import bisect
import itertools
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from dabhand.models.prompts import Task
from dabhand.models.weights import ADAPTER, adapter_file

FILE = "calibration.json"

WRONG = 0.02
"""Of all answers that are believed on the validation set, at most this share may be wrong."""


class Calibration(msgspec.Struct, frozen=True):
    """What answers are worth, by the probability that the model gave them.

    Attributes:
        probabilities: from which on, in rising order, each confidence holds.
        confidences: the share of right answers, rising.
        enough: the confidence from which on an answer is believed; above 1 where none ever is.
        examples: how many answers it was learned from.
    """

    probabilities: tuple[float, ...] = ()
    confidences: tuple[float, ...] = ()
    enough: float = 0.9
    examples: int = 0

    def confidence(self, probability: float) -> float:
        """What an answer is worth; without any experience, the probability itself."""
        if not self.probabilities:
            return probability
        return self.confidences[max(0, bisect.bisect_right(self.probabilities, probability) - 1)]


def learned(answers: Iterable[tuple[float, bool]], wrong: float = WRONG) -> Calibration:
    """Learn what answers are worth.

    Args:
        answers: the probability of each answer that was given, and whether it was right.
        wrong: the share of wrong ones among all that are believed, at most.
    """
    ordered = sorted(answers)
    blocks: list[list[float]] = []
    for probability, same in itertools.groupby(ordered, key=lambda one: one[0]):
        rights_of = [float(right) for _, right in same]
        blocks.append([probability, sum(rights_of), float(len(rights_of))])
        while len(blocks) > 1 and _share(blocks[-2]) >= _share(blocks[-1]):
            _, rights, count = blocks.pop()
            blocks[-1][1] += rights
            blocks[-1][2] += count
    return Calibration(
        tuple(block[0] for block in blocks),
        tuple(_share(block) for block in blocks),
        _enough(blocks, wrong),
        len(ordered),
    )


def _share(block: Sequence[float]) -> float:
    return block[1] / block[2]


def _enough(blocks: Sequence[Sequence[float]], wrong: float) -> float:
    """The lowest confidence such that of all answers from there on few enough are wrong."""
    best, rights, count = 1.1, 0.0, 0.0
    for block in reversed(blocks):
        rights, count = rights + block[1], count + block[2]
        if count - rights <= wrong * count:
            best = _share(block)
    return best


def calibration(task: Task, folder: Path | None = None) -> Calibration:
    """What is known of a task, beside the adapter in use; without a file, what is so without any experience."""
    if folder is None:
        folder = (adapter_file() or ADAPTER / "adapter.gguf").parent
    try:
        found = json.loads((folder / FILE).read_text("utf-8"))
        return msgspec.convert(found[task], Calibration)
    except (OSError, ValueError, KeyError, TypeError, msgspec.ValidationError):
        return Calibration()
