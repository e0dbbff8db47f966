"""`dabhand corpus extract`: transcripts into triples."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Mapping

SHOWN = 20
"""Rows of each table that people see; the document has all."""


@click.command("extract")
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", metavar="DIR", required=True, type=click.Path(path_type=Path), help="The corpus' folder.")
@click.option("--workers", metavar="N", type=click.IntRange(1, 256), default=1, help="Processes that read (1).")
@click.option("--format", "form", type=click.Choice(("jsonl", "parquet")), default="jsonl", help="Of the triples.")
@click.option("--ray", is_flag=True, help="Read on a Ray cluster whose nodes see the same folders.")
@click.option("--copy", is_flag=True, help="Copy all sources, where files that only grow could be linked.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, for programs.")
def command(sources: tuple[Path, ...], out: Path, workers: int, form: str, ray: bool, copy: bool, as_json: bool) -> int:
    """Turn transcripts into triples of request, command and result.

    SOURCE is a transcript, a folder of them (such as ~/.codex or ~/.claude/projects), or the folder `sources` of an
    earlier corpus. The folder that is made is readable by you alone. What was broken off is taken up again.
    """
    import time

    from dabhand.corpus.extracting import Job, extract
    from dabhand.corpus.runners import in_processes, on_ray
    from dabhand.interfaces.cli.output import write_document

    begun = time.perf_counter()
    job = Job(sources, out, now=time.time(), copy=copy, parquet=form == "parquet")
    with _progress(quiet=as_json) as told:
        summary = extract(job, on_ray() if ray else in_processes(workers), told)
    summary |= {"out": str(out), "seconds": round(time.perf_counter() - begun, 3)}
    if as_json:
        write_document(summary)
    else:
        _show(summary)
    return 0


@contextmanager
def _progress(*, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """A bar of the bytes that are read, for a person who watches."""
    if quiet or not sys.stderr.isatty():
        yield lambda done, whole: None
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

    from dabhand.interfaces.cli.output import console

    with Progress(
        "Reading", BarColumn(), DownloadColumn(), TimeRemainingColumn(), console=console(error=True), transient=True
    ) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, whole: bar.update(task, completed=done, total=whole)


def _show(summary: Mapping[str, object]) -> None:
    from dabhand.interfaces.cli.output import console, visible

    screen = console()
    screen.print(f"{summary['triples']} calls of {summary['files']} files, in {summary['seconds']} s.")
    for title, field in (
        ("What became of them", "statuses"),
        ("Format", "formats"),
        ("Left out", "left_out"),
        ("Unknown records", "unknown_records"),
    ):
        _table(title, summary[field])
    damage = summary["damage"]
    assert isinstance(damage, dict)
    _table("Damage", damage["counts"])
    places = [(f"{each['file']}:{each['line']}", each["kind"]) for each in damage["places"]]
    for place, kind in places[:SHOWN]:
        screen.print(f"  {visible(place)}  {kind}", markup=False, highlight=False)
    if len(places) > SHOWN:
        screen.print(f"  and {len(places) - SHOWN} more places; see summary.json")
    files = summary["files_left_out"]
    assert isinstance(files, list)
    if files:
        screen.print(f"\n{len(files)} files are in no way part of it", style="bold")
    for each in files[:SHOWN]:
        screen.print(f"  {visible(each['file'])}: {visible(each['reason'])}", markup=False, highlight=False)
    if len(files) > SHOWN:
        screen.print(f"  and {len(files) - SHOWN} more; see summary.json")
    screen.print(f"\nTo be found in {visible(str(summary['out']))}", markup=False, highlight=False)


def _table(title: str, counts: object) -> None:
    from rich.table import Table

    from dabhand.interfaces.cli.output import console, visible

    assert isinstance(counts, dict)
    if not counts:
        return
    table = Table(title=title, title_justify="left", title_style="bold", box=None, show_header=False, padding=(0, 2))
    table.add_column(justify="right")
    table.add_column()
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    for name, number in ranked[:SHOWN]:
        table.add_row(str(number), visible(name))
    if len(ranked) > SHOWN:
        table.add_row("", f"and {len(ranked) - SHOWN} more kinds")
    console().print()
    console().print(table)
