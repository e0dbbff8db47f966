"""The words of inspections, by what they mean; the lists themselves are in lexicon.toml."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

DROPPED = frozenset({"please", "kindly", "simply", "just", "pls", "plz"})
"""Plain words without content wherever they stand."""

_NAMED = re.compile(r"\{(\w+)\}")
_DOUBLING = frozenset({"get", "scan", "grep", "cat"})


def lexicon() -> tuple[dict[str, str], dict[str, Any]]:
    """Patterns by name, for `{name}` in the grammar's own; and the other lists of words."""
    import tomllib

    from dabhand.goals.forms import Forms

    data: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("lexicon.toml").read_text("utf-8"))
    patterns = {name: _verb(text, Forms({}, _DOUBLING)) for name, text in data["verbs"].items()}
    patterns |= {name: _pattern(text) for name, text in data["words"].items()}
    lists: dict[str, Any] = {name: frozenset(_split(text)) for name, text in data["lists"].items()}
    lists["neutral words"] = frozenset(re.findall(r"[a-z']+", data["words"]["neutral"]))
    lists["endings"] = {name: name for name in _split(data["endings"].pop("names"))} | data["endings"]
    return {name: _expanded(text, patterns) for name, text in patterns.items()}, lists


def _split(phrases: str) -> list[str]:
    return [" ".join(phrase.split()) for phrase in phrases.split("|")]


def _pattern(phrases: str) -> str:
    """An entry as a pattern of the grammar."""
    joined = " ".join(phrases.split())
    return f"[{joined[1:]}]" if joined.startswith("?") else f"({joined})"


def _verb(phrases: str, forms: Any) -> str:
    """The verb as an order ("print", "prints") and as doing it ("printing")."""
    every = _split(phrases)
    return _pattern("|".join([*every, *map(forms.third, every), *map(forms.gerund, every)]))


def _expanded(pattern: str, patterns: dict[str, str]) -> str:
    """A pattern with the entries that it names put in."""
    while "{" in pattern:
        pattern = _NAMED.sub(lambda name: patterns[name[1]], pattern)
    return pattern
