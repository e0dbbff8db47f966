"""Where everything that dabhand keeps lies when nobody names a place."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from dabhand.errors import StoreError


def default_directory(environ: Mapping[str, str]) -> Path:
    """Where the store lies when nobody names a place: $DABHAND_HOME, else the platform's folder for data.

    Source: XDG Base Directory Specification on Linux, the vendors' conventions elsewhere.
    """
    if named := environ.get("DABHAND_HOME"):
        return Path(named)
    if sys.platform == "darwin":
        return _home() / "Library" / "Application Support" / "dabhand"
    if sys.platform == "win32":
        local = environ.get("LOCALAPPDATA")
        return (Path(local) if local else _home() / "AppData" / "Local") / "dabhand"
    data = environ.get("XDG_DATA_HOME", "")
    return (Path(data) if data.startswith("/") else _home() / ".local" / "share") / "dabhand"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError as error:
        raise StoreError("There is no home folder to keep the store in.", "Name a folder with --store.") from error
