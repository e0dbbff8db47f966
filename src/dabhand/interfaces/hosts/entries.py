"""What stands under our name in a host's settings: ours, when it starts this program's own server; else somebody's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

import msgspec

from dabhand.interfaces.hosts import jsonc, toml_text
from dabhand.interfaces.hosts.known import SERVER, Host

_ADDRESSES = {"url", "httpUrl", "serverUrl"}
"""What stands in an entry for a server that is elsewhere."""

_LAUNCHERS = ("uv", "uvx", "pipx")
_STARTS = (SERVER, "mcp")


class Standing(msgspec.Struct, frozen=True):
    """An entry of our name.

    Attributes:
        entry: what it holds, of whatever kind.
        line: where it begins, from 1.
    """

    entry: Any
    line: int

    @property
    def is_ours(self) -> bool:
        """Whether it starts dabhand's own server."""
        if not isinstance(self.entry, dict) or not _ADDRESSES.isdisjoint(self.entry):
            return False
        command, given = self.entry.get("command"), self.entry.get("args", [])
        if not isinstance(command, str) or not isinstance(given, list):
            return False
        return _starts_ours(command, [each if isinstance(each, str) else "" for each in given])


def _starts_ours(command: str, arguments: Sequence[str]) -> bool:
    program = PurePath(command.replace("\\", "/")).name.removesuffix(".exe")
    if program == SERVER:
        return arguments[:1] == ["mcp"]
    if program.startswith(("python", "pypy")):
        wanted: tuple[str, ...] = ("-m", *_STARTS)
    elif program in _LAUNCHERS:
        wanted = _STARTS
    else:
        return False
    return any(tuple(arguments[at : at + len(wanted)]) == wanted for at in range(len(arguments)))


def standing(host: Host, settings: str | None) -> Standing | None:
    """What stands under our name in a host's settings, or None where nothing does.

    Raises:
        BrokenConfiguration: the settings cannot be read.
    """
    if settings is None or (host.form == "json" and jsonc.is_blank(settings)):
        return None
    name = str(host.settings)
    if host.form == "toml":
        found: Any = toml_text.read(settings, name)
        for step in host.path:
            if not isinstance(found, dict) or step not in found:
                return None
            found = found[step]
        return Standing(found, toml_text.line_of(settings, host.path))
    node = jsonc.at(jsonc.read(settings, name), host.path)
    return None if node is None else Standing(node.value, jsonc.line_of(settings, node.start))


def installed(host: Host, settings: str | None) -> dict[str, Any] | None:
    """Our entry in a host's settings, or None.

    Raises:
        BrokenConfiguration: the settings cannot be read.
    """
    found = standing(host, settings)
    return found.entry if found is not None and found.is_ours else None
