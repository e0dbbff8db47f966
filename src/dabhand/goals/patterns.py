"""Patterns of the grammar: words, sets of phrases, other rules, optional parts; and what each can begin with.

A pattern is written as people would:

    "(copy|duplicate) ENTRY (to|as) PATH"      words, alternatives (of one or more words each), names of other rules
    "[please] (make|create) ..."               optional parts
    "⟨ ... ⟩"                                  brackets that stand in the request
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

import msgspec


class Word(msgspec.Struct, frozen=True):
    """One plain word or mark."""

    text: str


class Phrases(msgspec.Struct, frozen=True):
    """Any of several phrases of plain words; an empty one among them makes it optional.

    Attributes:
        phrases: the words of each.
        tree: the phrases by their first word, then by the next, and so on; "" marks the end of one.
    """

    phrases: tuple[tuple[str, ...], ...]
    tree: dict[str, dict]  # type: ignore[type-arg]


class Named(msgspec.Struct, frozen=True):
    """Another rule."""

    name: str


class Sequence_(msgspec.Struct, frozen=True):
    """Parts one after the other; `width`: how many values they give."""

    parts: tuple[Pattern, ...]
    width: int = 0


class Choice(msgspec.Struct, frozen=True):
    """One of several; an empty sequence among them makes it optional. `width`: how many values the widest gives."""

    options: tuple[Pattern, ...]
    width: int


Pattern = Word | Phrases | Named | Sequence_ | Choice

MAX_PHRASES = 64
"""Phrases that a sequence is spelled out into, at most; longer ones are read part by part."""

_MARKS = {"⟨": "(", "⟩": ")"}
"""How the marks are written that mean something else in patterns."""

_PIECE = re.compile(r"\s*([()\[\]|]|[^\s()\[\]|]+)")


class Beginnings(msgspec.Struct, frozen=True):
    """What a pattern can begin with: plain words, terminals; `empty`: it may also read nothing."""

    words: frozenset[str]
    terminals: frozenset[str]
    empty: bool


def pattern_of(text: str, entries: Mapping[str, Pattern] = MappingProxyType({})) -> Pattern:
    """Compile a pattern; `entries` are those that it may name as "{entry}".

    Raises:
        ValueError: when its brackets do not match.
    """
    pieces = [match[1] for match in _PIECE.finditer(text)]
    pattern, rest = _choice(pieces, 0, entries)
    if rest != len(pieces):
        raise ValueError(f"unbalanced pattern {text!r}")
    return pattern


def _choice(pieces: Sequence[str], at: int, entries: Mapping[str, Pattern]) -> tuple[Pattern, int]:
    options = []
    while True:
        parts: list[Pattern] = []
        while at < len(pieces) and pieces[at] not in ")]|":
            part, at = _part(pieces, at, entries)
            parts.append(part)
        options.append(parts[0] if len(parts) == 1 else Sequence_(tuple(parts), sum(map(_width, parts))))
        if at == len(pieces) or pieces[at] != "|":
            return (options[0] if len(options) == 1 else _choice_of(options)), at
        at += 1


def _part(pieces: Sequence[str], at: int, entries: Mapping[str, Pattern]) -> tuple[Pattern, int]:
    piece = pieces[at]
    if piece in "([":
        inner, end = _choice(pieces, at + 1, entries)
        if end == len(pieces) or pieces[end] != {"(": ")", "[": "]"}[piece]:
            raise ValueError("unbalanced pattern")
        return (inner if piece == "(" else _choice_of([inner, Sequence_(())])), end + 1
    if piece[0] == "{":
        return entries[piece[1:-1]], at + 1
    return (Named(piece) if piece.isupper() and len(piece) > 1 else Word(_MARKS.get(piece, piece))), at + 1


def _choice_of(options: Sequence[Pattern]) -> Pattern:
    plain = [(option, _plain_phrases(option)) for option in options]
    phrases = dict.fromkeys(phrase for _, found in plain for phrase in found or ())
    rest = [option for option, found in plain if found is None]
    if not rest:
        return _phrases(tuple(phrases))
    every = [_phrases(tuple(phrases)), *rest] if phrases else rest
    return Choice(tuple(every), max(map(_width, every)))


def _plain_phrases(pattern: Pattern) -> tuple[tuple[str, ...], ...] | None:
    """The phrases that a pattern stands for, None when it is more than words, or too many."""
    match pattern:
        case Word(text):
            return ((text,),)
        case Phrases(phrases):
            return phrases
        case Sequence_(parts):
            made: list[tuple[str, ...]] = [()]
            for part in parts:
                further = _plain_phrases(part)
                if further is None:
                    return None
                if len(made) * len(further) > MAX_PHRASES:
                    return None
                made = [before + after for before in made for after in further]
            return tuple(made)
    return None


def _phrases(phrases: tuple[tuple[str, ...], ...]) -> Phrases:
    tree: dict[str, dict] = {}  # type: ignore[type-arg]
    for phrase in phrases:
        branch = tree
        for word in phrase:
            branch = branch.setdefault(word, {})
        branch[""] = {}
    return Phrases(phrases, tree)


def _width(pattern: Pattern) -> int:
    """How many values a pattern gives."""
    match pattern:
        case Word() | Phrases():
            return 0
        case Named():
            return 1
        case Sequence_(width=width):
            return width
        case Choice(width=width):
            return width


def beginnings(pattern: Pattern, named: Callable[[str], Beginnings]) -> Beginnings:
    """What a pattern can begin with, given what the rules that it names can."""
    match pattern:
        case Word(text):
            return Beginnings(frozenset({text}), frozenset(), False)
        case Phrases(tree=tree):
            return Beginnings(frozenset(tree) - {""}, frozenset(), "" in tree)
        case Named(name):
            return named(name)
        case Choice(options):
            every = [beginnings(option, named) for option in options]
            return Beginnings(
                frozenset().union(*(one.words for one in every)),
                frozenset().union(*(one.terminals for one in every)),
                any(one.empty for one in every),
            )
        case Sequence_(parts):
            words: frozenset[str] = frozenset()
            terminals: frozenset[str] = frozenset()
            for part in parts:
                one = beginnings(part, named)
                words, terminals = words | one.words, terminals | one.terminals
                if not one.empty:
                    return Beginnings(words, terminals, False)
            return Beginnings(words, terminals, True)


def words_in(pattern: Pattern) -> Iterator[str]:
    """The plain words that a pattern names."""
    match pattern:
        case Word(text):
            yield text
        case Phrases(phrases):
            for phrase in phrases:
                yield from phrase
        case Sequence_(parts) | Choice(parts):
            for part in parts:
                yield from words_in(part)
