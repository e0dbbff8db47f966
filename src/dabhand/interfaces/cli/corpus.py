"""`dabhand corpus`: transcripts of agents as a corpus. Each command of it is a module `corpus_NAME`."""

from __future__ import annotations

import os

import click

from dabhand.interfaces.cli.lazy_group import LazyGroup

SUMMARIES = {
    "extract": "Turn transcripts into triples of request, command and result.",
    "facts": "Say mechanically of every call what it is and what went wrong.",
    "templates": "Turn the commands that agents ran into templates worth practising.",
    "prepare": "Make training cases of recorded looks at files.",
    "check": "Run recorded commands and the operations they map to, side by side.",
    "split": "Freeze which calls are for training, validation, review and the final test.",
}


@click.group("corpus", cls=LazyGroup, summaries=SUMMARIES, prefix="corpus_")
@click.pass_context
def command(context: click.Context) -> None:
    """Recover real work from the transcripts of agents; all of it stays on this machine."""
    before = os.umask(0o077)  # whatever is written is for its owner alone
    context.call_on_close(lambda: os.umask(before))
