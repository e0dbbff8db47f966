"""Composition rules as data, and a reader that finds every way in which they read a list of tokens.

A rule is a pattern and a function. Patterns are written as people would:

    "(copy|duplicate) ENTRY (to|as) PATH"      words, alternatives (of one or more words each), names of other rules
    "[please] (make|create) ..."               optional parts

The function gets the values of the named rules in order, None for those in optional parts that are not there, and
returns a value, or raises `NoReading`. Reading is memoised per rule and place, so it is polynomial; rules must not be
left-recursive.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import msgspec

from dabhand.errors import NotUnderstood
from dabhand.goals.tokens import Token

Values = tuple[Any, ...]
Found = list[tuple[Any, int]]
MAX_STEPS = 400_000


class NoReading(Exception):
    """Raised by a rule's function when its parts do not make sense together."""


class Word(msgspec.Struct, frozen=True):
    """One plain word or mark."""

    text: str


class Named(msgspec.Struct, frozen=True):
    """Another rule."""

    name: str


class Sequence_(msgspec.Struct, frozen=True):
    """Parts one after the other."""

    parts: tuple[Pattern, ...]


class Choice(msgspec.Struct, frozen=True):
    """One of several; an empty sequence among them makes it optional. `width`: how many values the widest gives."""

    options: tuple[Pattern, ...]
    width: int


Pattern = Word | Named | Sequence_ | Choice
Build = Callable[..., Any]
F = TypeVar("F", bound=Callable[..., Any])
Terminal = Callable[["Reader", int], Iterator[tuple[Any, int]]]

_PIECE = re.compile(r"\s*([()\[\]|]|[^\s()\[\]|]+)")


def pattern_of(text: str) -> Pattern:
    """Compile a pattern.

    Raises:
        ValueError: when its brackets do not match.
    """
    pieces = [match[1] for match in _PIECE.finditer(text)]
    pattern, rest = _choice(pieces, 0)
    if rest != len(pieces):
        raise ValueError(f"unbalanced pattern {text!r}")
    return pattern


def _choice(pieces: Sequence[str], at: int) -> tuple[Pattern, int]:
    options = []
    while True:
        parts: list[Pattern] = []
        while at < len(pieces) and pieces[at] not in ")]|":
            part, at = _part(pieces, at)
            parts.append(part)
        options.append(parts[0] if len(parts) == 1 else Sequence_(tuple(parts)))
        if at == len(pieces) or pieces[at] != "|":
            return (options[0] if len(options) == 1 else _choice_of(options)), at
        at += 1


def _part(pieces: Sequence[str], at: int) -> tuple[Pattern, int]:
    piece = pieces[at]
    if piece in "([":
        inner, end = _choice(pieces, at + 1)
        if end == len(pieces) or pieces[end] != {"(": ")", "[": "]"}[piece]:
            raise ValueError("unbalanced pattern")
        return (inner if piece == "(" else _choice_of([inner, Sequence_(())])), end + 1
    return (Named(piece) if piece.isupper() and len(piece) > 1 else Word(piece)), at + 1


def _choice_of(options: Sequence[Pattern]) -> Choice:
    return Choice(tuple(options), max(map(_width, options)))


def _width(pattern: Pattern) -> int:
    """How many values a pattern gives."""
    match pattern:
        case Word():
            return 0
        case Named():
            return 1
        case Sequence_(parts):
            return sum(map(_width, parts))
        case Choice(width=width):
            return width


class Grammar:
    """Rules by name; a name may have many."""

    def __init__(self) -> None:
        self.rules: dict[str, list[tuple[Pattern, Build]]] = {}
        self.terminals: dict[str, Terminal] = {}
        self.macros: dict[str, str] = {}

    def rule(self, name: str, *patterns: str) -> Callable[[F], F]:
        """Declare that each of the patterns reads as `name`, with the decorated function's value."""

        def declare(build: F) -> F:
            self.add(name, build, *patterns)
            return build

        return declare

    def add(self, name: str, build: Build, *patterns: str) -> None:
        """As `rule`, for functions that exist."""
        for text in patterns:
            self.rules.setdefault(name, []).append((pattern_of(text.format(**self.macros)), build))

    def terminal(self, name: str) -> Callable[[Terminal], Terminal]:
        """Declare a function that reads tokens by itself."""

        def declare(terminal: Terminal) -> Terminal:
            self.terminals[name] = terminal
            return terminal

        return declare


class Reader:
    """One request being read.

    Attributes:
        furthest: the token up to which some rule got: what comes there is what could not be used.
    """

    def __init__(self, grammar: Grammar, tokens: Sequence[Token], request: str, exists: Callable[[str], bool]) -> None:
        self.grammar = grammar
        self.tokens = tokens
        self.request = request
        self.exists = exists
        self.furthest = 0
        self._steps = 0
        self._words = [token.lower for token in tokens] + [""]
        self._memo: dict[tuple[str, int], Found] = {}

    def token(self, at: int) -> Token | None:
        """The token at a place; None past the end."""
        return self.tokens[at] if at < len(self.tokens) else None

    def span(self, start: int, end: int) -> str:
        """The request's own text from one token up to (not including) another."""
        return self.request[self.tokens[start].start : self.tokens[end - 1].end]

    def read(self, name: str, at: int) -> Found:
        """All values that the rules called `name` give from a place, each with the place after it."""
        key = (name, at)
        if key not in self._memo:
            self._memo[key] = []  # a rule that comes back to itself without reading anything finds nothing
            self._memo[key] = self._read(name, at)
        return self._memo[key]

    def _read(self, name: str, at: int) -> Found:
        if name in self.grammar.terminals:
            found = list(self.grammar.terminals[name](self, at))
            self._note(found)
            return found
        made: dict[tuple[Any, int], None] = {}
        for pattern, build in self.grammar.rules[name]:
            for values, end in self._match(pattern, at):
                try:
                    made[(build(*values), end)] = None
                except NoReading:
                    continue
        return list(made)

    def _match(self, pattern: Pattern, at: int) -> Iterator[tuple[Values, int]]:
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise NotUnderstood("The request is too tangled to read.", "Ask for less at once.")
        match pattern:
            case Word(text):
                if self._words[at] == text:
                    self.furthest = max(self.furthest, at + 1)
                    yield (), at + 1
            case Named(name):
                for value, end in self.read(name, at):
                    yield (value,), end
            case Sequence_(parts):
                yield from self._match_parts(parts, at)
            case Choice(options, wide):
                for option in options:
                    for values, end in self._match(option, at):
                        yield values + (None,) * (wide - len(values)), end

    def _match_parts(self, parts: tuple[Pattern, ...], at: int) -> Iterator[tuple[Values, int]]:
        if not parts:
            yield (), at
            return
        for values, end in self._match(parts[0], at):
            for more, last in self._match_parts(parts[1:], end):
                yield values + more, last

    def _note(self, found: Found) -> None:
        for _, end in found:
            self.furthest = max(self.furthest, end)
