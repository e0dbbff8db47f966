"""A recorded call, handed over after all: what it printed is printed again by a process that `run` runs."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dabhand.corpus.replaying import Answer
    from dabhand.corpus.triple import Triple

_AGAIN = 'cat -- "$1"; exit "$2"'


def answer_of(triple: Triple, folder: Path) -> Answer:
    """What an agent would have read: the packet of a real run, as the server answers with it.

    Both streams come as one, because most hosts recorded them so. The command that is named is the one of the call.

    Args:
        triple: the call.
        folder: a private one, for the recorded output and the store.
    """
    import msgspec

    from dabhand.corpus.replaying import Answer
    from dabhand.handoff.inspecting import artifacts_of
    from dabhand.handoff.packet import Stage
    from dabhand.handoff.plan import Run
    from dabhand.handoff.running.command import Asked, run_command
    from dabhand.interfaces.cli.output import strict
    from dabhand.interfaces.mcp.presenting import MOST_BYTES, MOST_LINES, presented
    from dabhand.interfaces.mcp.rendering import text_of
    from dabhand.interfaces.mcp.shortening import shortened

    recorded, code = folder / "recorded", (triple.exit_code or 0) % 256
    recorded.write_text(triple.output or "", "utf-8", "surrogateescape", newline="")
    again = ("/bin/sh", "-c", _AGAIN, "again", str(recorded), str(code))
    asked = Asked(again, folder, most_lines=MOST_LINES, most_bytes=MOST_BYTES)
    packet = run_command(asked, artifacts_of(folder / "store")).packet
    packet = msgspec.structs.replace(
        packet,
        plan=Run(argv=(triple.command,), shell=True),
        command=triple.command,
        stages=(Stage(shlex.quote(triple.command), code),),
    )
    document = strict(packet.to_json())
    assert isinstance(document, dict)
    answer = shortened(presented(document, triple.command, wished=False))
    text = text_of(answer)
    return Answer(text, msgspec.json.encode(answer).decode(), _shown(text))


def _shown(text: str) -> dict[int, str]:
    """What is shown of each line, by its place (from 0)."""
    found = {}
    for line in text.split("\n"):
        number, colon, rest = line.partition(": ")
        if colon and number.isdecimal():
            found[int(number) - 1] = rest
    return found
