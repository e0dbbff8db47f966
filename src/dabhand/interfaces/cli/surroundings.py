"""What else a machine offers: shells that inspections can be carried out by, models, hosts, the MCP SDK."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def surroundings() -> dict[str, Any]:
    """Backends, models, hosts and extras, each with what mends it where it is missing."""
    return {"backends": _backends(), "models": _models(), "hosts": _hosts(), "extras": _extras()}


def _backends() -> list[dict[str, Any]]:
    bash, powershell = shutil.which("bash"), shutil.which("pwsh") or shutil.which("powershell")
    return [
        {"name": "native", "available": True, "detail": "no shell at all", "hint": ""},
        {"name": "bash", "available": bash is not None, "detail": bash or "not found", "hint": "install bash"},
        {
            "name": "powershell",
            "available": powershell is not None,
            "detail": powershell or "not found; only needed for --backend powershell",
            "hint": "install PowerShell 7 (pwsh)",
        },
    ]


def _models() -> list[dict[str, Any]]:
    from dabhand.goals.finding import every_model

    return [
        {"name": model.name, "available": True, "detail": f"a {model.kind} model", "hint": ""}
        for model in every_model()
    ]


def _hosts() -> list[dict[str, Any]]:
    from dabhand.errors import DabhandError
    from dabhand.interfaces.hosts import entries, installing
    from dabhand.interfaces.hosts.known import hosts

    found = []
    for host in hosts(Path.home(), os.environ).values():
        if not (host.home.is_dir() or host.settings.exists()):
            continue
        try:
            there = entries.installed(host, installing.read(host.settings)) is not None
            detail = f"{host.title}: {'dabhand is installed' if there else 'dabhand is not installed'}"
        except DabhandError as error:
            there, detail = False, error.message
        hint = "" if there else f"dabhand host install {host.name}"
        found.append({"name": host.name, "available": there, "detail": detail, "hint": hint})
    return found


def _extras() -> list[dict[str, Any]]:
    wanted = (
        ("mcp", "mcp", "serving coding agents"),
        ("corpus", "datasketch", "partitions and redaction of transcripts"),
        ("parquet", "pyarrow", "triples as parquet"),
        ("ray", "ray", "many machines"),
        ("tokens", "bpe_openai", "counting tokens"),
        ("local", "xllamacpp", "the local model"),
        ("remote", "openai", "remote models"),
    )
    return [
        {
            "name": extra,
            "available": find_spec(module) is not None,
            "detail": what,
            "hint": f"pip install 'dabhand[{extra}]'",
        }
        for extra, module, what in wanted
    ]
