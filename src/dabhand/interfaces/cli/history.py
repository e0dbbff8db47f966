"""`dabhand history`: what was asked for, and what became of it."""

from __future__ import annotations

from pathlib import Path

import click

from dabhand.interfaces.cli.options import common, store_directory

SHOWN = 20


@click.command("history")
@click.option("--root", metavar="DIR", type=click.Path(path_type=Path), help="Only runs in this folder.")
@click.option("--limit", metavar="N", type=click.IntRange(min=1), default=SHOWN, help=f"How many at most [{SHOWN}].")
@common
def command(root: Path | None, limit: int, as_json: bool, store: Path | None) -> int:
    """Show the latest runs, the newest last: what was asked for, what changed, and whether that still stands."""
    import msgspec

    from dabhand.agent.history import History
    from dabhand.interfaces.cli.output import console, write_document
    from dabhand.store import Store

    with Store.open(store_directory(store)) as opened:
        history = History(opened)
        recovered = history.recover()
        runs = history.runs(root, limit)
    if as_json:
        write_document({"runs": msgspec.to_builtins(runs), "recovered": msgspec.to_builtins(recovered)})
        return 0
    from dabhand.interfaces.cli.past import recovered_lines, runs_table

    for line in recovered_lines(recovered):
        click.echo(line, err=True)
    if not runs:
        where = "" if root is None else " in this folder"
        click.echo(f'Nothing was asked for{where} yet. Begin with: dabhand do "..." --root DIR')
        return 0
    screen = console()
    screen.print(runs_table(runs, screen))
    return 0
