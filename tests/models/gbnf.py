"""Grammars as llama.cpp reads them, as regular expressions: what is enough for grammars whose rules end."""

from __future__ import annotations

import re

_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|\[[^\]]*\]|\{\d+,\d+\}|[()|?*+]|[a-zA-Z][\w-]*|\s+')
_ESCAPES = {"\\n": "\n", "\\r": "\r", '\\"': '"', "\\\\": "\\"}


def matches(grammar: str, text: str) -> bool:
    """Whether a text as a whole is in the language of a grammar."""
    rules = dict(line.split(" ::= ", 1) for line in grammar.split("\n"))
    return re.fullmatch(_expanded("root", rules), text) is not None


def _expanded(name: str, rules: dict[str, str]) -> str:
    found, at, body = "", 0, rules[name]
    while at < len(body):
        piece = _PIECE.match(body, at)
        assert piece is not None, body[at:]
        at, said = piece.end(), piece[0]
        if said.startswith('"'):
            plain = re.sub(r'\\[nr"\\]', lambda escape: _ESCAPES[escape[0]], said[1:-1])
            found += f"(?:{re.escape(plain)})"
        elif said[0].isalpha():
            found += _expanded(said, rules)
        elif not said.isspace():
            found += said.replace("(", "(?:")
    return f"(?:{found})"
