"""`dabhand corpus prepare`: training cases from recorded looks at files."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("prepare")
@click.argument("corpus", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--redact/--no-redact", default=True, help="Replace secrets, addresses and names in what is written.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, for programs.")
def command(corpus: Path, redact: bool, as_json: bool) -> None:
    """Make training cases of the single successful looks at files in DIR, in DIR/cases.jsonl.

    Paths become made-up ones; where the agent's own words are not enough, the request is made from the command, and is
    marked so.
    """
    from collections import Counter

    import msgspec

    from dabhand.corpus.preparing import prepare
    from dabhand.corpus.stored import replacing, triples_of
    from dabhand.interfaces.cli.output import write_document

    counts: Counter[str] = Counter()
    triples = triples_of(corpus)
    with replacing(corpus / "cases.jsonl") as stream:
        for case in prepare(triples, keep_private=not redact):
            counts[case.request_from] += 1
            stream.write(msgspec.json.encode(case) + b"\n")
    document = {"cases": sum(counts.values()), "requests": dict(counts), "out": str(corpus / "cases.jsonl")}
    if as_json:
        write_document(document)
    else:
        click.echo(f"{document['cases']} cases in {document['out']}")
        for origin, count in counts.most_common():
            click.echo(f"  {count:5} with a request that is {origin}")
