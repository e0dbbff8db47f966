"""The world model: what commands are believed to do, in which context, on what evidence.

Effects are terms of the language and contexts are small sets of features, both found from experiments alone.
"""

from __future__ import annotations

from dabhand.world.command import CommandModel
from dabhand.world.explaining import CommandReport, Effect, report_on, status_of
from dabhand.world.model import Judgement, World
from dabhand.world.prediction import TRUSTED, Prediction
from dabhand.world.sentences import expected_sentence, outcome_sentence

__all__ = [
    "TRUSTED", "CommandModel", "CommandReport", "Effect", "Judgement", "Prediction", "World", "expected_sentence",
    "outcome_sentence", "report_on", "status_of",
]  # fmt: skip
