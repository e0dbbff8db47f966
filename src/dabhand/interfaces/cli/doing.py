"""How a carried out request looks in a terminal: the plan, what was expected, what was checked, what changed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from dabhand.interfaces.cli.output import SIGNS, visible

Document = Mapping[str, Any]
Row = tuple[str, Text]

MOST_CHANGES = 50
"""Changes that are shown, at most; what is lost is always named."""

LOSES = {"deleted": "deletes", "modified": "overwrites"}
DIFF_STYLES = {"+": "green", "-": "red", "@": "cyan", "\\": "dim"}
STYLES = {"done": "bold green", "not_done": "bold red"}


def outcome(document: Document) -> Table:
    """What became of a request."""
    label = "would change" if document["dry_run"] else "changed"
    rows = (
        *_tools(document),
        *_plan(document),
        *_checks(document),
        *_changes(document, label),
        *_named_losses(document),
    )
    return _grid((*rows, *_end(document)))


def proposal(document: Document) -> Table:
    """What is about to be done to the real folder, what is lost by it named one by one."""
    warned = [("beware", Text(visible(document["reason"]), "bold red"))] if document.get("reason") else []
    return _grid(
        (*_tools(document), *_plan(document), *_changes(document, "will change"), *_named_losses(document), *warned)
    )


def _tools(document: Document) -> Iterator[Row]:
    for name in document.get("tools_made", ()):
        yield "made", Text(f"the tool {visible(name)}, tested and practised in the sandbox")


def _named_losses(document: Document) -> Iterator[Row]:
    kinds = {change["path"]: change["change"] for change in document["changes"]}
    for number, path in enumerate(document.get("loses", ())):
        if number == MOST_CHANGES and document.get("run_id"):
            yield "loses", Text("... and more, each of which undoing brings back", "dim")
            return
        yield "loses", Text(f"{_loss(document, path, kinds[path])} {visible(path)}", "bold red")


def _loss(document: Document, path: str, kind: str) -> str:
    """What happens to a path: one whose new text is worked out of its old one is not overwritten but edited."""
    conditions = (document.get("goal") or {}).get("conditions", ())
    made = [str(one["content"]) for one in conditions if one["path"] == path and one["is"] != "copy"]
    read = f"text({json.dumps(path, ensure_ascii=False)})"
    return "edits" if kind == "modified" and any(read in content for content in made) else LOSES[kind]


def coloured(diff: str) -> Text:
    """A unified diff in the colours that people know; what could play tricks on a terminal as escapes."""
    shown = Text()
    for line in diff.removesuffix("\n").split("\n"):
        style = "bold" if line.startswith(("--- ", "+++ ")) else DIFF_STYLES.get(line[:1], "")
        shown.append("\t".join(map(visible, line.split("\t"))) + "\n", style)
    shown.right_crop(1)
    return shown


def _grid(rows: Iterable[Row]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style="dim", min_width=len("changed"))
    table.add_column(overflow="fold")
    before = ""
    for label, text in rows:
        table.add_row("" if label == before else label, text)
        before = label
    return table


def _plan(document: Document) -> Iterator[Row]:
    for step in document["plan"]:
        yield "plan", Text(f"$ {visible(step['line'])}", "bold")
        yield "plan", Text(f"  expected: {visible(step['predicted'])}  (at least {step['confidence']:.0%} sure)")
        if step["exit_code"] is None:
            continue
        seen = "something else happened" if step["surprise"] else "just that happened"
        style = "bold yellow" if step["surprise"] else ""
        yield "plan", Text(f"  in the sandbox: {seen}", style)
    if not document.get("general", True):
        yield "plan", Text("This is only right for what the files hold now.", "bold yellow")


def _checks(document: Document) -> Iterator[Row]:
    check = document.get("self_check")
    if check is None:
        return
    for one in check["conditions"]:
        mark = ("ok ", "green") if one["ok"] else ("no ", "red")
        yield "check", Text.assemble(mark, visible(one["condition"]))
    for path in check["unexpected_changes"]:
        yield "check", Text.assemble(("no ", "red"), f"{visible(path)} was to stay as it was")
    if not check["unexpected_changes"]:
        yield "check", Text.assemble(("ok ", "green"), "nothing else changed")


def _changes(document: Document, label: str) -> Iterator[Row]:
    for change in document["changes"][:MOST_CHANGES]:
        yield label, Text(f"{SIGNS.get(change['change'], '?')} {visible(change['path'])}")
    if len(document["changes"]) > MOST_CHANGES:
        yield label, Text(f"... and {len(document['changes']) - MOST_CHANGES:,} more", "dim")


def _end(document: Document) -> Iterator[Row]:
    if document["answer"] is not None:
        for line in document["answer"].split("\n"):
            yield "answer", Text(visible(line), "bold")
    if document.get("run_id") is not None and document["status"] == "done":
        yield "undo", Text(f"dabhand undo {document['run_id']}")
    status = document["status"]
    word = "dry run, nothing changed" if document["dry_run"] and status == "done" else status.replace("_", " ")
    yield "status", Text(word, STYLES.get(status, "bold yellow"))
    for text in (document["reason"], document["hint"]):
        if text:
            yield "status", Text(visible(text))
