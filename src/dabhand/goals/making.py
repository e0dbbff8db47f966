"""What can be made: folders, empty files, files that say something, copies; as things that are wanted."""

from __future__ import annotations

import msgspec

from dabhand.goals.acts import (
    Acts,
    Copy,
    Expression,
    FileText,
    Joined,
    MakeExecutable,
    MakeFile,
    MakeFolder,
    Move,
    Write,
)
from dabhand.goals.frames import placed
from dabhand.goals.looks import looked_at
from dabhand.goals.places import Entry, Going, within
from dabhand.goals.rules import NoReading
from dabhand.goals.steps import Steps, applied
from dabhand.goals.words import ENGLISH

rule, add = ENGLISH.rule, ENGLISH.add

# -- folders ----------------------------------------------------------------------------------------------------------

add("TOLERANT", lambda: True, "{tolerant}")
_END = "{here} [,] {as_needed} [TOLERANT] {not_there_yet}"


def _tolerating(acts: Acts, tolerant: bool | None) -> Acts:
    if not tolerant:
        return acts
    return tuple(msgspec.structs.replace(act, tolerant=True) if isinstance(act, MakeFolder) else act for act in acts)


add("FOLDERS", lambda name: (MakeFolder(name),), "{a} {new} {folder} [{named}] NAME", "{a} {new} NAME {folder}")
add(
    "FOLDERS",
    lambda name: (MakeFolder(name),),
    "{a} {new} {folder} {here} ({named}|{named_later}) NAME",
)
add(
    "FOLDERS",
    lambda folder, name: (MakeFolder(within(name, folder)),),
    "{a} {new} {folder} {in} FOLDER [,] {named} NAME",
)
add("FOLDERS", lambda name: tuple(map(MakeFolder, _no_range((name,)))), "{a} {new} {structure} [{named}|to] NAME")
_is_range = looked_at(r"\A(.*?)\d+(-|\.\.)\1\d+\Z")


def _no_range(names: tuple[str, ...]) -> tuple[str, ...]:
    if any(map(_is_range, names)):
        raise NoReading  # "a1-a5" may be five names
    return names


_MANY = "{det} [two|three|four|five|six|seven|both|following] {new} {folders} [{named}|to|:]"
add(
    "FOLDERS",
    lambda names: tuple(map(MakeFolder, _no_range(names))),
    _MANY + " (NAMES|ROW_OF_NAMES)",
    "{a} {new} {folder} NAMES",
)
add("FOLDERS", lambda names: tuple(map(MakeFolder, names)), "{det} [two|three|four|five] {new} {folders} , NAMES")


@rule(
    "FOLDERS",
    "{a} {new} {folder} [{named}] NAME [,] (with|containing|holding|and (in|inside) it|which contains|that contains) "
    "{a} {new} [other|second] {folder} [{named}] NAME [(in|inside) it]",
)
def _folder_with(outer: str, inner: str) -> Acts:
    return (MakeFolder(outer), MakeFolder(within(inner, outer)))


# -- files ------------------------------------------------------------------------------------------------------------

_EMPTY = "(empty|blank|new [,] (empty|blank)|fresh empty|0-byte|zero-byte|completely empty)"
_NOTHING = (
    "[,] (with nothing in it|without (any|) (content|contents|text) [at all|in it]|that is empty|which "
    "is empty|, empty|with no (content|contents|text) [in it])"
)
add(
    "EMPTY_FILES",
    lambda path: (MakeFile(path),),
    "{a} " + _EMPTY + " {file} [{named}] NAME",
    "{a} " + _EMPTY + " PATH",
    "{a} {new} {file} [{named}] NAME [" + _NOTHING + "]",
    "{a} {new} {file} {here} ({named}|{named_later}) NAME",
    "{det} [file] PATH as {a} " + _EMPTY + " {file}",
)
add(
    "EMPTY_FILES",
    lambda names: tuple(map(MakeFile, names)),
    "{det} [two|three|four|five|following] " + _EMPTY + " {files} [{named}] (NAMES|ROW_OF_NAMES)",
    "{det} [two|three|four|five] {new} {files} [{named}] NAMES",
)
add("EMPTY_FILES", lambda folder, name: (MakeFile(within(name, folder)),), "{a} {new} {file} {in} FOLDER {named} NAME")

_HOLDING = (
    "(containing|with|that (contains|holds|says|just says|reads)|which (contains|says|holds|reads)|holding|"
    "saying|whose "
    "(content|text) is|where it says|in which it says|reading|:|whose only (line|content|text) is|that has "
    "[only]|which has [only]|with the (content|contents|text) [of])"
)
add(
    "FILLED",
    lambda path, words: (MakeFile(path, words),),
    "{a} {fresh} [{file}] [{named}] NAME {here} [,] " + _HOLDING + " [only|nothing but] SAID [in it|inside]",
    "{a} {fresh} [{file}] [{named}] NAME {here} " + _HOLDING + " the (content|contents|text) SAID",
    "{a} {fresh} {file} [{named}] NAME {here} [,] and ({write}|{append}) SAID {into} (it|that file|the file)",
)
add(
    "FILLED",
    lambda folder, words, path: (MakeFile(within(path, folder), words),),
    "{a} {fresh} {file} {in} FOLDER " + _HOLDING + " SAID {named} NAME",
)
add("FILLED", lambda words, path: (MakeFile(path, words),), "{a} {fresh} {file} " + _HOLDING + " SAID [,] {named} NAME")


