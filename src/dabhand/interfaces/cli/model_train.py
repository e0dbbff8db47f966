"""`dabhand model train`: an adapter from training sets, on a processor or a graphics card."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from dabhand.training.training import Progress

BETWEEN = 30.0
"""Seconds between two lines of progress where there is no terminal."""


@click.command("train")
@click.option("--data", required=True, metavar="DIR", type=click.Path(path_type=Path, exists=True), help="The sets.")
@click.option("--out", required=True, metavar="DIR", type=click.Path(path_type=Path), help="Checkpoints and adapter.")
@click.option("--base", metavar="PATH", type=click.Path(path_type=Path, exists=True), help="A GGUF file or a snapshot.")
@click.option("--epochs", default=2, show_default=True, type=click.IntRange(1), help="How often each example is seen.")
@click.option("--rate", default=4e-4, show_default=True, type=float, help="The learning rate.")
@click.option("--rank", default=16, show_default=True, type=click.IntRange(1), help="Of the low-rank matrices.")
@click.option("--ceiling", default=2048, show_default=True, type=click.IntRange(16), help="Tokens of an example.")
@click.option("--seed", default=7, show_default=True, help="The order of the examples follows from it.")
@click.option("--workers", default=2, show_default=True, type=click.IntRange(1), help="Processes that share each step.")
@click.option(
    "--dtype", default="auto", show_default=True, type=click.Choice(["auto", "bfloat16", "float32"]), help="Of numbers."
)
@click.option("--checkpointing", is_flag=True, help="Keep less in memory, and compute more.")
@click.option("--steps", default=0, type=click.IntRange(0), help="Stop after so many steps.")
@click.option("--every", default=180.0, show_default=True, help="Seconds between checkpoints.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, for programs.")
def command(
    data: Path,
    out: Path,
    base: Path | None,
    epochs: int,
    rate: float,
    rank: int,
    ceiling: int,
    seed: int,
    workers: int,
    dtype: str,
    checkpointing: bool,
    steps: int,
    every: float,
    as_json: bool,
) -> None:
    """Train an adapter on the sets in DIR. Killed, the same command goes on from the last checkpoint."""
    from dabhand.interfaces.cli.output import write_document
    from dabhand.models.weights import found_weights
    from dabhand.training.training import Settings, train

    settings = Settings(
        epochs=epochs,
        rank=rank,
        alpha=2 * rank,
        rate=rate,
        ceiling=ceiling,
        seed=seed,
        workers=workers,
        dtype=dtype,
        checkpointing=checkpointing,
        steps=steps,
        every=every,
    )
    with _watching() as watch:
        record = train(base or found_weights(trained=False).base, data, out, settings, watch)
    if as_json:
        write_document(record)
        return
    first, last = record["losses"][0][1], record["losses"][-1][1]
    click.echo(
        f"{record['steps']} steps of {record['examples']} examples in {record['seconds'] / 60:.1f} minutes "
        f"({record['dtype']}): the loss went from {first:.2f} to {last:.2f}. Export it with dabhand model export."
    )


@contextmanager
def _watching() -> Iterator[Callable[[Progress], None]]:
    """A bar with the time that is left on a terminal, else a line now and then; both on standard error."""
    from dabhand.interfaces.cli.output import console

    screen = console(error=True)
    if not screen.is_terminal:
        told = [-BETWEEN]

        def tell(progress: Progress) -> None:
            if progress.seconds - told[0] >= BETWEEN or progress.step == progress.steps:
                told[0] = progress.seconds
                click.echo(
                    f"step {progress.step} of {progress.steps}, loss {progress.loss:.3f}, "
                    f"{progress.left / 60:.0f} minutes left",
                    err=True,
                )

        yield tell
        return
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    with Bar(TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[more]}"), console=screen) as bar:
        task = bar.add_task("loading", total=None, more="")

        def show(progress: Progress) -> None:
            minutes, seconds = divmod(round(progress.left), 60)
            bar.update(
                task,
                description="training",
                total=progress.steps,
                completed=progress.step,
                more=f"{progress.step} of {progress.steps}, loss {progress.loss:.3f}, {minutes}:{seconds:02} left",
            )

        yield show
