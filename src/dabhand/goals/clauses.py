"""Clauses: what is to be done, as acts. Each returns the acts that it says, in order."""

from __future__ import annotations

from typing import Any

from dabhand.goals.acts import (
    ANSWER,
    IT,
    Acts,
    Append,
    Changed,
    Expression,
    FileText,
    Hold,
    Joined,
    MakeFile,
    MakeFolder,
    Tell,
    Words,
    Write,
)
from dabhand.goals.operations import OPERATIONS
from dabhand.goals.phrases import ENGLISH, WholeWord, applied, said_of, sorting, steps, within
from dabhand.goals.rules import NoReading

rule, add = ENGLISH.rule, ENGLISH.add

Manner = frozenset[str]

# -- making -----------------------------------------------------------------------------------------------------------


def _made_folder(path: str, tolerant: bool | None = None) -> Acts:
    return (MakeFolder(path, bool(tolerant)),)


add("TOLERANT", lambda: True, "{tolerant}")
add(
    "CLAUSE",
    _made_folder,
    "{make} {det} {new} {folder} [{named}] NAME {here} {as_needed} [TOLERANT]",
    "{make} {det} {new} NAME {folder} {here} {as_needed} [TOLERANT]",
    "{make} {here} {det} {new} {folder} [{named}] NAME {as_needed} [TOLERANT]",
    "{make} {det} {new} [folder|directory] path [{named}] NAME {as_needed} [TOLERANT]",
)


@rule(
    "CLAUSE",
    "{make} {det} {new} {folder} [{named}] NAME {in} FOLDER {as_needed} [TOLERANT]",
    "{make} {det} {new} {folder} {in} FOLDER [,] {named} NAME",
)
def _folder_in(first: str, second: str, tolerant: bool | None = None) -> Acts:
    return _made_folder(within(first, second), tolerant)


@rule(
    "CLAUSE",
    "{in} FOLDER [,] {make} {det} {new} {folder} [{named}] NAME {as_needed}",
    "{make} {in} FOLDER {det} {new} {folder} [{named}] NAME",
)
def _in_folder(folder: str, name: str) -> Acts:
    return _made_folder(within(name, folder))


@rule(
    "CLAUSE",
    "{make} {det} {new} {folders} [{named}] NAMES {here} {as_needed} [TOLERANT]",
    "{make} {det} (two|three|four|five) {new} {folders} [{named}|:] NAMES {here} {as_needed} [TOLERANT]",
    "{make} {det} {new} {folder} NAMES {here} {as_needed} [TOLERANT]",
)
def _folders(names: tuple[str, ...], tolerant: bool | None = None) -> Acts:
    return tuple(MakeFolder(name, bool(tolerant)) for name in names)


@rule(
    "CLAUSE",
    "{make} {det} {new} {folder} [{named}] NAME with {det} {new} {folder} [{named}] NAME (in|inside) [it]",
    "{make} {det} {new} {folder} [{named}] NAME (and in it|and inside it|containing) {det} {folder} [{named}] NAME",
    "{make} {det} {new} {folder} [{named}] NAME , (and in it|and inside it) {det} {new} {folder} [{named}] NAME",
)
def _folder_with(outer: str, inner: str) -> Acts:
    return (MakeFolder(outer), MakeFolder(within(inner, outer)))


def _made_file(path: str) -> Acts:
    return (MakeFile(path),)


_EMPTY = "(empty|blank|new empty|new blank|new , empty|fresh empty)"
add(
    "CLAUSE",
    _made_file,
    "({make}|touch) {det} " + _EMPTY + " {file} [{named}] NAME {here}",
    "touch NAME",
    "({make}|touch) {det} [new] {file} [{named}] NAME {here} with nothing in it",
    "({make}|touch) {det} " + _EMPTY + " PATH {here}",
    "{make} {det} {new} {file} [{named}] NAME {here}",
    "({make}|touch) {det} [new] {file} [{named}] NAME that is empty",
    "{make} NAME as {det} " + _EMPTY + " {file}",
)


@rule(
    "CLAUSE",
    "({make}|touch) {det} " + _EMPTY + " {file} [{named}] NAME {in} FOLDER",
    "{make} {det} {new} {file} [{named}] NAME {in} FOLDER",
)
def _file_in(name: str, folder: str) -> Acts:
    return _made_file(within(name, folder))


@rule(
    "CLAUSE",
    "{in} FOLDER [,] {make} {det} {new} {file} [{named}] NAME",
    "{make} {det} {new} {file} {in} FOLDER {named} NAME",
)
def _in_folder_file(folder: str, name: str) -> Acts:
    return _made_file(within(name, folder))


