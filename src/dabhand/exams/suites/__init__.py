"""The suites of tasks: what they ask, in which folder, and what the host expects, all drawn anew by a seed."""

from __future__ import annotations

from dabhand.exams.suites.drawing import SUITES, draw, task_of
from dabhand.exams.suites.scene import KINDS

__all__ = ["KINDS", "SUITES", "draw", "task_of"]
