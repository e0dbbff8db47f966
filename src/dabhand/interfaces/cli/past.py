"""How past runs look in a terminal: the table of them, what undoing puts back, what became of one cut short."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dabhand.interfaces.cli.output import SIGNS, visible

if TYPE_CHECKING:
    from dabhand.agent.document import PathChange
    from dabhand.agent.history import PastRun, Undone
    from dabhand.workspace import Recovered

STYLES = {
    "done": "green",
    "undone": "cyan",
    "not done": "red",
    "cut short": "bold red",
    "conflict": "bold red",
    "taken back": "yellow",
    "needs tool": "yellow",
}
SHOWN = 3
"""Changes of one run that the table names; the rest is counted."""

NARROW = 100
"""Columns below which the table does without the folder."""


def runs_table(runs: Sequence[PastRun], screen: Console) -> Table:
    """One row per run. Names and requests are folded, never cut off: they are what people look for."""
    narrow = screen.width < NARROW
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("run", justify="right", no_wrap=True)
    table.add_column("when", no_wrap=True)
    table.add_column("request", overflow="fold", ratio=None)
    if not narrow:
        table.add_column("folder", overflow="fold")
    table.add_column("changed", overflow="fold")
    table.add_column("state", no_wrap=True)
    for run in runs:
        folder = () if narrow else (Text(visible(short_folder(run.root))),)
        table.add_row(
            name_of(run), when(run.time), Text(visible(run.request)), *folder, changed(run.changes), _state(run)
        )
    return table


def name_of(run: PastRun) -> str:
    """By what people name a run."""
    return str(run.number) if run.number is not None else str(run.run_id)


def when(seconds: float) -> str:
    """A time as people read it here: the day and the minute."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def short_folder(root: str) -> str:
    """A folder's path, `~` for the home folder."""
    home = str(Path.home())
    return "~" + root[len(home) :] if root == home or root.startswith(home + "/") else root


def changed(changes: Sequence[PathChange]) -> Text:
    """Up to three changes, each with its sign, and how many more there are."""
    lines = [Text(f"{SIGNS[change.change]} {visible(change.path)}") for change in changes[:SHOWN]]
    if len(changes) > SHOWN:
        lines.append(Text(f"and {len(changes) - SHOWN} more", "dim"))
    return Text("\n").join(lines)


def undone_lines(undone: Undone) -> Iterator[Text]:
    """What undoing a run put back, or would."""
    verb = "Would undo" if undone.dry_run else "Undid"
    yield Text.assemble((f"{verb}: ", "bold"), visible(undone.request))
    yield Text(f"  in {visible(undone.root)}", "dim")
    for change in undone.changes:
        style = "bold red" if change.change == "deleted" else ""
        yield Text(f"  {change.put_back} {visible(change.path)}", style)
    for text in (undone.reason, undone.hint):
        if text:
            yield Text(visible(text), "bold yellow")
    if undone.number is not None:
        yield Text(f"Do it again with: dabhand undo {undone.number}", "dim")


def recovered_lines(recovered: Sequence[Recovered]) -> Iterator[str]:
    """A sentence for each run that was found cut short."""
    for one in recovered:
        yield "dabhand: " + visible(one.sentence)


def _state(run: PastRun) -> Text:
    shown = run.state
    if run.state == "done" and not run.undoable:
        shown = "done, not undoable"
    return Text(shown, STYLES.get(run.state, ""))
