"""Clauses about files and folders as wholes: copying, moving, renaming, deleting, modes; and how clauses follow."""

from __future__ import annotations

from dabhand.goals.acts import IT, Acts, Copy, Delete, MakeExecutable, Move
from dabhand.goals.phrases import ENGLISH, within
from dabhand.goals.rules import NoReading

rule, add = ENGLISH.rule, ENGLISH.add

Entry = tuple[str, str]
"""A path and what it is said to be: "file", "folder" or ""."""

add("ENTRY", lambda path: (path, ""), "{det} PATH")
add("ENTRY", lambda path: (path, "file"), "{det} {file} [{named}] NAME", "{det} PATH {file}", "{det} NAME file")
add(
    "ENTRY",
    lambda path: (path, "folder"),
    "{det} [whole|entire|empty|complete] {folder} [{named}] NAME",
    "{det} [whole|entire] NAME {folder}",
)
add("ENTRY", lambda: (IT, ""), "{it_file}")
add("ENTRY", lambda entry, folder: (within(entry[0], folder), entry[1]), "PLAIN_ENTRY {in} FOLDER")
add("PLAIN_ENTRY", lambda path: (path, ""), "{det} PATH")
add("PLAIN_ENTRY", lambda path: (path, "file"), "{det} {file} [{named}] NAME")
add("PLAIN_ENTRY", lambda path: (path, "folder"), "{det} {folder} [{named}] NAME")


@rule("ENTRIES", "ENTRY [,] and ENTRIES", "ENTRY , ENTRIES", "ENTRY")
def _entries(first: Entry, rest: tuple[Entry, ...] | None = None) -> tuple[Entry, ...]:
    return (first, *(rest or ()))


add(
    "ENTRIES",
    lambda names: tuple((name, "file") for name in names),
    "{det} [two|three] files NAMES",
    "both files NAMES",
)
add("ENTRIES", lambda names: tuple((name, "folder") for name in names), "{det} [two|three] {folders} NAMES")

# What an entry is copied or moved to: a path, and whether it is the folder to put it in.
add("GOING", lambda path: (path, None), "(to|over to) {det} PATH", "over to PATH")
add(
    "GOING",
    lambda path: (path, True),
    "(into|in|inside|to|over to|within) SURE_FOLDER",
    "(into|inside|in|within) {det} PATH",
)
add(
    "GOING",
    lambda path: (path, False),
    "as {det} {new} [{file}] [{named}] NAME",
    "{named} NAME",
    "to {det} {new} {file} [{named}] NAME",
    "(to|into) {det} (new|fresh) {file} [{named}] NAME",
    "under {det} (new name|name) NAME",
    "with the (new name|name) NAME",
    "to {det} (copy|backup|duplicate) {named} NAME",
    "(to|into) {det} new {folder} {named} NAME",
)
add(
    "GOING",
    lambda folder, name: (within(name, folder), False),
    "(into|to|in|inside) {det} [{folder}] PATH [{folder}] (as|under the name|and name it|and call it|{named}) NAME",
    "(into|to|in|inside) SURE_FOLDER (as|under the name|{named}|and rename it [to]) NAME",
)
add(
    "GOING",
    lambda name, folder: (within(name, folder), False),
    "as NAME (in|into|inside) FOLDER",
    "as NAME (in|into|inside) SURE_FOLDER",
)
add("GOING", lambda: (IT, True), "(into|to|in|inside) (it|there|that folder|the new folder|this folder|that directory)")
add(
    "GOING",
    lambda: (".", True),
    "(to|into) (the current folder|the current directory|this folder|this directory|here|the top folder)",
)


@rule(
    "CLAUSE",
    "{copy} ENTRIES {everything_in_it} GOING {everything_in_it}",
    "{make} {det} (copy|duplicate|backup|second copy) of ENTRIES {everything_in_it} [and (save|put|store) it] GOING",
    "(put|place|save|store) {det} (copy|duplicate) of ENTRIES GOING",
)
def _copy(entries: tuple[Entry, ...], going: tuple[str, bool | None]) -> Acts:
    if len(entries) > 1 and going[1] is not True:
        raise NoReading
    return tuple(Copy(entry, going[0], going[1]) for entry, _ in entries)


add(
    "CLAUSE",
    lambda entry, name: (Copy(entry[0], name, False),),
    "{make} {det} (copy|duplicate|backup) {named} NAME of ENTRY",
    "{make} {det} (copy|duplicate|backup) of ENTRY , {named} NAME",
    "(save|write) ENTRY under the name NAME as well",
)


@rule("CLAUSE", "{move} ENTRIES {everything_in_it} GOING {everything_in_it}")
def _move(entries: tuple[Entry, ...], going: tuple[str, bool | None]) -> Acts:
    if len(entries) > 1 and going[1] is not True:
        raise NoReading
    return tuple(Move(entry, going[0], going[1]) for entry, _ in entries)


@rule(
    "CLAUSE",
    "{rename} ENTRY (to|as|into|to be|so that it is called) [{det} {new} [{file}|{folder}] {named}] NAME",
    "{rename} ENTRY (to|as|into) {det} {folder} NAME",
    "(call|name) ENTRY NAME [instead]",
    "{rename} ENTRY to {det} (file|name) NAME",
    "(give) ENTRY the [new] name NAME",
    "change the name of ENTRY (to|into) NAME",
)
def _rename(entry: Entry, name: str) -> Acts:
    return (Move(entry[0], name, False, rename=True),)


@rule("CLAUSE", "{delete} ENTRIES {everything_in_it} {here}")
def _delete(entries: tuple[Entry, ...]) -> Acts:
    return tuple(Delete(path, kind) for path, kind in entries)


@rule(
    "CLAUSE",
    "(make|mark|set) ENTRIES [as] [to be] {executable}",
    "(give|grant) ENTRIES {execute_right}",
    "turn ENTRIES into an executable [file]",
    "(add|give|grant|set) {execute_right} (to|on|for) ENTRIES [for all users|for everyone]",
    "(set|turn on) {execute_right} (of|on|for) ENTRIES",
    "(make sure|see to it) that ENTRIES (can be|is|are) (executed|executable|run)",
    "allow ENTRIES to be (executed|run)",
    "make it possible to (run|execute) ENTRIES",
    "chmod +x ENTRIES",
    "let ENTRIES be (executable|run|executed)",
)
def _executable(entries: tuple[Entry, ...]) -> Acts:
    return tuple(MakeExecutable(path) for path, _ in entries)


# -- how clauses follow one another -----------------------------------------------------------------------------------

_LINK = "((,|;|.) [and] [{then}] [,]|and [{then}] [,]|{then} [,])"


@rule(
    "REQUEST",
    "{courtesy} {courtesy} CLAUSE {thanks} " + _LINK + " REQUEST",
    "{courtesy} {courtesy} [first|to begin with|start by] [,] CLAUSE {thanks} [.|!|?] [.] [.]",
)
def _request(first: Acts, rest: Acts | None = None) -> Acts:
    return first + (rest or ())
