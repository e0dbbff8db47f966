"""The smallest readings: names, texts that stand for themselves, numbers, endings; and who knows what is a name."""

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

NO_KEYS = frozenset(
    """
    the a an this that its first last line lines row rows content contents text file files folder directory directories
    whole entire full everything all any every each word string phrase number count total size end start beginning top
    look check search find show read get grep see view inspect print display list count open examine scan give tell cat
    bottom it is of in from with and or not no value values field fields key keys occurrence occurrences match matches
    """.split()  # noqa: SIM905
)
"""Words that are no field's name where they stand without quotes."""

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
    build log logs data test tests output outputs config configs script scripts image images document documents source
    sources archive archives report reports result results module modules deploy install backup backups
    upload download downloads update updates bench benchmarks
    """.split()  # noqa: SIM905
)
"""Words that describe, and that folders are called too: names right after a preposition, or before "folder"."""

_LEADING = frozenset(
    ["in", "under", "below", "from", "inside", "within", "of", "beneath", "list", "ls", "called", "named"]
)

MAX_SPAN = 8
"""Words of a text without quotes, at most."""

_ENDING = re.compile(r"[^/]\.[A-Za-z]\w{0,9}\Z")
NAME_LIKE = re.compile(r"[*?/]|\w\.\w{1,9}\Z")
"""A text that may well be a name."""

_FILE_LIKE = re.compile(r"(?:[A-Z][A-Z0-9_-]+|[A-Z][a-z]+file|\.\w*(?:ignore|rc|env|attributes|editorconfig))\Z")
_RANGE = re.compile(r"(?:L|l)?(\d{1,15})(?:-|–|—|\.\.|:)(?:L|l)?(\d{1,15})\Z")
_SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,6})?)([A-Za-z]*)\Z")
_CODE = re.compile(r"\A(?=.*[A-Za-z])(?:.*[a-z][A-Z].*|.*[_#$@=<>{}\[\]()%&*+\d:].*|[A-Z][A-Z0-9_-]{2,})\Z")
_BYTES = {"b": 1, "byte": 1, "bytes": 1}
for _at, _unit in enumerate(("k", "m", "g", "t"), 1):
    _whole = {"k": "kilobyte", "m": "megabyte", "g": "gigabyte", "t": "terabyte"}[_unit]
    _names = (_unit, f"{_unit}b", f"{_unit}ib", _whole, f"{_whole}s", f"{_whole[:4]}bytes", f"{_whole[:2]}bibytes")
    _BYTES |= dict.fromkeys(_names, 1024**_at)
_SECONDS = {"second": 1, "sec": 1, "minute": 60, "min": 60, "hour": 3600, "day": 86400, "week": 604800}
_SECONDS |= {f"{unit}s": seconds for unit, seconds in _SECONDS.items()}


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
        return Place(text, "file" if _ENDING.search(last) or _FILE_LIKE.match(last) else None)


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


def _is_glob(text: str) -> bool:
    return any(mark in text for mark in "*?")


@terminal("NAMED")
def _named(reader: Reader, at: int) -> Iterator[tuple[Place, int]]:
    """Something that can only be a name: bound, quoted, or with a dot or slash in it."""
    token = reader.token(at)
    if token is None or not isinstance(reader, Request):
        return
    if (token.kind in ("target", "quoted", "path") and not (token.kind == "path" and _is_glob(token.text))) or (
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
    if token.lower in ALSO_NAMES:
        before = reader.tokens[at - 1].lower if at else ""
        if before in _LEADING or (after is not None and after.lower in FOLDER_NOUNS and at):
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


@terminal("KEY")
def _key(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """A field's name: any word that is no noun of this grammar."""
    token = reader.token(at)
    if token is None or token.kind == "mark" or _is_reference(reader, token):
        return
    if token.kind == "quoted" or token.lower not in NO_KEYS:
        yield token.text, at + 1


