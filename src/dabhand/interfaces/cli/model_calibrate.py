"""`dabhand model calibrate`: what the local model's answers are worth, learned on a validation set."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("calibrate")
@click.option("--data", required=True, metavar="FILE", type=click.Path(path_type=Path), help="The validation set.")
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path), help="Default: beside the adapter.")
@click.option("--limit", type=click.IntRange(1), help="Only the first cases of each task.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, for programs.")
def command(data: Path, out: Path | None, limit: int | None, as_json: bool) -> None:
    """Learn from which probability on the answers of the local model may be believed.

    The lowest confidence is taken from which on at most one of fifty answers is wrong.
    """
    import msgspec

    from dabhand.errors import UsageError
    from dabhand.interfaces.cli.output import write_document
    from dabhand.measuring.calibrating import calibrated
    from dabhand.measuring.cases import cases_in
    from dabhand.models.confidence import FILE, Calibration, kept
    from dabhand.models.local import LocalEngine
    from dabhand.models.prompts import HEADS
    from dabhand.models.weights import adapter_file
    from dabhand.workspace.durable import replace_file

    adapter = adapter_file()
    if adapter is None:
        raise UsageError("There is no adapter to learn about.", "dabhand model train makes one.")
    place = out or adapter.with_name(FILE)
    if not place.parent.is_dir():
        raise UsageError(f"There is no folder {str(place.parent)!r}.", "Name another place with --out.")
    engine = LocalEngine()
    found: dict[str, Calibration] = {}
    for task in HEADS:
        found[task] = calibrated(engine, list(cases_in(data, task, limit)), task)
        replace_file(place, kept(found, adapter), 0o644)  # each as soon as it is known: the next may take long
    if as_json:
        write_document({name: msgspec.to_builtins(one) for name, one in found.items()} | {"file": str(place)})
        return
    for name, one in found.items():
        click.echo(f"{name:9} {one.examples:4} answers, believed from a confidence of {one.enough:.3f} on")
    click.echo(f"kept as {place}")
