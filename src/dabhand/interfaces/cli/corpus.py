"""`dabhand corpus`: transcripts of agents as a corpus. Each command of it is a module `corpus_NAME`."""

from __future__ import annotations

import importlib
import os

import click

# As in root.py: listing the commands must not import them.
SUMMARIES = {
    "extract": "Turn transcripts into triples of request, command and result.",
    "facts": "Say mechanically of every call what it is and what went wrong.",
    "templates": "Turn the commands that agents ran into templates worth practising.",
    "prepare": "Make training cases of recorded looks at files.",
    "check": "Run recorded commands and the operations they map to, side by side.",
    "split": "Freeze which calls are for training, validation, review and the final test.",
}


class LazyGroup(click.Group):
    """A group whose commands live in one module each, imported when they are run."""

    def list_commands(self, context: click.Context) -> list[str]:
        """The names, in the order in which they are used."""
        return list(SUMMARIES)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """The command of that name: the object `command` of the module `corpus_NAME`."""
        if name not in SUMMARIES:
            return None
        found = importlib.import_module(f"dabhand.interfaces.cli.corpus_{name}").command
        assert isinstance(found, click.Command)
        return found

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(SUMMARIES.items()))


@click.group("corpus", cls=LazyGroup)
@click.pass_context
def command(context: click.Context) -> None:
    """Recover real work from the transcripts of agents; all of it stays on this machine."""
    before = os.umask(0o077)  # whatever is written is for its owner alone
    context.call_on_close(lambda: os.umask(before))
