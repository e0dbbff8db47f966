"""A packet as people see it: numbered lines, and beneath them what was left out and where the rest is."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

from dabhand.handoff.packet import Line, Packet
from dabhand.interfaces.cli.output import visible

_COLOURS = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")


def show(packet: Packet) -> None:
    """Write a packet: lines to standard output, everything else to standard error."""
    if packet.error is not None:
        click.echo(f"dabhand: {visible(packet.error.message)}", err=True)
        if packet.error.hint:
            click.echo(f"  {visible(packet.error.hint)}", err=True)
    if packet.status == "no_match":
        click.echo(f"dabhand: {_no_match(packet)}", err=True)
    _lines(packet.output.lines)
    if packet.evidence.selection != "not_requested":
        click.echo(f"\nevidence ({packet.evidence.selection})")
        _lines(packet.evidence.lines)
    for sentence in _remarks(packet):
        click.echo(visible(sentence), err=True)


def _lines(lines: Sequence[Line]) -> None:
    width = max((len(str(line.n)) for line in lines), default=1)
    path: str | None = None
    for line in lines:
        if line.path is not None and line.path != path:
            path = line.path
            click.echo(visible(path))
        rest = f" … and {line.cut} bytes more" if line.cut else ""
        click.echo(f"{line.n:>{width}}{' ' if line.matched else '-'} {readable(line.text)}{rest}")


def readable(text: str) -> str:
    """A line as a terminal would have left it, without its colours; what could still play tricks as an escape."""
    text = _COLOURS.sub("", text).rstrip("\r")
    text = next((part for part in reversed(text.split("\r")) if part.strip()), "")
    return "\t".join(visible(part) for part in text.split("\t"))


def _no_match(packet: Packet) -> str:
    searched = packet.searched
    if not searched.files:
        return "Nothing matches."
    where = visible(repr(searched.paths[0])) if searched.files == 1 and searched.paths else f"{searched.files} files"
    skipped = len(searched.skipped)
    return f"Nothing matches in {where} ({searched.bytes} bytes{f', {skipped} skipped' if skipped else ''})."


def _remarks(packet: Packet) -> list[str]:
    said = list(packet.notes)
    output = packet.output
    if output.omitted_lines or output.omitted_bytes:
        said.append(f"left out: {output.omitted_lines} lines, {output.omitted_bytes} bytes")
    if packet.stderr.text:
        said.append(f"standard error: {packet.stderr.text.rstrip()}")
    if packet.artifact is not None:
        said.append(f"all of it: dabhand artifact show {packet.artifact.id}")
    return said
