"""`dabhand undo`: put back what a run changed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dabhand.errors import UsageError
from dabhand.interfaces.cli.options import common, store_directory

if TYPE_CHECKING:
    from dabhand.agent.history import History

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


@click.command("undo")
@click.argument("run", required=False)
@click.option("--root", metavar="DIR", type=click.Path(path_type=Path), help="Only runs in this folder.")
@click.option("--list", "listing", is_flag=True, help="Show what can be undone; change nothing.")
@click.option("--dry-run", is_flag=True, help="Show what would be put back; change nothing.")
@click.option("--quota", metavar="SIZE", help="Keep at most so much of what runs replaced, such as 500M or 2G.")
@common
def command(
    run: str | None,
    root: Path | None,
    listing: bool,
    dry_run: bool,
    quota: str | None,
    as_json: bool,
    store: Path | None,
) -> int:
    """Put back what RUN changed: by default the last run that can be undone, in the folder of --root if given.

    RUN is a number or an id from `dabhand history`. Asked again without RUN, the run before that is undone. Undoing an
    undoing (by its id) does the run again. Nothing is put back where files were edited since.
    """
    if (run is not None or dry_run) and (listing or quota is not None):
        raise UsageError("--list and --quota undo nothing, so they go without RUN and --dry-run.")
    from dabhand.agent.history import History
    from dabhand.store import Store

    with Store.open(store_directory(store)) as opened:
        history = History(opened)
        if quota is not None:
            return _set_quota(history, quota, as_json)
        if listing:
            return _list(history, root, as_json)
        return _undo(history, run, root, dry_run, as_json)


def _undo(history: History, name: str | None, root: Path | None, dry_run: bool, as_json: bool) -> int:
    import time

    import msgspec

    from dabhand.interfaces.cli.output import console, write_document
    from dabhand.interfaces.cli.past import recovered_lines, undone_lines

    for line in recovered_lines(history.recover()):
        click.echo(line, err=True)
    chosen = history.last_undoable(root) if name is None else history.find(name, root)
    undone = history.undo(chosen, time=time.time(), dry_run=dry_run)
    if as_json:
        write_document(msgspec.to_builtins(undone))
        return 0
    screen = console()
    for text in undone_lines(undone):
        screen.print(text)
    return 0


def _list(history: History, root: Path | None, as_json: bool) -> int:
    import msgspec

    from dabhand.interfaces.cli.output import console, write_document
    from dabhand.interfaces.cli.past import recovered_lines, runs_table

    recovered = history.recover()
    runs = history.undoable(root)
    kept, quota = history.journal.kept_bytes(), history.journal.quota
    if as_json:
        write_document({"runs": msgspec.to_builtins(runs), "kept_bytes": kept, "quota_bytes": quota})
        return 0
    for line in recovered_lines(recovered):
        click.echo(line, err=True)
    screen = console()
    if runs:
        screen.print(runs_table(runs, screen))
    else:
        click.echo("There is nothing that could be undone.")
    screen.print(f"\n{size_text(kept)} of at most {size_text(quota)} kept for undoing.", style="dim")
    return 0


def _set_quota(history: History, quota: str, as_json: bool) -> int:
    from dabhand.interfaces.cli.output import write_document

    history.journal.set_quota(size_from(quota))
    dropped = history.journal.tidy()
    kept = history.journal.kept_bytes()
    if as_json:
        write_document({"quota_bytes": history.journal.quota, "kept_bytes": kept, "dropped": list(dropped)})
        return 0
    click.echo(
        f"At most {size_text(history.journal.quota)} are kept for undoing from now on; {size_text(kept)} are now."
    )
    if dropped:
        click.echo(f"No longer to be undone: {', '.join(dropped)}.")
    return 0


def size_from(text: str) -> int:
    """Bytes of `500M`, `2G`, `1.5GiB`, `1000`.

    Raises:
        UsageError: it is no such size.
    """
    digits = text.strip().upper().removesuffix("IB").removesuffix("B")
    unit = digits[-1:] if digits[-1:] in UNITS else ""
    try:
        count = float(digits.removesuffix(unit) if unit else digits)
        size = int(count * UNITS[unit])
    except (ValueError, OverflowError) as error:
        raise UsageError(f"{text!r} is no size.", "Give one such as 500M or 2G.") from error
    if size < 0:
        raise UsageError(f"{text!r} is no size.", "Give one such as 500M or 2G.")
    return size


def size_text(count: int) -> str:
    """A number of bytes as people read it."""
    shown = float(count)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if shown < 1024:
            return f"{shown:.0f} {unit}" if unit == "B" else f"{shown:.1f} {unit}"
        shown /= 1024
    return f"{shown:.1f} TiB"
