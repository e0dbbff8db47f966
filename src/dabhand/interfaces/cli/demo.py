"""`dabhand demo`: from an empty store to one real request carried out."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dabhand.interfaces.cli.options import common

if TYPE_CHECKING:
    from rich.console import Console

    from dabhand.practice import LearnReport
    from dabhand.store import Store

SURPRISES_KEPT = 4
REQUEST = "Write the lines of piano.txt sorted and without duplicates into uniq.txt."
FILES = {
    "notes.txt": "buy new strings\ncall the tuner\n",
    "piano.txt": "Schumann\nChopin\nRavel\nBach\nChopin\nSatie\nBach\nMompou\n",
}


@click.command("demo")
@click.option("--seed", metavar="S", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True)
@common
def command(seed: int, as_json: bool, store: Path | None) -> int:
    """Watch it practise from nothing, then carry out one real request.

    Without --store, in a fresh store that is thrown away; the real files are in a temporary folder.
    """
    import msgspec

    from dabhand.interfaces.cli.output import console, write_document
    from dabhand.store import Store

    screen = console(error=as_json)
    with tempfile.TemporaryDirectory(prefix="dabhand-demo-") as temporary:
        with Store.open(store if store is not None else Path(temporary) / "store") as opened:
            report = _practice(opened, seed, screen, plain=as_json)
            if report.interrupted:
                return 130
            result, status = _real_request(opened, Path(temporary) / "files", screen)
        if as_json:
            write_document({"learn": msgspec.to_builtins(report), "do": result})
    return status


def _practice(store: Store, seed: int, screen: Console, *, plain: bool) -> LearnReport:
    from dabhand.interfaces.cli.learn import chosen_templates, summary
    from dabhand.interfaces.cli.progress import watching
    from dabhand.interfaces.cli.tables import commands_table
    from dabhand.practice import practise

    templates = chosen_templates((), ())
    screen.rule("1. Practice")
    screen.print(
        f"{len(templates)} commands, and not a word about what they do. It tries them on random files in a sandbox,"
        " says beforehand what it expects, and learns most where that was wrong.\n"
    )
    with watching([template.text for template in templates], plain=plain, keep=SURPRISES_KEPT) as watch:
        report = practise(
            store, templates, experiments=None, until_understood=True, seed=seed, workers=1, on_event=watch
        )
    screen.print("\n" + summary(report) + "\n")
    if not report.interrupted:
        screen.rule("2. What it believes now")
        screen.print(commands_table(report.commands, screen))
        screen.print()
    return report


def _real_request(store: Store, folder: Path, screen: Console) -> tuple[dict[str, Any], int]:
    import msgspec
    from rich.text import Text

    from dabhand.agent.do import carry_out
    from dabhand.interfaces.cli.do import STATUS_EXITS
    from dabhand.interfaces.cli.doing import outcome

    screen.rule("3. One real request, on real files")
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, "utf-8")
    screen.print("The folder before:")
    _show_files(folder, screen)
    screen.print(Text.assemble("\n> ", (REQUEST, "bold"), "\n"))
    result = msgspec.to_builtins(carry_out(store, REQUEST, folder))
    screen.print(outcome(result))
    screen.print("\nThe folder after:")
    _show_files(folder, screen)
    return result, STATUS_EXITS[result["status"]]


def _show_files(folder: Path, screen: Console) -> None:
    from rich.text import Text

    from dabhand.interfaces.cli.output import visible

    for file in sorted(folder.iterdir()):
        lines = " · ".join(visible(line) for line in file.read_text("utf-8").splitlines())
        screen.print(Text.assemble("  ", (f"{file.name:10}", "cyan"), lines))
