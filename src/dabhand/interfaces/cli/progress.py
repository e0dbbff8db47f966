"""Practice as somebody watches it: a live view in a terminal, plain lines elsewhere. All of it on standard error."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from dabhand.interfaces.cli.board import Board
from dabhand.interfaces.cli.output import console, visible
from dabhand.interfaces.cli.tables import STYLES, counts_text

if TYPE_CHECKING:
    from dabhand.practice import Event

Watch = Callable[["Event"], None]

FRAMES_PER_SECOND = 8
SECONDS_BETWEEN_LINES = 2.0
SURPRISES_BETWEEN_LINES = 3
SURPRISE_ROWS = 3
OTHER_ROWS = 6
"""Rows of the live view that are neither commands nor surprises, with one kept free for the cursor."""

UNCLEAR = "\"'\\`$*?[]~#"
"""In the line of a surprise that stays on the screen, these would take a second look to read."""

UNTELLING = ("fails", "nothing")
"""So begins what was seen when nothing much was."""


@contextmanager
def watching(commands: Sequence[str], *, plain: bool = False, keep: int = 0) -> Iterator[Watch]:
    """Show events as they come: live on a terminal unless `plain`, else as lines.

    Args:
        commands: the templates to be practised.
        plain: lines even on a terminal.
        keep: how many surprises stay on a terminal's screen when the live view has gone.
    """
    screen = console(error=True)
    if screen.is_terminal and not plain:
        view = LiveView(screen, Board(commands), keep)
        with Live(console=screen, get_renderable=view.__rich__, refresh_per_second=FRAMES_PER_SECOND, transient=True):
            yield view
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
    """The state of practice: figures, a bar per command, the last surprises. rich asks for it at every frame."""

    def __init__(self, screen: Console, board: Board, keep: int) -> None:
        self._screen = screen
        self._board = board
        self._keep = keep
        self._kept: set[str] = set()
        self._next_kept = 0.0
        self._last: Event | None = None
        self._count = 0
        self._surprises: deque[Event] = deque(maxlen=8)

    def __call__(self, event: Event) -> None:
        """Take in one event; cheap, because it comes hundreds of times per second."""
        self._last = event
        self._board.note(event)
        if not event.surprise:
            return
        self._count += 1
        if self._is_worth_keeping(event):
            self._keep -= 1
            self._kept.add(event.command)
            self._next_kept = time.monotonic() + SECONDS_BETWEEN_LINES
            self._screen.print(surprise_table(event))
        else:
            self._surprises.append(event)

    def _is_worth_keeping(self, event: Event) -> bool:
        """Whether a person gets the point at a glance, and was given time to take in the one before."""
        width = self._screen.width - len("surprise!  expected ")
        return (
            self._keep > 0
            and time.monotonic() >= self._next_kept
            and event.command not in self._kept
            and not event.observed.startswith(UNTELLING)
            and all(text.isascii() and len(text) <= width for text in (event.line, event.predicted, event.observed))
            and not any(letter in event.line for letter in UNCLEAR)
        )

    def __rich__(self) -> Group:
        """What is on the screen now."""
        if self._last is None:
            return Group(Text("Opening the sandbox ...", "dim"))
        event, height = self._last, self._screen.height
        shown = min(len(self._surprises), 2 if height < 30 else 4)
        if self._keep:
            shown = min(shown, 1)
        board = self._board.table(self._screen.width, height - OTHER_ROWS - SURPRISE_ROWS * shown)
        head = Text.assemble(
            (f"{event.number}", "bold"), f" experiments · {event.rate:.0f} per second · ",
            (f"{event.accuracy:.0%}", "bold"), " predicted exactly · ",
            (f"{self._count}", "bold yellow"), " surprises",
        )  # fmt: skip
        parts = [head, counts_text((status, event.status_counts.get(status, 0)) for status in STYLES)]
        running = Text(f"$ {visible(event.line)}", "dim", no_wrap=True, overflow="ellipsis")
        last = list(self._surprises)[len(self._surprises) - shown :]
        return Group(*(part for part in parts if part.plain), board, running, *map(surprise_table, last))


def figures(event: Event) -> str:
    """The state of practice in a line."""
    counts = ", ".join(f"{count} {status}" for status, count in event.status_counts.items() if count)
    line = f"experiment {event.number}: {event.rate:.0f} per second, {event.accuracy:.0%} right lately"
    return f"{line}; {counts}" if counts else line


def surprise_line(event: Event) -> str:
    """What ran, what was expected, and what came instead, in a line."""
    return f"{visible(event.line)} | expected: {visible(event.predicted)} | saw: {visible(event.observed)}"


def surprise_table(event: Event) -> Table:
    """The same in three lines, each cut off where the screen ends."""
    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, overflow="ellipsis")
    table.add_row(Text("surprise!", "bold yellow"), Text(f"$ {visible(event.line)}", "bold"))
    table.add_row("", Text(f"expected {visible(event.predicted)}", "dim"))
    table.add_row("", Text(f"saw      {visible(event.observed)}"))
    return table
