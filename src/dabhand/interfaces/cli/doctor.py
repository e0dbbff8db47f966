"""`dabhand doctor`: what this machine offers, and how to mend what is missing."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dabhand.interfaces.cli.options import common, store_directory

if TYPE_CHECKING:
    from dabhand.sandbox import TierReport

NO_SAFE_PLACE = 4
NO_STORE = 2


@click.command("doctor")
@common
def command(as_json: bool, store: Path | None) -> int:
    """Say what was found on this machine, and how to mend what is missing.

    Isolation is tried, not guessed: every tier really runs a command. The exit status is 4 when none works,
    and 2 when the store cannot be used, or not all of it.
    """
    from dabhand.interfaces.cli.output import write_document
    from dabhand.sandbox import probe, probe_overlay

    found = findings(probe(), probe_overlay(), store_directory(store))
    if as_json:
        write_document(found)
    else:
        _show(found)
    if not found["isolation"]["in_force"]:
        return NO_SAFE_PLACE
    return NO_STORE if found["store"]["problem"] else 0


def findings(tiers: Sequence[TierReport], overlay: TierReport, directory: Path) -> dict[str, Any]:
    """Everything that was found, as a document."""
    import msgspec

    from dabhand import __version__
    from dabhand.interfaces.cli.surroundings import surroundings

    in_force = next((tier.tier for tier in tiers if tier.available), None)
    return {
        "dabhand": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "isolation": {"in_force": in_force, "tiers": msgspec.to_builtins(tiers)},
        "staging": {
            "in_force": "overlay" if overlay.available else "copy" if in_force else None,
            "overlay": msgspec.to_builtins(overlay),
        },
        "programs": {name: shutil.which(name, path="/usr/bin:/bin") for name in ("bash", "sort", "sed", "grep")},
        "store": _store(directory),
        **surroundings(),
    }


def _store(directory: Path) -> dict[str, Any]:
    """What the store holds; looking does not make one."""
    from dabhand.errors import StoreError
    from dabhand.store import Store
    from dabhand.store.database import FILE_NAME

    file = str(directory / FILE_NAME)
    try:
        if not (directory / FILE_NAME).exists():
            return {"path": file, "experiments": 0, "problem": _obstacle(directory)}
        with Store.open(directory) as store:
            readable = sum(1 for _ in store.experiments())
            return {"path": file, "experiments": readable, "problem": _damage(store.unreadable)}
    except StoreError as error:
        return {"path": file, "experiments": None, "problem": f"{error.message} {error.hint}".strip()}
    except OSError as error:
        return {"path": file, "experiments": None, "problem": f"{file!r} cannot be looked at: {error.strerror}."}


def _obstacle(directory: Path) -> str | None:
    """Why a store cannot be made in a folder, if it cannot."""
    nearest = next(folder for folder in (directory, *directory.absolute().parents) if os.path.lexists(folder))
    if not nearest.is_dir():
        return f"{str(nearest)!r} is not a folder. Name another with --store."
    if not os.access(nearest, os.W_OK | os.X_OK):
        return f"Nothing can be written in {str(nearest)!r}. Name another folder with --store."
    return None


def _damage(unreadable: Mapping[int, str]) -> str | None:
    if not unreadable:
        return None
    numbers = ", ".join(map(str, list(unreadable)[:5])) + (", ..." if len(unreadable) > 5 else "")
    return (
        f"{len(unreadable)} damaged and left out ({numbers}). To be rid of them: dabhand world export FILE,"
        " then dabhand world import FILE --store ANOTHER."
    )


def _show(found: dict[str, Any]) -> None:
    from rich.table import Table
    from rich.text import Text

    from dabhand.interfaces.cli.output import console, visible

    in_force = found["isolation"]["in_force"]
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for good, name, text, hint in _rows(found):
        table.add_row(Text("ok", "green") if good else Text("no", "yellow"), name, visible(text))
        if hint:
            table.add_row("", "", Text(f"mend it: {visible(hint)}", "dim"))
    screen = console()
    screen.print(table)
    if in_force is None:
        screen.print("\nThere is no safe place to run commands here, so dabhand will not run any.")


def _rows(found: dict[str, Any]) -> Iterator[tuple[bool, str, str, str]]:
    """Whether each thing is as it should be, its name, what was found, and how to mend it."""
    yield True, "dabhand", f"{found['dabhand']} on Python {found['python']}, {found['system']}", ""
    for tier in found["isolation"]["tiers"]:
        note = " (in force)" if tier["tier"] == found["isolation"]["in_force"] else ""
        yield tier["available"], tier["tier"] + note, tier["detail"], tier["hint"]
    overlay = found["staging"]["overlay"]
    note = "" if overlay["available"] else " Folders are copied instead, in the part that a request is about."
    yield overlay["available"], "staging", overlay["detail"] + note, overlay["hint"]
    for name, path in found["programs"].items():
        yield path is not None, name, path or "not in /usr/bin or /bin", ""
    for kind in ("backends", "models", "hosts", "extras"):
        for each in found[kind]:
            hint = "" if each["available"] else each["hint"]
            yield each["available"], f"{kind.removesuffix('s')} {each['name']}", each["detail"], hint
    if not found["models"]:
        yield True, "models", "none; only needed for requests that the grammar cannot read", ""
    held = found["store"]
    yield held["problem"] is None, "store", held["problem"] or f"{held['path']}: {held['experiments']} experiments", ""
