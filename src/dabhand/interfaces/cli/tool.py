"""`dabhand tool`: make, look at, test and remove the tools that were grown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dabhand.errors import UsageError
from dabhand.interfaces.cli.options import common, store_directory

if TYPE_CHECKING:
    from dabhand.toolmaking.examples import Example
    from dabhand.toolmaking.making import Made
    from dabhand.toolmaking.registry import Registry, Tool


class UnknownTool(UsageError):
    """There is no tool of that name."""

    code = "unknown_tool"


@click.group("tool")
def command() -> None:
    """Make small programs for what no command does; list, show, test and remove them."""


@command.command("make")
@click.option("--name", required=True, help="What to call it: small letters, digits and _.")
@click.option("--examples", type=click.Path(path_type=Path), help='JSON Lines: {"input": "...", "output": "..."}.')
@click.option("--request", help="What it is to do, in words, for a file of --root.")
@click.option("--root", type=click.Path(path_type=Path), default=Path(), help="The folder that the request is about.")
@click.option("--writer", type=click.Choice(("search", "local", "remote")), default="search", help="Who makes it.")
@click.option("--yes", is_flag=True, help="Do not ask before it is kept.")
@common
def make(
    name: str,
    examples: Path | None,
    request: str | None,
    root: Path,
    writer: str,
    yes: bool,
    as_json: bool,
    store: Path | None,
) -> int:
    """Make a tool from examples, found by search, or from a request in words; test it in the sandbox, and keep it.

    At a terminal its code is shown and you are asked before it is kept.
    """
    from dabhand.interfaces.cli.output import write_document
    from dabhand.store import Store
    from dabhand.toolmaking.making import make_tool
    from dabhand.toolmaking.registry import Registry, is_name

    if (examples is None) == (request is None):
        raise UsageError("Give either --examples or --request.", "Examples are JSON Lines; a request is plain English.")
    if writer != "search":
        raise UsageError(f"There is no {writer} model here to write a tool with.", "Leave out --writer.")
    if not is_name(name):
        raise UsageError(f"{name!r} is no name for a tool.", "Use small letters, digits and _, a letter first.")
    with Store.open(store_directory(store)) as opened:
        if any(tool.name == name for tool in Registry.of(opened).all()):
            raise UsageError(f"There is a tool {name!r} already.", f"Remove it first: dabhand tool remove {name}")
        given = None if examples is None else _examples(examples)
        term, samples = (None, ()) if request is None else _wanted(request, root)
        ask = (lambda made: True) if yes or as_json else _ask
        made = make_tool(opened, name, examples=given, term=term, samples=samples, ask=ask)
    if as_json:
        write_document(_document(made))
    else:
        said = (
            f"{made.path} ({made.tests[0]} of {made.tests[1]} tests passed)" if made.status == "made" else made.reason
        )
        click.echo(f"{made.status}: {said}")
    return 0 if made.status == "made" else 1


def _examples(file: Path) -> tuple[Example, ...]:
    from dabhand.toolmaking.examples import read_examples

    try:
        return read_examples(file.read_text("utf-8", "surrogateescape"))
    except OSError as error:
        raise UsageError(f"{str(file)!r} cannot be read: {error.strerror}.", "Check the name.") from error


def _wanted(request: str, root: Path) -> tuple[Any, tuple[str, ...]]:
    """What a request comes to (a term), and a text of the kind that it is about."""
    from dabhand.agent.focus import LiveView
    from dabhand.goals import Answers, Holds, understand
    from dabhand.toolmaking.source import read_by
    from dabhand.workspace import ConfinedFolder

    with ConfinedFolder(root) as folder:
        view = LiveView(folder)
        terms = [one.content for one in understand(request, view).conditions if isinstance(one, Holds | Answers)]
        if len(terms) != 1:
            raise UsageError("The request asks for no text, or for several.", "Ask for one thing.")
        path = read_by(terms[0])
        text = None if path is None else view.text(path)
    return terms[0], () if text is None else (text,)


def _ask(made: Made) -> bool:
    import sys

    if not sys.stdin.isatty():
        return True
    click.echo(made.source)
    return click.confirm(f"{made.tests[0]} of {made.tests[1]} tests passed. Keep it?")


def _document(made: Made) -> dict[str, Any]:
    import msgspec

    document: dict[str, Any] = msgspec.to_builtins(made)
    return {key: value for key, value in document.items() if key != "source" and (key != "reason" or value)}


@command.command("list")
@common
def list_(as_json: bool, store: Path | None) -> int:
    """List the tools: what they do, and whether they are planned with."""
    from dabhand.interfaces.cli.output import visible, write_document

    registry = _registry(store)
    tools = registry.all()
    if as_json:
        write_document({"tools": [_described(tool, registry) for tool in tools]})
        return 0
    if not tools:
        click.echo("No tool was made yet. One is offered where no command does what is asked: dabhand do REQUEST")
    for tool in tools:
        click.echo(f"{tool.name}  {visible(tool.term)}{'' if tool.is_intact else '  (edited since it was tested)'}")
    return 0


@command.command("show")
@click.argument("name")
@common
def show(name: str, as_json: bool, store: Path | None) -> int:
    """Show a tool: its file, and what is known of it."""
    from dabhand.interfaces.cli.output import write_document

    registry = _registry(store)
    tool = _named(name, registry)
    if as_json:
        write_document({**_described(tool, registry), "source": tool.source})
    else:
        click.echo(tool.source)
    return 0


@command.command("test")
@click.argument("name", required=False)
@click.option("--all", "every", is_flag=True, help="Test every tool.")
@common
def test(name: str | None, every: bool, as_json: bool, store: Path | None) -> int:
    """Run a tool's tests in the sandbox; the exit status says whether all passed."""
    from dabhand.interfaces.cli.output import write_document
    from dabhand.sandbox import open_worker
    from dabhand.toolmaking.testing import LIMITS, failures

    if (name is None) == (not every):
        raise UsageError("Name a tool, or say --all.")
    registry = _registry(store)
    tools = registry.all() if every else (_named(name or "", registry),)
    results = []
    with open_worker("auto", LIMITS) as worker:
        for tool in tools:
            failed = failures(tool, tool.tests, (), worker)
            results.append({"name": tool.name, "tests": [len(tool.tests) - len(failed), len(tool.tests)]})
    good = all(one["tests"][0] == one["tests"][1] for one in results)
    if as_json:
        write_document({"ok": good, "tools": results})
    for one in [] if as_json else results:
        click.echo("{name}: {tests[0]} of {tests[1]} passed".format(**one))
    return 0 if good else 1


@command.command("remove")
@click.argument("name")
@common
def remove(name: str, as_json: bool, store: Path | None) -> int:
    """Remove a tool and its file."""
    from dabhand.interfaces.cli.output import write_document

    registry = _registry(store)
    registry.remove(_named(name, registry))
    if as_json:
        write_document({"removed": name})
    else:
        click.echo(f"Removed {name}.")
    return 0


def _registry(store: Path | None) -> Registry:
    from dabhand.toolmaking.registry import Registry

    return Registry(store_directory(store) / "tools")


def _named(name: str, registry: Registry) -> Tool:
    for tool in registry.all():
        if tool.name == name:
            return tool
    raise UnknownTool(f"There is no tool {name!r}.", "See: dabhand tool list")


def _described(tool: Tool, registry: Registry) -> dict[str, Any]:
    return {
        "name": tool.name,
        "command": tool.template.text,
        "path": str(registry.path(tool.name)),
        "term": tool.term,
        "tests": len(tool.tests),
        "practised": [tool.right, tool.tried],
        "trusted": tool.is_intact,
    }
