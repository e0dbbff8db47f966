"""`dabhand artifact`: the raw results that are kept."""

from __future__ import annotations

import os
import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dabhand.errors import UsageError
from dabhand.interfaces.cli.options import common, store_directory

if TYPE_CHECKING:
    from dabhand.handoff.artifacts import Artifacts, Kept

_TOLD = ("operation", "path", "value", "key", "glob", "argv")
_RANGE = re.compile(r"([0-9]+)-([0-9]+)?|([0-9]+)")


_WIDEST = 50
"""Letters of what an artifact is about that fit beside the rest."""


@click.group("artifact")
def command() -> None:
    """The whole results of inspections and runs, kept for a time."""


@command.command("list")
@common
def list_(as_json: bool, store: Path | None) -> int:
    """What is kept, newest first."""
    kept = _artifacts(store).all()
    if as_json:
        from dabhand.interfaces.cli.output import write_document

        write_document({"artifacts": [_summary(each) for each in kept]})
        return 0
    if not kept:
        click.echo("No artifacts are kept.")
        return 0
    _table(kept)
    return 0


def _summary(kept: Kept) -> dict[str, Any]:
    record = kept.record
    return {
        "id": kept.id,
        "time": kept.time,
        "status": record.get("status"),
        "request": record.get("request"),
        "plan": record.get("plan"),
        "bytes": kept.bytes,
        "lines": kept.lines,
    }


def _table(kept: list[Kept]) -> None:
    from rich.table import Table

    from dabhand.interfaces.cli.output import console, visible

    table = Table(box=None, pad_edge=False)
    for title in ("id", "kept at", "status", "bytes"):
        table.add_column(title, justify="right" if title == "bytes" else "left", no_wrap=True)
    table.add_column("what", overflow="ellipsis", no_wrap=True)
    for each in kept:
        plan = each.record.get("plan") or {}
        told = [plan[each] for each in _TOLD if plan.get(each)]
        about = " ".join(" ".join(each) if isinstance(each, list) else str(each) for each in told)
        what = each.record.get("request") or about
        at = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(each.time))
        table.add_row(each.id, at, str(each.record.get("status")), str(each.bytes), visible(str(what))[:_WIDEST])
    console().print(table)


@command.command("show")
@click.argument("name", metavar="ID")
@click.option("--lines", "lines", metavar="A-B", help="Only these lines, counted from 1.")
@click.option("--bytes", "places", metavar="A-B", help="Only these bytes, counted from 0, the last one included.")
@click.option("--record", is_flag=True, help="What is known of the run instead of its result.")
@common
def show(name: str, lines: str | None, places: str | None, record: bool, as_json: bool, store: Path | None) -> int:
    """Write a raw result, byte for byte."""
    if lines is not None and places is not None:
        raise UsageError("A result is shown by lines or by bytes.", "Leave one of --lines and --bytes out.")
    artifacts = _artifacts(store)
    kept = artifacts.get(name)
    if record:
        from dabhand.interfaces.cli.output import write_document

        write_document(_summary(kept) | {"sha256": kept.raw, "record": kept.record})
        return 0
    from dabhand.handoff.blocks import Source

    with Source(artifacts.open_raw(kept), name) as source:
        start, end, first = span(source, lines, places)
        if as_json:
            _write_json(kept, source, start, end, first)
        else:
            for piece in source.pieces(start, end):
                sys.stdout.buffer.write(piece)
            sys.stdout.buffer.flush()
    return 0


def span(source: Any, lines: str | None, places: str | None) -> tuple[int, int, int | None]:
    """Where the range begins and ends, and the number of its first line where it is one of lines."""
    if places is not None:
        first, last = _range(places, "--bytes")
        start = min(first, source.size)
        return start, source.size if last is None else min(last + 1, source.size), None
    if lines is None:
        return 0, source.size, 1
    first, last = _range(lines, "--lines")
    if not first:
        raise UsageError("Lines are counted from 1.", "Write --lines A-B.")
    start = source.after_lines(0, first - 1)[0] if first > 1 else 0
    return start, source.size if last is None else source.after_lines(start, last - first + 1)[0], first


def _range(text: str, option: str) -> tuple[int, int | None]:
    found = _RANGE.fullmatch(text)
    if found is None:
        raise UsageError(f"{option} {text!r} is no range.", f"Write {option} A-B, {option} A- or {option} A.")
    first, last, single = found.groups()
    if single is not None:
        return int(single), int(single)
    if last is not None and int(last) < int(first):
        raise UsageError(f"{option} {text!r} ends before it begins.", "Give the smaller number first.")
    return int(first), None if last is None else int(last)


def _write_json(kept: Kept, source: Any, start: int, end: int, first: int | None) -> None:
    from dabhand.handoff.packet import Line, line_to_json, text_field
    from dabhand.interfaces.cli.output import write_document

    data = source.part(start, end)
    document: dict[str, Any] = {"id": kept.id, "bytes": kept.bytes, "lines": kept.lines, "start": start, "end": end}
    text = data.decode("utf-8", "surrogateescape")
    if first is None:
        write_document(document | text_field(text))
        return
    each = text.removesuffix("\n").split("\n") if text else []
    shown = [line_to_json(Line(n, line)) for n, line in enumerate(each, first)]
    write_document(document | text_field(text) | {"output": {"lines": shown}})


@command.command("prune")
@click.option("--quota", metavar="BYTES", type=click.IntRange(0), help="What may be left (default: 1 GiB).")
@common
def prune(quota: int | None, as_json: bool, store: Path | None) -> int:
    """Let the oldest go until the quota is kept; nothing of the last hour goes."""
    done = _artifacts(store).prune(time.time(), quota)
    if as_json:
        from dabhand.interfaces.cli.output import write_document

        write_document({"removed": done.removed, "freed": done.freed, "left": done.left, "bytes": done.bytes})
    else:
        click.echo(f"removed {done.removed} ({done.freed} bytes); {done.left} are left ({done.bytes} bytes)")
    return 0


def _artifacts(store: Path | None) -> Artifacts:
    from dabhand.handoff.inspecting import artifacts_of

    return artifacts_of(store_directory(store), os.environ)
