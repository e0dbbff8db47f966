"""Files and folders as requests speak of them: by name, by kind, by what was said before."""

from __future__ import annotations

from collections.abc import Iterator

from dabhand.goals.acts import BOTH, COPY, IT, ITSELF, KIND, ORIGINAL, THERE, THIS
from dabhand.goals.rules import NoReading, Reader
from dabhand.goals.words import ENGLISH, last_value

rule, add, terminal = ENGLISH.rule, ENGLISH.add, ENGLISH.terminal

Entry = tuple[str, str]
"""A path and what it is said to be: "file", "folder" or ""."""

Going = tuple[str, bool | None]
"""Where an entry goes: a path, and whether it is the folder to put it in (None: when it is one)."""


def within(inner: str, folder: str) -> str:
    """The path of what is in a folder."""
    if "/" in inner.rstrip("/") and inner.startswith(folder.rstrip("/") + "/"):
        return inner
    return f"{folder.rstrip('/')}/{inner}"


# -- a file described by its kind, where only one is there ------------------------------------------------------------

_ENDINGS = {
    "csv": ".csv",
    "json": ".json",
    "markdown": ".md",
    "md": ".md",
    "txt": ".txt",
    "text": ".txt",
    "python": ".py",
    "shell": ".sh",
    "html": ".html",
    "log": ".log",
    "xml": ".xml",
}


