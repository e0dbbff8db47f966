"""`dabhand do`: carry out a request on a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dabhand.errors import UsageError
from dabhand.interfaces.cli.options import common, require_folder, store_directory

if TYPE_CHECKING:
    from rich.console import Console

STATUS_EXITS = {"done": 0, "not_done": 1, "abstained": 3, "needs_tool": 3, "refused": 3}
SIGNS = {"created": "+", "modified": "~", "deleted": "-", "mode": "m"}

Document = Mapping[str, Any]


@click.command("do")
@click.argument("request")
@click.option("--root", metavar="DIR", type=click.Path(path_type=Path), required=True, help="The folder to work on.")
@click.option("--target", "pairs", metavar="NAME=PATH", multiple=True, help="What a {{NAME}} in the request means.")
@click.option("--dry-run", is_flag=True, help="Plan and try on a copy; change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask before applying what deletes or overwrites.")
@common
def command(
    request: str, root: Path, pairs: tuple[str, ...], dry_run: bool, yes: bool, as_json: bool, store: Path | None
) -> int:
    """Carry out REQUEST on a folder, by planning with what was learned.

    The plan runs on a copy in the sandbox first. Only when every condition of the goal holds there, and nothing else
    changed, is the difference applied to the folder.
    """
    require_folder(root)
    targets = targets_from(pairs)

    import msgspec

    from dabhand.agent.do import carry_out
    from dabhand.interfaces.cli.output import console, write_document
    from dabhand.store import Store

    with Store.open(store_directory(store)) as opened:
        result = carry_out(opened, request, root, targets=targets, dry_run=dry_run, yes=yes)
    document = msgspec.to_builtins(result)
    if as_json:
        write_document(document)
    else:
        show_document(console(), document)
    return STATUS_EXITS[document["status"]]


def targets_from(pairs: Sequence[str]) -> dict[str, str]:
    """The bindings of `--target NAME=PATH`.

    Raises:
        UsageError: one is no such pair, or a name comes twice.
    """
    targets: dict[str, str] = {}
    for pair in pairs:
        name, equals, path = pair.partition("=")
        if not name or not equals or not path:
            raise UsageError(f"--target {pair!r} is not NAME=PATH.")
        if name in targets:
            raise UsageError(f"--target names {name!r} twice.")
        targets[name] = path
    return targets


def show_document(screen: Console, document: Document) -> None:
    """What was planned, what was expected, what was checked, and what changed, for a person."""
    from rich.text import Text

    from dabhand.interfaces.cli.output import visible

    style = "bold green" if document["status"] == "done" else "bold yellow"
    screen.print(Text(document["status"].replace("_", " "), style), Text(visible(document["request"])))
    if reason := document.get("reason"):
        screen.print(Text(f"  {visible(reason)}"))
    for number, step in enumerate(document["plan"], 1):
        screen.print(Text(f"  plan {number}  $ {visible(step['line'])}", "bold"))
        screen.print(Text(f"          expecting: {visible(step['predicted'])}  ({step['confidence']:.2f} sure)"))
        if step.get("surprise"):
            screen.print(Text("          surprise! It did something else.", "yellow"))
    for check in (document.get("self_check") or {}).get("conditions", ()):
        screen.print(_check_line(check))
    for change in document["changes"]:
        screen.print(Text(f"  change  {SIGNS.get(change['change'], '?')} {visible(change['path'])}"))
    if document.get("answer") is not None:
        screen.print(Text("\n".join(visible(line) for line in document["answer"].split("\n"))))


def _check_line(check: Document) -> Any:
    from rich.text import Text

    from dabhand.interfaces.cli.output import visible

    mark = ("holds", "green") if check["ok"] else ("does not hold", "red")
    return Text.assemble("  check   ", visible(check["condition"]), ": ", mark)
