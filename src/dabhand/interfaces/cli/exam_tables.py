"""Exams as somebody watches and reads them: a line per task while they are sat, then the score and what went wrong."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from dabhand.interfaces.cli.output import console, visible

if TYPE_CHECKING:
    from dabhand.exams.result import ExamResult, TaskResult
    from dabhand.exams.task import Task

SHOWN = 60
"""Characters of a content that are shown of a task."""


class Watch:
    """Prints a line on standard error for each task that was sat.

    Args:
        total: how many there are.
        plain: uncoloured and in full even on a terminal.
    """

    def __init__(self, total: int, *, plain: bool = False) -> None:
        self._screen = console(error=True)
        self._plain = plain or not self._screen.is_terminal
        self._total = total
        self._count = 0

    def __call__(self, result: TaskResult) -> None:
        """Take in one task."""
        self._count += 1
        line = Text.assemble(
            (f"{self._count:>3}/{self._total} ", "dim"), _mark(result), " ", f"{result.seconds:6.2f} s  ",
            (visible(result.kind), "dim"), "  ", visible(result.request),
        )  # fmt: skip
        if self._plain:
            print(line.plain, file=sys.stderr, flush=True)
        else:
            self._screen.print(line, no_wrap=True, overflow="ellipsis")


def _mark(result: TaskResult) -> tuple[str, str]:
    if result.passed:
        return "passed", "green"
    return ("FALSE ", "bold white on red") if result.false_done else ("failed", "red")


def exam_shown(result: ExamResult) -> RenderableType:
    """The result: what failed, each with its reason, and the figures."""
    failed = [task for task in result.tasks if not task.passed or not task.agreed]
    parts: list[RenderableType] = [Padding(_failed(task), (0, 0, 1, 0)) for task in failed]
    return Group(*parts, _figures(result))


def _failed(task: TaskResult) -> Table:
    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row(Text(*_mark(task)), Text.assemble((visible(task.id), "bold"), "  ", visible(task.request)))
    for step in task.plan:
        table.add_row("", Text(f"$ {visible(step['line'])}", "dim"))
    says = f"the agent says: {task.status.replace('_', ' ')}"
    table.add_row("", Text(visible(f"{says}. {task.reason}" if task.reason else says)))
    for fault in task.faults:
        table.add_row("", Text(f"the host says: {visible(fault)}", "red"))
    return table


def _figures(result: ExamResult) -> Text:
    passed, sat = result.score
    agreed, judged = result.self_check_agreement
    false_done = (f"{result.false_done} falsely called done", "bold red" if result.false_done else "")
    text = Text.assemble(
        (f"{visible(result.suite)}, seed {result.seed}: ", ""),
        (f"{passed} of {sat} passed", "bold green" if passed == sat else "bold yellow"),
        f"; self-check and host agree on {agreed} of {judged}; ", false_done,
        f"; {result.lm_calls} language model calls; {result.understood} of {result.commands} commands understood;"
        f" {result.seconds:.1f} s",
    )  # fmt: skip
    if result.interrupted:
        text.append(f"\nInterrupted: {result.left} tasks were not sat.", "yellow")
    return text


def series_table(results: Sequence[ExamResult], planned: int) -> Table:
    """One line per exam of a series, in order."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("exam", no_wrap=True)
    for title in ("seed", "score", "model calls", "agreement", "false done", "understood", "seconds"):
        table.add_column(title, justify="right", no_wrap=True)
    for result in results:
        passed, sat = result.score
        agreed, judged = result.self_check_agreement
        table.add_row(
            Text(result.suite + (" (interrupted)" if result.interrupted else "")), str(result.seed),
            Text(f"{passed}/{sat}", "green" if passed == sat else "yellow"), str(result.lm_calls),
            f"{agreed}/{judged}", Text(str(result.false_done), "bold red" if result.false_done else ""),
            f"{result.understood}/{result.commands}", f"{result.seconds:.1f}",
        )  # fmt: skip
    if len(results) < planned:
        table.caption = f"{planned - len(results)} more exams were not sat."
    return table


def task_shown(task: Task) -> RenderableType:
    """One task with its folder and what the host expects of it."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style="dim", min_width=len("expects"))
    table.add_column(overflow="fold")
    table.add_row(visible(task.id), Text(visible(task.request), "bold"))
    for label, text in (*_folder(task), *_expected(task)):
        table.add_row(label, text)
    return Padding(table, (0, 0, 1, 0))


def _folder(task: Task) -> Iterator[tuple[str, Text]]:
    for number, (path, entry) in enumerate(task.files.items()):
        yield "" if number else "folder", Text(f"{visible(path)}  {_content(entry)}")


def _expected(task: Task) -> Iterator[tuple[str, Text]]:
    for path, entry in task.expect.files.items():
        yield "expects", Text(f"{visible(path)}  {'gone' if entry is None else _content(entry)}", "green")
    if task.expect.answer is not None:
        yield "answer", Text(visible(task.expect.answer), "green")
    if task.expect.others == "unchanged":
        yield "expects", Text("everything else as it was", "green")


def _content(entry: dict[str, object]) -> str:
    if "dir" in entry:
        return "a folder"
    if "link" in entry:
        return f"a link to {visible(str(entry['link']))}"
    text = repr(entry["text"]) if "text" in entry else "bytes that are no text"
    return visible(text if len(text) <= SHOWN else text[: SHOWN - 1] + "…") + (
        ", executable" if entry.get("executable") else ""
    )
