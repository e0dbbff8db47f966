"""What installing and removing change, worked out as texts before any file is touched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from dabhand.errors import Conflict
from dabhand.interfaces.hosts import jsonc, jsonc_edits, markdown_block, toml_text
from dabhand.interfaces.hosts.entries import installed, standing
from dabhand.interfaces.hosts.known import HOOK_ARGUMENTS, Host

SKILL_HEAD = (
    "---\nname: dabhand\ndescription: Use for builds, tests and scripts with long output or an exit code that matters,"
    " for finding lines in long logs, and for file changes that must be checked and undoable.\n---\n\n"
)
HOOK_SECONDS = 5
HOOKS = ("hooks", "PreToolUse")


class Edit(msgspec.Struct, frozen=True):
    """One file, before and after; None where there is none.

    Attributes:
        base: when installing, the text that removing leads back to: as it was before we first wrote to it.
    """

    path: Path
    before: str | None
    after: str | None
    base: str | None = None


class Past(msgspec.Struct, frozen=True):
    """What is known of a file from when it was last written to.

    Attributes:
        base: what it was without us; None where there was none.
        written: what was written.
    """

    base: str | None
    written: str


def entry(host: Host, command: Sequence[str]) -> dict[str, Any]:
    """What stands for us in a host's settings."""
    head = {"type": "stdio"} if host.type_named else {}
    return {**head, "command": command[0], "args": list(command[1:])}


def with_server(host: Host, text: str | None, command: Sequence[str]) -> str:
    """Settings with our server; of one of ours that is there, what it starts is replaced, and all else in it stays.

    Raises:
        BrokenConfiguration: the settings cannot be read, or have no place for it.
        Conflict: there is an entry of our name that does not start our server.
    """
    name, wanted = str(host.settings), entry(host, command)
    found = standing(host, text)
    if found is not None and not found.is_ours:
        raise Conflict(
            f"{name}, line {found.line}: the entry {host.path[-1]!r} does not start dabhand's own server,"
            " so it is somebody's own.",
            "Rename it or take it out, then try again; nothing was changed.",
        )
    if host.form == "toml":
        return toml_text.put(text or "", name, host.path, wanted)
    if found is None:
        return jsonc_edits.put(text or "", name, host.path, wanted)
    for key, value in wanted.items():
        edit = jsonc_edits.replace if key in found.entry else jsonc_edits.put
        text = edit(text or "", name, (*host.path, key), value)
    return text or ""


def without_server(host: Host, text: str, past: Past | None = None) -> str:
    """Settings without our server, or with the older one that stood in its place, where that can be told."""
    name = str(host.settings)
    if installed(host, text) is None:
        return text
    had_older = past is not None and standing(host, past.base) is not None

    def is_right(given: str) -> bool:
        same = toml_text.is_without if host.form == "toml" else jsonc_edits.is_without
        return same(text, given, name, host.path) and (standing(host, given) is not None) == had_older

    if host.form == "toml":
        return _back(text, past, is_right, lambda: toml_text.take(text, name, host.path))
    floor = _floor(past, name, host.path[:-1])
    return _back(text, past, is_right, lambda: jsonc_edits.take(text, name, host.path, floor=floor))


def _back(text: str, past: Past | None, is_right: Callable[[str], bool], cut: Callable[[], str]) -> str:
    """A text without ours: by taking out the very piece that was put in, where it stands as it was; else by cutting."""
    if past is not None:
        base, written = past.base or "", past.written
        same = next((place for place, (a, b) in enumerate(zip(base, written, strict=False)) if a != b), len(base))
        rest = min(len(base), len(written)) - same
        tail = next((n for n in range(rest) if base[-1 - n] != written[-1 - n]), rest)
        old, new = base[same : len(base) - tail], written[same : len(written) - tail]
        if new.strip() and text.count(new) == 1:
            candidate = text.replace(new, old)
            if is_right(candidate):
                return candidate
    return cut()


def _floor(past: Past | None, name: str, path: Sequence[str]) -> int:
    """How many steps of a path were there before us, and stay; all where that is not known."""
    if past is None:
        return len(path)
    if jsonc.is_blank(past.base):
        return 0
    assert past.base is not None
    root = jsonc.read(past.base, name)
    return next((done for done in range(len(path)) if jsonc.at(root, path[: done + 1]) is None), len(path))


