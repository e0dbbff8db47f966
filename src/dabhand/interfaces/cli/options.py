"""The options that every command has."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from dabhand.errors import UsageError

INTERRUPTED = 130
"""The exit status after Ctrl-C."""


def common(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--json` (as `as_json`) and `--store DIR` (as `store`, a path or None)."""
    command = click.option(
        "--store", metavar="DIR", type=click.Path(path_type=Path), help="Where everything learned is kept."
    )(command)
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document, for programs.")(command)


def translator_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--translator`."""
    return click.option(
        "--translator",
        type=click.Choice(("auto", "memory", "grammar", "local", "remote")),
        default="auto",
        help="Who says what a request means; by default each is asked until one is sure.",
    )(command)


def store_directory(named: Path | None) -> Path:
    """The folder of the store: the one named, else $DABHAND_HOME, else the platform's folder for data."""
    from dabhand.home import default_directory

    return named if named is not None else default_directory(os.environ)


def require_folder(root: Path) -> Path:
    """The root that a request is about.

    Raises:
        UsageError: there is no such folder.
    """
    try:
        is_folder, is_there = root.is_dir(), root.exists()
    except (OSError, ValueError) as error:
        raise UsageError(
            f"The root {str(root)!r} cannot be looked at: {error}.", "Name another with --root."
        ) from error
    if not is_folder:
        kind = "is not a folder" if is_there else "does not exist"
        raise UsageError(f"The root {str(root)!r} {kind}.", "Name an existing folder with --root.")
    return root
