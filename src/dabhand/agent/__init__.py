"""The loop that ties everything together: a request in, a checked and undoable change of a real folder out."""

from __future__ import annotations

from dabhand.agent.document import DoDocument, StepReport

__all__ = ["DoDocument", "StepReport"]