_HOLDING = (
    "(containing|with|that contains|which contains|holding|that holds|that says|which says|saying|that just says)"
)


@rule(
    "CLAUSE",
    "{make} {det} {new} [{file}] [{named}] NAME {here} " + _HOLDING + " [just|only] SAID [in it]",
    "{make} {det} {new} {file} [{named}] NAME {here} and ({write}|{append}) SAID {into} it",
    "{make} {det} {new} {file} [{named}] NAME {here} " + _HOLDING + " the (content|contents|text) SAID",
)
def _file_saying(path: str, words: Words) -> Acts:
    return (MakeFile(path, words),)


@rule(
    "CLAUSE",
    "{make} {det} {new} [{file}] [{named}] NAME {here} (containing|with|from|that contains|holding|out of) DATA",
    "{make} [{file}] PATH (containing|with|from|out of|holding) DATA",
)
def _file_from(path: str, data: Expression) -> Acts:
    return (Write(data, path),)


# -- writing ----------------------------------------------------------------------------------------------------------


def _write(content: Expression, path: str) -> Acts:
    return (Write(content, path),)


add(
    "CLAUSE",
    _write,
    "{write} DATA {into} TARGET",
    "{write} SAID {into} TARGET",
    "({take}|copy) LINES {into} TARGET",
    "{take} LINES [,] and ({write}|{copy}) {it} {into} TARGET",
    "{take} AMOUNT [,] and {write} {it} {into} TARGET",
    "{make} {det} {file} PATH , {write} DATA {into} it",
)
add(
    "CLAUSE",
    lambda path, content: _write(content, path),
    "{write} {into} TARGET DATA",
    "{write} {into} TARGET SAID",
    "({write}|{make}) {into} TARGET [:] DATA",
    "let TARGET (contain|hold) DATA",
    "fill TARGET with DATA",
    "fill TARGET with SAID",
    "make TARGET (contain|hold) DATA",
)
add(
    "CLAUSE",
    lambda path: (Write(FileText(IT), path),),
    "{write} {into} TARGET",
    "{write} {it} {into} TARGET",
    "{write} [{it}] back {into} TARGET",
    "{write} [{it}] in TARGET",
    "({write}|{make}) {it} {into} TARGET",
    "using TARGET for the result",
)
add("CLAUSE", lambda: (Write(FileText(IT), IT),), "{write} {it} back", "{write} {it} in place")

# -- working a text out; where it goes may follow ---------------------------------------------------------------------


@rule(
    "DEST",
    "{into} TARGET",
    "[,] [and] {write} [{it}] {into} TARGET",
    "[,] [and] {write} [{it}] back {into} TARGET",
    ", writing [{it}] {into} TARGET",
    ", with {it} [going] {into} TARGET",
    "[,] with the result in TARGET",
)
def _dest(path: str) -> str:
    return path


add("DEST", lambda: IT, "in place", "[and] {write} {it} back", "[and] {write} {it} in place")


def _held(content: Expression, dest: str | None, fallback: str | None = None) -> Acts:
    """A text that is worked out, and written where the clause says (IT: into the file that it came from)."""
    if dest == IT:
        source = source_of(content)
        if source is None:
            raise NoReading
        dest = source
    return (Hold(content, fallback),) if dest is None else (Write(content, dest),)


def source_of(content: Expression) -> str | None:
    """The one file that a text comes from, None when there are several."""
    match content:
        case FileText(path):
            return path
        case Changed(of=of):
            return source_of(of)
        case _:
            return None


_ORDERS = frozenset(name for name in OPERATIONS if name.startswith(("sorted", "reversed")))


@rule("CLAUSE", "{sort} TEXT [MANNERS] [DEST]", "{sort} [MANNERS] TEXT [DEST]")
def _sort(first: Any, second: Any, dest: str | None = None) -> Acts:
    content, manner = (second, first) if isinstance(first, frozenset) or first is None else (first, second)
    if isinstance(content, Changed) and content.operation in _ORDERS:
        raise NoReading  # "sort the lines in reverse order" says how to sort, not what
    return _held(applied(sorting(manner), content), dest)


@rule("CLAUSE", "sort [MANNERS]", "{sort} {it} [MANNERS]")
def _sort_it(manner: Manner | None) -> Acts:
    return _held(applied(sorting(manner), FileText(IT)), None)


def _transform(name: str, *args: str | int) -> Any:
    return lambda content, dest=None: _held(applied(((name, args),), content), dest)


