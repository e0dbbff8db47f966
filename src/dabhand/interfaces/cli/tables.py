"""How beliefs look in a terminal: the table of commands, and one command in full."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from dabhand.interfaces.cli.output import visible

if TYPE_CHECKING:
    from dabhand.world import CommandReport, Effect

STYLES = {
    "understood": "green",
    "partial": "yellow",
    "opaque": "magenta",
    "unrepeatable": "cyan",
    "failing": "red",
    "untried": "dim",
}
IDLE = ("fails", "nothing changes")
"""So begin the effects that say least about what a command is for."""

NARROW = 100
"""Columns below which the table does without the number of tries."""


def status_text(status: str) -> Text:
    """A status in its colour."""
    return Text(status, STYLES.get(status, ""))


def counts_text(counts: Iterable[tuple[str, int]]) -> Text:
    """How many commands have each status: `31 understood  4 partial`."""
    return Text("  ").join(Text(f"{count} {status}", STYLES.get(status, "")) for status, count in counts if count)


def commands_table(reports: Iterable[CommandReport], screen: Console) -> Table:
    """One line per command: how well it is known, from how much, and what it mostly does.

    On a terminal what does not fit is cut off, so that a command stays a line; elsewhere it is folded.
    """
    brief = screen.is_terminal
    narrow = screen.width < NARROW
    overflow: Literal["ellipsis", "fold"] = "ellipsis" if brief else "fold"
    table = Table(box=None, pad_edge=False, header_style="bold", expand=brief, padding=(0, 1 if narrow else 2, 0, 0))
    table.add_column("command", no_wrap=brief, overflow=overflow, max_width=max(24, screen.width // 3))
    table.add_column("status", min_width=len("understood"), no_wrap=True)
    if not narrow:
        table.add_column("tries", justify="right", min_width=5, no_wrap=True)
    table.add_column("right", justify="right", min_width=5, no_wrap=True)
    table.add_column("what it does, in its main rule", no_wrap=brief, overflow=overflow, ratio=1 if brief else None)
    for report in reports:
        tries = () if narrow else (str(report.experiments),)
        table.add_row(
            Text(visible(report.command), "bold"),
            status_text(report.status),
            *tries,
            f"{report.support[0]}/{report.support[1]}",
            Text(visible(_gist(report))),
        )
    return table


def in_full(report: CommandReport) -> Iterator[RenderableType]:
    """One command: how well it is known, then every rule with its support and the closest other explanation."""
    yield Text.assemble((visible(report.command), "bold"), "   ", status_text(report.status))
    if report.reason:
        yield Text(visible(report.reason[:1].upper() + report.reason[1:]) + ".")
    yield Text(
        f"{report.experiments} experiments. Of the last {report.support[1]} outcomes,"
        f" {report.support[0]} were predicted exactly, as a whole."
    )
    for number, effect in enumerate(report.effects, 1):
        yield Padding(_rule(number, effect), (1, 0, 0, 0))


def _rule(number: int, effect: Effect) -> Table:
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for line, context in enumerate(effect.context.split(" or ")):
        table.add_row(Text(str(number) if line == 0 else "", "bold"), "when" if line == 0 else "or", visible(context))
    table.add_row("", "then", Text(visible(effect.effect), "bold"))
    table.add_row("", "seen", f"{support(effect.support)} times")
    if effect.rival is not None and effect.rival_support is not None:
        rival = f"{visible(effect.rival)}  ({support(effect.rival_support)})"
        table.add_row("", "", Text(f"closest rival: {rival}", "dim"))
    return table


def support(counts: Sequence[int]) -> str:
    """`15 of 15`."""
    right, tried = counts
    return f"{right} of {tried}"


def _gist(report: CommandReport) -> str:
    """What it does when it works, in its best supported rule; or why there is none."""
    if not report.effects or report.status == "unrepeatable":
        return report.reason
    working = [effect for effect in report.effects if not effect.effect.startswith(IDLE)]
    main = max(working or report.effects, key=lambda effect: effect.support[0])
    return main.effect
