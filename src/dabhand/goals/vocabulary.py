"""Which words the grammar attends to: all others are alike to it, whatever they are."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

from dabhand.goals import clauses, entries, grammar, lexicon, names, phrases, rules, tokens

_MODULES = (clauses, entries, grammar, lexicon, names, phrases, rules, tokens)


@cache
def vocabulary() -> frozenset[str]:
    """Every word that the grammar's patterns, or sets of words in its modules, name (in small letters)."""
    return phrases.ENGLISH.words | frozenset(_kept_words())


def _kept_words() -> Iterator[str]:
    for module in _MODULES:
        for value in vars(module).values():
            if isinstance(value, frozenset | set | dict | tuple | list):
                yield from (word for word in value if isinstance(word, str))


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
