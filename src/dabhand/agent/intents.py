"""What a line of conversation means: an intent and what it is about, or nothing where a word is left over.

Nothing here is a rule for a sentence. `intents.toml` says which words mean the same and which meanings make an intent;
a line has an intent when all of it can be cut into phrases that the intent needs or allows, and names.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import resources
from typing import Literal, Protocol

import msgspec

from dabhand.errors import NotUnderstood
from dabhand.goals.tokens import Token, tokens_of

MAX_WORDS = 24
"""A longer line is no small talk."""

MAX_NAME = 8
"""Words of one name, at most."""

MAX_STRANGE = 1
"""Words that nobody knows, in a line that is read generously."""

ALIKE = 0.78
"""How alike a word must be to one that is known, to be taken for it when a line is read generously."""

MIN_SPELLED, MAX_SPELLED = 3, 24
"""Letters of a word that can be misspelled."""

NAMED = "\0name"

IntentName = Literal[
    "quit", "help", "undo", "why", "able", "self", "history", "same", "again", "show", "files", "more", "explain",
    "practise", "report", "hello", "thanks", "yes", "no",
]  # fmt: skip


PASSING: frozenset[IntentName] = frozenset(("undo", "why", "again", "help", "thanks", "hello", "self", "able"))
"""Intents in which an unknown word may be passed over: in others it would say what is to be shown or done."""


class Names(Protocol):
    """What names can stand for here."""

    def is_file(self, text: str) -> bool:
        """Whether something in the folder is called so."""

    def is_command(self, text: str) -> bool:
        """Whether commands that were practised begin so."""


class Named(msgspec.Struct, frozen=True):
    """A name in a line; `role` is the word before it, in lower case, that is no article."""

    text: str
    role: str = ""


class Heard(msgspec.Struct, frozen=True):
    """A line, understood.

    Attributes:
        intent: what is wanted.
        names: what it is about, in order.
        strange: words that were passed over, or taken for others, where the line was read generously.
    """

    intent: IntentName
    names: tuple[Named, ...] = ()
    strange: tuple[str, ...] = ()


class _Intent(msgspec.Struct, frozen=True):
    intent: IntentName
    needs: tuple[str, ...]
    allows: tuple[str, ...]
    names: Literal["", "command", "files"] = ""

    @property
    def weight(self) -> int:
        return len(self.needs) + bool(self.names)


class _Lexicon(msgspec.Struct, frozen=True):
    classes: Mapping[tuple[str, ...], frozenset[str]]
    words: frozenset[str]
    intents: tuple[_Intent, ...]
    longest: int


@cache
def _lexicon() -> _Lexicon:
    data = tomllib.loads(resources.files("dabhand.agent").joinpath("intents.toml").read_text("utf-8"))
    classes: dict[tuple[str, ...], set[str]] = {}
    for name, phrases in data["classes"].items():
        for phrase in phrases.split("|"):
            classes.setdefault(tuple(phrase.split()), set()).add(name)
    words = frozenset(word for phrase in classes for word in phrase)
    intents = msgspec.convert(data["intents"], tuple[_Intent, ...])
    unknown = {name for one in intents for name in (*one.needs, *one.allows)} - set(data["classes"])
    if unknown:
        raise ValueError(f"intents.toml speaks of classes that it does not have: {sorted(unknown)}")
    frozen = {phrase: frozenset(found) for phrase, found in classes.items()}
    return _Lexicon(frozen, words, intents, max(map(len, classes)))


def heard(
    line: str, names: Names, among: Sequence[IntentName] | None = None, *, generous: bool = False
) -> Heard | None:
    """What a line means, or None when it is no small talk.

    Args:
        line: as it was typed.
        names: what can be spoken of.
        among: the intents that can be meant, if not all but yes and no.
        generous: a misspelled word is taken for the one it is like, and a word that is not known is passed over.
    """
    tokens = _tokens(line)
    if not tokens or len(tokens) > MAX_WORDS:
        return None
    best: tuple[int, Heard] | None = None
    for intent in _lexicon().intents:
        if intent.intent not in among if among is not None else intent.intent in ("yes", "no"):
            continue
        if (best is not None and best[0] >= intent.weight) or (generous and intent.names == "files"):
            continue  # of a file something else may have been said
        found = _Cutting(line, tokens, names, intent, generous).heard()
        if found is not None:
            best = intent.weight, found
    return None if best is None else best[1]


def is_word(text: str) -> bool:
    """Whether it is a word that intents are made of."""
    return text.lower() in _lexicon().words


def _tokens(line: str) -> tuple[Token, ...]:
    text = line.replace("’", "'")
    try:
        return tokens_of(text)
    except NotUnderstood:
        found, at = [], 0
        for word in text.split():
            at = text.index(word, at)
            found.append(Token("word", word, at, at + len(word)))
            at += len(word)
        return tuple(found)


def _alike(word: str) -> list[str]:
    """Words that a misspelled one may be: letters swapped, or few others."""
    if not MIN_SPELLED <= len(word) <= MAX_SPELLED:
        return []
    words = _lexicon().words
    swapped = [other for other in words if len(other) == len(word) and sorted(other) == sorted(word)]
    return [*sorted(swapped), *get_close_matches(word, words, 3, ALIKE)]


class _Cutting:
    """The search for a way to cut a line into phrases of one intent."""

    def __init__(self, line: str, tokens: Sequence[Token], names: Names, intent: _Intent, generous: bool) -> None:
        self.line = line
        self.tokens = tokens
        self.words = [token.lower if token.kind in ("word", "mark", "path") else NAMED for token in tokens]
        self.names = names
        self.intent = intent
        self.allowed = {*intent.needs, *intent.allows, "small"}
        self.budget = MAX_STRANGE if generous else 0
        self.generous = generous
        self._dead: set[tuple[int, frozenset[str], bool, int]] = set()

    def heard(self) -> Heard | None:
        """The first way that there is, names as long as they can be."""
        found = self._from(0, frozenset(), (), ())
        if found is None:
            return None
        names, strange = found
        return Heard(self.intent.intent, names, strange)

    def _from(
        self, at: int, met: frozenset[str], names: tuple[Named, ...], strange: tuple[str, ...]
    ) -> tuple[tuple[Named, ...], tuple[str, ...]] | None:
        if at == len(self.tokens):
            whole = met.issuperset(self.intent.needs) and bool(names) == bool(self.intent.names)
            return (names, strange) if whole else None
        key = at, met, bool(names), len(strange)
        if key in self._dead:
            return None
        for end, classes, name, odd in self._pieces(at, names, len(strange)):
            more = (*names, name) if name is not None else names
            found = self._from(end, met | classes, more, strange + odd)
            if found is not None:
                return found
        self._dead.add(key)
        return None

    def _pieces(
        self, at: int, names: tuple[Named, ...], strange: int
    ) -> Iterator[tuple[int, frozenset[str], Named | None, tuple[str, ...]]]:
        """What can come next: where it ends, the needs that it meets, the name that it is, what was strange."""
        lexicon = _lexicon()
        for end in self._name_ends(at, names):
            yield end, frozenset(), Named(self._span(at, end), self._role(at)), ()
        for end in range(min(len(self.words), at + lexicon.longest), at, -1):
            classes = lexicon.classes.get(tuple(self.words[at:end]), frozenset()) & self.allowed
            if classes:
                # A word counts for every class that it is in: "what" is asked and may be what is asked about.
                yield end, classes & frozenset(self.intent.needs), None, ()
        if self.generous and strange < self.budget:
            yield from self._generously(at)

    def _generously(self, at: int) -> Iterator[tuple[int, frozenset[str], Named | None, tuple[str, ...]]]:
        word, token = self.words[at], self.tokens[at]
        lexicon = _lexicon()
        if token.kind != "word" or word in lexicon.words or token.number is not None:
            return  # what is known and does not fit is no slip
        for like in _alike(word):
            classes = lexicon.classes.get((like,), frozenset()) & self.allowed
            if classes:
                yield at + 1, classes & frozenset(self.intent.needs), None, (token.text,)
        if self.intent.intent in PASSING:
            yield at + 1, frozenset(), None, (token.text,)

    def _name_ends(self, at: int, names: tuple[Named, ...]) -> Iterator[int]:
        """Where a name that begins here can end, the longest first."""
        if self.intent.names == "command" and not names:
            last = min(len(self.tokens), at + MAX_NAME)
            yield from (end for end in range(last, at, -1) if self.names.is_command(self._span(at, end)))
        elif self.intent.names == "files" and self.tokens[at].kind != "mark":
            last = min(len(self.tokens), at + MAX_NAME)
            for end in range(last, at, -1):
                span = self._span(at, end)
                one = end == at + 1 and self.tokens[at].kind in ("path", "quoted") and not self.names.is_command(span)
                if one or self.names.is_file(span):
                    yield end

    def _span(self, at: int, end: int) -> str:
        if end == at + 1:
            return self.tokens[at].text
        return self.line[self.tokens[at].start : self.tokens[end - 1].end]

    def _role(self, at: int) -> str:
        """The word before a name that says what it is to be."""
        while at > 0 and self.words[at - 1] in ("the", "a", "an", "file", "folder", "it", "my", "new", ":", ","):
            at -= 1
        return self.words[at - 1] if at > 0 else ""
