"""What a word of a bash line says, where it says one thing whatever the shell knows."""

from __future__ import annotations

import re

import msgspec
import tree_sitter

_SPECIAL = re.compile(r"[*?\[]")
_DOLLAR = re.compile(r"\$(?=[A-Za-z0-9_@*#?$!({'\"\[-])")
_ANSI = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "v": "\v"}


class Word(msgspec.Struct, frozen=True):
    """A word of a command line.

    Attributes:
        text: as written.
        value: what the command receives; None where that depends on variables, other commands, or the folder.
        glob: the pattern of file names that it is, where it is only that; else None.
        quoted: part of it is quoted.
        begin: its first byte in the line.
        end: the byte after its last.
    """

    text: str
    value: str | None
    glob: str | None = None
    quoted: bool = False
    begin: int = 0
    end: int = 0


def word_of(node: tree_sitter.Node, source: bytes) -> Word:
    """Read one word."""
    return msgspec.structs.replace(_word(node, source), begin=node.start_byte, end=node.end_byte)


def _word(node: tree_sitter.Node, source: bytes) -> Word:
    text = source[node.start_byte : node.end_byte].decode("utf-8", "surrogateescape")
    parts = _parts(node, source)
    quoted = any(kind != "bare" for kind, _ in parts or ())
    if parts is None:
        return Word(text, None)
    bare = "".join(piece for kind, piece in parts if kind == "bare")
    if "{" in bare and re.search(r"\{[^{}]*(,|\.\.)[^{}]*\}", text):
        return Word(text, None)
    if parts and parts[0][0] == "bare" and parts[0][1].startswith("~"):
        return Word(text, None)
    if _SPECIAL.search(bare.replace("\0", "")):
        return Word(text, None, _glob(parts))
    return Word(text, "".join(piece.replace("\0", "") for _, piece in parts), None, quoted or "\0" in bare)


def _parts(node: tree_sitter.Node, source: bytes) -> list[tuple[str, str]] | None:
    """(how it is quoted, what it says) for each piece; None where the shell would put something in."""
    text = source[node.start_byte : node.end_byte].decode("utf-8", "surrogateescape")
    match node.type:
        case "word" | "number":
            return None if re.search(r"[$`<>]", re.sub(r"\\.", "", text)) else _unescaped(text)
        case "raw_string":
            return [("single", text[1:-1])]
        case "string":
            return _double(text[1:-1])
        case "ansi_c_string":
            return _ansi(text[2:-1])
        case "command_name" | "concatenation":
            parts: list[tuple[str, str]] = []
            for child in node.children:
                inner = _parts(child, source)
                if inner is None:
                    return None
                parts += inner
            between = sum(child.end_byte - child.start_byte for child in node.children)
            return parts if between == node.end_byte - node.start_byte else None
        case _:
            return [("bare", text)] if text in ("{", "}", "[", "]", "=", "$") else None


def _unescaped(text: str) -> list[tuple[str, str]]:
    """Bare text; what a backslash protects is a piece of its own."""
    parts = []
    for found in re.finditer(r"\\(.)|([^\\]+)|\\$", text, re.DOTALL):
        if found[1] is not None:
            if found[1] != "\n":
                parts.append(("escaped", found[1]))
        else:
            parts.append(("bare", found[0]))
    return parts


def _double(inside: str) -> list[tuple[str, str]] | None:
    plain = re.sub(r"\\.", "", inside, flags=re.DOTALL)
    if "`" in plain or _DOLLAR.search(plain):
        return None
    return [("double", re.sub(r'\\([$`"\\\n])', lambda found: found[1].strip("\n"), inside))]


def _ansi(inside: str) -> list[tuple[str, str]] | None:
    if re.search(r"\\[^ntrabefv\\'\"?]", inside):
        return None
    return [("single", re.sub(r"\\(.)", lambda found: _ANSI.get(found[1], found[1]), inside))]


def _glob(parts: list[tuple[str, str]]) -> str:
    """The pattern, with what is quoted in it kept literal."""
    return "".join(piece if kind == "bare" else re.sub(r"([*?\[\]])", r"[\1]", piece) for kind, piece in parts)
