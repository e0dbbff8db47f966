"""A table in a TOML file, put in, changed and taken out again; all else stays byte for byte as it was.

What comes out is read again by Python's own reader, and refused unless it says what was intended.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from dabhand.interfaces.hosts.jsonc import BOM, BrokenConfiguration, require_utf8

Value = str | int | Sequence[str]

_MEND = "Mend the file by hand, then try again; nothing was changed."
_PIECE = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"{3,5}|' + r"'''(?:[^']|'(?!''))*'{3,5}|" + r'"(?:[^"\\\n]|\\.)*"|' + r"'[^'\n]*'",
    re.DOTALL,
)
"""A string of any of the four kinds."""


class Statement(msgspec.Struct, frozen=True):
    """A header, or a key with its value.

    Attributes:
        start, end: the text it is, without a comment behind it.
        path: the whole way from the top of the document to what it says.
        value: where the value begins; None for a header.
    """

    start: int
    end: int
    path: tuple[str, ...]
    value: int | None = None


def read(text: str, name: str) -> dict[str, Any]:
    """What a TOML file holds.

    Raises:
        BrokenConfiguration: with the line at which it stops making sense.
    """
    require_utf8(text, name)
    try:
        return tomllib.loads(text.removeprefix(BOM).replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BrokenConfiguration(f"{name} is not TOML: {error}.", _MEND) from error


def entry(text: str, name: str, path: Sequence[str]) -> Any:
    """What stands at a path, or None."""
    found: Any = read(text, name)
    for step in path:
        if not isinstance(found, dict) or step not in found:
            return None
        found = found[step]
    return found


def line_of(text: str, path: Sequence[str]) -> int:
    """The line, from 1, on which what stands at a path begins, or what it is part of."""
    every = [(each.start, each.path) for each in statements(text)]
    inside = [start for start, steps in every if steps[: len(path)] == tuple(path)]
    around = [start for start, steps in every if steps and steps == tuple(path[: len(steps)])]
    return text.count("\n", 0, next(iter([*inside, *reversed(around)]), 0)) + 1


def put(text: str, name: str, path: Sequence[str], table: Mapping[str, Value]) -> str:
    """The text with a table at a path: at its end, or, where there is one, with these values in it and its others kept.

    Raises:
        BrokenConfiguration: it cannot be read, or a table cannot be added where it belongs.
    """
    before = read(text, name)
    known = entry(text, name, path)
    wanted = _with(before, path, {**known, **table} if isinstance(known, dict) else dict(table))
    newline = "\r\n" if "\r\n" in text else "\n"
    changed = text
    if isinstance(known, dict):
        changed = _changed(text, tuple(path), {key: value for key, value in table.items() if known.get(key) != value})
    if known is None or not any(each.path == tuple(path) and each.value is None for each in statements(text)):
        missing = {key: value for key, value in table.items() if entry(changed, name, (*path, key)) is None}
        lines = [f"[{'.'.join(path)}]", *(f"{key} = {literal(value)}" for key, value in missing.items())]
        gap = "" if not text.removeprefix(BOM) else newline if text.endswith("\n") else newline * 2
        changed = changed + gap + newline.join(lines) + newline if missing else changed
    if wanted is not None and _says(changed, name, wanted):
        return changed
    raise BrokenConfiguration(
        f"{name}, line {line_of(text, path)}: {path[0]!r} is kept in a form that no table can be added to.",
        f"Write its entries as tables, [{path[0]}.NAME], then try again; nothing was changed.",
    )


def _changed(text: str, path: tuple[str, ...], values: Mapping[str, Value]) -> str:
    """The text with other values in a table that is there."""
    newline = "\r\n" if "\r\n" in text else "\n"
    for key, value in values.items():
        every = list(statements(text))
        same = [each for each in every if each.path == (*path, key) and each.value is not None]
        header = next((each for each in every if each.path == path and each.value is None), None)
        if same:
            text = text[: same[0].value] + literal(value) + text[same[0].end :]
        elif header is not None:
            end = text.find("\n", header.end)
            line = f"{key} = {literal(value)}"
            text = text[: end + 1] + line + newline + text[end + 1 :] if end >= 0 else text + newline + line + newline
    return text


def take(text: str, name: str, path: Sequence[str]) -> str:
    """The text without the table at a path and those below it, or as it is where there is none.

    Comments on lines of their own stay, wherever they stand.

    Raises:
        BrokenConfiguration: it cannot be read, or the table is in a form that cannot be cut out.
    """
    before = read(text, name)
    if entry(text, name, path) is None:
        return text
    holes = [_lines_of(text, each) for each in statements(text) if each.path[: len(path)] == tuple(path)]
    changed = text
    for start, end in reversed(holes):
        changed = changed[:start] + changed[end:]
    if holes:
        changed = _without_gap(changed, holes[0][0])
    wanted = _with(before, path, None)
    if wanted is None or not _says(changed, name, wanted, path):
        where = f"{name}, line {line_of(text, path)}"
        raise BrokenConfiguration(f"{where}: {'.'.join(path)!r} is in a form that cannot be cut out safely.", _MEND)
    return changed


def is_without(before: str, after: str, name: str, path: Sequence[str]) -> bool:
    """Whether a text is another one but for the table at a path in either, blank lines apart."""
    try:
        taken, other = take(before, name, path), take(after, name, path)
        return _filled(taken) == _filled(other) and repr(read(taken, name)) == repr(read(other, name))
    except BrokenConfiguration:
        return False


def _filled(text: str) -> list[str]:
    return [line for line in text.removeprefix(BOM).splitlines() if line.strip()]


def _lines_of(text: str, statement: Statement) -> tuple[int, int]:
    """The lines that a statement stands on, the comment behind it and the end of the line included."""
    end = text.find("\n", statement.end)
    start = text.rfind("\n", 0, statement.start) + 1 or len(BOM) * text.startswith(BOM)
    return start, len(text) if end < 0 else end + 1


def _without_gap(text: str, at: int) -> str:
    """Without the blank line in front of what was cut out, where one is left over."""
    for blank in ("\r\n", "\n"):
        if text[:at].endswith("\n" + blank) or text[:at].endswith(blank * 2):
            return text[: at - len(blank)] + text[at:]
    return text


def statements(text: str) -> Iterator[Statement]:
    """Everything that a TOML file says, one after another, with its place; the text has been read already."""
    at, table = len(BOM) if text.startswith(BOM) else 0, tuple[str, ...]()
    space = re.compile(r"[ \t\r\n]*(?:#[^\n]*[ \t\r\n]*)*")
    while True:
        found = space.match(text, at)
        at = at if found is None else found.end()
        if at >= len(text):
            return
        if text[at] == "[":
            inner = at + (2 if text.startswith("[[", at) else 1)
            end = _until(text, inner, "]")
            table = _keys(text[inner:end])
            stop = end + inner - at
            yield Statement(at, stop, table)
        else:
            equals = _until(text, at, "=")
            value = equals + 1 + len(text[equals + 1 :]) - len(text[equals + 1 :].lstrip(" \t"))
            stop = _value_end(text, value)
            yield Statement(at, stop, (*table, *_keys(text[at:equals])), value)
        at = stop


def _until(text: str, at: int, mark: str) -> int:
    """Where a mark is, outside of strings."""
    while at < len(text) and text[at] != mark:
        found = _PIECE.match(text, at)
        at = found.end() if found else at + 1
    return at


def _value_end(text: str, at: int) -> int:
    """Where a value ends."""
    depth, end = 0, at
    while at < len(text):
        found = _PIECE.match(text, at)
        letter = text[at]
        if found is None and letter == "#":
            if depth == 0:
                break
            at = text.find("\n", at)
            continue
        if letter == "\n" and depth == 0:
            break
        depth += (letter in "[{") - (letter in "]}") if found is None else 0
        at = found.end() if found else at + 1
        end = end if letter in " \t\r\n" else at
    return end


def _keys(text: str) -> tuple[str, ...]:
    """The steps of a dotted key."""
    found: Any = tomllib.loads(f"{text.strip()} = 0")
    steps = []
    while isinstance(found, dict):
        ((step, found),) = found.items()
        steps.append(step)
    return tuple(steps)


def literal(value: Value) -> str:
    """A value as TOML."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, int):
        return str(value)
    return "[" + ", ".join(literal(each) for each in value) + "]"


def _says(text: str, name: str, wanted: dict[str, Any], taken: Sequence[str] = ()) -> bool:
    """Whether a text can be read and says that; compared as written, because nan is not even equal to itself."""
    try:
        found = read(text, name)
    except BrokenConfiguration:
        return False
    return _ordered(_without_empty(found, taken)) == _ordered(_without_empty(wanted, taken))


def _ordered(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{key!r}:{_ordered(value[key])}" for key in sorted(value)) + "}"
    return "[" + ",".join(map(_ordered, value)) + "]" if isinstance(value, list) else repr(value)


def _with(document: dict[str, Any], path: Sequence[str], value: Any) -> dict[str, Any] | None:
    """A copy with a value at a path, or (None) without it; None where something on the way is no table."""
    copied = dict(document)
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
    return copied


def _without_empty(document: dict[str, Any], path: Sequence[str]) -> dict[str, Any]:
    """Without a table that has nothing in it on the way: cutting the last entry leaves no header of it."""
    if len(path) < 2 or document.get(path[0]) != {}:
        return document
    return {key: value for key, value in document.items() if key != path[0]}
