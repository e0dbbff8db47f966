"""`dabhand learn`: practise commands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dabhand.interfaces.cli.options import common, store_directory

if TYPE_CHECKING:
    from dabhand.commands import Template
    from dabhand.practice import LearnReport


@click.command("learn")
@click.option("--pack", metavar="NAME|FILE", multiple=True, help="A pack of templates: posix, or a TOML file.")
@click.option(
    "--template", "texts", metavar="TEMPLATE", multiple=True, help="A command with slots: 'cut -d, -f{N} {A} > {B}'."
)
@click.option("--experiments", metavar="N", type=click.IntRange(min=1), help="How many experiments at most.")
@click.option("--until-understood", is_flag=True, help="Stop when all are understood or nothing more is learned.")
@click.option(
    "--seed",
    metavar="S",
    type=click.IntRange(0, 2**63 - 1),
    default=0,
    show_default=True,
    help="Of the random choices.",
)
@click.option("--workers", metavar="N", type=click.IntRange(1, 64), default=1, show_default=True, help="Sandboxes.")
@common
def command(
    pack: tuple[str, ...],
    texts: tuple[str, ...],
    experiments: int | None,
    until_understood: bool,
    seed: int,
    workers: int,
    as_json: bool,
    store: Path | None,
) -> int:
    """Practise commands in a sandbox until their effects are known.

    Without --pack and --template, the pack posix. Without --experiments, until all are understood or nothing more
    is learned. Everything is kept as it happens: stop at any time with Ctrl-C, and a later run goes on from there.
    """
    templates = chosen_templates(pack, texts)

    import msgspec

    from dabhand.interfaces.cli.output import write_document
    from dabhand.interfaces.cli.progress import watching
    from dabhand.interfaces.cli.recall import recall
    from dabhand.practice import practise
    from dabhand.store import Store

    with Store.open(store_directory(store)) as opened:
        recall(opened)  # practice recalls by itself, but silently
        with watching([template.text for template in templates], plain=as_json) as watch:
            report = practise(
                opened,
                templates,
                experiments=experiments,
                until_understood=until_understood or experiments is None,
                seed=seed,
                workers=workers,
                on_event=watch,
            )
    if as_json:
        write_document(msgspec.to_builtins(report))
    else:
        show_report(report)
    return 130 if report.interrupted else 0


def chosen_templates(packs: tuple[str, ...], texts: tuple[str, ...]) -> list[Template]:
    """The templates to practise, each once.

    Raises:
        TemplateError: a pack cannot be read, or a template cannot be used.
    """
    from dabhand.commands import load_pack, parse_template

    if not packs and not texts:
        packs = ("posix",)
    templates = [template for name in packs for template in load_pack(name).templates]
    templates += [parse_template(text) for text in texts]
    return list({template.text: template for template in templates}.values())


def show_report(report: LearnReport) -> None:
    """What was learned, for a person."""
    from dabhand.interfaces.cli.output import console
    from dabhand.interfaces.cli.tables import commands_table

    screen = console()
    screen.print(commands_table(report.commands, screen))
    screen.print()
    screen.print(summary(report))


def summary(report: LearnReport) -> str:
    """The figures of a run, in two lines."""
    rate = report.experiments / report.seconds if report.seconds else 0.0
    return (
        f"{report.understood} of {len(report.commands)} understood after {report.experiments} experiments"
        f" in {report.seconds:.1f} s ({rate:.0f} per second).\n"
        f"{report.surprises} surprises; {report.accuracy_recent:.1%} of the last predictions were exact."
    )
