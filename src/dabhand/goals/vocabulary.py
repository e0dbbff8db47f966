"""Which words the grammar attends to: all others are alike to it, whatever they are."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterable
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

_NOT_LOOKING = frozenset({"tokens", "patterns", "imagined", "grounding", "caution"})
"""Modules whose regular expressions cut a request into words (which a shape keeps), or are asked once it is read."""

_WORD = re.compile(r"[^\s|()\[\]{}]+")


@cache
def _kept() -> tuple[object, ...]:
    """Everything that the grammar's modules hold."""
    held: dict[int, object] = {}
    for module in pkgutil.iter_modules(goals.__path__):
        if module.name not in _NOT_READING:
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


@cache
def _asked() -> tuple[Callable[[str], object], ...]:
    """What the grammar asks of words by regular expressions, as its modules' sources say."""
    found: dict[tuple[str, str], Callable[[str], object]] = {}
    for module in pkgutil.iter_modules(goals.__path__):
        if module.name in _NOT_READING | _NOT_LOOKING:
            continue
        loaded = importlib.import_module(f"{goals.__name__}.{module.name}")
        patterns = {name: value for name, value in vars(loaded).items() if isinstance(value, re.Pattern)}
        source = inspect.getsource(loaded) if patterns else ""
        for name, pattern in patterns.items():
            for method in re.findall(rf"\b{name}\.(match|search|fullmatch)\(", source):
                found[pattern.pattern, method] = getattr(pattern, method)
    return tuple(found[each] for each in sorted(found))


def look(text: str) -> str:
    """How a word looks to the grammar beyond being that word: equal for those that it cannot tell apart by that."""
    return "".join("ab"[ask(text) is not None] for ask in _asked())


def _words(values: Iterable[object]) -> set[str]:
    """Every word in values, however deep."""
    texts: set[str] = set()
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            texts.add(value)
        elif isinstance(value, tuple | list | set | frozenset):
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
