"""`dabhand commands`: the table of beliefs."""

from __future__ import annotations

from pathlib import Path

import click

from dabhand.interfaces.cli.options import common, store_directory


@click.command("commands")
@common
def command(as_json: bool, store: Path | None) -> int:
    """Show what is believed about every command that was practised."""
    import msgspec

    from dabhand.interfaces.cli.output import console, write_document
    from dabhand.interfaces.cli.recall import recall
    from dabhand.store import Store
    from dabhand.toolmaking.registry import Registry
    from dabhand.toolmaking.reporting import report_on_tool
    from dabhand.world import report_on

    with Store.open(store_directory(store)) as opened:
        reports = [report_on(model) for model in recall(opened).models.values()]
        reports += [report_on_tool(tool) for tool in Registry.of(opened).all()]
    understood = sum(report.status == "understood" for report in reports)
    if as_json:
        write_document({"understood": understood, "commands": msgspec.to_builtins(reports)})
        return 0
    if not reports:
        click.echo("Nothing was practised yet. Begin with: dabhand learn")
        return 0
    from dabhand.interfaces.cli.tables import commands_table

    screen = console()
    screen.print(commands_table(reports, screen))
    screen.print(f"\n{understood} of {len(reports)} understood. One in full: dabhand explain COMMAND")
    return 0
