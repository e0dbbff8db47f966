"""`dabhand host`: add dabhand to coding agents, and take it out again."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dabhand.interfaces.cli.options import common, store_directory

if TYPE_CHECKING:
    from dabhand.interfaces.hosts.editing import Edit
    from dabhand.interfaces.hosts.known import Host

NAMES = ("claude-code", "codex", "cursor", "gemini")


@click.group(short_help="Add dabhand to coding agents.")
def command() -> None:
    """Add dabhand to the coding agents on this machine, so that they can hand it work."""


@command.command("list")
@common
def list_hosts(as_json: bool, store: Path | None) -> None:
    """Say which hosts were found, and in which of them dabhand is installed."""
    from dabhand.interfaces.cli.output import write_document

    found = [_described(host) for host in _known().values()]
    if as_json:
        write_document({"hosts": found})
        return
    from rich.table import Table

    from dabhand.interfaces.cli.output import console, visible

    table = Table("host", "found", "dabhand", "settings")
    for each in found:
        table.add_row(each["host"], "yes" if each["found"] else "no", each["status"], visible(each["settings"]))
    console().print(table)


@command.command()
@click.argument("host", type=click.Choice(NAMES))
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@click.option("--hook", is_flag=True, help="Also suggest `dabhand run` where a command's exit code would be lost.")
@common
def install(host: str, dry_run: bool, hook: bool, as_json: bool, store: Path | None) -> None:
    """Add the server, and a short instruction for the agent, to HOST."""
    import shlex

    from dabhand.interfaces.hosts import installing
    from dabhand.interfaces.hosts.known import HOOK_ARGUMENTS

    known, folder = _known()[host], store_directory(store) / "hosts"
    program = _program()
    elsewhere = store is not None or "DABHAND_HOME" in os.environ  # which the host may not hand on
    server = [*program, "mcp", *(["--store", str(store_directory(store).absolute())] if elsewhere else [])]
    line = shlex.join([*program, *HOOK_ARGUMENTS]) if hook else None
    edits = installing.plan_install(known, server, line, folder)
    copies = [] if dry_run else installing.apply(known, edits, folder)
    _tell("installed", known, edits, dry_run, as_json, copies)


@command.command()
@click.argument("host", type=click.Choice(NAMES))
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@common
def remove(host: str, dry_run: bool, as_json: bool, store: Path | None) -> None:
    """Take dabhand out of HOST; what was there before comes back byte for byte."""
    from dabhand.interfaces.hosts import installing

    known, folder = _known()[host], store_directory(store) / "hosts"
    edits = installing.plan_remove(known, folder)
    copies = [] if dry_run else installing.apply(known, edits, folder, removing=True)
    _tell("removed", known, edits, dry_run, as_json, copies)


@command.command(hidden=True)
def hook() -> None:
    """Read what a host is about to run (JSON) and suggest a better way; never allow, deny or change it."""
    from dabhand.interfaces.hosts.suggesting import answer

    click.echo(answer(sys.stdin.buffer.read()), nl=False)


def _known() -> dict[str, Host]:
    from dabhand.interfaces.hosts.known import hosts

    return hosts(Path.home(), os.environ)


def _program() -> list[str]:
    """The command line that starts this very dabhand, whatever the host's PATH."""
    script = Path(sys.executable).parent / "dabhand"
    return [str(script)] if script.is_file() else [sys.executable, "-P", "-m", "dabhand"]


def _described(host: Host) -> dict[str, Any]:
    from dabhand.errors import DabhandError
    from dabhand.interfaces.hosts import editing, entries, installing

    document: dict[str, Any] = {"host": host.name, "found": host.home.is_dir() or host.settings.exists()}
    try:
        found = entries.standing(host, installing.read(host.settings))
        hooked = bool(host.hooks and editing.hook_places(host, installing.read(host.hooks)))
        status = "not installed" if found is None else "installed" if found.is_ours else "elsewhere"
        document |= {"status": status, "hook": hooked}
    except DabhandError as error:
        document |= {"status": "broken", "hook": False, "reason": error.message}
    return document | {"settings": str(host.settings), "instructions": str(host.instructions)}


def _tell(done: str, host: Host, edits: list[Edit], dry_run: bool, as_json: bool, copies: Sequence[Path] = ()) -> None:
    from dabhand.interfaces.cli.output import visible, write_document

    status = "unchanged" if not edits else f"would be {done}" if dry_run else done
    stays = _what_stays(host, edits) if done == "removed" else None
    if as_json:
        files = [{"path": str(edit.path), "change": _change(edit)} for edit in edits]
        document = {"host": host.name, "status": status, "files": files, "copies": [str(each) for each in copies]}
        write_document(document if stays is None else document | {"note": stays})
        return
    if not edits:
        click.echo(f"{host.title}: nothing to change.")
        if stays is not None:
            click.echo(visible(stays))
        return
    for edit in edits:
        if dry_run:
            for line in _difference(edit):
                click.echo(visible(line))
        else:
            click.echo(f"{_change(edit)}: {visible(str(edit.path))}")
    for copy in copies:
        click.echo(f"What cannot be put back byte for byte is kept in {visible(str(copy))}")
    click.echo(f"{host.title}: dabhand {'would be' if dry_run else 'is'} {done}.")
    if stays is not None:
        click.echo(visible(stays))
    if not dry_run:
        click.echo(f"Start {host.title} anew for it to notice.")


def _what_stays(host: Host, edits: list[Edit]) -> str | None:
    """What there is to say of an entry of our name that is there once we are removed."""
    from dabhand.interfaces.hosts import entries, installing

    changed = {edit.path: edit.after for edit in edits}
    text = changed[host.settings] if host.settings in changed else installing.read(host.settings)
    found = entries.standing(host, text)
    if found is None:
        return None
    if found.is_ours:
        return (
            f"{host.settings}, line {found.line}: the older entry is as it was; remove it again to take that out too."
        )
    return f"{host.settings}, line {found.line}: this entry starts something else, so it stays as it is."


def _change(edit: Edit) -> str:
    return "created" if edit.before is None else "deleted" if edit.after is None else "modified"


def _difference(edit: Edit) -> list[str]:
    import difflib

    before, after = (edit.before or "").splitlines(), (edit.after or "").splitlines()
    return list(difflib.unified_diff(before, after, str(edit.path), str(edit.path), lineterm=""))
