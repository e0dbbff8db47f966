"""Keep results: one JSON file per label, with the command that made it, never overwritten."""

from __future__ import annotations

import json
import os
import platform
import re
import shlex
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"


class LabelError(ValueError):
    """A label that cannot be used."""


def place_for(label: str, folder: Path = RESULTS) -> Path:
    """The file of a label that is still free.

    Raises:
        LabelError: the label is taken, or is no file name.
    """
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", label):
        raise LabelError(f"The label {label!r} must be letters, digits, dots, dashes and underscores.")
    path = folder / f"{label}.json"
    if path.exists():
        raise LabelError(
            f"There are results labelled {label!r} already, and results are never overwritten: choose another."
        )
    return path


def keep(path: Path, document: dict[str, Any]) -> None:
    """Write a result.

    Raises:
        LabelError: somebody took the label in the meantime.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(json.dumps(document, ensure_ascii=False, indent=1) + "\n")
    except FileExistsError as error:
        raise LabelError(f"There are results labelled {path.stem!r} already, and they are not overwritten.") from error


def fresh_label(prefix: str) -> str:
    """A label that says when."""
    return f"{prefix}-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}"


def heading(program: str, arguments: Sequence[str]) -> dict[str, Any]:
    """What belongs to every result: the command, and what it was measured on, without saying whose machine it was."""
    shown = [Path(one).name if one.startswith("/") else one for one in arguments]
    return {
        "made_by": shlex.join(["python", *shlex.split(program), *shown]),
        "measured_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "revision": _revision(),
        "python": platform.python_version(),
        "processors": len(os.sched_getaffinity(0)),
        "processor_kind": platform.machine(),
        "kernel": ".".join(platform.release().split(".")[:2]),
    }


def _revision() -> str:
    """The commit measured, with "+changes" when the working tree differs from it; "unknown" outside a repository."""
    here = Path(__file__).parent

    def git(*arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=here, capture_output=True, text=True, check=True).stdout.strip()

    try:
        commit = git("rev-parse", "--short=12", "HEAD")
        return commit + ("+changes" if git("status", "--porcelain", "--untracked-files=no") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
