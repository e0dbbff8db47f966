"""Practice at a glance: every command with how often it was predicted exactly lately, from the events alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from dabhand.interfaces.cli.output import visible

if TYPE_CHECKING:
    from dabhand.practice import Event

RECENT = 12
"""Outcomes over which a command's bar is taken."""

CELL = 26
"""Columns of one command: its bar, and as much of its text as fits."""

BARS = "▁▂▃▄▅▆▇█"


class Board:
    """One bar per command.

    Args:
        commands: the templates to be practised, in the order in which they are shown.
    """

    def __init__(self, commands: Sequence[str]) -> None:
        self._right: dict[str, deque[bool]] = {command: deque(maxlen=RECENT) for command in commands}

    def note(self, event: Event) -> None:
        """Take in one event."""
        outcomes = self._right.setdefault(event.command, deque(maxlen=RECENT))
        outcomes.append(event.known and not event.surprise)

    def table(self, width: int, rows: int) -> Table | Text:
        """The board within so many columns and rows; of more commands, those that are predicted worst."""
        columns = max(1, width // CELL)
        commands = list(self._right)
        if len(commands) > columns * rows:
            worst = sorted(commands, key=self._share)[: max(0, columns * rows)]
            commands = [command for command in commands if command in worst]
        height = -(-len(commands) // columns)
        if height <= 0:
            return Text("")
        table = Table.grid(padding=(0, 1, 0, 0))
        for _ in range(columns):
            table.add_column(width=CELL - 1, no_wrap=True, overflow="ellipsis")
        for row in range(height):
            table.add_row(*(self._cell(command) for command in commands[row::height]))
        return table

    def _share(self, command: str) -> float:
        outcomes = self._right[command]
        return sum(outcomes) / RECENT if outcomes else -1.0

    def _cell(self, command: str) -> Text:
        outcomes = self._right[command]
        if not outcomes:
            return Text.assemble("· ", (visible(command), "dim"))
        share = sum(outcomes) / len(outcomes) * min(1.0, len(outcomes) / (RECENT / 2))
        style = "green" if share > 0.9 else "yellow" if share > 0.5 else "red"
        bar = BARS[min(len(BARS) - 1, int(share * len(BARS)))]
        return Text.assemble((bar, style), " ", visible(command))
