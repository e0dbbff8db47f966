"""How beliefs look in a terminal: the table of commands, and one command in full."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from dabhand.interfaces.cli.output import visible

if TYPE_CHECKING:
    from dabhand.world import CommandReport

STYLES = {
    "understood": "green",
    "partial": "yellow",
    "opaque": "magenta",
    "unrepeatable": "cyan",
    "failing": "red",
    "untried": "dim",
}


def status_text(status: str) -> Text:
    """A status in its colour."""
    return Text(status, STYLES.get(status, ""))


def commands_table(reports: Iterable[CommandReport]) -> Table:
    """One line per command: how well it is known, from how much, and what it mostly does."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("command", overflow="fold")
    table.add_column("status")
    table.add_column("tries", justify="right")
    table.add_column("support", justify="right")
    table.add_column("what it does, as far as it was seen", overflow="fold", ratio=1)
    for report in reports:
        table.add_row(
            Text(visible(report.command), "bold"),
            status_text(report.status),
            str(report.experiments),
            support(report.support),
            Text(visible(_gist(report))),
        )
    return table


def rules_table(report: CommandReport) -> Table:
    """Every rule of one command: when, what, how often it was right, and the closest other explanation."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("when", overflow="fold", ratio=3)
    table.add_column("then", overflow="fold", ratio=4)
    table.add_column("support", justify="right")
    table.add_column("closest rival", overflow="fold", ratio=3)
    table.add_column("its support", justify="right")
    for effect in report.effects:
        table.add_row(
            visible(effect.context),
            visible(effect.effect),
            support(effect.support),
            visible(effect.rival or ""),
            support(effect.rival_support) if effect.rival_support else "",
        )
    return table


def support(counts: Sequence[int]) -> str:
    """`15 of 15`."""
    right, tried = counts
    return f"{right} of {tried}"


def _gist(report: CommandReport) -> str:
    """The best supported rule, or why there is none; how many more there are."""
    if not report.effects or report.status == "unrepeatable":
        return report.reason
    main = max(report.effects, key=lambda effect: effect.support[0])
    others = len(report.effects) - 1
    return main.effect + (f"  (+{others} more)" if others else "")
