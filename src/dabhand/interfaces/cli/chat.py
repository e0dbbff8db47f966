"""`dabhand chat`: talk about the files of a folder."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path

import click

from dabhand.interfaces.cli.options import common, require_folder, store_directory


@click.command("chat")
@click.option(
    "--root", metavar="DIR", type=click.Path(path_type=Path), default=Path(), help="The folder to work on (this one)."
)
@click.option("--yes", is_flag=True, help="Do not ask before changing anything.")
@click.option("--no-tools", is_flag=True, help="Plan with what was practised alone; make no new command for it.")
@common
def command(root: Path, yes: bool, no_tools: bool, as_json: bool, store: Path | None) -> int:
    """Talk about the files of a folder: ask for work, undo it, ask why, look at files.

    Every line is a request in plain English, or one of a few things that a conversation needs ("help" names them).
    Reads lines from a pipe as well; a question is then answered by the next line. With --json, one document per line.
    """
    require_folder(root)

    from dabhand.interfaces.cli.around import Around
    from dabhand.interfaces.cli.line import PlainLines, lines_for
    from dabhand.interfaces.cli.screen import People, Programs
    from dabhand.interfaces.cli.talking import Talk
    from dabhand.store import Store

    with Store.open(store_directory(store)) as opened:
        around = Around(opened, root.absolute(), time.time)
        if as_json:
            Talk(around, PlainLines(silent=True), Programs(), yes=yes, tools=not no_tools).hold()
            return 0
        lines = lines_for(
            opened.file.parent,
            lambda inside: _names(root, inside),
            lambda: [report.command for report in around.reports()],
        )
        Talk(around, lines, People(), yes=yes, tools=not no_tools).hold()
    return 0


def _names(root: Path, inside: str) -> Iterable[str]:
    """The entries of a folder, for completion: sorted, folders with a slash."""
    if inside.startswith("/") or ".." in inside.split("/"):
        return []
    try:
        with os.scandir(root / inside) as entries:
            return sorted(entry.name + "/" * entry.is_dir() for entry in entries)
    except OSError as error:
        del error  # nothing to complete with
        return []
