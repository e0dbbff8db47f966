"""`dabhand bench tokens`: what a packet costs, against what the raw output would have cost, by real tokenizers."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dabhand.errors import DabhandError, UsageError

if TYPE_CHECKING:
    from dabhand.handoff.inspecting import Wish

LARGEST = 4 << 20
"""Bytes of a file that is looked at."""

Count = Callable[[str], int]


def measure(folder: Path) -> dict[str, Any]:
    """Look at every text file of a folder in a few ways, and count both.

    Raises:
        UsageError: there is no tokenizer, or nothing to look at.
    """
    counts = dict(_tokenizers())
    if not counts:
        raise UsageError("No tokenizer is installed.", "pip install 'dabhand[tokens]' or 'dabhand[local]'")
    files = [file for file in sorted(folder.rglob("*")) if file.is_file() and 0 < file.stat().st_size <= LARGEST]
    sums: dict[str, dict[str, list[int]]] = {}
    looks = 0
    for file in files:
        for way, raw, packet in _looks(folder, file):
            looks += 1
            for name, count in counts.items():
                before, after = sums.setdefault(name, {}).setdefault(way, [0, 0])
                sums[name][way] = [before + count(raw), after + count(packet)]
    if not looks:
        raise UsageError(f"There is no text file in {str(folder)!r}.", "Name another folder.")
    return {"bench": "tokens", "files": len(files), "looks": looks, "tokenizers": sums}


def _looks(folder: Path, file: Path) -> Iterator[tuple[str, str, str]]:
    """The ways of looking at a file: a name, the whole raw result, and the packet as an agent gets it."""
    from dabhand.handoff.inspecting import artifacts_of, inspect

    raw = file.read_bytes()
    if b"\0" in raw:
        return
    text = raw.decode("utf-8", "replace")
    path = file.relative_to(folder).as_posix()
    with tempfile.TemporaryDirectory(prefix="dabhand-bench-") as store:
        for way, wish, before in _ways(path, text):
            packet = inspect(folder, wish, artifacts_of(store)).to_json()
            if packet["status"] in ("ok", "no_match"):
                yield way, before, json.dumps(packet)


def _ways(path: str, text: str) -> Iterator[tuple[str, Wish, str]]:
    from dabhand.handoff.inspecting import Wish
    from dabhand.handoff.limits import Limits

    lines = text.splitlines()
    whole = {"operation": "whole_file", "path": path}
    wish = "errors, warnings and the final result"
    yield "read for errors", Wish(plan=whole, evidence=wish, limits=Limits(0, 0)), text
    last = {"operation": "last_lines", "path": path, "count": 20}
    yield "last 20 lines", Wish(plan=last), "\n".join(lines[-20:])
    search = {"operation": "search", "path": path, "value": "error", "ignore_case": True, "max_count": 20}
    found = "\n".join(f"{number}:{line}" for number, line in enumerate(lines, 1) if "error" in line.lower())
    yield "search, first 20", Wish(plan=search), found


def _tokenizers() -> Iterator[tuple[str, Count]]:
    from dabhand.interfaces.cli.bench_handoff import TOKENIZER, tokens

    count = tokens()
    if count is not None:
        yield TOKENIZER, count
    from dabhand.models.local import LocalEngine
    from dabhand.models.weights import is_installed

    if is_installed():
        engine = LocalEngine()
        try:
            engine.load()
        except DabhandError:
            return
        yield "gemma-3-270m (llama.cpp)", engine.count_tokens


def show(document: dict[str, Any]) -> None:
    """The numbers as a table."""
    from rich.table import Table

    from dabhand.interfaces.cli.output import console

    table = Table(box=None, pad_edge=False)
    for title in ("tokenizer", "look", "raw", "packet", "share"):
        table.add_column(title, justify="left" if title in ("tokenizer", "look") else "right")
    for name, ways in document["tokenizers"].items():
        for way, (before, after) in ways.items():
            table.add_row(name, way, str(before), str(after), f"{after / before:.0%}" if before else "")
    shown = console()
    shown.print(f"{document['files']} files, {document['looks']} looks")
    shown.print(table)