def is_empty(host: Host, path: Path, text: str) -> bool:
    """Whether a file of settings holds nothing."""
    if path == host.instructions or (host.form == "toml" and path == host.settings):
        return _is_blank(text)
    return _is_blank(text) or jsonc.content(text) == ["{", "}"]


def instructions(host: Host) -> str:
    """All of the file of instructions, where it is one of our own."""
    return SKILL_HEAD + guidance() if host.instructions_as == "skill" else guidance()


def guidance() -> str:
    """What an agent should know about us."""
    return resources.files(__package__).joinpath("guidance.md").read_text("utf-8")


def with_instructions(host: Host, text: str | None, past: Past | None = None) -> str:
    """The file of instructions with ours; one of our own that somebody edited stays as they have it."""
    before, whole = text or "", instructions(host)
    if host.instructions_as != "block" and not markdown_block.has(before):
        if _is_blank(text) or before == whole or (past is not None and past.written == before):
            return whole
        if past is not None and not markdown_block.has(past.written):
            return before
    if markdown_block.put(before, guidance()) == before:
        return before
    if markdown_block.has(before):
        is_ours = past is not None and past.written == before
        before = (past.base or "") if past is not None and is_ours else without_instructions(host, before, past)
    return markdown_block.put(before, guidance())


def without_instructions(host: Host, text: str, past: Past | None = None) -> str:
    """The file of instructions without ours; blank where all of it is.

    Lines that somebody put into ours stay. A file without our marks that was never written by us is left alone.
    """
    if markdown_block.has(text):
        written = None if past is None else _block_of(past.written)
        cut = markdown_block.take(text, guidance(), written)
        return _back(text, past, lambda given: _filled(given) == _filled(cut), lambda: cut)
    ours = [instructions(host)] if past is None else [instructions(host), past.written]
    if text in ours:
        return ""
    if past is None or markdown_block.has(past.written):
        return text
    return "".join(markdown_block.without(text.splitlines(keepends=True), past.written.splitlines()))


def _block_of(written: str) -> str:
    return written.partition(markdown_block.BEGIN)[2].partition(markdown_block.END)[0]


def _filled(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def hook_places(host: Host, text: str | None) -> list[tuple[int, int]]:
    """Where our hook stands: in which of the groups before a tool is used, and where in it."""
    if text is None or jsonc.is_blank(text):
        return []
    found = jsonc.at(jsonc.read(text, str(host.hooks)), HOOKS)
    groups = found.value if found is not None and isinstance(found.value, list) else []
    inner = [each.get("hooks") if isinstance(each, dict) else None for each in groups]
    return [
        (group, place)
        for group, hooks in enumerate(inner)
        if isinstance(hooks, list)
        for place, each in enumerate(hooks)
        if _is_ours(each)
    ]


def _is_ours(hook: Any) -> bool:
    command = hook.get("command") if isinstance(hook, dict) else None
    return isinstance(command, str) and "dabhand" in command and command.rstrip().endswith(" ".join(HOOK_ARGUMENTS))


def with_hook(host: Host, text: str | None, line: str) -> str:
    """The file of hooks with ours; of one that is there, only what it runs is replaced."""
    places, name = hook_places(host, text), str(host.hooks)
    if not places:
        wanted = {"matcher": "Bash", "hooks": [{"type": "command", "command": line, "timeout": HOOK_SECONDS}]}
        return jsonc_edits.append(text or "", name, HOOKS, wanted)
    for group, place in places:
        text = jsonc_edits.replace(text or "", name, (*HOOKS, group, "hooks", place, "command"), line)
    return text or ""


def without_hook(host: Host, text: str, past: Past | None = None) -> str:
    """The file of hooks without ours; others in the same group stay."""
    name, floor = str(host.hooks), _floor(past, str(host.hooks), HOOKS)

    def cut() -> str:
        cut = text
        for group, place in reversed(hook_places(host, text)):
            hooks = jsonc.at(jsonc.read(cut, name), (*HOOKS, group, "hooks"))
            assert hooks is not None
            path = (*HOOKS, group) if len(hooks.value) == 1 else (*HOOKS, group, "hooks", place)
            cut = jsonc_edits.take(cut, name, path, floor=floor if len(hooks.value) == 1 else None)
        return cut

    if not hook_places(host, text):
        return text
    return _back(text, past, lambda given: jsonc.content(given) == jsonc.content(cut()), cut)


def _is_blank(text: str | None) -> bool:
    return not (text or "").removeprefix(jsonc.BOM).strip()
