"""What a person sees of `dabhand run`: the last lines while it runs, then how it ended and the lines that matter."""

from __future__ import annotations

import contextlib
import sys
import time
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dabhand.interfaces.cli.output import console, visible

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from dabhand.handoff.packet import Packet
    from dabhand.handoff.running.command import Asked, Ran, Watcher
    from dabhand.handoff.running.process import Stream

_LIVE_LINES = 6
_WIDEST = 2000
_MARKS = {"ok": ("✓", "green"), "no_match": ("·", "yellow"), "failed": ("✗", "red")}
_WORDS = {"ok": "done", "no_match": "nothing found", "failed": "failed"}


@contextlib.contextmanager
def watching(asked: Asked) -> Iterator[Watcher | None]:
    """Show the last lines of what comes, at a terminal; elsewhere nothing."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.live import Live

    screen = _Screen()
    with Live(get_renderable=screen.shown, console=console(error=True), transient=True, refresh_per_second=8):
        yield screen.take


class _Screen:
    """The last lines of both streams."""

    def __init__(self) -> None:
        self.begun = time.monotonic()
        self.lines: deque[str] = deque(maxlen=_LIVE_LINES)
        self.unfinished: dict[Stream, bytes] = {}

    def take(self, stream: Stream, piece: bytes) -> None:
        """Take in what came."""
        *whole, rest = (self.unfinished.get(stream, b"") + piece)[-64_000:].split(b"\n")
        self.unfinished[stream] = rest[-_WIDEST:]
        self.lines.extend(on_screen(line.decode("utf-8", "surrogateescape")) for line in whole[-_LIVE_LINES:])

    def shown(self) -> Text:
        """What the screen holds now."""
        from rich.text import Text

        unfinished = [on_screen(rest.decode("utf-8", "surrogateescape")) for rest in self.unfinished.values() if rest]
        lines = [*self.lines, *unfinished][-_LIVE_LINES:]
        text = Text(f"running for {time.monotonic() - self.begun:.0f} s", style="dim", no_wrap=True)
        for line in lines:
            text.append("\n│ " + line)
        return text


def on_screen(line: str) -> str:
    """A line as a terminal would have it in the end: without colours, and only what was written over last."""
    from dabhand.handoff.evidence.text import cleaned

    return visible(cleaned(line)[:_WIDEST].replace("\t", "    "))


def show(ran: Ran) -> None:
    """Say how it ended."""
    from rich.text import Text

    out = console()
    packet = ran.packet
    mark, colour = _MARKS[packet.status]
    head = Text(f"{mark} ", style=colour)
    head.append("interrupted" if ran.interrupted else _WORDS[packet.status], style=f"bold {colour}")
    head.append(f"  {_how(packet)}  {packet.timings_ms.run / 1000:.1f} s", style="dim")
    out.print(head)
    if packet.stages and len(packet.stages) > 1:
        _show_stages(out, packet)
    _show_lines(out, packet)
    if packet.error is not None:
        out.print(Text(f"  {visible(packet.error.message)} {visible(packet.error.hint)}"))
    for note in packet.notes:
        out.print(Text("  " + visible(note), style="yellow"))
    if packet.artifact is not None:
        out.print(Text(f"  everything: dabhand artifact show {packet.artifact.id}", style="dim"))


def _how(packet: Packet) -> str:
    if packet.timed_out:
        return "time was up"
    return packet.signal if packet.signal is not None else f"exit status {packet.exit_code}"


def _show_stages(out: Console, packet: Packet) -> None:
    from rich.text import Text

    for stage in packet.stages or ():
        fine = stage.exit_code == 0
        ending = "?" if stage.exit_code is None else stage.signal or str(stage.exit_code)
        line = Text("  ")
        line.append(f"{ending:>7}  ", style="green" if fine else "red")
        line.append(on_screen(" ".join(stage.command.split()))[:100])
        out.print(line)


def _show_lines(out: Console, packet: Packet) -> None:
    """The evidence; where there is none, the output as far as the limits allow."""
    from rich.text import Text

    lines = packet.evidence.lines or packet.output.lines
    if not lines and packet.stderr.text:
        for text in packet.stderr.text.splitlines()[-10:]:
            out.print(Text("  " + on_screen(text)))
    width = max((len(str(line.n)) for line in lines), default=0)
    before = 0
    for line in lines:
        if before and line.n > before + 1:
            out.print(Text(f"  {'⋮':>{width}}", style="dim"))
        shown = Text(f"  {line.n:>{width}}  ", style="dim")
        shown.append(on_screen(line.text), style="default not dim")
        out.print(shown)
        before = line.n
    if lines is packet.output.lines and not packet.output.complete:
        out.print(Text(f"  {packet.output.omitted_lines} more lines", style="dim"))
