"""JSON as people keep it in settings files, with comments and trailing commas: read with the place of everything."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, NoReturn

import msgspec

from dabhand.errors import UsageError

MAX_DEPTH = 200
BOM = "\ufeff"
_NOT_UTF8 = re.compile(r"[\ud800-\udfff]")
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
    require_utf8(text, name)
    return _Reader(text, name).whole()


def require_utf8(text: str, name: str) -> None:
    """Refuse what was not UTF-8, which stands in a text as lone surrogates.

    Raises:
        BrokenConfiguration: with the first line that is not.
    """
    if found := _NOT_UTF8.search(text):
        raise BrokenConfiguration(
            f"{name}, line {line_of(text, found.start())}: it is not UTF-8.",
            "Save the file as UTF-8, then try again; nothing was changed.",
        )


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


def member(node: Node, step: str | int) -> int | None:
    """Where a member is; of several with one name the last counts, as it does for whoever reads the file."""
    members = node.members or ()
    if isinstance(step, int):
        return step if isinstance(node.value, list) and 0 <= step < len(members) else None
    if not isinstance(node.value, dict):
        return None
    return next((place for place in reversed(range(len(members))) if members[place][0] == step), None)


def at(node: Node, path: Sequence[str | int]) -> Node | None:
    """What stands at a path, or None."""
    for step in path:
        place = member(node, step)
        if place is None or node.members is None:
            return None
        node = node.members[place][2]
    return node


def comma_after(text: str, offset: int, end: int) -> int | None:
    """Where the comma that follows a value is, behind spaces and comments."""
    reader = _Reader(text[:end], "")
    reader.at = offset
    reader.skip()
    return reader.at if text.startswith(",", reader.at) else None


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|[{}\[\]:]|[^\s{}\[\]:,"/]+', re.DOTALL)


def is_blank(text: str | None) -> bool:
    """Whether a file says nothing: comments at most."""
    return all(piece.startswith(("//", "/*")) for piece in content(text or ""))


def content(text: str) -> list[str]:
    """What a text says, piece by piece, comments included: all of it but spaces, line ends and commas."""
    return [piece.rstrip("\r") for piece in _TOKEN.findall(text.removeprefix(BOM))]
