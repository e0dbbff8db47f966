"""Which words the grammar attends to: all others are alike to it, whatever they are."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec

from dabhand import goals
from dabhand.goals import tokens
from dabhand.goals.rules import Grammar

_NOT_READING = frozenset(
    """
    chain memory models near pattern possible schema shape supported synonyms vocabulary wanted wording
    """.split()  # noqa: SIM905
)
"""Modules of this room that take no part in reading requests."""

_WORD = re.compile(r"[^\s|()\[\]{}]+")


@cache
def vocabulary() -> frozenset[str]:
    """Every word that the grammar's patterns, or what is kept in its modules, name (in small letters).

    A word too many makes requests of several shapes that could have been one; a word too few would make one of what
    the grammar tells apart. So everything counts that is written anywhere in them.
    """
    found: set[str] = set()
    for module in pkgutil.iter_modules(goals.__path__):
        if module.name not in _NOT_READING:
            kept = vars(importlib.import_module(f"{goals.__name__}.{module.name}"))
            found |= {word for name, value in kept.items() if not name.startswith("__") for word in _words(value)}
    return frozenset(found)


def _words(value: object) -> Iterator[str]:
    """Every word in a value, however deep."""
    match value:
        case str():
            yield from _WORD.findall(value.lower())
        case Mapping():
            for key, inner in value.items():
                yield from _words(key)
                yield from _words(inner)
        case tuple() | list() | set() | frozenset():
            for inner in value:
                yield from _words(inner)
        case Grammar():
            yield from _words(vars(value))
        case msgspec.Struct():
            yield from _words([getattr(value, name) for name in value.__struct_fields__])


def is_plain(token: tokens.Token) -> bool:
    """Whether the grammar takes the token for a word like any other that it does not know."""
    return token.kind == "word" and token.number is None and token.ordinal is None and token.lower not in vocabulary()


@cache
def fingerprint() -> str:
    """Of the code that reads requests: what other code read is read anew."""
    digest = sha256()
    for file in sorted(Path(__file__).parent.glob("*")):
        if file.suffix in (".py", ".toml"):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
