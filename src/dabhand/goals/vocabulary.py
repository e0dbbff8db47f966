"""Which words the grammar attends to: all others are alike to it, whatever they are."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec

from dabhand import goals
from dabhand.goals import tokens
from dabhand.goals.rules import Grammar

NOT_READING = frozenset(
    """
    backends chain finding looks memory models near pattern possible schema shape supported synonyms vocabulary wanted
    wording
    """.split()  # noqa: SIM905
)
"""Modules of this room that take no part in reading requests."""

_WORD = re.compile(r"[^\s|()\[\]{}]+")


@cache
def _kept() -> tuple[object, ...]:
    """Everything that the grammar's modules hold."""
    held: dict[int, object] = {}
    for module in pkgutil.iter_modules(goals.__path__):
        if module.name not in NOT_READING:
            kept = vars(importlib.import_module(f"{goals.__name__}.{module.name}"))
            held |= {id(value): value for name, value in kept.items() if not name.startswith("__")}
    return tuple(held.values())


@cache
def vocabulary() -> frozenset[str]:
    """Every word that the grammar's patterns, or what is kept in its modules, name (in small letters).

    A word too many makes requests of several shapes that could have been one; a word too few would make one of what
    the grammar tells apart. So everything counts that is written anywhere in them.
    """
    return frozenset(_words(_kept()))


def _words(values: Iterable[object]) -> set[str]:
    """Every word in values, however deep; what is shared is looked into once."""
    texts: set[str] = set()
    seen: set[int] = set()
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            texts.add(value)
            continue
        if id(value) in seen:  # all of it stays alive meanwhile, in the modules that hold it
            continue
        seen.add(id(value))
        if isinstance(value, tuple | list | set | frozenset):
            waiting += value
        elif isinstance(value, dict):
            waiting += value
            waiting += value.values()
        elif isinstance(value, msgspec.Struct):
            waiting += [getattr(value, name) for name in value.__struct_fields__]
        elif isinstance(value, Grammar):
            waiting += vars(value).values()
    return {word for text in texts for word in _WORD.findall(text.lower())}


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
