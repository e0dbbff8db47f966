"""Changes of JSON with comments, worked out as insertions and cuts of text.

Whatever the file holds beside our entry (comments, order, spacing, line ends, numbers as written) stays byte for byte
as it was. Nobody has to take that on trust: what comes out is read again, and refused unless it says what was intended
and holds every piece of what was there, comments too.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Sequence
from typing import Any

from dabhand.interfaces.hosts.jsonc import (
    BOM,
    BrokenConfiguration,
    Node,
    at,
    comma_after,
    content,
    is_blank,
    line_of,
    member,
    read,
)

Path = Sequence[str | int]


def put(text: str, name: str, path: Sequence[str], value: Any) -> str:
    """The text with one more member of an object (objects on the way to it are made where they are missing).

    Args:
        text: of the file; one that holds comments at most stands for an empty object.
        name: of the file, for errors.
        path: the names that lead to the member; nothing may be there yet.
        value: of the member.

    Raises:
        BrokenConfiguration: the file cannot be read, or something on the way is no object.
    """
    text = _filled(text)
    node, done = _walk(text, read(text, name), name, path[:-1])
    inner = value
    for key in reversed(path[done + 1 :]):
        inner = {key: inner}
    changed = _insert(text, node, json.dumps(path[done], ensure_ascii=False) + ": ", inner)
    return _put_is_sound(text, changed, name, path, value)


def _filled(text: str) -> str:
    """A text with an empty object behind its comments, where it says nothing else."""
    if not is_blank(text):
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    head = text if content(text) else text[: len(BOM)] if text.startswith(BOM) else ""
    return head + ("" if not content(text) or head.endswith("\n") else newline) + "{}" + newline


def append(text: str, name: str, path: Sequence[str], value: Any) -> str:
    """The text with one more element at the end of the array at a path, which is made where it is missing."""
    text = _filled(text)
    found = at(read(text, name), path)
    if found is None:
        return put(text, name, path, [value])
    if not isinstance(found.value, list):
        raise _not_a(text, found, name, path, "an array")
    changed = _insert(text, found, "", value)
    return _put_is_sound(text, changed, name, path, [*found.value, value])


def replace(text: str, name: str, path: Path, value: Any) -> str:
    """The text with another value at a path where there is one."""
    node = at(read(text, name), path)
    if node is None or node.value == value:
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    indent = _unit(text) if "\n" in text[node.start : node.end] else None
    body = json.dumps(value, indent=indent, ensure_ascii=False).replace("\n", newline + _indent(text, node.start))
    changed = text[: node.start] + body + text[node.end :]
    wanted = content(text[: node.start]) + content(body) + content(text[node.end :])
    return _sound(changed, name, wanted, _with(read(text, name).value, path, value), path)


def take(text: str, name: str, path: Path, *, floor: int | None = None) -> str:
    """The text without the member or element at a path, or as it is where there is none.

    Args:
        text: of the file.
        name: of the file, for errors.
        path: names, and places in arrays.
        floor: so many steps of the path stay even when this leaves nothing in them; by default all.
    """
    floor = len(path) - 1 if floor is None else floor
    while True:
        root = read(text, name)
        cut = path
        if at(root, cut) is None:
            return text
        while len(cut) - 1 > floor and _is_all(text, at(root, cut[:-1]) or root):
            cut = cut[:-1]
        parent = at(root, cut[:-1])
        place = None if parent is None else member(parent, cut[-1])
        assert parent is not None and parent.members is not None and place is not None
        changed = _cut(text, parent, place)
        _, begin, node = parent.members[place]
        wanted = content(text[:begin]) + content(text[node.end :])
        text = _sound(changed, name, wanted, None, path)
        if isinstance(cut[-1], int):
            return text


def _is_all(text: str, node: Node) -> bool:
    """Whether an object or array holds one member and nothing else, no comment either."""
    if len(node.members or ()) != 1:
        return False
    (_, begin, found), *_ = node.members or ()
    return len(content(text[node.start : begin])) == len(content(text[found.end : node.end])) == 1


def is_without(before: str, after: str, name: str, path: Path) -> bool:
    """Whether a text is another one but for what stands at a path in either, spaces and commas apart."""
    try:
        return content(take(before, name, path)) == content(take(after, name, path))
    except BrokenConfiguration:
        return False


def _put_is_sound(text: str, changed: str, name: str, path: Sequence[str], value: Any) -> str:
    """What was there is there still, in order, around one piece that is new."""
    before, after = content(text), content(changed)
    new = len(after) - len(before)
    same = next((place for place, (one, two) in enumerate(zip(before, after, strict=False)) if one != two), len(before))
    if new < 0 or not any(before[place:] == after[place + new :] for place in range(max(0, same - new), same + 1)):
        raise _unsafe(name, path)
    return _sound(changed, name, after, _with(read(text, name).value, path, value), path)


def _sound(changed: str, name: str, wanted: Sequence[str], value: Any, path: Path) -> str:
    """The changed text, read again: it says what was meant, and holds what it has to."""
    try:
        found = read(changed, name).value
    except BrokenConfiguration as error:
        raise _unsafe(name, path) from error
    if content(changed) != list(wanted) or (value is not None and json.dumps(found) != json.dumps(value)):
        raise _unsafe(name, path)
    return changed


def _unsafe(name: str, path: Path) -> BrokenConfiguration:
    return BrokenConfiguration(
        f"{name} is laid out so that {'.'.join(map(str, path))!r} cannot be changed alone.",
        "Change that entry by hand; nothing was changed.",
    )


def _with(value: Any, path: Path, new: Any) -> Any:
    """A copy of a value with something else, or something more, at a path."""
    whole = copy.deepcopy(value)
    found = whole
    for step in path[:-1]:
        found = found.setdefault(step, {}) if isinstance(found, dict) else found[step]
    found[path[-1]] = new
    return whole


def _walk(text: str, node: Node, name: str, path: Sequence[str]) -> tuple[Node, int]:
    """The deepest object on a path that is there, and how many steps lead to it."""
    for done, step in enumerate((*path, None)):
        if not isinstance(node.value, dict):
            raise _not_a(text, node, name, path[:done], "an object")
        found = None if step is None else at(node, (step,))
        if found is None:
            return node, done
        node = found
    raise AssertionError("the last step ends the walk")


def _not_a(text: str, node: Node, name: str, path: Sequence[str], kind: str) -> BrokenConfiguration:
    what = f"{'.'.join(path)!r}" if path else "the whole"
    return BrokenConfiguration(
        f"{name}, line {line_of(text, node.start)}: {what} is not {kind}, so nothing can be put into it.",
        "Mend the file by hand, then try again; nothing was changed.",
    )


def _insert(text: str, node: Node, head: str, value: Any) -> str:
    """Put a member at the end of an object or array, laid out as its neighbours are."""
    newline = "\r\n" if "\r\n" in text else "\n"
    members = node.members or ()
    if members and "\n" not in text[node.start : node.end]:
        last = members[-1][2].end
        return f"{text[:last]}, {head}{json.dumps(value, ensure_ascii=False)}{text[last:]}"
    unit, close = _unit(text), _indent(text, node.start)
    inner = _indent(text, members[-1][1]) if members and _opens_line(text, members[-1][1]) else close + unit
    body = json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", newline + inner)
    lead = newline + inner + head + body
    end, comma = node.end, ""
    if members:
        last = members[-1][2].end
        if comma_after(text, last, node.end) is None:
            text, end = text[:last] + "," + text[last:], node.end + 1
        else:
            comma = ","
    # Before the closing bracket, on a line of its own; what stands there (comments) stays with what it follows.
    tail = len(text[: end - 1].rstrip(" \t\r\n"))
    gap = text[tail : end - 1] if members else ""
    return text[:tail] + lead + comma + (gap if "\n" in gap else newline + close) + text[end - 1 :]


def _cut(text: str, node: Node, place: int) -> str:
    """Take a member out with one comma and, where it stood alone on them, its lines."""
    members = node.members or ()
    _, begin, found = members[place]
    end, comma = found.end, comma_after(text, found.end, node.end)
    inside = text[node.start + 1 : begin] + text[(end if comma is None else comma + 1) : node.end - 1]
    if len(members) == 1 and not inside.strip():
        return text[: node.start + 1] + text[node.end - 1 :]
    if comma is None and place:
        before = comma_after(text, members[place - 1][2].end, begin)
        assert before is not None
        text, begin, end = text[:before] + text[before + 1 :], begin - 1, end - 1
    elif comma is not None:
        if text[end:comma].strip(" \t"):  # a comment, or a line, between it and its comma
            text = text[:comma] + text[comma + 1 :]
        else:
            end = comma + 1
    rest = len(text) - len(text[end:].lstrip(" \t"))
    ends_line = text.startswith(("\n", "\r\n"), rest) or rest == len(text)
    if _opens_line(text, begin) and ends_line:
        begin = text.rfind("\n", 0, begin) + 1
        return text[:begin] + text[text.find("\n", rest) + 1 if "\n" in text[rest:] else rest :]
    if _opens_line(text, begin):
        return text[:begin] + text[rest:]
    head = text[:begin].rstrip(" \t")
    if ends_line or text[rest] in "}]":
        return head + text[end if text[end:rest] and not ends_line else rest :]
    return text[:begin] + text[rest:]


def _opens_line(text: str, offset: int) -> bool:
    return not text[text.rfind("\n", 0, offset) + 1 : offset].strip(" \t" + BOM)


def _indent(text: str, offset: int) -> str:
    """The white space that the line of an offset begins with."""
    start = text.rfind("\n", 0, offset) + 1
    found = re.compile(r"[ \t]*").match(text, start)
    return found.group() if found else ""


def _unit(text: str) -> str:
    """What one level is indented by: as the first indented line is."""
    found = re.search(r"\n([ \t]+)[^ \t\r\n]", text)
    return found.group(1) if found else "  "
