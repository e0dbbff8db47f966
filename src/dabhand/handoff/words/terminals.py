"""The reader of requests, and names: of files, folders and their endings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Literal

import msgspec

from dabhand.goals.rules import Reader, Rule
from dabhand.goals.tokens import Token
from dabhand.handoff.words.kept import KeptGrammar
from dabhand.handoff.words.lexicon import lexicon

ENGLISH = KeptGrammar(lexicon)
add, terminal = ENGLISH.add, ENGLISH.terminal

Said = tuple[tuple[str, Any], ...]
"""What a piece of a request says: constraints by the name of their slot."""

PlaceKind = Literal["file", "folder", "json"]
Look = Callable[[str], str]
"""What is at a path: "file", "folder", or anything else for what is not known."""

FILE_NOUNS = frozenset(
    """
    file log logfile readme changelog license makefile document doc script transcript output report spec module source
    config configuration manifest <file> <filename> <path> lockfile stylesheet page settings spreadsheet dataset csv
    """.split()  # noqa: SIM905
)
FOLDER_NOUNS = frozenset(
    "folder directory dir repo repository project workspace <dir> <directory> <folder> subfolder".split()  # noqa: SIM905
)
"""What files and folders are called that are described and not named."""

ALSO_NAMES = frozenset(
    """
    sub code text tree main tools content records head tail
    build log logs data test tests output outputs config configs script scripts image images document documents source
    sources archive archives report reports result results module modules deploy install backup backups
    upload download downloads update updates bench benchmarks
    """.split()  # noqa: SIM905
)
"""Words that describe, and that folders are called too: names right after a preposition, or before "folder"."""

_LEADING = frozenset(
    ["in", "under", "below", "from", "inside", "within", "of", "beneath", "list", "ls", "called", "named"]
)

_NOUNS_OF_FILES = frozenset(["file", "files", "documents", "document"])

MAX_SPAN = 8
"""Words of a text without quotes, at most."""

ENDING = re.compile(r"[^/]\.[A-Za-z]\w{0,9}\Z")
NAME_LIKE = re.compile(r"[*?/]|\w\.\w{1,9}\Z")
"""A text that may well be a name."""

_FILE_LIKE = re.compile(r"(?:[A-Z][A-Z0-9_-]+|[A-Z][a-z]+file|\.\w*(?:ignore|rc|env|attributes|editorconfig))\Z")


class Place(msgspec.Struct, frozen=True):
    """A file or folder that the request names.

    Attributes:
        path: as it is written; "." for the folder itself.
        kind: what it is, where that can be told.
        bound: it is a reference.
    """

    path: str
    kind: PlaceKind | None = None
    bound: bool = False


class Text(msgspec.Struct, frozen=True):
    """What is looked for.

    Attributes:
        said: it is said that it is a text.
        plain: a lone word that may as well describe what is looked for.
    """

    value: str
    regex: bool = False
    said: bool = False
    plain: bool = False


@lru_cache(maxsize=4096)
def _beginning(name: str, word: str) -> tuple[tuple[Rule, bool], ...]:
    """The rules that may begin at a word: surely, or if a terminal of theirs reads it."""
    every = ((rule, rule.begins.empty or word in rule.begins.words) for rule in ENGLISH.rules[name])
    return tuple((rule, sure) for rule, sure in every if sure or rule.begins.terminals)


class Request(Reader):
    """A request being read, with what is known of the names in it."""

    def __init__(self, tokens: Sequence[Token], request: str, references: Mapping[str, str], look: Look | None) -> None:
        super().__init__(ENGLISH, tokens, request, lambda _: False)
        self.references = references
        self.look = look
        self._there: dict[int, frozenset[str]] = {}
        spoken = any(token.text in references for token in tokens)
        self.lone = next(iter(references)) if len(references) == 1 and not spoken else None

    def candidates(self, name: str, at: int) -> Iterator[Rule]:
        """The rules called `name` that can begin at a place; which a word can begin is worked out once for all."""
        word = self.tokens[at].lower if at < len(self.tokens) else ""
        there = self._there.get(at)
        if there is None:
            there = self._there[at] = frozenset(name for name in ENGLISH.terminals if self.read(name, at))
        for rule, sure in _beginning(name, word):
            if sure or not there.isdisjoint(rule.begins.terminals):
                yield rule

    def place(self, text: str) -> Place:
        """What a name stands for."""
        if text in self.references:
            kind = self.references[text]
            return Place(text, kind if kind in ("file", "folder", "json") else None, bound=True)  # type: ignore[arg-type]
        seen = self.look(text) if self.look is not None else ""
        if seen in ("file", "folder"):
            return Place(text, seen)  # type: ignore[arg-type]
        if text.endswith("/") or text in (".", "..", "~"):
            return Place(text, "folder")
        last = text.rpartition("/")[2]
        return Place(text, "file" if ENDING.search(last) or _FILE_LIKE.match(last) else None)


def listed(name: str) -> frozenset[str]:
    """A list of words of the lexicon."""
    found: frozenset[str] = ENGLISH.compiled.lists[name]
    return found


@cache
def known_words() -> frozenset[str]:
    """Words that mean something to the grammar, and so do not stand for themselves."""
    return ENGLISH.words | listed("changes")


def is_known(reader: Reader, token: Token) -> bool:
    """Whether a word means something here; one in capitals among small letters stands for itself."""
    if token.kind != "word":
        return False
    if token.text.isupper() and len(token.text) > 1 and any(one.text.islower() for one in reader.tokens):
        return False
    return token.lower in known_words() or token.number is not None or token.ordinal is not None


def is_reference(reader: Reader, token: Token) -> bool:
    """Whether a token stands for a bound target."""
    return isinstance(reader, Request) and token.text in reader.references


def is_glob(text: str) -> bool:
    """Whether a text is a pattern for names."""
    return any(mark in text for mark in "*?")


@terminal("NAMED")
def _named(reader: Reader, at: int) -> Iterator[tuple[Place, int]]:
    """Something that can only be a name: bound, quoted, or with a dot or slash in it."""
    token = reader.token(at)
    if token is None or not isinstance(reader, Request):
        return
    if (token.kind in ("target", "quoted", "path") and not (token.kind == "path" and is_glob(token.text))) or (
        token.kind == "word" and (token.text in reader.references or _exists(reader, token))
    ):
        yield reader.place(token.text), at + 1
    elif token.kind == "word" and _FILE_LIKE.match(token.text) and _is_name(token.text):
        yield Place(token.text, "file"), at + 1


def _exists(reader: Request, token: Token) -> bool:
    return reader.look is not None and not is_known(reader, token) and reader.look(token.text) in ("file", "folder")


def _is_name(text: str) -> bool:
    return text.endswith("file") or text in ("README", "LICENSE", "LICENCE", "CHANGELOG", "COPYING", "AUTHORS", "TODO")


@terminal("BARENAME")
def _barename(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """A word that stands for itself, where the words around it say that it is a name."""
    token, after = reader.token(at), reader.token(at + 1)
    if token is None or token.kind != "word" or not token.text[:1].isalnum():
        return
    if after is not None and after.lower in _NOUNS_OF_FILES:
        return
    if token.lower in ALSO_NAMES or token.lower in ENGLISH.compiled.lists["endings"]:
        before = reader.tokens[at - 1].lower if at else ""
        leading = _LEADING if token.lower in ALSO_NAMES else _LEADING - {"list", "ls", "of"}
        if before in leading or before in FOLDER_NOUNS or (after is not None and after.lower in FOLDER_NOUNS and at):
            yield token.text, at + 1
    elif not is_known(reader, token) and token.lower not in listed("vague") and not _is_name(token.text):
        yield token.text, at + 1


@terminal("ADJECTIVE")
def _adjective(reader: Reader, at: int) -> Iterator[tuple[None, int]]:
    """A word that only describes what is named beside it."""
    token = reader.token(at)
    describing = token is not None and (token.lower in listed("vague") or (at > 0 and token.lower in listed("changes")))
    if token is not None and token.kind == "word" and (describing or not is_known(reader, token)):
        yield None, at + 1


@terminal("DESCRIBED_FILE")
def _described_file(reader: Reader, at: int) -> Iterator[tuple[Place, int]]:
    """A file that is described where one is bound and the request does not speak of it by name: it is that one."""
    yield from _described(reader, at, FILE_NOUNS, "file")


@terminal("DESCRIBED_FOLDER")
def _described_folder(reader: Reader, at: int) -> Iterator[tuple[Place, int]]:
    yield from _described(reader, at, FOLDER_NOUNS, "folder")


def _described(reader: Reader, at: int, nouns: frozenset[str], kind: PlaceKind) -> Iterator[tuple[Place, int]]:
    if not isinstance(reader, Request) or reader.lone is None:
        return
    there = reader.references[reader.lone]
    if there not in (kind, "json" if kind == "file" else kind):
        return
    for end in range(at, min(len(reader.tokens), at + MAX_SPAN)):
        token = reader.tokens[end]
        if token.lower in nouns:
            yield Place(reader.lone, reader.place(reader.lone).kind, bound=True), end + 1
        if token.kind not in ("word", "path") or (
            is_known(reader, token) and token.lower not in listed("vague") | listed("changes")
        ):
            return


@terminal("ENDING")
def _ending(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """What names end in, as a glob: ".log", "py", "Python"."""
    token = reader.token(at)
    if token is None or is_reference(reader, token):
        return
    text = token.text
    if token.kind in ("path", "quoted") and re.match(r"\.\w[\w.+~-]*\Z", text):
        yield f"*{text}", at + 1
    elif token.kind == "word" and (ending := ENGLISH.compiled.lists["endings"].get(text.lower())):
        yield f"*.{ending}", at + 1


@terminal("GLOB")
def _glob(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """A pattern for names."""
    token = reader.token(at)
    if token is not None and token.kind in ("path", "quoted", "word") and is_glob(token.text) and "/" not in token.text:
        yield token.text, at + 1
