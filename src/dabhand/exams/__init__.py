"""Exams: suites of tasks drawn by seed, and the independent host that judges what the agent made of them.

Tasks and verdicts share no code with what they judge, but for the classes of errors; `dabhand.exams.sitting`, which
sets an agent to work, is imported by whoever wants that, and not from here.
"""

from __future__ import annotations

from dabhand.exams.host.verdict import faults
from dabhand.exams.task import Expect, Task, read_tasks

__all__ = ["Expect", "Task", "faults", "read_tasks"]
