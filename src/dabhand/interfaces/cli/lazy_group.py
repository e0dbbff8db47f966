"""A group of commands that are imported when they are run, and not to list them."""

from __future__ import annotations

import gc
import importlib
from collections.abc import Mapping
from typing import Any

import click


class LazyGroup(click.Group):
    """A group whose commands live in one module each."""

    def __init__(self, *args: Any, summaries: Mapping[str, str], prefix: str = "", **more: Any) -> None:
        """A group.

        Args:
            args: as of click.
            summaries: what is said of each command, by its name, in the order in which they are listed.
            prefix: of the modules' names, before that of the command.
            more: as of click.
        """
        super().__init__(*args, **more)
        self._summaries, self._prefix = summaries, prefix

    def list_commands(self, context: click.Context) -> list[str]:
        """The names, in the order in which a newcomer wants them."""
        return list(self._summaries)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """The command of that name: the object `command` of its module."""
        if name not in self._summaries:
            return None
        command = importlib.import_module(f"dabhand.interfaces.cli.{self._prefix}{name}").command
        assert isinstance(command, click.Command)
        gc.enable()
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._summaries.items()))
