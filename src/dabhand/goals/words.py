"""The smallest readings: names, quoted texts, words that stand for themselves, numbers, and how words are described."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from dabhand.goals.acts import Words
from dabhand.goals.lexicon import DESCRIBING, INTRODUCERS, MACROS, RESERVED, THIRDS, UNSETTLED
from dabhand.goals.looks import looked_at
from dabhand.goals.rules import Grammar, NoReading, Reader

ENGLISH = Grammar(MACROS)
rule, add, terminal = ENGLISH.rule, ENGLISH.add, ENGLISH.terminal

MAX_SPAN = 40
_NOT_ITSELF = RESERVED | UNSETTLED | DESCRIBING
_has_ending = looked_at(r"[^/.\s]\.[A-Za-z]\w{0,5}\Z")
_is_like_a_name = looked_at(r"\A(?:[A-Z][A-Z0-9_-]+|[A-Z][a-z]+file)\Z")
_NEW_NAMES = frozenset(
    {"new", "original", "current", "text", "results", "result", "copy", "home", "first", "last", "backup"}
)
"""Words that are names where a thing is said to be called so."""

_PREPOSITIONS = frozenset({"in", "into", "to", "as", "onto"})
"""Words after which "CHANGES" is no verb."""

_ENDING = RESERVED | frozenset(
    """
    or and but unless if only not never twice once times then in into to at on from between except instead of again
    when while because since though although do don't
    """.split()  # noqa: SIM905
)
"""Words that may go on with the request, so that it is not clear whether they belong to words that are not quoted."""

_LEADING = frozenset({"of", "in", "on", "from", "that", "which"})
_SHORT = frozenset({"a", "i", "dir"})
_NOUNS = INTRODUCERS | {"folders", "directories", "files"}
"""Words after which even a word like "a" is a name."""

_SINGULAR = frozenset({"line", "row", "entry", "record"})


class WholeWord(msgspec.Struct, frozen=True):
    """A text that the request calls a word, so that it means no part of a longer one."""

    text: str


def last_value(*values: Any) -> Any:
    """The only value among optional ones."""
    return next(value for value in reversed(values) if value is not None)


@terminal("PATH")
def _path(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """Something that can only be a name: quoted, bound, with a dot or slash in it, or a name in the folder."""
    token = reader.token(at)
    if token is None or token.kind == "mark":
        return
    if token.kind != "word" or reader.exists(token.text):
        yield token.text, at + 1


@terminal("FILENAME")
def _filename(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """A name that says by its ending that it is a file's."""
    token = reader.token(at)
    if token is not None and token.kind in ("path", "quoted") and _has_ending(token.text):
        yield token.text, at + 1


