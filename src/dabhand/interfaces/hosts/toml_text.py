"""One more table in a TOML file, and out of it again; all else stays byte for byte as it was."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from dabhand.interfaces.hosts.jsonc import BOM, BrokenConfiguration

_HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)
_BETWEEN = re.compile(r"(?<=\n)(?:[ \t]*(?:#[^\n]*)?\n)+\Z")
"""Blank lines and comments at the end of a table: they belong to what follows."""

_MEND = "Mend the file by hand, then try again; nothing was changed."


def read(text: str, name: str) -> dict[str, Any]:
    """What a TOML file holds.

    Raises:
        BrokenConfiguration: with the line at which it stops making sense.
    """
    try:
        return tomllib.loads(text.removeprefix(BOM).replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise BrokenConfiguration(f"{name} is not TOML: {error}.", _MEND) from error


def entry(text: str, name: str, path: Sequence[str]) -> Any:
    """What stands at a path, or None."""
    found: Any = read(text, name)
    for step in path:
        if not isinstance(found, dict) or step not in found:
            return None
        found = found[step]
    return found


def put(text: str, name: str, path: Sequence[str], table: Mapping[str, str | int | Sequence[str]]) -> str:
    """The text with one more table at its end; nothing may be at that path yet.

    Raises:
        BrokenConfiguration: it cannot be read, or a table cannot be added where it belongs.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = [f"[{'.'.join(path)}]", *(f"{key} = {_literal(value)}" for key, value in table.items())]
    gap = "" if not text.removeprefix(BOM) else newline if text.endswith("\n") else newline * 2
    changed = text + gap + newline.join(lines) + newline
    wanted = _with(read(text, name), path, dict(table))
    try:
        if wanted is not None and read(changed, name) == wanted:
            return changed
    except BrokenConfiguration:
        pass
    raise BrokenConfiguration(
        f"{name} keeps {path[0]!r} in a form that no table can be added to.",
        f"Write its entries as tables, [{path[0]}.NAME], then try again; nothing was changed.",
    )


def take(text: str, name: str, path: Sequence[str]) -> str:
    """The text without the table at a path, or as it is where there is none.

    Raises:
        BrokenConfiguration: it cannot be read, or the table is in a form that cannot be cut out.
    """
    before = read(text, name)
    if entry(text, name, path) is None:
        return text
    wanted = _with(before, path, None)
    heads = [found.start() for found in _HEADER.finditer(text)]
    starts = [at for at in heads if _names(text, at, path)]
    for start in starts:
        end = next((at for at in heads if at > start and not _names(text, at, path)), len(text))
        end = start + len(_BETWEEN.sub("", text[start:end]))
        head = text[:start]
        kept = len(head.rstrip("\r\n"))
        rest = text[end:]
        for candidate in (head[:kept] + _first_newline(head[kept:]) + rest, head + rest):
            try:
                if _without_empty(read(candidate, name), path) == wanted:
                    return candidate
            except BrokenConfiguration:
                continue
    raise BrokenConfiguration(f"{name} holds {'.'.join(path)!r} in a form that cannot be cut out safely.", _MEND)


def _first_newline(gap: str) -> str:
    return gap[: gap.find("\n") + 1]


def _names(text: str, at: int, path: Sequence[str]) -> bool:
    """Whether the header there is of the table at a path, or of one below it."""
    line = text[at:].split("\n", 1)[0].strip()
    body = line.lstrip("[").split("]", 1)[0]
    steps = [step.strip().strip("\"'") for step in body.split(".")]
    return steps[: len(path)] == list(path)


def _literal(value: str | int | Sequence[str]) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, int):
        return str(value)
    return "[" + ", ".join(_literal(each) for each in value) + "]"


def _with(document: dict[str, Any], path: Sequence[str], value: Any) -> dict[str, Any] | None:
    """A copy with a value at a path, or (None) without it; None where something on the way is no table."""
    copied, found = dict(document), None
    found = copied
    for step in path[:-1]:
        inner = found.get(step, {})
        if not isinstance(inner, dict):
            return None
        found[step] = dict(inner)
        found = found[step]
    if value is None:
        found.pop(path[-1], None)
    else:
        found[path[-1]] = value
    return _without_empty(copied, path) if value is None else copied


def _without_empty(document: dict[str, Any], path: Sequence[str]) -> dict[str, Any]:
    """Without a table that has nothing in it on the way: cutting the last entry leaves no header of it."""
    if len(path) < 2 or document.get(path[0]) != {}:
        return document
    return {key: value for key, value in document.items() if key != path[0]}