@terminal("PATHWORD")
def _pathword(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """Something that looks like a name, without quotes."""
    token = reader.token(at)
    if token is not None and token.kind == "path" and not _is_reference(reader, token) and "/" not in token.text:
        yield token.text, at + 1


@terminal("QUOTED")
def _quoted(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    token = reader.token(at)
    if (
        token is not None
        and token.kind == "quoted"
        and not (isinstance(reader, Request) and token.text in reader.references)
    ):
        yield token.text, at + 1


@terminal("ANYWORD")
def _anyword(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """One word, whatever it is."""
    token = reader.token(at)
    if token is not None and token.kind in ("word", "path") and not _is_reference(reader, token):
        yield token.text, at + 1


def _is_reference(reader: Reader, token: Token) -> bool:
    return isinstance(reader, Request) and token.text in reader.references


@terminal("CODE")
def _code(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """A word that is written as no word of English is: TODO, setUp, max_count."""
    token = reader.token(at)
    if token is None or token.kind not in ("word", "path") or _is_reference(reader, token):
        return
    if token.text[0] == "." or _is_glob(token.text):
        return
    if _CODE.match(token.text) and "/" not in token.text and not _ENDING.search(token.text) and token.number is None:
        yield token.text, at + 1


@terminal("SOLE")
def _sole(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """A lone word in the singular that means nothing to the grammar."""
    token = reader.token(at)
    if token is None or token.kind != "word" or is_known(reader, token) or not token.text.isalpha():
        return
    if not token.lower.endswith("s") and not _CODE.match(token.text):
        yield token.text, at + 1


_AFTER_FIGURES = frozenset(("in", "of", "on", "at", "from", "under", "below", "with", "and"))


@terminal("FIGURE")
def _figure(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """A number in digits that counts nothing: nothing, or something that is no noun of this grammar, follows it."""
    token, after = reader.token(at), reader.token(at + 1)
    if token is None or token.kind == "mark" or not re.fullmatch(r"\d+(?:\.\d+)*", token.text):
        return
    if after is None or after.kind != "word" or after.lower in _AFTER_FIGURES:
        yield token.text, at + 1


@terminal("SPAN")
def _span(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """Words as they stand, without quotes, none of which means anything to the grammar."""
    for end in range(at + 1, min(len(reader.tokens), at + MAX_SPAN) + 1):
        last = reader.tokens[end - 1]
        if last.kind not in ("word", "path") or is_known(reader, last) or _is_reference(reader, last):
            return
        if last.kind == "path" and (_ENDING.search(last.text) or "/" in last.text):
            return
        yield reader.span(at, end), end


@terminal("NUMBER")
def _number(reader: Reader, at: int) -> Iterator[tuple[int, int]]:
    token = reader.token(at)
    if token is None or token.number is None:
        return
    value, after = token.number, reader.token(at + 1)
    yield value, at + 1
    more = after.number if after is not None and not after.text.isdigit() else None
    if more is None or token.text.isdigit() or after is None:
        return
    if value in range(20, 100, 10) and more in range(1, 10):
        yield value + more, at + 2
    elif after.lower in ("hundred", "thousand", "dozen"):
        yield value * more, at + 2


@terminal("ORDINAL")
def _ordinal(reader: Reader, at: int) -> Iterator[tuple[int, int]]:
    token = reader.token(at)
    if token is not None and token.ordinal is not None and token.lower != "first":
        yield token.ordinal, at + 1


@terminal("RANGE")
def _range(reader: Reader, at: int) -> Iterator[tuple[tuple[int, int], int]]:
    token = reader.token(at)
    if token is not None and token.kind in ("word", "path") and (found := _RANGE.match(token.text)):
        yield (int(found[1]), int(found[2])), at + 1


@terminal("SIZE")
def _size(reader: Reader, at: int) -> Iterator[tuple[int, int]]:
    """A size in bytes; K, M and G are powers of 1024, as the tools for files have it."""
    token, after = reader.token(at), reader.token(at + 1)
    if token is None or token.kind not in ("word", "path"):
        return
    unit = after.text.lower() if after is not None and after.kind == "word" else ""
    if (found := _SIZE.match(token.text.replace(",", ""))) is None:
        if token.number is not None and unit in _BYTES:
            yield token.number * _BYTES[unit], at + 2
    elif found[2]:
        if found[2].lower() in _BYTES:
            yield int(float(found[1]) * _BYTES[found[2].lower()]), at + 1
    elif unit in _BYTES:
        yield int(float(found[1]) * _BYTES[unit]), at + 2


@terminal("DURATION")
def _duration(reader: Reader, at: int) -> Iterator[tuple[int, int]]:
    """A time in seconds; months and years have no fixed length."""
    token, after = reader.token(at), reader.token(at + 1)
    if token is None:
        return
    if token.lower in _SECONDS:
        yield _SECONDS[token.lower], at + 1
    elif after is not None and after.lower in _SECONDS:
        count = 1 if token.lower in ("a", "an") else token.number
        if count is not None:
            yield count * _SECONDS[after.lower], at + 2
    elif (found := re.match(r"(\d{1,6})(s|m|min|h|hr|hrs|d|w)\Z", token.text)) is not None:
        yield (
            int(found[1]) * {"s": 1, "m": 60, "d": 86400, "w": 604800}.get(found[2], 60 if found[2] == "min" else 3600),
            (at + 1),
        )


@terminal("ENDING")
def _ending(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """What names end in, as a glob: ".log", "py", "Python"."""
    token = reader.token(at)
    if token is None or _is_reference(reader, token):
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
    if (
        token is not None
        and token.kind in ("path", "quoted", "word")
        and _is_glob(token.text)
        and "/" not in token.text
    ):
        yield token.text, at + 1
