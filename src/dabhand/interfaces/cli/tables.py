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

CONTEXTS = 3
"""Of a rule that holds in more contexts than these and one, the rest is counted."""

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

    "foretold" are those of its last outcomes that were predicted exactly, before they were seen.
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
    table.add_column("foretold", justify="right", no_wrap=True)
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


def in_full(report: CommandReport, *, full: bool = False) -> Iterator[RenderableType]:
    """One command: how well it is known, then every rule with its support and the closest other explanation.

    Args:
        report: what is believed about it.
        full: name every context of a rule, however many there are.
    """
    yield Text.assemble((visible(report.command), "bold"), "   ", status_text(report.status))
    if report.reason:
        yield Text(visible(report.reason[:1].upper() + report.reason[1:]) + ".")
    right, judged = report.support
    yield Text(f"{report.experiments} experiments." + (_LATELY.format(right, judged) if judged else ""))
    for number, effect in enumerate(report.effects, 1):
        yield Padding(_rule(number, effect, full), (1, 0, 0, 0))


_LATELY = " Of the last {1}, {0} were foretold exactly, as a whole.\nThe rules are drawn from all of them."


def _rule(number: int, effect: Effect, full: bool) -> Table:
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right", no_wrap=True, style="bold")
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    contexts = effect.context.split(" or ")
    shown = contexts if full or len(contexts) <= CONTEXTS + 1 else contexts[:CONTEXTS]
    for line, context in enumerate(shown):
        table.add_row("" if line else str(number), "or" if line else "when", visible(context))
    if left := len(contexts) - len(shown):
        table.add_row("", "or", Text(f"in {left} more contexts (--full names them)", "dim"))
    table.add_row("", "then", Text(visible(effect.effect), "bold"))
    table.add_row("", "fits", f"{support(effect.support)} experiments in which this was so")
    if effect.rival is not None and effect.rival_support is not None:
        rival = f"{visible(effect.rival)}  (fits {support(effect.rival_support)})"
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
