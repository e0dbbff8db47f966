"""`dabhand corpus templates`: commands that agents run, as templates, and practising them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dabhand.interfaces.cli.options import common, store_directory

if TYPE_CHECKING:
    from dabhand.corpus.templating import Mined
    from dabhand.corpus.triple import Triple

SHOWN = 40
PRIVATE = "it holds something private"


@click.command("templates")
@click.argument("corpus", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--top", metavar="N", type=click.IntRange(min=1), default=30, show_default=True, help="How many.")
@click.option("--learn", is_flag=True, help="Practise them.")
@click.option("--redact/--no-redact", default=True, help="Leave out templates that hold secrets, addresses or names.")
@click.option("--seed", metavar="S", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True)
@common
@click.pass_context
def command(
    context: click.Context,
    corpus: Path,
    top: int,
    learn: bool,
    redact: bool,
    seed: int,
    as_json: bool,
    store: Path | None,
) -> int:
    """Turn the commands of the corpus in DIR into templates with slots, those met in most sessions first.

    Also says which share of all calls that only read the understood templates and the typed operations would cover.
    """
    import contextlib
    import io

    from dabhand.corpus.stored import triples_of
    from dabhand.corpus.templating import coverage, mine
    from dabhand.interfaces.cli.output import write_document

    triples = triples_of(corpus)
    mined, dropped = mine(triples)
    if redact:
        mined, private = _public(mined, triples)
        dropped |= {PRIVATE: private} if private else {}
    chosen = mined[:top]
    if learn and chosen:
        from dabhand.interfaces.cli.learn import command as practising

        given: dict[str, Any] = {"pack": (), "experiments": None, "until_understood": True, "seed": seed, "workers": 1}
        # Of a program's document there is one: that of the templates.
        with contextlib.redirect_stdout(io.StringIO()) if as_json else contextlib.nullcontext():
            status = context.invoke(
                practising, texts=tuple(each.template for each in chosen), as_json=as_json, store=store, **given
            )
        if status:
            return int(status)
    statuses = _statuses(store)
    understood = [name for name, status in statuses.items() if status == "understood"]
    document: dict[str, Any] = {
        "templates": [
            {
                "template": each.template,
                "count": each.count,
                "sessions": each.sessions,
                "reads": each.reads,
                "status": statuses.get(each.template, "untried"),
            }
            for each in chosen
        ],
        "all": len(mined),
        "dropped": dropped,
        "coverage": coverage(triples, understood),
    }
    if as_json:
        write_document(document)
    else:
        _show(document)
    return 0


def _public(mined: list[Mined], triples: list[Triple]) -> tuple[list[Mined], int]:
    """The templates in whose fixed words there is nothing private, and how many others there were."""
    from dabhand.corpus.redacting import Redaction, texts_of

    known = Redaction(text for triple in triples for text in texts_of(triple))
    public = [each for each in mined if known.text(each.template) == each.template]
    return public, len(mined) - len(public)


def _statuses(store: Path | None) -> dict[str, str]:
    """What is believed of every template of the store; nothing where there is no store."""
    from dabhand.interfaces.cli.recall import recall
    from dabhand.store import Store
    from dabhand.world import report_on

    directory = store_directory(store)
    if not directory.is_dir():
        return {}
    with Store.open(directory) as opened:
        reports = [report_on(model) for model in recall(opened).models.values()]
    return {report.command: report.status for report in reports}


def _show(document: dict[str, Any]) -> None:
    from rich.table import Table

    from dabhand.interfaces.cli.output import console, visible

    table = Table("template", "sessions", "times", "status", box=None)
    for each in document["templates"][:SHOWN]:
        table.add_row(visible(each["template"]), str(each["sessions"]), str(each["count"]), each["status"])
    screen = console()
    screen.print(table)
    shares = document["coverage"]
    reading = shares["read_only"] or 1
    screen.print(
        f"Of {shares['read_only']} calls that only read, {shares['typed_operation']} are one typed operation,"
        f" {shares['term']} one term, {shares['understood_templates']} are understood templates; {shares['any']}"
        f" ({shares['any'] / reading:.0%}) one of these."
    )
