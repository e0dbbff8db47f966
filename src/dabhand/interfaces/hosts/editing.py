"""What installing and removing change, worked out as texts before any file is touched."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from dabhand.interfaces.hosts import jsonc, markdown_block, toml_text
from dabhand.interfaces.hosts.known import HOOK_ARGUMENTS, Host

SKILL_HEAD = (
    "---\nname: dabhand\ndescription: Use for builds, tests and scripts with long output or an exit code that matters,"
    " for finding lines in long logs, and for file changes that must be checked and undoable.\n---\n\n"
)
HOOK_SECONDS = 5


class Edit(msgspec.Struct, frozen=True):
    """One file, before and after; None where there is none."""

    path: Path
    before: str | None
    after: str | None


def installed(host: Host, settings: str | None) -> Any:
    """Our entry in a host's settings, or None.

    Raises:
        BrokenConfiguration: the settings cannot be read.
    """
    if not settings or not settings.removeprefix(jsonc.BOM).strip():
        return None
    if host.form == "toml":
        return toml_text.entry(settings, str(host.settings), host.path)
    found = jsonc.read(settings, str(host.settings)).value
    for step in host.path:
        found = found.get(step) if isinstance(found, dict) else None
    return found


def entry(host: Host, command: Sequence[str]) -> dict[str, Any]:
    """What stands for us in a host's settings."""
    head = {"type": "stdio"} if host.type_named else {}
    return {**head, "command": command[0], "args": list(command[1:])}


def with_server(host: Host, text: str | None, command: Sequence[str]) -> str:
    """Settings with our server; an entry that says something else is replaced."""
    name, wanted = str(host.settings), entry(host, command)
    found = installed(host, text)
    if text is not None and found == wanted:
        return text
    if found is not None:
        text = without_server(host, text or "")
    if host.form == "toml":
        return toml_text.put(text or "", name, host.path, wanted)
    return jsonc.put(text or "", name, host.path, wanted)


def without_server(host: Host, text: str, *, emptied: bool = False) -> str:
    """Settings without our server; `emptied` also takes the list of servers where nothing is left in it."""
    name = str(host.settings)
    if not text.removeprefix(jsonc.BOM).strip():
        return text
    if host.form == "toml":
        return toml_text.take(text, name, host.path)
    return jsonc.take(text, name, host.path, emptied=emptied)


def with_instructions(host: Host, text: str | None) -> str:
    """The file of instructions with what an agent should know about us."""
    body = resources.files(__package__).joinpath("guidance.md").read_text("utf-8")
    if host.instructions_as == "block":
        return markdown_block.put(text or "", body)
    return SKILL_HEAD + body if host.instructions_as == "skill" else body


def without_instructions(host: Host, text: str) -> str | None:
    """The file of instructions without ours; None when the whole file is."""
    return markdown_block.take(text) if host.instructions_as == "block" else None


def hook_places(host: Host, text: str | None) -> list[int]:
    """Where our hook stands among the hooks before a tool is used."""
    if not text or not text.removeprefix(jsonc.BOM).strip():
        return []
    settings = jsonc.read(text, str(host.hooks)).value
    hooks = settings.get("hooks") if isinstance(settings, dict) else None
    before = hooks.get("PreToolUse") if isinstance(hooks, dict) else None
    return [place for place, each in enumerate(before) if _is_ours(each)] if isinstance(before, list) else []


def _is_ours(matcher: Any) -> bool:
    inner = matcher.get("hooks") if isinstance(matcher, dict) else None
    commands = [each.get("command") for each in inner if isinstance(each, dict)] if isinstance(inner, list) else []
    ending = " ".join(HOOK_ARGUMENTS)
    return any(isinstance(each, str) and "dabhand" in each and each.rstrip().endswith(ending) for each in commands)


def with_hook(host: Host, text: str | None, line: str) -> str:
    """The file of hooks with ours."""
    wanted = {"matcher": "Bash", "hooks": [{"type": "command", "command": line, "timeout": HOOK_SECONDS}]}
    places = hook_places(host, text)
    if text is not None and places:
        hooks = jsonc.read(text, str(host.hooks)).value["hooks"]["PreToolUse"]
        if [hooks[place] for place in places] == [wanted]:
            return text
        text = without_hook(host, text)
    return jsonc.append(text or "", str(host.hooks), ("hooks", "PreToolUse"), wanted)


def without_hook(host: Host, text: str, *, emptied: bool = False) -> str:
    """The file of hooks without ours."""
    for place in reversed(hook_places(host, text)):
        text = jsonc.take(text, str(host.hooks), ("hooks", "PreToolUse", place), emptied=emptied)
    return text
