"""Composition rules as data, and a reader that finds every way in which they read a list of tokens.

A rule is a pattern (`patterns`) and a function. The function gets the values of the named rules in order, None for
those in optional parts that are not there, and returns a value, or raises `NoReading`. Reading is memoised per rule and
place, so it is polynomial; rules must not be left-recursive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeVar

import msgspec

from dabhand.errors import NotUnderstood
from dabhand.goals.patterns import (
    Beginnings,
    Choice,
    Named,
    Pattern,
    Phrases,
    Sequence_,
    Word,
    beginnings,
    pattern_of,
    words_in,
)
from dabhand.goals.tokens import Token

Values = tuple[Any, ...]
Found = list[tuple[Any, int]]
MAX_STEPS = 300_000
"""Attempts to match a part, at most: far more than any request of people takes, and under a second."""


class NoReading(Exception):
    """Raised by a rule's function when its parts do not make sense together."""


Build = Callable[..., Any]
F = TypeVar("F", bound=Callable[..., Any])
Terminal = Callable[["Reader", int], Iterator[tuple[Any, int]]]


class Rule(msgspec.Struct, frozen=True):
    """A pattern, what it can begin with, and what its values come to."""

    pattern: Pattern
    build: Build
    begins: Beginnings


class Grammar:
    """Rules by name; a name may have many. Rules are added first, then read with."""

    def __init__(self, macros: dict[str, str]) -> None:
        self.terminals: dict[str, Terminal] = {}
        self._entries = {name: pattern_of(text) for name, text in macros.items()}
        self._given: dict[str, list[tuple[Pattern, Build]]] = {}

    def rule(self, name: str, *patterns: str) -> Callable[[F], F]:
        """Declare that each of the patterns reads as `name`, with the decorated function's value."""

        def declare(build: F) -> F:
            self.add(name, build, *patterns)
            return build

        return declare

    def add(self, name: str, build: Build, *patterns: str) -> None:
        """As `rule`, for functions that exist."""
        for text in patterns:
            self._given.setdefault(name, []).append((pattern_of(text, self._entries), build))

    def terminal(self, name: str) -> Callable[[Terminal], Terminal]:
        """Declare a function that reads tokens by itself."""

        def declare(terminal: Terminal) -> Terminal:
            self.terminals[name] = terminal
            return terminal

        return declare

    @cached_property
    def rules(self) -> dict[str, tuple[Rule, ...]]:
        """All rules by name, each with what it can begin with."""
        known = self._beginnings()
        return {
            name: tuple(Rule(pattern, build, beginnings(pattern, known.__getitem__)) for pattern, build in given)
            for name, given in self._given.items()
        }

    @cached_property
    def words(self) -> frozenset[str]:
        """Every plain word that a pattern names."""
        return frozenset(word for given in self._given.values() for pattern, _ in given for word in words_in(pattern))

    def _beginnings(self) -> dict[str, Beginnings]:
        """What each name can begin with: the least that agrees with all its rules."""
        nothing = Beginnings(frozenset(), frozenset(), False)
        known = {name: Beginnings(frozenset(), frozenset({name}), False) for name in self.terminals}
        known |= dict.fromkeys(self._given, nothing)
        changed = True
        while changed:
            changed = False
            for name, given in self._given.items():
                found = [beginnings(pattern, known.__getitem__) for pattern, _ in given]
                joined = Beginnings(
                    frozenset[str]().union(*(one.words for one in found)),
                    frozenset[str]().union(*(one.terminals for one in found)),
                    any(one.empty for one in found),
                )
                if joined != known[name]:
                    known[name], changed = joined, True
        return known


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
        self._silent: dict[tuple[int, int], tuple[int, ...]] = {}

    def token(self, at: int) -> Token | None:
        """The token at a place; None past the end."""
        return self.tokens[at] if at < len(self.tokens) else None

    def span(self, start: int, end: int) -> str:
        """The request's own text from one token up to (not including) another."""
        return self.request[self.tokens[start].start : self.tokens[end - 1].end]

    def left_out(self, at: int) -> bool:
        """Whether a word that says nothing (as "please") was left out before a place, or after the last token."""
        start = self.tokens[at - 1].end if at else 0
        end = self.tokens[at].start if at < len(self.tokens) else len(self.request)
        return any(letter.isalnum() for letter in self.request[start:end])

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
        for rule in self.candidates(name, at):
            for values, end in self._match(rule.pattern, at):
                try:
                    made[(rule.build(*values), end)] = None
                except NoReading:
                    continue
        return list(made)

    def candidates(self, name: str, at: int) -> Iterator[Rule]:
        """The rules called `name` that can begin at a place."""
        return (rule for rule in self.grammar.rules[name] if self._can_begin(rule.begins, at))

    def _can_begin(self, begins: Beginnings, at: int) -> bool:
        if begins.empty or self._words[at] in begins.words:
            return True
        return any(self.read(terminal, at) for terminal in begins.terminals)

    def _match(self, pattern: Pattern, at: int) -> Iterator[tuple[Values, int]]:
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise NotUnderstood("The request is too tangled to read.", "Ask for less at once.")
        match pattern:
            case Word(text):
                if self._words[at] == text:
                    self.furthest = max(self.furthest, at + 1)
                    yield (), at + 1
            case Phrases(tree=tree):
                yield from self._match_phrases(tree, at)
            case Named(name):
                for value, end in self.read(name, at):
                    yield (value,), end
            case Sequence_(width=0) | Choice(width=0):
                for end in self._ends(pattern, at):
                    yield (), end
            case Sequence_(parts):
                yield from self._match_parts(parts, at)
            case Choice(options, wide):
                for option in options:
                    for values, end in self._match(option, at):
                        yield values + (None,) * (wide - len(values)), end

    def _ends(self, pattern: Sequence_ | Choice, at: int) -> tuple[int, ...]:
        """Where a pattern without values may end, each place once."""
        key = (id(pattern), at)
        if key not in self._silent:
            found: dict[int, None] = {}
            if isinstance(pattern, Choice):
                for option in pattern.options:
                    found.update((end, None) for _, end in self._match(option, at))
            else:
                reached = [at]
                for part in pattern.parts:
                    reached = list(dict.fromkeys(end for start in reached for _, end in self._match(part, start)))
                found = dict.fromkeys(reached)
            self._silent[key] = tuple(found)
        return self._silent[key]

    def _match_phrases(self, tree: dict[str, Any], at: int) -> Iterator[tuple[Values, int]]:
        while True:
            if "" in tree:
                self.furthest = max(self.furthest, at)
                yield (), at
            word = self._words[at]
            if not word or word not in tree:
                return
            tree, at = tree[word], at + 1
            self.furthest = max(self.furthest, at)

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
