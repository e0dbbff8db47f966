"""`dabhand explain`: one command in full."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dabhand.errors import NotUnderstood
from dabhand.interfaces.cli.options import common, store_directory

if TYPE_CHECKING:
    from dabhand.world import CommandReport


@click.command("explain")
@click.argument("wanted", metavar="COMMAND")
@common
def command(wanted: str, as_json: bool, store: Path | None) -> int:
    """Show the rules of one command: when, what, how often that was right, and the closest other explanation.

    COMMAND is a template ('sort {A} > {B}'), or how one begins where only one begins so.
    """
    import msgspec

    from dabhand.interfaces.cli.output import console, write_document
    from dabhand.interfaces.cli.recall import recall
    from dabhand.store import Store
    from dabhand.world import report_on

    with Store.open(store_directory(store)) as opened:
        reports = [report_on(model) for model in recall(opened).models.values()]
        report = chosen_report(wanted, reports)
    if as_json:
        write_document(msgspec.to_builtins(report))
        return 0
    from dabhand.interfaces.cli.tables import in_full

    screen = console()
    for part in in_full(report):
        screen.print(part)
    return 0


def chosen_report(wanted: str, reports: Sequence[CommandReport]) -> CommandReport:
    """The report of the command of that text, or of the only one that begins so.

    Raises:
        NotUnderstood: it was never tried, or several begin so.
    """
    for report in reports:
        if report.command == wanted:
            return report
    alike = [report for report in reports if report.command.startswith(wanted)]
    match alike:
        case [only]:
            return only
        case []:
            raise NotUnderstood(f"{wanted!r} was never tried.", f"Practise it: dabhand learn --template {wanted!r}")
        case _:
            names = ", ".join(repr(report.command) for report in alike)
            raise NotUnderstood(f"Several commands begin with {wanted!r}.", f"Name one of {names}.")
