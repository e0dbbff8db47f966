"""`dabhand report`: what it has become."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dabhand.interfaces.cli.options import common, store_directory
from dabhand.interfaces.cli.output import visible

if TYPE_CHECKING:
    from rich.console import RenderableType

    from dabhand.agent.report import ExamEntry, Report, Stretch

EXAMS = 8
"""Exams that are told one by one."""

HEIGHT = 8
"""Rows of the plot."""
BARS = " ▁▂▃▄▅▆▇█"


@click.command("report")
@common
def command(as_json: bool, store: Path | None) -> int:
    """Show what it has become: commands understood, accuracy, surprises, requests carried out and undone."""
    import msgspec

    from dabhand.agent.report import report_of
    from dabhand.interfaces.cli.output import console, write_document
    from dabhand.interfaces.cli.recall import recall
    from dabhand.store import Store

    with Store.open(store_directory(store)) as opened:
        report = report_of(opened, recall(opened))
    if as_json:
        write_document(msgspec.to_builtins(report))
        return 0
    screen = console()
    for part in page(report):
        screen.print(part)
    return 0


def page(report: Report) -> Iterator[RenderableType]:
    """The report for people."""
    from rich.table import Table
    from rich.text import Text

    from dabhand.interfaces.cli.tables import STYLES, counts_text

    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row("commands", Text(f"{report.understood} of {report.commands} understood", "bold"))
    counts = counts_text((status, report.status_counts.get(status, 0)) for status in STYLES)
    if counts.plain and report.understood < report.commands:
        table.add_row("", counts)
    table.add_row("experiments", f"{report.experiments}")
    table.add_row("foretold", accuracy_sentence(report))
    table.add_row("surprises", f"{report.surprises} in all")
    table.add_row("shapes", f"{report.goal_shapes} of requests remembered")
    table.add_row("tools", f"{report.tools} grown")
    table.add_row("requests", runs_sentence(report))
    for number, exam in enumerate(report.exams[:EXAMS]):
        table.add_row("" if number else "exams", exam_sentence(exam))
    if not report.exams:
        table.add_row("exams", "none yet")
    elif len(report.exams) > EXAMS:
        table.add_row("", f"and {len(report.exams) - EXAMS} more")
    yield table
    if report.history:
        yield Text("\nforetold exactly, over all experiments", "dim")
        yield from plot(report.history)


def accuracy_sentence(report: Report) -> str:
    """How well it foretells lately."""
    if report.accuracy_recent is None:
        return "nothing yet"
    return (
        f"{report.accuracy_recent:.1%} of the last {report.predictions} outcomes exactly, each before learning from it"
    )


def runs_sentence(report: Report) -> str:
    """How many requests there were, and how they ended."""
    parts = [f"{count} {state}" for state, count in sorted(report.runs.items())]
    return ", ".join(parts) if parts else "none yet"


def exam_sentence(exam: ExamEntry) -> str:
    """How one exam went."""
    agreed = exam.self_check_agreement
    checks = f", own check agrees on {agreed[0]} of {agreed[1]}" if agreed else ""
    calls = f"{exam.lm_calls} language-model calls"
    return (
        f"{visible(exam.suite)} (seed {exam.seed}): {exam.score[0]} of {exam.score[1]}{checks},"
        f" {exam.false_done} false done, {calls}"
    )


def plot(history: tuple[Stretch, ...]) -> Iterator[RenderableType]:
    """The accuracy of stretches as columns, on a scale from 0 to 100%."""
    from rich.text import Text

    steps = len(BARS) - 1
    heights = [round(stretch.accuracy * HEIGHT * steps) for stretch in history]
    for row in range(HEIGHT - 1, -1, -1):
        label = {HEIGHT - 1: "100%", HEIGHT // 2 - 1: " 50%", 0: "  0%"}.get(row, "    ")
        cells = "".join(BARS[min(max(height - row * steps, 0), steps)] for height in heights)
        yield Text.assemble((f"{label} ", "dim"), ("│", "dim"), (cells, "green"))
    yield Text(f"     └{'─' * len(history)}", "dim")
    last = str(history[-1].until)
    yield Text(f"      1{last:>{max(len(history) - 1, len(last) + 1)}}", "dim")