@rule(
    "FILLED",
    "{a} {fresh} [{file}] [{named}] NAME {here} (containing|with|from|that (contains|has|holds|lists)|which "
    "(contains|has|holds)|holding|listing|out "
    "of) DATA",
    "[{file}] PATH (containing|with|from|out of|holding) DATA",
)
def _file_from(path: str, data: Expression) -> Acts:
    return (Write(data, path),)


@rule("FILLED", "{a} {fresh} [{file}] [{named}] NAME [,] (in which|where) TEXT {be} MODS")
def _file_with(path: str, content: Expression, mods: Steps) -> Acts:
    return (Write(applied(mods, content), path),)


@rule(
    "FILLED",
    "{a} {fresh} [{file}] [{named}] NAME [,] (in which|where|whose) (each|every) line (is|consists of|has) (a|the|one) "
    "line {of} FILE [,] {a} tab [,] and (the|a) (corresponding line {of} FILE|line {of} FILE with the same number)",
)
def _file_beside(path: str, left: str, right: str) -> Acts:
    return (Write(Joined((FileText(left), FileText(right)), beside=True), path),)


@rule(
    "FILLED",
    "{a} {fresh} [{file}] [{named}] NAME [,] (which|that) (begins|starts) with TEXT and (goes on|continues|ends) "
    "with TEXT",
)
def _file_of_two(path: str, first: Expression, second: Expression) -> Acts:
    return (Write(Joined((first, second)), path),)


# -- copies -----------------------------------------------------------------------------------------------------------

_COPY = "(copy|duplicate|backup [copy]|second copy|clone|spare copy)"


@rule(
    "COPIES",
    "{det} [new|second] "
    + _COPY
    + " of ENTRIES {everything_in_it} [,] [under the same name] [,] [and ({write}|{move}) it|that is] GOING",
    "(copies|duplicates|backups) of ENTRIES GOING",
)
def _copies(entries: tuple[Entry, ...], going: Going) -> Acts:
    if len(entries) > 1 and going[1] is not True:
        raise NoReading
    return tuple(Copy(entry, going[0], going[1]) for entry, _ in entries)


add(
    "COPIES",
    lambda entry, name: (Copy(entry[0], name, False),),
    "{det} " + _COPY + " {named} NAME of ENTRY",
    "{det} " + _COPY + " of ENTRY [,] {named} NAME",
)
add(
    "COPIES",
    lambda entry, name, folder: (Copy(entry[0], within(name, folder), False),),
    "{det} " + _COPY + " of ENTRY {named} NAME {in} FOLDER",
)

add("COPIES", lambda name, entry: (Copy(entry[0], name, False),), "[{file}] FILENAME as {a} " + _COPY + " of ENTRY")
add(
    "COPIES",
    lambda before, base, name: (Write(applied(before, base), name),),
    "{a} PRES (copy|version|list) of BASE {named} NAME",
)

# -- what is made, and where ------------------------------------------------------------------------------------------

add("MADE", lambda acts, tolerant=None: _tolerating(acts, tolerant), "FOLDERS " + _END)
add("MADE", lambda acts: acts, "EMPTY_FILES {here}", "FILLED {here}", "COPIES")


_is_numbered = looked_at(r"\A[A-Za-z_-]*\d+\Z")


def _in_folder(acts: Acts, folder: str, tolerant: bool | None = None) -> Acts:
    last = acts[-1]
    name = last.path if isinstance(last, MakeFolder | MakeFile) else ""
    if _is_numbered(name) and _is_numbered(folder):
        raise NoReading  # "q1 to q5" is a row of names
    if folder.startswith("\0"):
        return tuple(_under(act, folder) for act in acts)
    return _tolerating(tuple(placed(act, folder) for act in acts), tolerant)


def _under(act: object, folder: str) -> MakeFile | MakeFolder:
    if not isinstance(act, MakeFile | MakeFolder):
        raise NoReading
    return msgspec.structs.replace(act, path=f"{folder}/{act.path}")


