"""Practice: random scenes, curiosity about what tells rival explanations apart, and the loop that learns from both."""

from __future__ import annotations

from dabhand.practice.practising import practise
from dabhand.practice.report import Event, LearnReport
from dabhand.practice.scenes import Filler, random_scene

__all__ = ["Event", "Filler", "LearnReport", "practise", "random_scene"]