_FLOW = "(the order|the order of the lines|the lines|the line order|{it}|the order of lines)"
add(
    "CLAUSE",
    _transform("reversed"),
    "{reverse} [the order of] PLAIN_LINES [DEST]",
    "{reverse} the (line order|order of lines|order of the lines) {of} BASE [DEST]",
    "put PLAIN_LINES in reverse order [DEST]",
)
add("CLAUSE", lambda: _held(applied(steps("reversed"), FileText(IT)), None), "{reverse} " + _FLOW)
add(
    "CLAUSE",
    _transform("mirrored"),
    "{reverse} {mirror_each} {of} BASE [DEST]",
    "{reverse} the (characters|letters) {of} LINES [DEST]",
    "{reverse} the (characters|letters) {of} {every} {line} {of} BASE [DEST]",
    "(write|spell|turn) {mirror_each} {of} BASE backwards [DEST]",
    "mirror LINES [DEST]",
    "mirror {mirror_each} {of} BASE [DEST]",
)
add("CLAUSE", lambda: _held(applied(steps("mirrored"), FileText(IT)), None), "{reverse} {mirror_each}")
add(
    "CLAUSE",
    _transform("numbered"),
    "number LINES [DEST]",
    "(add|put) line numbers (to|in|before) BASE [DEST]",
    "number BASE [DEST]",
)
add(
    "CLAUSE",
    lambda: _held(applied(steps("numbered"), FileText(IT)), None),
    "number (the lines|{it})",
    "add line numbers [to {it}]",
)
add("CLAUSE", _transform("upper"), "(uppercase|upper-case|capitalize|capitalise) TEXT [DEST]")
add("CLAUSE", _transform("lower"), "(lowercase|lower-case) TEXT [DEST]")
add("CLAUSE", lambda: _held(applied(steps("upper"), FileText(IT)), None), "(uppercase|upper-case|capitalize) [{it}]")


def _convert(name: str) -> Any:
    def build(content: Expression, dest: str | None = None) -> Acts:
        return _held(applied(steps(name), content), dest, source_of(content))

    return build


_LETTERS = "[{all} (letters|text|characters|words) {of}]"
add(
    "CLAUSE",
    _convert("upper"),
    "{convert} " + _LETTERS + " TEXT {to_upper} [DEST]",
    "{convert} everything in BASE {to_upper} [DEST]",
)
add(
    "CLAUSE",
    _convert("lower"),
    "{convert} " + _LETTERS + " TEXT {to_lower} [DEST]",
    "{convert} everything in BASE {to_lower} [DEST]",
)
add("CLAUSE", _convert("distinct"), "{delete} {duplicates} {of} BASE [DEST]", "(deduplicate|dedupe) TEXT [DEST]")
add(
    "CLAUSE",
    lambda: _held(applied(steps("distinct"), FileText(IT)), None),
    "{delete} {duplicates} [from {it}]",
    "(deduplicate|dedupe) [{it}]",
)
add("CLAUSE", _convert("not_blank"), "{delete} {all} (blank|empty) {line} {of} BASE [DEST]")


OPPOSITES = {
    "containing": "lacking",
    "lacking": "containing",
    "containing_word": "lacking_word",
    "lacking_word": "containing_word",
}


@rule(
    "CLAUSE",
    "{delete} ({all}|{every}) {line} [,] FILTER {of} BASE [DEST]",
    "{delete} ({all}|{every}) {line} {of} BASE FILTER [DEST]",
)
def _delete_lines(first: Any, second: Any, dest: str | None = None) -> Acts:
    (found,), base = (first, second) if isinstance(first, tuple) else (second, first)
    opposite = OPPOSITES.get(found[0])
    if opposite is None:
        raise NoReading
    return _held(applied(((opposite, found[1]),), base), dest, source_of(base))


@rule("CLAUSE", "{delete} ({all}|{every}) {line} FILTER [from {it}]", "{delete} {line} FILTER")
def _delete_lines_it(found: Any) -> Acts:
    opposite = OPPOSITES.get(found[0][0])
    if opposite is None:
        raise NoReading
    return _held(applied(((opposite, found[0][1]),), FileText(IT)), None)


_OPPOSITE = {"first": "without_first", "last": "without_last"}


@rule("CLAUSE", "{delete} {det} PRES {line} {of} BASE [DEST]")
def _delete_placed(before: Any, base: Expression, dest: str | None) -> Acts:
    if len(before) != 1 or before[0][0] not in _OPPOSITE:
        raise NoReading
    return _held(applied(((_OPPOSITE[before[0][0]], before[0][1]),), base), dest, source_of(base))


@rule("CLAUSE", "(keep|leave|retain) [only|just] LINES [DEST]", "shorten BASE to its PRES {line}")
def _keep(content: Expression, before: Any = None) -> Acts:
    content = applied(before, content) if before is not None else content
    return (Hold(content, source_of(content)),)


