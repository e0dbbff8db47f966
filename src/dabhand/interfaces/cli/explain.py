"""`dabhand explain`: one command in full."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dabhand.errors import UsageError
from dabhand.interfaces.cli.options import common, store_directory

if TYPE_CHECKING:
    from dabhand.world import CommandReport


@click.command("explain")
@click.argument("wanted", metavar="COMMAND")
@click.option("--full", is_flag=True, help="Name every context of a rule, however many there are.")
@common
def command(wanted: str, full: bool, as_json: bool, store: Path | None) -> int:
    """Show the rules of one command: when, what, how often that was right, and the closest other explanation.

    COMMAND is a template ('sort {A} > {B}'), or how one begins where only one begins so.
    """
    import msgspec

    from dabhand.interfaces.cli.output import console, write_document
    from dabhand.interfaces.cli.recall import recall
    from dabhand.store import Store
    from dabhand.toolmaking.registry import Registry
    from dabhand.toolmaking.reporting import report_on_tool
    from dabhand.world import report_on

    with Store.open(store_directory(store)) as opened:
        reports = [report_on(model) for model in recall(opened).models.values()]
        reports += [report_on_tool(tool) for tool in Registry.of(opened).all()]
        report = chosen_report(wanted, reports)
    if as_json:
        write_document(msgspec.to_builtins(report))
        return 0
    from dabhand.interfaces.cli.tables import in_full

    screen = console()
    for part in in_full(report, full=full):
        screen.print(part)
    return 0


def chosen_report(wanted: str, reports: Sequence[CommandReport]) -> CommandReport:
    """The report of the command of that text, or of the only one that begins so.

    Raises:
        UsageError: it was never tried, or several begin so; the hint names those that may be meant.
    """
    texts = {report.command: report for report in reports}
    if wanted in texts:
        return texts[wanted]
    alike = [text for text in texts if text.startswith(wanted)]
    if len(alike) == 1:
        return texts[alike[0]]
    if alike:
        raise UsageError(f"{len(alike)} commands begin with {wanted!r}.", f"Name one of {_listed(alike)}.")
    near = _near(wanted, list(texts))
    hint = f"Practise it: dabhand learn --template {shlex.quote(wanted)}" if "{" in wanted else "See: dabhand commands"
    raise UsageError(f"{wanted!r} was never tried.", f"Do you mean {_listed(near)}? {hint}" if near else hint)


def _near(wanted: str, texts: Sequence[str]) -> list[str]:
    """Commands of the same program, else those that are spelled much alike."""
    program = wanted.split(" ", 1)[0]
    programs = get_close_matches(program, {text.split(" ", 1)[0] for text in texts})
    same = [text for text in texts if text.split(" ", 1)[0] == program]
    return same or [text for text in texts if text.split(" ", 1)[0] in programs] or get_close_matches(wanted, texts)


def _listed(texts: Sequence[str]) -> str:
    return ", ".join(map(repr, texts))