@terminal("CAPITALS")
def _capitals(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """A word that is written as names without an ending are: README, Makefile; where not all words are in capitals."""
    token = reader.token(at)
    if token is None or token.kind != "word" or not _is_like_a_name(token.text):
        return
    quiet = any(one.kind == "word" and one.text.islower() for one in reader.tokens)
    known = token.lower in reader.grammar.words
    noun = token.lower in THIRDS and at > 0 and reader.tokens[at - 1].lower in _PREPOSITIONS
    if quiet and (not known or noun):
        yield token.text, at + 1


@terminal("NAME")
def _name(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """Any one word where the words around it say that it is a name."""
    token = reader.token(at)
    if token is None or token.kind == "mark" or not token.text.strip("->=<|&"):
        return
    before = reader.tokens[at - 1].lower if at else ""
    named = before in ("called", "named") and token.lower in _NEW_NAMES
    short = token.lower in _SHORT and (before in _NOUNS or len(before) == 1)
    if named or short or token.lower not in RESERVED:
        yield token.text, at + 1


@terminal("QUOTED")
def _quoted(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    token = reader.token(at)
    if token is not None and token.kind == "quoted":
        yield token.text, at + 1


@terminal("BARE")
def _bare(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """One word that stands for itself."""
    token = reader.token(at)
    if token is None or (token.kind == "path" and reader.exists(token.text)):
        return  # "replace foo with a.txt": whether the name or what is in the file is meant is not said
    if token.kind in ("word", "path") and token.lower not in _NOT_ITSELF:
        yield token.text, at + 1


@terminal("NAMELESS")
def _nameless(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """One word that stands for itself, because nothing in the folder has that name."""
    for text, end in _bare(reader, at):
        if not reader.exists(text) or text.islower():
            yield text, end


@terminal("ANYWORD")
def _anyword(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """One word that stands for itself, whatever it is."""
    token = reader.token(at)
    if token is not None and token.kind in ("word", "path"):
        yield token.text, at + 1


@terminal("SAIDWORD")
def _saidword(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """One word that stands for itself and does not lead to what it is in: "the letters of ..." names no word "of"."""
    token = reader.token(at)
    if token is not None and token.kind in ("word", "path") and token.lower not in _LEADING:
        yield token.text, at + 1


@terminal("SPAN")
def _span(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """Several words as they stand, unquoted."""
    first = reader.token(at)
    if first is None or first.kind == "mark" or first.lower in RESERVED or first.number is not None:
        return  # "the line of ...", "line 3 of ...": a description, not what the line says
    if reader.left_out(at):
        return
    for end in range(at + 1, min(len(reader.tokens), at + MAX_SPAN) + 1):
        last = reader.tokens[end - 1]
        if last.kind in ("quoted", "target", "path") or last.lower in _ENDING or last.number is not None:
            return
        if last.kind != "mark" and not reader.left_out(end):
            yield reader.span(at, end), end


@terminal("NUMBER")
def _number(reader: Reader, at: int) -> Iterator[tuple[int, int]]:
    token = reader.token(at)
    if token is not None and token.number is not None:
        yield token.number, at + 1


@terminal("ORDINAL")
def _ordinal(reader: Reader, at: int) -> Iterator[tuple[int, int]]:
    token = reader.token(at)
    if token is not None and token.ordinal is not None:
        yield token.ordinal, at + 1


@terminal("ONE_FOLLOWS")
def _one_follows(reader: Reader, at: int) -> Iterator[tuple[None, int]]:
    """Nothing, before a word for one line: "the last line" is one, "the last lines" are who knows how many."""
    token = reader.token(at)
    if token is not None and token.lower in _SINGULAR:
        yield None, at


# -- what lines contain, what is replaced -----------------------------------------------------------------------------

_CALLED_WORD = "(word|words|term|name)"
_FOUND = "(in it|in them|in that file|anywhere|somewhere|on it|inside)"
add("LITERAL", last_value, "{det} {literal} QUOTED", "{det} {literal} SAIDWORD", "QUOTED", "BARE", "QUOTED {literal}")
add("LITERAL", last_value, "{det} BARE " + _FOUND, "{det} {literal} (QUOTED|SAIDWORD) " + _FOUND, "QUOTED " + _FOUND)


@rule("LITERAL", "{det} (regex|pattern|regular expression|regexp|expression) (QUOTED|ANYWORD) [" + _FOUND + "]")
@rule("MATCHED", "LITERAL")
def plain_pattern(text: str | WholeWord) -> str | WholeWord:
    """A pattern of which every letter stands for itself; what others mean is no literal text.

    Raises:
        NoReading: it is not such a pattern.
    """
    if set(text.text if isinstance(text, WholeWord) else text) & set("\\^$.*+?[](){}|"):
        raise NoReading
    return text


add(
    "LITERAL",
    lambda *texts: WholeWord(last_value(*texts)),
    "{det} " + _CALLED_WORD + " (QUOTED|ANYWORD) [" + _FOUND + "]",
    "{det} (whole|entire|exact) {literal} (QUOTED|ANYWORD) [" + _FOUND + "]",
    "QUOTED " + _CALLED_WORD,
    "QUOTED as a [whole] word",
    "BARE as a [whole] word",
)

# -- words written out ------------------------------------------------------------------------------------------------

_SAYING = "[:|that (says|reads|is)|which (says|reads|is)|saying|reading|,]"
add(
    "SAID",
    Words,
    "QUOTED",
    "{det} [new|single|one|short|following|exact] {sentence} " + _SAYING + " QUOTED [in it|inside]",
    "{det} [new|single|one|following] (text|sentence|phrase|message) " + _SAYING + " SPAN",
    "{det} ({literal}|word|words|term|name) ANYWORD",
    "NAMELESS",
    "QUOTED as [a|its|the] [only|single|one] [new] [text] (word|text|sentence|phrase|string|words|message|"
    "content|contents)",
)
add(
    "SAID",
    lambda text: Words(text, own_line=True),
    "{det} [one] [new|single|one|short|last|final|more|another|additional|extra|further|following] (line|lines|"
    "row|entry) " + _SAYING + " [the (text|words|word)] QUOTED",
    "{det} [new|single|one|following] line " + _SAYING + " SPAN",
    "{det} [one] [last|final|more|another|additional|extra|further] line " + _SAYING + " BARE",
    "{det} [new] line (with|containing) {det} [{sentence}] (QUOTED|SPAN)",
    "QUOTED as [a|its|the] [only|single|one] [new|separate] (line|lines)",
)
