"""How often a model's answers of one probability are right, learned on a validation set; and from where on it may act.

The probability that a model gives its own answer is no confidence: small models are sure of themselves. Answers of a
validation set are sorted by it; the share of right ones, made to rise with it (isotonic regression by pooling adjacent
violators: Ayer et al. 1955; for calibration: Zadrozny and Elkan, KDD 2002), is what it is worth.
"""

from __future__ import annotations

import bisect
import hashlib
import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from dabhand.models.prompts import Task
from dabhand.models.weights import adapter_file

FILE = "calibration.json"

WRONG = 0.02
"""Of all answers that are believed on the validation set, at most this share may be wrong. Of fewer answers than this
share can tell apart (fifty) nothing is concluded, and none is believed."""


class Calibration(msgspec.Struct, frozen=True):
    """What answers are worth, by the probability that the model gave them.

    Attributes:
        probabilities: from which on, in rising order, each confidence holds.
        confidences: the share of right answers, rising.
        enough: the confidence from which on an answer is believed; above 1 where none ever is.
        examples: how many answers it was learned from.

    Without any experience nothing is believed.
    """

    probabilities: tuple[float, ...] = ()
    confidences: tuple[float, ...] = ()
    enough: float = 1.1
    examples: int = 0

    def confidence(self, probability: float) -> float:
        """What an answer is worth; without any experience, nothing."""
        if not self.probabilities:
            return 0.0
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
    """The lowest confidence such that of all answers from there on, fifty or more, few enough are wrong."""
    best, rights, count = 1.1, 0.0, 0.0
    for block in reversed(blocks):
        rights, count = rights + block[1], count + block[2]
        if count - rights <= wrong * count and wrong * count >= 1:
            best = _share(block)
    return best


def calibration(task: Task, adapter: Path | None = None) -> Calibration:
    """What is known of a task with an adapter, by default the one in use; nothing where it was learned with another."""
    adapter = adapter or adapter_file()
    if adapter is None:
        return Calibration()
    try:
        found = json.loads(adapter.with_name(FILE).read_text("utf-8"))
        known = msgspec.convert(found[task], Calibration)
        if found["adapter"] != digest(adapter) or len(known.probabilities) != len(known.confidences):
            return Calibration()
    except (OSError, ValueError, KeyError, TypeError, msgspec.ValidationError):
        return Calibration()
    return known


def kept(known: Mapping[str, Calibration], adapter: Path) -> bytes:
    """What is known of tasks with an adapter, as a file."""
    document = {"adapter": digest(adapter), **known}
    return msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n"


def digest(adapter: Path) -> str:
    """Which adapter it is."""
    return hashlib.sha256(adapter.read_bytes()).hexdigest()
