"""`dabhand corpus facts`: what can be said mechanically of every call."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click


@click.command("facts")
@click.argument("corpus", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--redact/--no-redact", default=True, help="Replace secrets, addresses and names in what is written.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, for programs.")
def command(corpus: Path, redact: bool, as_json: bool) -> int:
    """Say of every call in DIR what rules can say, in DIR/facts.jsonl, and report what goes wrong."""
    import msgspec

    from dabhand.corpus.facts import facts_of, report, to_json
    from dabhand.corpus.partitions import triples_of
    from dabhand.interfaces.cli.output import write_document

    triples = triples_of(corpus)
    new = corpus / f"facts.jsonl.{os.getpid()}"
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600), "wb") as stream:
        for triple in triples:
            stream.write(msgspec.json.encode(to_json(facts_of(triple), redact=redact)) + b"\n")
    new.replace(corpus / "facts.jsonl")
    document = report(triples) | {"out": str(corpus / "facts.jsonl")}
    if as_json:
        write_document(document)
    else:
        _show(document)
    return 0


def _show(document: dict[str, Any]) -> None:
    from rich.table import Table

    from dabhand.interfaces.cli.output import console, visible

    screen = console()
    screen.print(f"{document['calls']} calls, {document['read_only']} of them only read.")
    for title, field in (
        ("Dialects", "dialects"),
        ("One typed operation", "operations"),
        ("Certain failures", "diagnoses"),
    ):
        table = Table(
            title=title, title_justify="left", title_style="bold", box=None, show_header=False, padding=(0, 2)
        )
        table.add_column(justify="right")
        table.add_column()
        for name, count in document[field].items():
            table.add_row(str(count), visible(name))
        screen.print(table)
    characters = document["characters"]
    screen.print(f"{document['exit_lost']} lose the exit code of what matters in a pipeline.")
    screen.print(
        f"{characters['in_long_outputs_of_runs']:,} of {characters['read']:,} characters are long outputs of runs;"
        f" {characters['of_these_not_needed']:,} of these a specialist would have left out."
    )
    screen.print(f"Facts in {visible(document['out'])}")
