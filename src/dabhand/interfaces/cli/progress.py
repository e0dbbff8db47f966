"""Practice as somebody watches it: a live view in a terminal, plain lines elsewhere. All of it on standard error."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from dabhand.interfaces.cli.output import console, visible
from dabhand.interfaces.cli.tables import STYLES

if TYPE_CHECKING:
    from dabhand.practice import Event

Watch = Callable[["Event"], None]

FRAMES_PER_SECOND = 8
SURPRISES_SHOWN = 4
SECONDS_BETWEEN_LINES = 2.0
SURPRISES_BETWEEN_LINES = 3


@contextmanager
def watching(*, plain: bool = False, keep: int = 0) -> Iterator[Watch]:
    """Show events as they come: live on a terminal unless `plain`, else as lines.

    Args:
        plain: lines even on a terminal.
        keep: how many surprises stay on a terminal's screen when the live view has gone.
    """
    screen = console(error=True)
    if screen.is_terminal and not plain:
        with _live(screen, keep) as watch:
            yield watch
    else:
        yield PlainLines()


class PlainLines:
    """Prints a line of figures every two seconds, and the first few surprises between two such lines."""

    def __init__(self) -> None:
        self._next = time.monotonic() + SECONDS_BETWEEN_LINES
        self._surprises = 0

    def __call__(self, event: Event) -> None:
        """Take in one event."""
        if event.surprise:
            self._surprises += 1
            if self._surprises <= SURPRISES_BETWEEN_LINES:
                print(f"surprise! {surprise_line(event)}", file=sys.stderr)
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + SECONDS_BETWEEN_LINES
            self._surprises = 0
            print(figures(event), file=sys.stderr, flush=True)


class LiveView:
    """The last event as a small table with the surprises that led to it; rich asks for it at every frame."""

    def __init__(self, screen: Console, keep: int) -> None:
        self._screen = screen
        self._keep = keep
        self._next_kept = 0.0
        self._last: Event | None = None
        self._surprises: deque[Event] = deque(maxlen=SURPRISES_SHOWN)

    def __call__(self, event: Event) -> None:
        """Take in one event; cheap, because it comes hundreds of times per second."""
        self._last = event
        if not event.surprise:
            return
        if self._keep and time.monotonic() >= self._next_kept:
            self._keep -= 1
            self._next_kept = time.monotonic() + SECONDS_BETWEEN_LINES
            self._screen.print(_surprise(event))
        else:
            self._surprises.append(event)

    def __rich__(self) -> Group:
        """What is on the screen now."""
        if self._last is None:
            return Group(Text("Opening the sandbox ...", "dim"))
        event = self._last
        head = Text.assemble((f"{event.number:>6} ", "bold"), figures(event).split(": ", 1)[1])
        parts = [head, _status_bar(event), Text(f"  $ {visible(event.line)}", "dim", no_wrap=True, overflow="ellipsis")]
        return Group(*parts, *(_surprise(one) for one in self._surprises))


def figures(event: Event) -> str:
    """The state of practice in a line."""
    counts = ", ".join(f"{count} {status}" for status, count in event.status_counts.items() if count)
    line = f"experiment {event.number}: {event.rate:.0f} per second, {event.accuracy:.0%} right lately"
    return f"{line}; {counts}" if counts else line


def surprise_line(event: Event) -> str:
    """What ran, what was expected, and what came instead, in a line."""
    return f"{visible(event.line)} | expected: {visible(event.predicted)} | saw: {visible(event.observed)}"


@contextmanager
def _live(screen: Console, keep: int) -> Iterator[Watch]:
    view = LiveView(screen, keep)
    with Live(console=screen, get_renderable=view.__rich__, refresh_per_second=FRAMES_PER_SECOND, transient=True):
        yield view


def _status_bar(event: Event) -> Text:
    bar = Text("       ")
    for status, style in STYLES.items():
        bar.append("\N{FULL BLOCK}" * event.status_counts.get(status, 0), style)
    return bar


def _surprise(event: Event) -> Table:
    table = Table.grid(padding=(0, 1))
    table.add_row(Text("surprise!", "bold yellow"), Text(visible(event.line), "bold"))
    table.add_row("", Text(f"expected {visible(event.predicted)}", "dim"))
    table.add_row("", Text(f"saw      {visible(event.observed)}"))
    return table