add("MADE", _in_folder, "(FOLDERS|EMPTY_FILES|FILLED) THIS_FOLDER")
add(
    "FOLDERS",
    lambda folder, name: (MakeFolder(within(name, folder)),),
    "{a} {new} {folder} THIS_FOLDER ({named}|{named_later}) NAME",
)
add(
    "EMPTY_FILES",
    lambda folder, name: (MakeFile(within(name, folder)),),
    "{a} {new} {file} THIS_FOLDER ({named}|{named_later}) NAME",
)
add("MADE", _in_folder, "FOLDERS {in} FOLDER {as_needed} [TOLERANT]", "EMPTY_FILES {in} FOLDER", "FILLED {in} FOLDER")
add(
    "MADE",
    lambda acts, name: (MakeFolder(name), *_in_folder(acts, name)),
    "(FOLDERS|EMPTY_FILES|FILLED) {in} NEW_FOLDER",
)
add(
    "MADE",
    lambda name, acts: (MakeFolder(name), *_in_folder(acts, name)),
    "FOLDERS_NAME [,] with INNER [{in} it|in there]",
    "FOLDERS_NAME [,] (and|with) [then] ({in} it|in there|therein) [{make}] INNER",
    "FOLDERS_NAME [,] and [then] [{make}] INNER ({in} it|in there)",
)
add("FOLDERS_NAME", lambda name: name, "{a} {new} {folder} [{named}] NAME")
add(
    "MADE",
    lambda name, acts: (MakeFolder(name), *_in_folder(acts, name)),
    "NAME [,] and [then] (in|inside) it {a} FOLDERS",
)
add("INNER", lambda acts: acts, "EMPTY_FILES", "FILLED", "FOLDERS")
add(
    "CLAUSE",
    lambda acts: acts,
    "{make} [for me] MADE",
    "{make} {as_needed_before} MADE",
    "touch EMPTY_FILES",
    "touch TOUCHED",
    "mkdir MKDIR",
)
add("DOING", lambda acts: acts, "{make_ing} [for me] MADE")
add(
    "CLAUSE",
    lambda acts: (*acts, MakeExecutable(acts[0].path)),
    "{make} (an executable|executable|a runnable) RUNNABLE",
)
add("RUNNABLE", lambda acts: acts, "EMPTY_FILES", "FILLED")
add(
    "MADE",
    lambda acts: (*acts, MakeExecutable(acts[0].path)),
    "(EMPTY_FILES|FILLED) [,] [and|that is|which is] executable",
)
add(
    "CLAUSE",
    lambda name: (MakeFile(name),),
    "(create|make|touch|creates|set up) FILENAME {here} [, {a} " + _EMPTY + " {file}]",
)
add(
    "CLAUSE",
    lambda first, *others: (MakeFile(first), *(MakeFile(name) for name in others if name is not None)),
    "(create|make|touch) FILENAME [, FILENAME] [, FILENAME] [,] and FILENAME",
)
add("DOING", lambda name: (MakeFile(name),), "creating FILENAME")
add(
    "CLAUSE",
    lambda name, folder: (MakeFile(within(name, folder)),),
    "(create|make|touch|set up) FILENAME ({in} FOLDER|THIS_FOLDER)",
)


@rule(
    "MADE",
    "FOLDERS_NAME (with|containing|holding) (a copy|copies) of ENTRIES [in it|inside|in there]",
)
def _folder_with_copies(name: str, entries: tuple[Entry, ...]) -> Acts:
    return (MakeFolder(name), *(Copy(entry, name, True) for entry, _ in entries))


@rule("MADE", "FOLDERS_NAME [,] with ENTRIES moved (into it|there|in there)")
def _folder_with_moved(name: str, entries: tuple[Entry, ...]) -> Acts:
    return (MakeFolder(name), *(Move(entry, name, True) for entry, _ in entries))


@rule("MADE", "FOLDERS_NAME with ENTRIES copied (into it|there|in there)")
def _folder_with_copied(name: str, entries: tuple[Entry, ...]) -> Acts:
    return _folder_with_copies(name, entries)


add("DONE", lambda acts: acts, "MADE {be} {make_ed}")
add(
    "DONE_SO",
    lambda acts: acts,
    "MADE {should_be} {make_ed}",
    "there {should} (be|exist) MADE",
    "let there be MADE",
    "MADE {present}",
)
add("TOUCHED", lambda name: (MakeFile(name),), "NAME")
add("MKDIR", lambda name: (MakeFolder(name),), "NAME")
_ONE = "(a|an|another|one|two|three|four|five|the nested)"
add(
    "CLAUSE",
    lambda acts: acts,
    "{wanted} " + _ONE + " MADE",
    "{wanted} MADE to (exist|be there|be made|be created)",
    "{wanted} there (is|exists|be|are) MADE",
    "[" + _ONE + "] new MADE",
    _ONE + " empty MADE",
    _ONE + " MADE",
    "{put} MADE_PLAIN",
    "{in} NEW_FOLDER_SCOPE",
)
add("CLAUSE", lambda name: (MakeFolder(name),), "empty {folder} [{named}] NAME")
add("CLAUSE", lambda name: (MakeFile(name),), "empty {file} [{named}] NAME")
add("MADE_PLAIN", lambda acts, folder: _in_folder(acts, folder), "(EMPTY_FILES|FOLDERS) {in} FOLDER")
add(
    "CLAUSE",
    lambda folder, acts: _in_folder(acts, folder),
    "{in} FOLDER [,] [please] ({make}|{wanted}|there {should} be) MADE",
    "{make} {in} FOLDER MADE",
)


@rule("NEW_FOLDER_SCOPE", "NEW_FOLDER [,] ({make}|{put}) INNER")
def _scope(name: str, acts: Acts) -> Acts:
    return (MakeFolder(name), *_in_folder(acts, name))
