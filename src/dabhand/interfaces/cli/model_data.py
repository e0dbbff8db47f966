"""`dabhand model data`: training sets from a seed."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("data")
@click.option("--out", required=True, metavar="DIR", type=click.Path(path_type=Path), help="Where the sets go.")
@click.option("--seed", default=7, show_default=True, help="All that is made follows from it.")
@click.option("--corpus", metavar="DIR", type=click.Path(path_type=Path, exists=True), help="Recorded sessions to use.")
@click.option("--people", metavar="DIR", type=click.Path(path_type=Path, exists=True), help="Rows that people wrote.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, for programs.")
def command(out: Path, seed: int, corpus: Path | None, people: Path | None, as_json: bool) -> None:
    """Make sets of requests with plans, goals and line numbers, in DIR: train, validation, test and holdout.

    The sides share no wording, and no request that is nearly the same; the same seed and sources give the same bytes.
    """
    import msgspec

    from dabhand.interfaces.cli.output import write_document
    from dabhand.training.making import make_sets

    made = make_sets(out, seed, corpus=corpus, people=people)
    if as_json:
        write_document({"out": str(out), **msgspec.to_builtins(made)})
        return
    for name, counts in made.counts.items():
        parts = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        click.echo(f"{name:11} {sum(counts.values()):5} ({made.abstained[name]} to be given back): {parts}")
        click.echo(f"            sha256 {made.digests[name]}")
    if made.left_out:
        click.echo("left out: " + ", ".join(f"{count} of {why}" for why, count in made.left_out.items()))
