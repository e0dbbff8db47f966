"""Packages that only parts of the room need: imported when they are, and named where they are missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from dabhand.errors import UsageError


class MissingExtra(UsageError):
    """A package that is needed here is not installed."""

    code = "missing_extra"


def needed(module: str, what: str, extra: str = "corpus") -> Any:
    """An optional package's module.

    Args:
        module: its full name.
        what: what needs it, as the beginning of a sentence.
        extra: of dabhand, that brings it.

    Raises:
        MissingExtra: it is not installed.
    """
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != package:
            raise
        said = f"{what} needs {package.replace('_', '-')}, which is not installed here."
        raise MissingExtra(said, f"Install it with: pip install 'dabhand[{extra}]'") from error
