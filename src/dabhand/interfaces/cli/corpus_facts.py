"""`dabhand corpus facts`: what can be said mechanically of every call."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dabhand.corpus.facts import Facts
    from dabhand.corpus.triple import Triple


@click.command("facts")
@click.argument("corpus", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--redact/--no-redact", default=True, help="Replace secrets, addresses and names in what is written.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, for programs.")
def command(corpus: Path, redact: bool, as_json: bool) -> int:
    """Say of every call in DIR what rules can say, in DIR/facts.jsonl, and report what goes wrong."""
    import msgspec

    from dabhand.corpus.facts import facts_of, report, to_json
    from dabhand.corpus.stored import replacing, triples_of
    from dabhand.interfaces.cli.output import write_document

    triples = triples_of(corpus)
    with replacing(corpus / "facts.jsonl") as stream:

        def written() -> Iterator[tuple[Triple, Facts]]:
            for triple in triples:
                found = facts_of(triple)
                stream.write(msgspec.json.encode(to_json(found, triple, redact=redact)) + b"\n")
                yield triple, found

        document = report(written()) | {"out": str(corpus / "facts.jsonl")}
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
