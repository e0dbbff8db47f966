"""What was learned about the building blocks: which are likely, given what the examples look like."""

from __future__ import annotations

import msgspec

from dabhand.toolmaking.search_task import Task


class Guide(msgspec.Struct, frozen=True):
    """How likely each building block is, given properties of the examples.

    Attributes:
        runs: how many runs of building blocks it was learned from.
    """

    runs: int = 0

    def costs(self, task: Task) -> dict[str, int]:
        """What each block costs for a task."""
        return {}
