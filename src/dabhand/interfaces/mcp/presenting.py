"""What an agent is shown of a run: the lines that matter, or all of what a command that prints answers prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dabhand.interfaces.mcp.shortening import lean
from dabhand.interfaces.mcp.streams import counted

MOST_LINES, MOST_BYTES = 600, 24_000
"""Of either stream that are asked of a run: more than any answer holds."""

LEFT_RUNNING = "Still running in the background: "
NOT_REQUESTED = {"lines": [], "selection": "not_requested", "complete": True}


def presented(packet: Mapping[str, Any], command: str, *, wished: bool) -> dict[str, Any]:
    """The packet of a run without what nobody needs of it.

    Nobody wants the summary of `git log` or `grep`: their output is the answer. Of a build, a test or a script that is
    what matters, and of whatever failed the failure is.

    Args:
        packet: as the command line prints it.
        command: as a line of bash.
        wished: whether somebody said which lines are wanted.
    """
    from dabhand.corpus.replaying import kind_of

    packet = counted(packet)
    notes = packet.get("notes") or ()
    if any(str(note).startswith(LEFT_RUNNING) for note in notes):
        packet["notes"] = [*notes, "That is ended neither with this call nor with the server: end it by its number."]
    if packet.get("status") == "ok" and not wished and kind_of(command) != "run":
        return packet | {"evidence": NOT_REQUESTED}
    return lean(packet)
