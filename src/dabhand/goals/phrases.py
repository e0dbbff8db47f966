"""Noun phrases: files, folders, words, and texts described by what is done to the lines of a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from dabhand.goals.acts import IT, Changed, Expression, FileText, Joined, Words
from dabhand.goals.lexicon import MACROS, RESERVED, UNSETTLED
from dabhand.goals.rules import Grammar, NoReading, Reader

ENGLISH = Grammar()
ENGLISH.macros = MACROS
rule, add, terminal = ENGLISH.rule, ENGLISH.add, ENGLISH.terminal

Step = tuple[str, tuple[str | int, ...]]
"""An operation and its arguments."""

MAX_SPAN = 40


class WholeWord(msgspec.Struct, frozen=True):
    """A text that the request calls a word, so that it means no part of a longer one."""

    text: str


def last_value(*values: Any) -> Any:
    """The only value among optional ones."""
    return next(value for value in reversed(values) if value is not None)


def applied(steps: tuple[Step, ...], to: Expression) -> Expression:
    """A text after several operations, the first of them first."""
    for operation, args in steps:
        to = Changed(operation, args, to)
    return to


# -- names, words, numbers --------------------------------------------------------------------------------------------


@terminal("PATH")
def _path(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """Something that can only be a name: quoted, bound, with a dot or slash in it, or a name in the folder."""
    token = reader.token(at)
    if token is None or token.kind == "mark":
        return
    if token.kind != "word" or reader.exists(token.text):
        yield token.text, at + 1


@terminal("NAME")
def _name(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """Any one word where the words around it say that it is a name."""
    token = reader.token(at)
    if token is not None and token.kind != "mark" and token.lower not in RESERVED:
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
    if token is not None and token.kind in ("word", "path") and token.lower not in RESERVED | UNSETTLED:
        yield token.text, at + 1


@terminal("NAMELESS")
def _nameless(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """One word that stands for itself, because nothing in the folder has that name."""
    for text, end in _bare(reader, at):
        if not reader.exists(text):
            yield text, end


@terminal("ANYWORD")
def _anyword(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """One word that stands for itself, whatever it is."""
    token = reader.token(at)
    if token is not None and token.kind in ("word", "path"):
        yield token.text, at + 1


@terminal("SPAN")
def _span(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """Several words as they stand, unquoted."""
    first = reader.token(at)
    if first is None or first.lower in RESERVED or first.number is not None:
        return  # "the line of ...", "line 3 of ...": a description, not what the line says
    for end in range(at + 1, min(len(reader.tokens), at + MAX_SPAN) + 1):
        if reader.tokens[end - 1].kind in ("quoted", "target"):
            return
        if reader.tokens[end - 1].kind != "mark":
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


_CALLED_WORD = "(word|words|term|name)"
_FOUND = "(in it|in them)"
add("LITERAL", last_value, "{det} {literal} QUOTED", "{det} {literal} ANYWORD", "QUOTED", "BARE", "QUOTED {literal}")
add("LITERAL", last_value, "{det} BARE (in it|in them|anywhere)", "{det} {literal} (QUOTED|ANYWORD) " + _FOUND)
add(
    "LITERAL",
    lambda *texts: WholeWord(last_value(*texts)),
    "{det} " + _CALLED_WORD + " (QUOTED|ANYWORD) [" + _FOUND + "]",
    "{det} (whole|entire|exact) {literal} (QUOTED|ANYWORD) [" + _FOUND + "]",
    "QUOTED " + _CALLED_WORD,
    "QUOTED as a [whole] word",
    "BARE as a [whole] word",
)


def said_of(name: str, *literals: str | WholeWord) -> Step:
    """An operation on what literals say; with the first called a word, it is about whole words."""
    whole = isinstance(literals[0], WholeWord)
    texts = tuple(one.text if isinstance(one, WholeWord) else one for one in literals)
    return name + ("_word" if whole else ""), texts


# -- files and folders ------------------------------------------------------------------------------------------------


def within(inner: str, folder: str) -> str:
    """The path of what is in a folder."""
    if "/" in inner.rstrip("/") and inner.startswith(folder.rstrip("/") + "/"):
        return inner
    return f"{folder.rstrip('/')}/{inner}"


add("FILE", last_value, "{det} [{file}] [{named}] PATH [{file}]", "{det} {file} [{named}] NAME")
add("FILE", within, "{det} [{file}] [{named}] PATH [{file}] {in} FOLDER", "{det} {file} [{named}] NAME {in} FOLDER")
add("FILE", lambda: IT, "{it_file}")
add("FOLDER", last_value, "{det} [{folder}] [{named}] PATH [{folder}]", "{det} {folder} [{named}] NAME")
add("FOLDER", last_value, "{det} NAME {folder}")
add("SURE_FOLDER", last_value, "{det} {folder} [{named}] NAME", "{det} NAME {folder}")
add("TARGET", last_value, "{det} {new} [{file}] [{named}] PATH [{file}]", "{det} {new} {file} [{named}] NAME")
add(
    "TARGET", within, "{det} {new} [{file}] [{named}] PATH {in} FOLDER", "{det} {new} {file} [{named}] NAME {in} FOLDER"
)
add("TARGET", lambda: IT, "(it|itself|the same file|place|that file|the file|that same file|the original file)")


@rule("FILES", "FILE [,] and FILES", "FILE , FILES", "FILE")
def _files(first: str, rest: tuple[str, ...] | None = None) -> tuple[str, ...]:
    return (first, *(rest or ()))


add("FILES", lambda names: names, "{det} files NAMES", "both [files] NAMES")


@rule("NAMES", "NAME [,] and NAMES", "NAME , NAMES", "NAME")
def _names(first: str, rest: tuple[str, ...] | None = None) -> tuple[str, ...]:
    return (first, *(rest or ()))


# -- what is done to lines --------------------------------------------------------------------------------------------


def steps(*given: Step | str) -> tuple[Step, ...]:
    """Several operations, those without arguments by name."""
    return tuple((one, ()) if isinstance(one, str) else one for one in given)


MANNERS = {
    "alphabetically": frozenset({"a"}),
    "numerically": frozenset({"n"}),
    "backwards": frozenset({"r"}),
    "numerically_reversed": frozenset({"n", "r"}),
    "caseless": frozenset({"i"}),
    "distinct": frozenset({"u"}),
}
for _word, _flags in MANNERS.items():
    add("MANNER", lambda _flags=_flags: _flags, "{" + _word + "}")
add("MANNER", lambda: frozenset({"u"}), "uniquely", "and {distinct}")


@rule("MANNERS", "MANNER [,] [and] [but] MANNERS", "MANNER")
def _manners(first: frozenset[str], rest: frozenset[str] | None = None) -> frozenset[str]:
    return first | (rest or frozenset())


def sorting(manner: frozenset[str] | None) -> tuple[Step, ...]:
    """The operations that "sort" means in a manner."""
    flags = manner or frozenset()
    if {"n", "i"} <= flags or {"a", "n"} <= flags:
        raise NoReading
    name = "sorted_numbers" if "n" in flags else "sorted_caseless" if "i" in flags else "sorted"
    made = steps(name + ("_reversed" if "r" in flags else ""))
    return made + steps("distinct") if "u" in flags else made


add("SORTED", sorting, "(sorted|ordered|arranged) [MANNERS]")
add("SORTED", lambda manner=None: sorting(frozenset("r") | (manner or frozenset())), "reverse sorted [MANNERS]")
add("SORTED", lambda: sorting(frozenset("n")), "numerically sorted", "{numerically}")
add("SORTED", lambda: sorting(frozenset("nr")), "{numerically_reversed}")
add("SORTED", lambda: sorting(frozenset("a")), "alphabetically sorted", "{alphabetically}")
add(
    "SORTED",
    lambda: sorting(frozenset("r")),
    "(in descending order|in reverse alphabetical order|reverse-sorted|from z to a)",
)


def _filter(name: str) -> Any:
    return lambda literal: (said_of(name, literal),)


add("MOD", lambda value: value, "SORTED")
add("MOD", lambda: steps("reversed"), "{order_reversed}")
add("MOD", lambda: steps("mirrored"), "{mirrored}")
add("MOD", lambda: steps("distinct"), "{distinct}")
add("MOD", lambda: steps("upper"), "{upper}")
add("MOD", lambda: steps("lower"), "{lower}")
add("MOD", lambda: steps("numbered"), "{numbered}")
add("FILTER", _filter("containing"), "{containing} LITERAL")
add("FILTER", _filter("lacking"), "{lacking} LITERAL", "(but|except|other than) those {containing} LITERAL")
add(
    "FILTER",
    lambda: steps("not_blank"),
    "that are not (empty|blank)",
    "which are not (empty|blank)",
    "without {all} (empty|blank) {line}",
)
add("MOD", lambda value: value, "FILTER")


@rule("MODS", "[,] [and|but|then] [also|all|finally] MOD MODS", "[,] [and|but|then] [also|all|finally] MOD")
def _mods(first: tuple[Step, ...], rest: tuple[Step, ...] | None = None) -> tuple[Step, ...]:
    return first + (rest or ())


# -- before the noun, the one nearest to it is done first
add("PRE", lambda count: (("first", (count,)),), "(first|top|initial|leading) NUMBER", "NUMBER first", "NUMBER topmost")
add("PRE", lambda count: (("last", (count,)),), "(last|bottom|final|trailing) NUMBER", "NUMBER last")
add("PRE", lambda count: (("without_first", (count,)),), "all but the first NUMBER", "everything but the first NUMBER")
add("PRE", lambda count: (("without_last", (count,)),), "all but the last NUMBER", "everything but the last NUMBER")
add("PRE", lambda: steps("sorted"), "sorted", "alphabetically sorted")
add("PRE", lambda: steps("sorted_numbers"), "numerically sorted")
add("PRE", lambda: steps("reversed"), "reversed")
add("PRE", lambda: steps("numbered"), "numbered")
add("PRE", lambda: steps("upper"), "(uppercase|upper-case|uppercased|capitalized|upper case)")
add("PRE", lambda: steps("distinct"), "(deduplicated|de-duplicated)")
add("PRE", lambda: steps("not_blank"), "(non-blank|non-empty|nonempty|nonblank)")


@rule("PRES", "PRE [,] [and] PRES", "PRE")
def _pres(first: tuple[Step, ...], rest: tuple[Step, ...] | None = None) -> tuple[Step, ...]:
    return (rest or ()) + first


add("PRES", lambda: (("first", (1,)),), "{det} (first|top|very first)")
add("PRES", lambda: (("last", (1,)),), "{det} (last|bottom|final|very last)")

# -- texts ------------------------------------------------------------------------------------------------------------

add(
    "BASE",
    FileText,
    "FILE",
    "{all} {line} {of} FILE",
    "{all} [entire|whole|full|complete] (contents|content|text) {of} FILE",
)
add("BASE", lambda: FileText(IT), "{it}")


def chosen(
    before: tuple[Step, ...] | None, early: tuple[Step, ...] | None, base: Expression, late: tuple[Step, ...] | None
) -> Expression:
    """Lines described by words before and after the noun.

    Raises:
        NoReading: for a choice by place before a filter after it: "the first 3 lines with x" has two readings, and
            each has a rule of its own.
    """
    after = (early or ()) + (late or ())
    if by_place(before) and by_word(after):
        raise NoReading
    return applied((before or ()) + after, base)


def by_place(given: tuple[Step, ...] | None) -> bool:
    """Whether lines are chosen by where they stand."""
    return any(name in ("first", "last", "without_first", "without_last") for name, _ in given or ())


def by_word(given: tuple[Step, ...] | None) -> bool:
    """Whether lines are chosen by what is in them."""
    return any(name.removesuffix("_word") in ("containing", "lacking", "not_blank") for name, _ in given or ())


_SOME_LINES = "{all} [PRES] {line} [MODS] {of} BASE [MODS]"
add("PLAIN_LINES", chosen, _SOME_LINES)
add("LINES", lambda value: value, "PLAIN_LINES")
add("LINES", chosen, "{every} [PRES] {line} [MODS] {of} BASE [MODS]")


@rule("PLAIN_LINES", _SOME_LINES)
def _filtered_first(before: Any, early: Any, base: Expression, late: Any) -> Expression:
    after = (early or ()) + (late or ())
    if not (by_place(before) and by_word(after)):
        raise NoReading
    return applied(after + before, base)


@rule("PLAIN_LINES", _SOME_LINES)
def _placed_first(before: Any, early: Any, base: Expression, late: Any) -> Expression:
    after = (early or ()) + (late or ())
    if not (by_place(before) and by_word(after)):
        raise NoReading
    return applied(before + after, base)


add(
    "LINES",
    lambda place, base: _nth(place, base),
    "{det} ORDINAL line {of} BASE",
    "{det} line [number] NUMBER {of} BASE",
)


def _nth(place: int, base: Expression) -> Expression:
    if place < 1:
        raise NoReading
    return applied((("nth", (place,)),), base)


@rule(
    "LINES", "{det} lines NUMBER (to|through|until|-) NUMBER {of} BASE", "{det} lines from NUMBER to NUMBER {of} BASE"
)
def _between(first: int, last: int, base: Expression) -> Expression:
    if not 0 < first <= last:
        raise NoReading
    return applied((("between", (first, last)),), base)


add("LINES", lambda base: applied(steps("mirrored"), base), "{mirror_each} {of} BASE (reversed|backwards|in reverse)")
# A described file: "the sorted notes.txt", "notes.txt in upper case"
add("TEXT", lambda value: value, "LINES", "BASE")
add("TEXT", lambda base, mods: applied(mods, base), "BASE MODS")
add(
    "TEXT", lambda before, path: applied(before, FileText(path)), "{det} PRES FILE", "{det} PRES [version|copy] of FILE"
)
add("TEXT", lambda path: Changed("numbered", (), FileText(path)), "{det} numbered (version|copy) of FILE")
add("TEXT", lambda before, path: applied(before, FileText(path)), "{det} PRES (contents|content|text) {of} FILE")


@rule(
    "TEXT",
    "FILES side by side [with a tab between] [MODS]",
    "FILES column by column [MODS]",
    "the lines of FILES side by side [MODS]",
)
def _beside(paths: tuple[str, ...], mods: tuple[Step, ...] | None) -> Expression:
    if len(paths) != 2:
        raise NoReading
    return applied(mods or (), Joined(tuple(map(FileText, paths)), beside=True))


@rule(
    "TEXT",
    "FILES [together|joined|joined together|combined|one after the other|in that order|in this order] [MODS]",
    "{all} (contents|content|lines|text) of FILES [together|joined|combined|one after the other|in that order] [MODS]",
)
def _joined(paths: tuple[str, ...], mods: tuple[Step, ...] | None) -> Expression:
    if len(paths) < 2:
        raise NoReading
    return applied(mods or (), Joined(tuple(map(FileText, paths))))


# -- amounts ----------------------------------------------------------------------------------------------------------

for _unit, _words in {
    "lines": "{line}",
    "words": "words",
    "bytes": "bytes",
    "characters": "(characters|chars|letters)",
}.items():
    add("UNIT", lambda _unit=_unit: _unit, _words)


def counting(unit: str, early: tuple[Step, ...] | None, base: Expression, late: tuple[Step, ...] | None) -> Expression:
    """How many there are in a text; only lines can be described further."""
    described = (early or ()) + (late or ())
    if described and unit != "lines":
        raise NoReading
    return Changed("counted", (unit,), applied(described, base))


_OF = "(of|in|from|inside|within|are in|there are in|are there in|that are in|does|do)"
add(
    "COUNTED",
    counting,
    "{all} UNIT [FILTERS] " + _OF + " BASE [FILTERS] [have|has|contain|contains]",
    "{all} number of {all} UNIT [FILTERS] " + _OF + " BASE [FILTERS]",
)
add(
    "COUNTED",
    lambda base: counting("bytes", None, base, None),
    "{det} size of BASE in bytes",
    "how big BASE is in bytes",
)
add(
    "AMOUNT",
    lambda value: value,
    "({det} number of|{det} count of|how many|{det} total number of|the amount of) COUNTED",
)
add(
    "AMOUNT",
    lambda base: counting("bytes", None, base, None),
    "{det} size [in bytes] of BASE",
    "{det} size of BASE in bytes",
    "how many bytes BASE (has|is|contains)",
    "{det} byte count of BASE",
)
add("AMOUNT", lambda base: counting("lines", None, base, None), "{det} line count of BASE")
add("AMOUNT", lambda base: counting("words", None, base, None), "{det} word count of BASE")
add(
    "AMOUNT",
    lambda unit, base, more=None: counting(unit, None, base, more),
    "how many UNIT BASE (has|contains|have|contain|is long) [FILTERS]",
    "how many UNIT there are {of} BASE [FILTERS]",
    "how many UNIT (does|do) BASE (have|contain)",
)
add(
    "AMOUNT",
    lambda unit, more, base: counting(unit, more, base, None),
    "how many UNIT FILTERS (there are|are) {of} BASE",
    "how many UNIT FILTERS BASE (has|have)",
)
add("AMOUNT", lambda unit, base, more: counting(unit, more, base, None), "(in|on) how many UNIT {of} BASE FILTERS")
add(
    "AMOUNT",
    lambda unit, base, word: counting(unit, (said_of("containing", word),), base, None),
    "{det} number of UNIT {of} BASE {containing} LITERAL",
    "how many UNIT {of} BASE {containing} LITERAL",
    "how many UNIT in BASE {containing} LITERAL",
)
add(
    "AMOUNT",
    lambda unit, base, word: counting(unit, (said_of("lacking", word),), base, None),
    "how many UNIT {of} BASE {lacking} LITERAL",
)


@rule("FILTERS", "[,] [and|but] FILTER FILTERS", "[,] [and|but] FILTER")
def _filters(first: tuple[Step, ...], rest: tuple[Step, ...] | None = None) -> tuple[Step, ...]:
    return first + (rest or ())


add("DATA", lambda value: value, "TEXT", "AMOUNT")

# -- words written out ------------------------------------------------------------------------------------------------

add(
    "SAID",
    Words,
    "QUOTED",
    "{det} [new|single|one|short] {sentence} [that says|saying|which says|reading|:|that reads] QUOTED",
    "{det} [new|single|one] (text|sentence|line|phrase|message) [that says|saying|reading|:] SPAN",
    "{det} ({literal}|word|words|term|name) ANYWORD",
    "NAMELESS",
    "{det} [new] line (with|containing) {det} [{sentence}] QUOTED",
    "{det} [new] line (with|containing) {det} {sentence} SPAN",
    "QUOTED as [a|its|the] [only|single|one] [new] {sentence}",
)
add(
    "SAID",
    lambda text: Words(text, own_line=True),
    "{det} [new|single|one|short] (line|lines) [that says|saying|which says|reading|:|that reads] QUOTED",
    "{det} [new|single|one] line [that says|saying|reading|:] SPAN",
    "{det} [new] line (with|containing) {det} [{sentence}] (QUOTED|SPAN)",
    "QUOTED as [a|its|the] [only|single|one] [new] (line|lines)",
)
