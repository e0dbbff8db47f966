"""JSON as people keep it in settings files: with comments and trailing commas, changed without touching anything else.

A reader that keeps positions, and edits that are worked out as insertions and cuts of text. So whatever the file holds
beside our entry (comments, order, spacing, line ends, numbers as written) stays byte for byte as it was.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, NoReturn

import msgspec

from dabhand.errors import UsageError

MAX_DEPTH = 200
BOM = "\ufeff"
_SPACE = re.compile(r"[ \t\r\n]+")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")


class BrokenConfiguration(UsageError):
    """A settings file that cannot be read, or that holds something else where ours belongs."""

    code = "broken_configuration"


class Node(msgspec.Struct, frozen=True):
    """A value and where it stands.

    Attributes:
        start, end: the text it is, `text[start:end]`.
        value: what it is, comments apart.
        members: of an object, (key, start of the key, node), in order; of an array, ("", start, node); else None.
    """

    start: int
    end: int
    value: Any
    members: tuple[tuple[str, int, Node], ...] | None = None


def read(text: str, name: str) -> Node:
    """The value that a settings file holds.

    Args:
        text: all of it; a byte order mark is allowed.
        name: of the file, for what is said when it is broken.

    Raises:
        BrokenConfiguration: with the line and column at which it stops making sense.
    """
    return _Reader(text, name).whole()


def line_of(text: str, offset: int) -> int:
    """The line, from 1, that an offset is on."""
    return text.count("\n", 0, offset) + 1


class _Reader:
    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.at = len(BOM) if text.startswith(BOM) else 0

    def whole(self) -> Node:
        self.skip()
        node = self.node(0)
        self.skip()
        if self.at < len(self.text):
            self.fail("there is something after the end of the value")
        return node

    def fail(self, what: str) -> NoReturn:
        line = line_of(self.text, self.at)
        column = self.at - (self.text.rfind("\n", 0, self.at) + 1) + 1
        raise BrokenConfiguration(
            f"{self.name}, line {line}, column {column}: {what}.",
            "Mend the file by hand, then try again; nothing was changed.",
        )

    def skip(self) -> None:
        """Go on to what is neither space nor comment."""
        while True:
            if found := _SPACE.match(self.text, self.at):
                self.at = found.end()
            elif self.text.startswith("//", self.at):
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            elif self.text.startswith("/*", self.at):
                end = self.text.find("*/", self.at + 2)
                if end < 0:
                    self.fail("a comment begins here and never ends")
                self.at = end + 2
            else:
                return

    def node(self, depth: int) -> Node:
        if depth > MAX_DEPTH:
            self.fail("it is nested too deeply")
        letter = self.text[self.at : self.at + 1]
        if letter == "{":
            return self.many(depth, "}", keyed=True)
        if letter == "[":
            return self.many(depth, "]", keyed=False)
        start = self.at
        found = (_STRING if letter == '"' else _SCALAR).match(self.text, self.at)
        if found is None:
            self.fail("a value was expected" if letter else "the file ends where a value was expected")
        try:
            value = json.loads(found.group())
        except ValueError:
            self.fail("this string has an escape that JSON does not know")
        self.at = found.end()
        return Node(start, self.at, value)

    def many(self, depth: int, closing: str, *, keyed: bool) -> Node:
        start, members = self.at, []
        self.at += 1
        while True:
            self.skip()
            if self.text.startswith(closing, self.at):
                break
            begin, key = self.at, self.key() if keyed else ""
            members.append((key, begin, self.node(depth + 1)))
            self.skip()
            if self.text.startswith(",", self.at):
                self.at += 1
            elif not self.text.startswith(closing, self.at):
                self.fail(f"a comma or {closing!r} was expected")
        self.at += 1
        value: Any = {key: node.value for key, _, node in members} if keyed else [node.value for _, _, node in members]
        return Node(start, self.at, value, tuple(members))

    def key(self) -> str:
        found = _STRING.match(self.text, self.at)
        if found is None:
            self.fail("a name in double quotes was expected")
        try:
            key = json.loads(found.group())
        except ValueError:
            self.fail("this name has an escape that JSON does not know")
        self.at = found.end()
        self.skip()
        if not self.text.startswith(":", self.at):
            self.fail("a colon was expected")
        self.at += 1
        self.skip()
        assert isinstance(key, str)
        return key


def put(text: str, name: str, path: Sequence[str], value: Any) -> str:
    """The text with one more member of an object (objects on the way to it are made where they are missing).

    Args:
        text: of the file; empty or blank stands for an empty object.
        name: of the file, for errors.
        path: the names that lead to the member; nothing may be there yet.
        value: of the member.

    Raises:
        BrokenConfiguration: the file cannot be read, or something on the way is no object.
    """
    text = text if text.removeprefix(BOM).strip() else f"{text[: len(BOM)] if text.startswith(BOM) else ''}{{}}\n"
    node, done = _walk(text, read(text, name), name, path[:-1])
    for key in reversed(path[done + 1 :]):
        value = {key: value}
    return _insert(text, node, done, json.dumps(path[done], ensure_ascii=False) + ": ", value)


def append(text: str, name: str, path: Sequence[str], value: Any) -> str:
    """The text with one more element at the end of the array at a path, which is made where it is missing."""
    text = text if text.removeprefix(BOM).strip() else "{}\n"
    root = read(text, name)
    node, done = _walk(text, root, name, path[:-1])
    found = None if done < len(path) - 1 else _member(node, path[-1])
    if found is None:
        return put(text, name, path, [value])
    if not isinstance(found.value, list):
        raise _not_a(text, found, name, path, "an array")
    return _insert(text, found, len(path), "", value)


def take(text: str, name: str, path: Sequence[str | int], *, emptied: bool = False) -> str:
    """The text without the member or element at a path, or as it is where there is none.

    Args:
        text: of the file.
        name: of the file, for errors.
        path: names, and places in arrays.
        emptied: whether an object or array that this leaves empty goes as well.
    """
    node = read(text, name)
    for index, step in enumerate(path):
        place = _place(node, step)
        if place is None:
            return text
        assert node.members is not None
        if index == len(path) - 1:
            if emptied and len(node.members) == 1 and index > 0:
                return take(text, name, path[:-1], emptied=True)
            return _cut(text, node, place)
        node = node.members[place][2]
    return text


def _walk(text: str, node: Node, name: str, path: Sequence[str]) -> tuple[Node, int]:
    """The deepest object on a path that is there, and how many steps lead to it."""
    for done, step in enumerate((*path, None)):
        if not isinstance(node.value, dict):
            raise _not_a(text, node, name, path[:done], "an object")
        found = None if step is None else _member(node, step)
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


def _member(node: Node, key: str) -> Node | None:
    place = _place(node, key)
    return None if place is None else (node.members or ())[place][2]


def _place(node: Node, step: str | int) -> int | None:
    """Where a member is; of several with one name the last counts, as it does for whoever reads the file."""
    members = node.members or ()
    if isinstance(step, int):
        return step if isinstance(node.value, list) and 0 <= step < len(members) else None
    if not isinstance(node.value, dict):
        return None
    return next((place for place in reversed(range(len(members))) if members[place][0] == step), None)


def _insert(text: str, node: Node, depth: int, head: str, value: Any) -> str:
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
    if not members:
        return text[: node.start + 1] + lead + newline + close + text[node.start + 1 :].lstrip(" \t\r\n")
    last = members[-1][2].end
    comma = _comma_after(text, last, node.end)
    if comma is None:
        text, end = text[:last] + "," + text[last:], node.end + 1
    else:
        end = node.end
    # Before the closing bracket, on a line of its own; what stands there (comments) stays with what it follows.
    tail = len(text[: end - 1].rstrip(" \t\r\n"))
    return (
        text[:tail]
        + lead
        + ("," if comma is not None else "")
        + (text[tail : end - 1] or newline + close)
        + text[end - 1 :]
    )


def _cut(text: str, node: Node, place: int) -> str:
    """Take a member out, with its comma and its line."""
    members = node.members or ()
    _, begin, member = members[place]
    after = _comma_after(text, member.end, node.end)
    if after is None and place:
        before = members[place - 1][2].end
        comma = _comma_after(text, before, node.end)
        assert comma is not None
        gap = text[comma + 1 : begin]
        return text[:comma] + gap.rstrip(" \t\r\n") + text[member.end :]
    end = member.end if after is None else after + 1
    start = len(text[:begin].rstrip(" \t\r\n"))
    if len(members) == 1 and not text[node.start + 1 : begin].strip() and not text[end : node.end - 1].strip():
        return text[: node.start + 1] + text[node.end - 1 :]
    return text[:start] + text[end:] if _opens_line(text, begin) else text[:begin] + text[end:].lstrip(" ")


def _comma_after(text: str, offset: int, end: int) -> int | None:
    """Where the comma that follows a value is, behind spaces and comments."""
    reader = _Reader(text[:end], "")
    reader.at = offset
    reader.skip()
    return reader.at if text.startswith(",", reader.at) else None


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
