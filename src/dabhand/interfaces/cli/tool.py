"""`dabhand tool`: commands that dabhand grew, and growing more of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dabhand.interfaces.cli.options import common, store_directory

if TYPE_CHECKING:
    from collections.abc import Callable

    from dabhand.toolmaking.making import Made
    from dabhand.toolmaking.registry import Tool

GUIDE = "guide.json"
ROWS = 12


@click.group("tool")
def command() -> None:
    """Grow commands: small Python programs found from examples, or written by a model; tested, practised, kept."""


@command.command("make")
@click.option("--name", required=True, help="What it is to be called: small letters, digits and _.")
@click.option("--examples", metavar="FILE", type=click.Path(path_type=Path), help='Lines of {"input", "output"}.')
@click.option("--request", metavar="TEXT", help="What it is to do, in words, for a file of --root.")
@click.option(
    "--root", metavar="DIR", type=click.Path(path_type=Path), default=Path(), help="What the words are about."
)
@click.option(
    "--sample", "samples", metavar="FILE", type=click.Path(path_type=Path), multiple=True, help="For a model."
)
@click.option("--writer", type=click.Choice(("search", "local", "remote")), help="Who writes it.  [default: search]")
@click.option("--stepwise", is_flag=True, help="A model writes it in small steps, each of which is checked.")
@click.option("--yes", is_flag=True, help="Keep it without asking.")
@common
def make(
    name: str,
    examples: Path | None,
    request: str | None,
    root: Path,
    samples: tuple[Path, ...],
    writer: str | None,
    stepwise: bool,
    yes: bool,
    as_json: bool,
    store: Path | None,
) -> int:
    """Make a tool from examples by search, from a request that is understood, or have a model write it.

    At a terminal you see its code and are asked before it is kept.
    """
    from dabhand.errors import UsageError
    from dabhand.interfaces.cli.output import write_document
    from dabhand.store import Store
    from dabhand.toolmaking.examples import read_examples
    from dabhand.toolmaking.making import make_tool, write_tool

    if examples is None and request is None:
        raise UsageError("There is neither an example nor a request.", "Give --examples FILE or --request TEXT.")
    chosen = writer or "search"
    if chosen == "search" and examples is not None and request is not None:
        raise UsageError("There are both examples and a request.", "Give one of them, or a model: --writer local")
    if stepwise and chosen == "search":
        raise UsageError("A search has no steps.", "Leave --stepwise out, or give --writer local or remote.")
    given = read_examples(_read(examples)) if examples is not None else ()
    asked = None if yes or as_json else _keeping()
    with Store.open(store_directory(store)) as opened:
        if chosen == "search" and request is not None:
            term, texts = _wanted(request, root)
            made = make_tool(opened, name, term=term, samples=texts, ask=asked or _agreed)
        elif chosen == "search":
            made = make_tool(opened, name, examples=given, ask=asked or _agreed, guide=_guide(store))
        else:
            made = write_tool(
                opened,
                name,
                _model(chosen),
                request or "what the examples show",
                examples=given,
                samples=[_read(sample) for sample in samples],
                stepwise=stepwise,
                ask=asked or _agreed,
                told=(lambda what: None) if as_json else (lambda what: click.echo(what, err=True)),
            )
    if as_json:
        write_document(_document(made))
    else:
        _show_made(made)
    return 0 if made.status == "made" else 1


def _wanted(request: str, root: Path) -> tuple[Any, tuple[str, ...]]:
    """What a request comes to (a term), and a text of the kind that it is about."""
    from dabhand.agent.focus import LiveView
    from dabhand.errors import UsageError
    from dabhand.goals import Answers, Holds, understand
    from dabhand.interfaces.cli.options import require_folder
    from dabhand.toolmaking.source import read_by
    from dabhand.workspace import ConfinedFolder

    with ConfinedFolder(require_folder(root)) as folder:
        view = LiveView(folder)
        terms = [one.content for one in understand(request, view).conditions if isinstance(one, Holds | Answers)]
        if len(terms) != 1:
            raise UsageError("The request asks for no text, or for several.", "Ask for one thing.")
        path = read_by(terms[0])
        text = None if path is None else view.text(path)
    return terms[0], () if text is None else (text,)


def _agreed(made: Made) -> bool:
    return True


def _keeping() -> Callable[[Made], bool] | None:
    """Somebody to ask, or None where nobody is."""
    import sys

    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None

    def ask(made: Made) -> bool:
        click.echo(made.source, err=True)
        return click.confirm(f"It passed {made.tests[0]} of {made.tests[1]} tests. Keep it?", err=True)

    return ask


def _model(kind: str) -> Any:
    from dabhand.errors import UsageError
    from dabhand.goals.finding import every_model

    found = next((model for model in every_model() if model.kind == kind), None)
    if found is None:
        raise UsageError(f"There is no {kind} model on this machine.", "Give examples, for a search without a model.")
    return found


def _read(file: Path) -> str:
    from dabhand.errors import UsageError

    try:
        return file.read_bytes().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise UsageError(f"{str(file)!r} cannot be read: {error.strerror}.", "Name a file that is there.") from error


def _document(made: Made) -> dict[str, Any]:
    document: dict[str, Any] = {
        "status": made.status,
        "name": made.name,
        "command": made.command,
        "path": made.path,
        "term": made.term,
        "tests": list(made.tests),
        "tried": made.tried,
        "seconds": made.seconds,
    }
    return document | ({"reason": made.reason} if made.reason else {})


def _show_made(made: Made) -> None:
    from dabhand.interfaces.cli.output import visible

    if made.status == "failed":
        click.echo(f"No tool was made. {visible(made.reason)}")
        return
    click.echo(f"Made {made.name} in {made.seconds:.1f} s: it passed {made.tests[0]} of {made.tests[1]} tests.")
    click.echo(f"What it does: {visible(made.term) if made.term else 'only running it tells'}")
    click.echo(f"Its file: {visible(made.path)}")


@command.command("list")
@common
def list_tools(as_json: bool, store: Path | None) -> None:
    """Show the tools that are kept."""
    from dabhand.interfaces.cli.output import console, visible, write_document

    registry = _registry(store)
    tools, damaged = registry.all(), registry.damaged()
    if as_json:
        write_document({"tools": [_described(tool) for tool in tools], **({"damaged": damaged} if damaged else {})})
        return
    for name in damaged:
        click.echo(
            f"{visible(name)}: its record cannot be read, so it is no tool now. Remove it: tool remove", err=True
        )
    if not tools and damaged:
        return
    if not tools:
        click.echo("There are no tools yet. Make one: dabhand tool make --help")
        return
    from rich.table import Table

    table = Table("tool", "what it does", "practised", "trusted", box=None)
    for tool in tools:
        what = visible(tool.term) if tool.term else "simulated: only running it tells"
        table.add_row(
            tool.name, what, f"{tool.right} of {tool.tried}", f"no: {tool.distrust}" if tool.distrust else "yes"
        )
    console().print(table)


@command.command("show")
@click.argument("name")
@common
def show(name: str, as_json: bool, store: Path | None) -> None:
    """Show one tool: what it does, what it was tested with, its code."""
    from dabhand.interfaces.cli.output import visible, write_document

    registry = _registry(store)
    tool = registry.get(name)
    if as_json:
        tests = [{"input": test.input, "output": test.output} for test in tool.tests]
        write_document(_described(tool) | {"path": str(registry.path(name)), "tests": tests, "source": tool.source})
        return
    click.echo(f"{tool.name}: {visible(tool.term) if tool.term else 'simulated: only running it tells what it does'}")
    click.echo(f"Written by {visible(tool.writer)}; did what was expected in {tool.right} of {tool.tried} situations.")
    if tool.distrust:
        advice = f"Test it: dabhand tool test {name}" if tool.source else f"Remove it: dabhand tool remove {name}"
        click.echo(f"It is not trusted: {tool.distrust}. {advice}")
    click.echo(f"{visible(str(registry.path(name)))}\n")
    click.echo(tool.source)


@command.command("test")
@click.argument("name", required=False)
@click.option("--all", "everything", is_flag=True, help="All tools.")
@common
def test(name: str | None, everything: bool, as_json: bool, store: Path | None) -> int:
    """Run the tests beside a tool, or beside all of them.

    A tool that was edited is trusted again when it is named here and passes: it is practised, and unless only its
    comments were changed, it is foretold by running it from then on. With --all nothing is trusted anew.
    """
    from dabhand.errors import UsageError
    from dabhand.interfaces.cli.output import visible, write_document
    from dabhand.sandbox import open_worker
    from dabhand.toolmaking.making import Retested, tested_again
    from dabhand.toolmaking.testing import LIMITS

    if (name is None) != everything:
        raise UsageError("Name one tool, or give --all.", "See: dabhand tool list")
    registry = _registry(store)
    tools = registry.all() if name is None else (registry.get(name),)
    results = []
    if tools:
        with open_worker("auto", LIMITS) as worker:
            results = [tested_again(registry, tool, worker, trusting=not everything) for tool in tools]
    if everything:
        results += [Retested(each, (0, 0), ("its record cannot be read",)) for each in registry.damaged()]
    if as_json:
        tests = [{"name": each.name, "tests": list(each.tests), "failed": list(each.failed)} for each in results]
        write_document({"status": "ok" if all(not each.failed for each in results) else "failed", "tools": tests})
    for each in results if not as_json else ():
        click.echo(f"{each.name}: {each.tests[0]} of {each.tests[1]} tests passed")
        for failure in each.failed:
            click.echo(f"  {visible(failure)}")
    return 0 if all(not each.failed for each in results) else 1


@command.command("remove")
@click.argument("name")
@common
def remove(name: str, as_json: bool, store: Path | None) -> None:
    """Remove a tool."""
    from dabhand.interfaces.cli.output import write_document

    _registry(store).remove(name)
    if as_json:
        write_document({"status": "removed", "name": name})
    else:
        click.echo(f"Removed {name}.")


@command.group("guide")
def guide() -> None:
    """Which building blocks are likely for what examples look like: learned from running them many times."""


@guide.command("train")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True)
@click.option("--scenes", type=click.IntRange(min=10), default=400, show_default=True, help="Of generated values.")
@common
def train(seed: int, scenes: int, as_json: bool, store: Path | None) -> None:
    """Run the building blocks on many generated values, and keep what was learned in the store."""
    from dabhand.interfaces.cli.output import write_document
    from dabhand.store import Store
    from dabhand.toolmaking.guide import guide_to_json
    from dabhand.toolmaking.guide_training import train_guide

    def said(done: int, all_: int) -> None:
        if not as_json and done % 20 == 0:
            click.echo(f"\r{done} of {all_} scenes", err=True, nl=False)

    directory = store_directory(store)
    with Store.open(directory):  # makes the folder, and refuses one that is none of ours
        trained = train_guide(seed, scenes, said)
        new = directory / f"{GUIDE}.new"
        new.write_bytes(guide_to_json(trained))
        new.replace(directory / GUIDE)
    if as_json:
        write_document({"status": "trained", "runs": trained.runs, "seed": seed, "path": str(directory / GUIDE)})
    else:
        click.echo(f"\nLearned from {trained.runs:,} runs of the building blocks.")


@guide.command("show")
@click.option("--all", "everything", is_flag=True, help="All blocks, not only the most used ones.")
@common
def show_guide(everything: bool, as_json: bool, store: Path | None) -> None:
    """Show how often each block is used, and what speaks for and against it."""
    import msgspec

    from dabhand.interfaces.cli.output import console, write_document
    from dabhand.toolmaking.guide import rows_of

    found = _guide(store)
    rows = rows_of(found)
    if as_json:
        write_document({"runs": found.runs, "seed": found.seed, "rows": msgspec.to_builtins(rows)})
        return
    from rich.table import Table

    screen = console()
    for domain in dict.fromkeys(row.domain for row in rows):
        own = [row for row in rows if row.domain == domain]
        table = Table(
            "block", "used", "speaks for it", "speaks against it", box=None, title=domain, title_justify="left"
        )
        for row in own if everything else own[:ROWS]:
            table.add_row(row.block, f"{row.used:.1%}", ", ".join(row.speaks_for), ", ".join(row.speaks_against))
        screen.print(table)
    screen.print(f"Learned from {found.runs:,} runs of the building blocks.")


def _guide(store: Path | None) -> Any:
    """The guide of the store, else the one that comes with the program."""
    from dabhand.toolmaking.guide import guide_from_json, shipped_guide

    file = store_directory(store) / GUIDE
    return guide_from_json(file.read_bytes()) if file.is_file() else shipped_guide()


def _registry(store: Path | None) -> Any:
    from dabhand.toolmaking.registry import Registry

    return Registry(store_directory(store) / "tools")


def _described(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "command": tool.template.text,
        "term": tool.term or None,
        "simulated": tool.is_simulated,
        "trusted": tool.is_intact,
        "writer": tool.writer,
        "practised": [tool.right, tool.tried],
        "tests": len(tool.tests),
    }
