"""The words of inspections, by what they mean; the lists themselves are in lexicon.toml."""

from __future__ import annotations

import re
import tomllib
from importlib import resources

from dabhand.goals.forms import Forms

_DATA: dict[str, dict[str, str]] = tomllib.loads(
    resources.files(__package__).joinpath("lexicon.toml").read_text("utf-8")
)
_FORMS = Forms({}, frozenset({"get", "tally", "scan", "grep", "cat"}))
_NAMED = re.compile(r"\{(\w+)\}")


def _split(phrases: str) -> list[str]:
    return [" ".join(phrase.split()) for phrase in phrases.split("|")]


def _pattern(phrases: str) -> str:
    """An entry as a pattern of the grammar."""
    joined = " ".join(phrases.split())
    return f"[{joined[1:]}]" if joined.startswith("?") else f"({joined})"


def _verb(phrases: str) -> str:
    """The verb as an order ("print", "prints") and as doing it ("printing")."""
    every = _split(phrases)
    return _pattern("|".join([*every, *map(_FORMS.third, every), *map(_FORMS.gerund, every)]))


_PATTERNS = {name: _verb(text) for name, text in _DATA["verbs"].items()} | {
    name: _pattern(text) for name, text in _DATA["words"].items()
}


def _expanded(pattern: str) -> str:
    """A pattern with the entries that it names put in."""
    while "{" in pattern:
        pattern = _NAMED.sub(lambda name: _PATTERNS[name[1]], pattern)
    return pattern


MACROS = {name: _expanded(pattern) for name, pattern in _PATTERNS.items()}
"""Patterns by name, for `{name}` in the grammar's own."""

CHANGES = frozenset(_split(_DATA["changes"]["verbs"]))
"""Verbs of wishes that are no inspection."""

VAGUE = frozenset(_split(_DATA["vague"]["words"]))
"""Words that describe a file or a folder where a name could stand."""

OPEN = frozenset(_split(_DATA["words"]["open"]))
"""Words that leave a number open."""

EXTENSIONS = {name: name for name in _split(_DATA["extensions"]["names"])} | _DATA["languages"]
"""Endings of names by what files with them are called."""

DROPPED = frozenset({"please", "kindly", "simply", "just", "pls", "plz"})
"""Plain words without content wherever they stand."""