@rule("CLAUSE", "({take}|keep) [only|just] {det} [PRES] {line} [MODS] [of {it}]")
def _keep_it(before: Any, mods: Any) -> Acts:
    if before is None and mods is None:
        raise NoReading
    return _held(applied((before or ()) + (mods or ()), FileText(IT)), None)


add("CLAUSE", lambda content: _held(content, None), "{take} LINES", "(read|take|open) BASE")


@rule(
    "CLAUSE",
    "{replace} {occurrence} LITERAL {with} LITERAL {everywhere} {of} FILE {everywhere} [DEST]",
)
def _replace(old: str | WholeWord, new: str | WholeWord, path: str, dest: str | None) -> Acts:
    return _held(Changed(*said_of("replaced", old, new), FileText(path)), dest, path)


@rule("CLAUSE", "{of} FILE [,] {replace} {occurrence} LITERAL {with} LITERAL {everywhere} [DEST]")
def _in_file_replace(path: str, old: str | WholeWord, new: str | WholeWord, dest: str | None) -> Acts:
    return _replace(old, new, path, dest)


@rule("CLAUSE", "{replace} {occurrence} LITERAL {with} LITERAL {everywhere} [in {it}]")
def _replace_it(old: str | WholeWord, new: str | WholeWord) -> Acts:
    return _held(Changed(*said_of("replaced", old, new), FileText(IT)), None)


# -- counting and telling ---------------------------------------------------------------------------------------------


def _count(content: Expression, dest: str | None = None) -> Acts:
    return (Hold(content, ANSWER),) if dest is None else _write(content, dest)


add("CLAUSE", _count, "{count} COUNTED [DEST]", "{count} AMOUNT [DEST]", "AMOUNT [DEST]")
add(
    "CLAUSE",
    lambda unit, dest=None: _count(Changed("counted", (unit,), FileText(IT)), dest),
    "{count} {det} UNIT [of {it}] [DEST]",
    "{count} {det} number of UNIT [DEST]",
    "{count} how many UNIT (it has|there are|it contains) [DEST]",
)
add("CLAUSE", lambda content: (Tell(content),), "{show} DATA", "{show} LINES")
add("CLAUSE", lambda: (Tell(FileText(IT)),), "{show} {it}")

# -- adding -----------------------------------------------------------------------------------------------------------

add(
    "CLAUSE",
    lambda content, path: (Append(content, path),),
    "{append} (SAID|TEXT|AMOUNT) ({end}|{far_end}) FILE",
    "{write} (SAID|TEXT|AMOUNT) {far_end} FILE",
)
_AS_LINE = (
    "(as a new line to|as a new line in|as another line to|after the last line of|as the last line of|as a new line at "
    "the end of|as a last line to|as the last line to|below the rest of|as a new last line to|as the new last line of)"
)
add(
    "CLAUSE",
    lambda content, path: (Append(content, path, own_line=True),),
    "({append}|{write}) (SAID|TEXT|AMOUNT) " + _AS_LINE + " FILE",
)
add(
    "CLAUSE",
    lambda path, content: (Append(content, path),),
    "{append} ({end}|{far_end}) FILE (SAID|DATA)",
    "{write} {far_end} FILE (SAID|DATA)",
    "extend FILE (with|by) (SAID|DATA)",
)
add(
    "CLAUSE",
    lambda content, path: (Append(content, path, at_front=True),),
    "({append}|{write}|prepend) (SAID|TEXT) {front} FILE",
    "prepend (SAID|TEXT) to FILE",
)


@rule(
    "CLAUSE",
    "{join} FILES [together|up|one after the other|in that order|in this order] [MODS] [DEST]",
    "{join} {all} (contents|content|lines|text) of FILES [together] [DEST]",
)
def _join(paths: tuple[str, ...], mods: Any = None, dest: str | None = None) -> Acts:
    if isinstance(mods, str):
        mods, dest = None, mods
    if len(paths) < 2 or IT in paths:
        raise NoReading
    return _held(applied(mods or (), Joined(tuple(map(FileText, paths)))), dest)


@rule(
    "CLAUSE",
    "({join}|paste|write|place|set|save) {all} [lines of] FILES side by side [with a tab between [them]] [DEST]",
    "(paste|zip) FILES [together|line by line|column by column] [DEST]",
    "({join}|paste) FILES (line by line|column by column) [DEST]",
)
def _paste(paths: tuple[str, ...], dest: str | None = None) -> Acts:
    if len(paths) != 2:
        raise NoReading
    return _held(Joined(tuple(map(FileText, paths)), beside=True), dest)


@rule("CLAUSE", "(paste|put|place) FILE (beside|next to|alongside) FILE [DEST]")
def _paste_two(first: str, second: str, dest: str | None) -> Acts:
    return _paste((first, second), dest)
