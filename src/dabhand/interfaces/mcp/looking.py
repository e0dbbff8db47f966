"""An inspection in this process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dabhand import inspect_request
from dabhand.errors import UsageError
from dabhand.interfaces.cli.output import strict
from dabhand.interfaces.mcp.tools import Inspect


def look(given: Inspect, root: Path, store: Path, most_lines: int) -> dict[str, Any]:
    """The packet of an inspection, as a document.

    Raises:
        UsageError: what was asked for cannot be used (a missing target, a path outside the root).
    """
    packet = inspect_request(
        root,
        given.request,
        given.targets,
        given.evidence_request,
        plan=given.plan,
        max_lines=most_lines,
        store=store,
    )
    if packet.status == "rejected" and packet.error is not None:
        raise UsageError(packet.error.message, packet.error.hint)
    document = strict(packet.to_json())
    assert isinstance(document, dict)
    return document
