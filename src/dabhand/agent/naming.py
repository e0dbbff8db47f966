"""What names in a line of conversation can stand for: files that are here, commands that are known."""

from __future__ import annotations

from collections.abc import Sequence

from dabhand.agent.intents import is_word
from dabhand.agent.moves import Surroundings
from dabhand.world import CommandReport


class NamesHere:
    """Names as one line may use them."""

    def __init__(self, around: Surroundings) -> None:
        self.around = around
        self._files: dict[str, bool] = {}
        self._commands: dict[str, bool] = {}

    def is_file(self, text: str) -> bool:
        """Whether something in the folder is called so."""
        if text not in self._files:
            self._files[text] = self.around.kind(text) != "missing"
        return self._files[text]

    def is_command(self, text: str) -> bool:
        """Whether commands that were practised begin so."""
        if text not in self._commands:
            self._commands[text] = bool(commands_like(text, self.around.reports()))
        return self._commands[text]


class StrangersHere(NamesHere):
    """Names as a line may use them that asks about a command that nobody knows."""

    def is_command(self, text: str) -> bool:
        """Whether it may be one: words that mean nothing else, and no file."""
        return not self.is_file(text) and not any(map(is_word, text.split()))


def commands_like(wanted: str, reports: Sequence[CommandReport]) -> list[CommandReport]:
    """The commands of that text, or else all that begin with its words."""
    exact = [report for report in reports if report.command == wanted]
    return exact or [report for report in reports if f"{report.command} ".startswith(f"{wanted} ")]
