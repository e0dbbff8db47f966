"""`dabhand model export`: a trained adapter as files that llama.cpp and Ollama load, or merged into its base."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("export")
@click.option(
    "--run", required=True, metavar="DIR", type=click.Path(path_type=Path, exists=True), help="What was trained."
)
@click.option("--out", required=True, metavar="DIR", type=click.Path(path_type=Path), help="Where the files go.")
@click.option("--base", metavar="PATH", type=click.Path(path_type=Path, exists=True), help="What it was trained on.")
@click.option("--epoch", type=click.IntRange(1), help="The adapter as it was after this epoch.")
@click.option("--merged", is_flag=True, help="Write base and adapter as one model too, in DIR/merged.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, for programs.")
def command(run: Path, out: Path, base: Path | None, epoch: int | None, merged: bool, as_json: bool) -> None:
    """Write the adapter in DIR as GGUF, with a Modelfile for Ollama and the record of its training."""
    from dabhand.interfaces.cli.output import write_document
    from dabhand.models.weights import found_weights
    from dabhand.training.exporting import export

    made = export(run, out, base or found_weights(trained=False).base, epoch=epoch, merged=merged)
    if as_json:
        write_document(made)
    else:
        click.echo(
            f"{made['adapter']}: {made['matrices']} matrices, {made['bytes'] / 1e6:.1f} MB; with it "
            f"{', '.join(made['files'][1:])}"
        )
