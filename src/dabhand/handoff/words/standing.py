"""Texts that stand for themselves: keys, quotes, single words, words that mean nothing to the grammar."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dabhand.goals.rules import Reader
from dabhand.handoff.words.terminals import ENDING, MAX_SPAN, Request, is_glob, is_known, is_reference, terminal

NO_KEYS = frozenset(
    """
    the a an this that its first last line lines row rows content contents text file files folder directory directories
    whole entire full everything all any every each word string phrase number count total size end start beginning top
    look check search find show read get grep see view inspect print display list count open examine scan give tell cat
    bottom it is of in from with and or not no value values field fields key keys occurrence occurrences match matches
    """.split()  # noqa: SIM905
)
"""Words that are no field's name where they stand without quotes."""

_CODE = re.compile(r"\A(?=.*[A-Za-z])(?:.*[a-z][A-Z].*|.*[_#$@=<>{}\[\]()%&*+\d:].*|[A-Z][A-Z0-9_-]{2,})\Z")


@terminal("KEY")
def _key(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """A field's name: any word that is no noun of this grammar."""
    token = reader.token(at)
    if token is None or token.kind == "mark" or is_reference(reader, token):
        return
    if token.kind == "quoted" or token.lower not in NO_KEYS:
        yield token.text, at + 1


@terminal("PATHWORD")
def _pathword(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """Something that looks like a name, without quotes."""
    token = reader.token(at)
    if token is not None and token.kind == "path" and not is_reference(reader, token) and "/" not in token.text:
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
    if token is not None and token.kind in ("word", "path") and not is_reference(reader, token):
        yield token.text, at + 1


_DENYING = frozenset("not never cannot no is are was were has have had be been".split())  # noqa: SIM905
_BEFORE_PLACES = frozenset("in of from inside within on at under below".split())  # noqa: SIM905


@terminal("ONEWORD")
def _oneword(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """One word that is a text; one that denies something belongs to what follows it."""
    token, after = reader.token(at), reader.token(at + 1)
    denies = token is not None and token.lower in _DENYING
    if denies and after is not None and after.kind == "word" and after.lower not in _BEFORE_PLACES:
        return
    yield from _anyword(reader, at)


@terminal("DENIAL")
def _denial(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """Words that say what is not, up to the place or the end: "not found", "cannot be opened"."""
    token = reader.token(at)
    if token is None or token.lower not in _DENYING:
        return
    end = at + 1
    while end < min(len(reader.tokens), at + MAX_SPAN):
        token = reader.tokens[end]
        if token.kind != "word" or token.lower in _BEFORE_PLACES or is_reference(reader, token):
            break
        end += 1
    if end > at + 1:
        yield reader.span(at, end), end


@terminal("CODE")
def _code(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """A word that is written as no word of English is: TODO, setUp, max_count."""
    token = reader.token(at)
    if token is None or token.kind not in ("word", "path") or is_reference(reader, token):
        return
    if token.text[0] == "." or is_glob(token.text):
        return
    if _CODE.match(token.text) and "/" not in token.text and not ENDING.search(token.text) and token.number is None:
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
        if last.kind not in ("word", "path") or is_known(reader, last) or is_reference(reader, last):
            return
        if last.kind == "path" and (ENDING.search(last.text) or "/" in last.text):
            return
        yield reader.span(at, end), end
