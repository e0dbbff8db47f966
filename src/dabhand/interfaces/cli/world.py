"""`dabhand world`: everything learned, as one JSON document."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

import click

from dabhand.errors import UsageError
from dabhand.interfaces.cli.options import common, store_directory


@click.group("world")
def command() -> None:
    """Export or import everything learned, as one JSON document."""


@command.command("export")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, allow_dash=True))
@common
def export(file: Path, as_json: bool, store: Path | None) -> int:
    """Write everything learned to FILE ("-" is standard output).

    What practice tried goes into it. Runs of `do` stay out: the store keeps copies of the texts they touched, and those
    never leave this machine.
    """
    from dabhand.interfaces.cli.output import write_document
    from dabhand.store import Store, to_document

    with Store.open(store_directory(store)) as opened:
        count, document = opened.count_experiments(), to_document(opened)
    if str(file) == "-":
        write_document(document)
        return 0
    _replace(file, document)
    if as_json:
        write_document({"file": str(file), "experiments": count})
    else:
        click.echo(f"{count} experiments written to {str(file)!r}.")
    return 0


@command.command("import")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, allow_dash=True))
@common
def import_(file: Path, as_json: bool, store: Path | None) -> int:
    """Take in everything learned elsewhere from FILE ("-" is standard input); what is here already is left out.

    All of it is checked before any of it is kept.
    """
    document = _read(file)

    from dabhand.interfaces.cli.output import write_document
    from dabhand.store import Store, add_document

    with Store.open(store_directory(store)) as opened:
        count = add_document(opened, document)
    if as_json:
        write_document({"file": str(file), "experiments": count})
    else:
        click.echo(f"{count} experiments taken in.")
    return 0


def _read(file: Path) -> object:
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        return json.loads(data, parse_constant=_no_constant)
    except OSError as error:
        hint = 'Name a file that "dabhand world export FILE" made, or - for standard input.'
        raise UsageError(f"{str(file)!r} cannot be read: {error.strerror}.", hint) from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{str(file)!r} is not JSON: {error}.", "Make one with: dabhand world export FILE") from error


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _replace(file: Path, document: object) -> None:
    """Write the document so that FILE is either the old one or the whole new one."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
        try:
            with os.fdopen(handle, "w", encoding="ascii") as stream:
                json.dump(document, stream)
                stream.flush()
                os.fsync(stream.fileno())  # before it takes the name of the old one, which is gone then
            Path(name).replace(file)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        hint = "Name a file in a folder that exists and may be written in, or - for standard output."
        raise UsageError(f"{str(file)!r} cannot be written: {error.strerror}.", hint) from error