@terminal("KIND")
def _kind(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """A file by what its name ends in, as a word like "csv" says."""
    token = reader.token(at)
    if token is None or token.kind not in ("word", "path"):
        return
    word = token.text.lower()
    ending = _ENDINGS.get(word.lstrip("."), word if word.startswith(".") and word[1:].isalnum() else "")
    if ending:
        yield KIND + ending, at + 1


_WHEN = frozenset("today tomorrow tonight later soon once twice again now always never sometime".split())  # noqa: SIM905

_BY_KIND = "(the|my|our|that) [only] KIND (file|document|script)"

# -- files, folders, targets ------------------------------------------------------------------------------------------

_CALLED = "{det} [{file}|text|table] [{named}] PATH [file|document|script]"
add("FILE", last_value, _CALLED, "{det} {file} [{named}] NAME", _BY_KIND)
add("FILE", within, _CALLED + " {in} FOLDER", "{det} {file} [{named}] NAME {in} FOLDER")
add("FILE", lambda: IT, "{it_file}")
add("FILE", lambda: COPY, "{copy_of_it}")
add("FILE", lambda: ORIGINAL, "{original}")
add(
    "FOLDER",
    last_value,
    "{det} [{folder}] [{named}] PATH [{folder}]",
    "{det} {folder} [{named}] NAME",
    "{det} NAME {folder}",
)
add("FOLDER", within, "{det} [{folder}] [{named}] PATH [{folder}] {in} FOLDER")
add("FOLDER", lambda: THERE, "(that|the new|the same|this new|the created|the) {folder}")
add("SURE_FOLDER", last_value, "{det} {folder} [{named}] NAME", "{det} NAME {folder}")
add("SURE_FOLDER", within, "{det} {folder} [{named}] NAME {in} FOLDER", "{det} NAME {folder} {in} FOLDER")
add("TARGET", lambda path: path, "NAMED_TARGET")
add("NAMED_TARGET", last_value, "CAPITALS", "{det} {new} {file} CAPITALS")
add(
    "NAMED_TARGET",
    last_value,
    "{det} {new} [{file}] [{named}] PATH [file|document]",
    "{det} {new} {file} [{named}] NAME",
    "one [single|new] {file} [{named}] NAME",
    _BY_KIND,
)
add(
    "NAMED_TARGET",
    within,
    "{det} {new} [{file}] [{named}] PATH {in} FOLDER",
    "{det} {new} {file} [{named}] NAME {in} FOLDER",
)
add("NAMED_TARGET", lambda folder, name: within(name, folder), "FOLDER {named} NAME", "FOLDER under the name NAME")
add("TARGET", lambda: IT, "(it|that file|the [new] file)")
add(
    "NAMED_TARGET",
    lambda name: within(name, THERE),
    "{det} {new} [{file}] [{named}] PATH (in|inside) (it|there)",
    "{det} {new} {file} [{named}] NAME (in|inside) (it|there)",
)
add("TARGET", lambda path: path, "ITSELF")
add("ITSELF", lambda: ITSELF, "(itself|place|{det} (original|same) file|that same file)")


@rule("FILES", "FILE [,] (and|&|with|and then) [also] FILES", "FILE , FILES", "FILE")
def _files(first: str, rest: tuple[str, ...] | None = None) -> tuple[str, ...]:
    return (first, *(rest or ()))


add(
    "FILES",
    lambda names: names,
    "{det} [two|three|four|both] {files} [{named}|:] NAMES",
    "both [the|{files}] NAMES",
)
add("FILES", lambda first, second: (first, second), "[the] PATH and PATH files")
add("FILES", lambda: (BOTH,), "{both}")
add("FILES", lambda first, second: (first, second), "FILE [,|immediately|directly] (followed by|then|and then) FILE")


@rule("NAMES", "NAME [,] (and|&) [also] NAMES", "NAME , NAMES", "NAME")
def _names(first: str, rest: tuple[str, ...] | None = None) -> tuple[str, ...]:
    return (first, *(rest or ()))


@terminal("ROW_OF_NAMES")
def _row_of_names(reader: Reader, at: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Two or more names with nothing between them, all plain words or none; words that say how or when are no names."""
    names: list[str] = []
    while found := reader.read("NAME", at + len(names)):
        ((name, _),) = found
        kinds = {token.kind == "word" for token in reader.tokens[at : at + len(names) + 1]}
        if len(kinds) > 1 or (True in kinds and (name.lower().endswith("ly") or name.lower() in _WHEN)):
            return
        names.append(name)
        if len(names) > 1:
            yield tuple(names), at + len(names)


# -- entries: files or folders ----------------------------------------------------------------------------------------

add("ENTRY", lambda path: (path, "folder"), "all of {det} PATH [folder|directory]")
add("ENTRY", lambda path: (path, ""), "{det} PATH", "{det} (whole|entire|complete|existing|old) PATH")
add(
    "ENTRY",
    lambda path: (path, "file"),
    "{det} [existing|old] {file} [{named}] NAME",
    "{det} PATH (file|document|script)",
    "{det} NAME file",
    _BY_KIND,
)
add(
    "ENTRY",
    lambda path: (path, "folder"),
    "{det} [whole|entire|complete|existing|old] {folder} [{named}] NAME",
    "{det} [whole|entire|complete] NAME {folder}",
)
add("ENTRY", lambda: (IT, ""), "{it_file}")
add("ENTRY", lambda: (THERE, "folder"), "(that|the new|the same|this|the) {folder}")
add("ENTRY", lambda: (COPY, ""), "{copy_of_it}")
add("ENTRY", lambda: (ORIGINAL, ""), "{original}")
add("ENTRY", lambda entry, folder: (within(entry[0], folder), entry[1]), "PLAIN_ENTRY {in} FOLDER")
add("PLAIN_ENTRY", lambda path: (path, ""), "{det} PATH")
add("PLAIN_ENTRY", lambda path: (path, "file"), "{det} {file} [{named}] NAME")
add("PLAIN_ENTRY", lambda path: (path, "folder"), "{det} {folder} [{named}] NAME")


@rule("ENTRIES", "ENTRY [,] (and|&) [also] ENTRIES", "ENTRY , ENTRIES", "ENTRY")
def _entries(first: Entry, rest: tuple[Entry, ...] | None = None) -> tuple[Entry, ...]:
    return (first, *(rest or ()))


add("ENTRIES", lambda first, second: (first, second), "both ENTRY and ENTRY")
add("ENTRIES", lambda: ((BOTH, ""),), "{both}")
add(
    "ENTRIES",
    lambda names: tuple((name, "file") for name in names),
    "{det} [two|three|four] {files} [{named}] NAMES",
    "both {files} [,|:] NAMES",
)
add(
    "ENTRIES",
    lambda names: tuple((name, "folder") for name in names),
    "{det} [two|three|four] {folders} [{named}] NAMES",
)
add(
    "ENTRIES",
    lambda names, folder: tuple((within(name, folder), "file") for name in names),
    "{det} [two|three|four] {files} [{named}] NAMES {in} FOLDER",
)


@rule("ENTRIES", "PLAIN_ENTRY and PLAIN_ENTRY from FOLDER", "PLAIN_ENTRY and PLAIN_ENTRY , both {in} FOLDER")
def _entries_in(first: Entry, second: Entry, folder: str) -> tuple[Entry, ...]:
    return ((within(first[0], folder), first[1]), (within(second[0], folder), second[1]))


# -- what an entry is copied or moved to ------------------------------------------------------------------------------

_TO = "(to|over to|->|=>|to become|into)"
add("GOING", lambda path: (path, False), "to CAPITALS")
add("GOING", lambda path: (path, None), _TO + " {det} PATH", "to {det} {file} PATH", "over to PATH")
add(
    "GOING",
    lambda path: (path, True),
    "(into|in|inside|to|over to|within|under|->) SURE_FOLDER",
    "(into|inside|in|within|under) {det} [existing] PATH",
)
add(
    "GOING",
    lambda path: (path, False),
    "as {det} {new} [{file}|copy|backup] [{named}] NAME",
    "{named} NAME",
    "to {det} {new} {file} [{named}] NAME",
    "(to|into) {det} (new|fresh) {file} [{named}] NAME",
    "under {det} (new name|name|file name|filename) [of] NAME",
    "with the (new name|name) [of] NAME",
    "[,] and (call|name) (it|{copy_of_it}|the new file) NAME",
    "[;|,|:] {copy_of_it} (should|must|shall|is to) be (called|named) NAME",
    "[;|,|:] (its|the) new name (is|should be|must be) NAME",
    "to {det} (copy|backup|duplicate) {named} NAME",
)
add(
    "GOING",
    lambda folder, name: (within(name, folder), False),
    "(into|to|in|inside) {det} [{folder}] PATH [{folder}] [,] (as|under the name|under the new name|and name it|"
    "and call it|"
    "naming it|calling it|{named}) NAME",
    "(into|to|in|inside) SURE_FOLDER [,] (as|under the name|under the new name|{named}|naming it|calling it|"
    "and (rename|name|call) it [to|as]|renaming it [to]) NAME",
)
add(
    "GOING",
    lambda name, folder: (within(name, folder), False),
    "as NAME (in|into|inside) FOLDER",
    "as NAME (in|into|inside) SURE_FOLDER",
)
add("GOING", lambda: (THERE, True), "(into|to|in|inside) {there}", "there", "in there", "inside")
add(
    "GOING",
    lambda: (".", True),
    "(to|into) (the [current|top|root|main|working|present|parent-less] (folder|directory)|this folder|this directory|"
    "here|the top level)",
    "here",
)


add("THIS_FOLDER", lambda: THIS, "{this_folder}")


@rule("NEW_FOLDER", "{det} (new|fresh|brand new|separate) {folder} [{named}] NAME")
def _new_folder(name: str) -> str:
    """A folder that is to be made for what goes there."""
    if not name.strip("/."):
        raise NoReading
    return name
