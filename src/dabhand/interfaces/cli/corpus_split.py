"""`dabhand corpus split`: frozen partitions of a corpus."""

from __future__ import annotations

from pathlib import Path

import click

NAMES = ("training", "validation", "review", "final_test")
SHOWN = 20


@click.command("split")
@click.argument("corpus", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--open", "opened", type=click.Choice(NAMES), help="Write the calls of one side to --out.")
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path), help="A new file, for --open.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, for programs.")
def command(corpus: Path, opened: str | None, out: Path | None, as_json: bool) -> int:
    """Freeze which calls of the corpus in DIR are for training, validation, review and the final test.

    What is assigned never moves; run it again when sources were added. How often the final test is opened is counted.
    """
    from dabhand.corpus.partitions import open_partition, refresh
    from dabhand.errors import UsageError
    from dabhand.interfaces.cli.output import write_document

    if (opened is None) != (out is None):
        raise UsageError("--open and --out belong together.", "Give both: --open review --out review.jsonl")
    if opened is not None and out is not None:
        count = open_partition(corpus, opened, out)
        if as_json:
            write_document({"partition": opened, "items": count, "out": str(out)})
        else:
            click.echo(f"{count} calls of {opened} in {out}")
        return 0
    report = refresh(corpus)
    if as_json:
        write_document(report)
    else:
        _show(report)
    return 1 if report["leaks"] else 0


def _show(report: dict[str, object]) -> None:
    from rich.table import Table

    from dabhand.interfaces.cli.output import console, visible

    items, reasons, leaks = report["items"], report["left_out"], report["leaks"]
    assert isinstance(items, dict) and isinstance(reasons, dict) and isinstance(leaks, list)
    total = sum(items.values()) or 1
    table = Table("partition", "calls", "share", box=None)
    for name, count in items.items():
        table.add_row(name, str(count), f"{count / total:.0%}")
    screen = console()
    screen.print(table)
    for reason, count in reasons.items():
        screen.print(f"{count} left out: {reason}")
    screen.print(f"{report['new']} new; the final test was opened {report['opened']} times.")
    screen.print("No leak." if not leaks else f"{len(leaks)} leaks:", style="bold")
    for leak in leaks[:SHOWN]:
        screen.print(f"  {leak['kind']}: {visible(leak['one'])} and {visible(leak['other'])}")
