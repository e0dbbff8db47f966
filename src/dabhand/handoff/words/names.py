"""Which files and folders: their kind, their names, how large, how old."""

from __future__ import annotations

from typing import Any

import msgspec

from dabhand.goals.rules import NoReading
from dabhand.handoff.words.terminals import NAME_LIKE, Said, Text, add


class Bare(msgspec.Struct, frozen=True):
    """A word without quotes, which may describe characters."""

    value: str


def escaped(text: str) -> str:
    """A text as a glob that matches just it."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in text)


def is_glob(text: str) -> bool:
    """Whether a name says several."""
    return "*" in text or "?" in text


def _kind(kind: str, *more: tuple[str, Any]) -> Any:
    def said(glob: str | None = None) -> Said:
        return (("kind", kind), *more, *_matching(glob))

    return said


def _matching(glob: str | None) -> Said:
    """A pattern for names; one for their ends alone goes together with other conditions."""
    if glob is None:
        return ()
    return (("suffix", glob[1:]),) if glob[0] == "*" and not set(glob[1:]) & set("*?[") else (("glob", glob),)


def _sought(kind: str) -> Any:
    return _kind(kind, ("sought names", True))


def _holds(kind: str) -> Any:
    return lambda place: (("kind", kind), ("path", place))


def _exactly(kind: str) -> Any:
    """As in "all package.json files": a name with an ending is the whole name."""

    def said(name: str) -> Said:
        if not NAME_LIKE.search(name) or name.startswith(".") or is_glob(name):
            raise NoReading
        return (("kind", kind), ("glob", escaped(name)))

    return said


def _only(**slots: Any) -> Any:
    return lambda *_: tuple(slots.items())


_NAME = "(QUOTED | ANYWORD)"
for _noun, _which in (("file", "files"), ("(folder | directory | subdirectory | subfolder)", "folders")):
    for _lead, _more in (("", ()), ("for ", ()), ("(in | across | through | of) ", (("inside", True),))):
        add(
            "PIECE",
            _kind(_which, *_more),
            _lead + "(every | each | any | every single) [regular] " + _noun,
            _lead + "(every | each | any | every single) ENDING " + _noun,
            _lead + "(every | each | any | every single) GLOB " + _noun,
        )
_LEVEL_1 = "(level 1 | level one | first level | 1st level | first-level | top level | top-level | immediate | direct)"
for _noun, _which in (("{files}", "files"), ("{folders}", "folders"), ("{both}", "all")):
    add(
        "PIECE",
        _kind(_which),
        "{every} " + _noun,
        "{every} ENDING " + _noun,
        "{every} GLOB " + _noun,
        "{every} " + _noun + " GLOB",
    )
    add(
        "PIECE",
        _kind(_which, ("inside", True)),
        "({in} | across | through) {every} " + _noun,
        "({in} | across | through) {every} ENDING " + _noun,
        "({in} | across | through) {every} GLOB " + _noun,
    )
    add("PIECE", _sought(_which), "for {every} " + _noun, "for {every} ENDING " + _noun, "for {every} GLOB " + _noun)
    add("PIECE", _only(kind=_which, hidden=False), "{every} (non-hidden | visible) [regular] " + _noun)
    add("PIECE", _only(kind=_which, hidden=True), "{every} hidden and non-hidden " + _noun)
    add("PIECE", _only(kind=_which, deep="here"), "{every} " + _LEVEL_1 + " " + _noun)
add(
    "PIECE",
    _kind("files", ("max", 0)),
    "[for] {every} {empty} [regular] {files}",
    "[for] {every} {empty} ENDING {files}",
    "[for] {every} {empty} GLOB {files}",
)
add(
    "PIECE",
    lambda: (("kind", "files"), ("max", 0), ("hidden", False)),
    "[for] {every} non-hidden {empty} [regular] {files}",
)
add(
    "PIECE",
    _kind("files"),
    "[for] {every} GLOB",
    "{every} ENDING (archives | archive | images | image | pictures | scripts | sources | logs | source files)",
)
add(
    "PIECE",
    _only(kind="all", content=True),
    "{det} [directory | folder] contents [of]",
    "what is (in | inside)",
    "what's (in | inside)",
    "(everything | all things) (in | inside)",
    "what [is | are] there is (in | inside)",
    "[a | the] [directory | folder] listing [of | for]",
    "what (lives | exists | lies | is there) (in | inside)",
    "an inventory of",
)
for _noun, _which in (("files", "files"), ("{folders}", "folders"), ("files and (folders | directories)", "all")):
    _does = (
        "(what | which) "
        + _noun
        + " (does | do | can be found in | are there in | exist in | are stored in) FOLDER [{have}]"
    )
    add("PIECE", _holds(_which), _does)
    add("PIECE", _exactly(_which), "{every} PATHWORD " + _noun)
add(
    "PIECE",
    lambda *_: (("filter", "files with one of several endings"),),
    "{every} (ENDING | GLOB) [,] (and | or | and/or | & | ,) {every} (ENDING | GLOB) {files}",
    "{every} (ENDING | GLOB) , (ENDING | GLOB) [,] (and | or) (ENDING | GLOB) {files}",
    "{every} (ENDING | GLOB) {files} (and | or) {every} (ENDING | GLOB) {files}",
)
add("PIECE", lambda: (("hidden", True),), "{hidden}")
add("PIECE", lambda: (("hidden", False),), "{not_hidden}")


def _called(*values: str | None) -> Said:
    text = next(value for value in values if value is not None)
    if "/" in text:
        raise NoReading
    return (("glob", text if is_glob(text) else escaped(text)), ("by name", True))


_CHARACTERS = frozenset(
    """
    spaces whitespace digit digits number numbers letter letters dot dots dash dashes underscore underscores hyphen
    pattern regex glob wildcard expression the a an hyphens uppercase lowercase capital capitals
    characters character punctuation
    """.split()  # noqa: SIM905
)


def _with(build: Any) -> Any:
    def said(*values: str | Text | None) -> Said:
        value = next(one for one in values if one is not None)
        if isinstance(value, Bare):
            if value.value.lower() in _CHARACTERS:
                raise NoReading
            value = " " if value.value.lower() == "space" else value.value
        if isinstance(value, Text):
            if value.regex:
                raise NoReading
            value = value.value
        return (*build(value), ("by name", True))

    return said


add("BARE", Bare, "ANYWORD")
_HELD = "{det} [{literal}] [: | of] (QUOTED | BARE)"
add("PIECE", _called, "[that are | which are] {called} [exactly | the name] [:] " + _NAME)
add(
    "PIECE",
    _with(lambda text: (("prefix", text),)),
    "{start_name} " + _NAME,
    "{start_name} " + _NAME + " {in_name}",
    "(starting | that start | which start | beginning | that begin) with [the] [{literal}] " + _NAME + " [{in_name}]",
)
add("PIECE", _with(lambda text: (("suffix", text),)), "{end_name} [the] [{literal}] " + _NAME + " [{in_name}]")
add(
    "PIECE",
    _with(lambda text: (("value", text),)),
    "(whose | where the | in whose | with) (names | name | filename | filenames | file names | file name) {containing} "
    + _HELD,
    "{containing} " + _HELD + " {in_name}",
    "with " + _HELD + " {in_name}",
    "(that | which) (have | has | contain | contains | include) " + _HELD + " {in_name}",
    "{containing} {in_name} " + _HELD,
)

add(
    "PIECE",
    _with(lambda text: (("value", text), ("ignore_case", True))),
    "{containing} " + _HELD + " {ignoring_case} {in_name}",
    "(that | which) (case insensitively | case-insensitively) (contain | contains) " + _HELD + " {in_name}",
)


def _extension(text: str) -> Said:
    bare = text.removeprefix("*").removeprefix(".")
    if not bare or "/" in bare or is_glob(bare):
        raise NoReading
    return (("suffix", f".{bare}"),)


add(
    "PIECE",
    _with(_extension),
    "{extension} " + _NAME,
    "{extension_after} [file] " + _NAME + " [file] [filename] (extension | suffix | ending | file extension)",
)
add("PIECE", _only(sorted=True), "{sorted}")
add(
    "PIECE",
    lambda *names: (("glob", next(name for name in names if name is not None)), ("by name", True)),
    "{matching_name} (QUOTED | PATHWORD | BARENAME | GLOB)",
    "(matching | like | of the form | that match | which match | that look like) GLOB",
)


def _lone_file(kind: str) -> Any:
    def said(*values: str | None) -> Said:
        return (("kind", kind), *_called(*values), ("v:find", True), ("sought names", True))

    return said


_FILE_NOUN, _FOLDER_NOUN = "(file | filename | document)", "(folder | directory | subdirectory | subfolder)"
for _noun, _which in ((_FILE_NOUN, "files"), (_FOLDER_NOUN, "folders")):
    _find = "({find} | for | {search_in} for) {every} [regular | normal | single | files or] "
    add("PIECE", _lone_file(_which), _find + _noun + " [{called}] (QUOTED | PATHWORD | BARENAME)")
    add("PIECE", _lone_file(_which), _find + "(QUOTED | PATHWORD) " + _noun)
add(
    "PIECE",
    _lone_file("all"),
    "({find} | for) {every} (files/directories | file or directory | file or folder) [{called}] (QUOTED "
    "| PATHWORD | BARENAME)",
)
add(
    "PIECE",
    lambda *_: (("filter", "which files hold a text"),),
    "{every} [GLOB | ENDING] {files} [(that | which)] (contain | contains | containing | mention | "
    "mentions | mentioning | include | hold | holding | referencing | that contain) [the] [{literal}] "
    "(QUOTED | ANYWORD)",
    "(in which | which | what) {files} (contain | contains | mention | mentions | have | include | hold)",
)
add(
    "PIECE",
    lambda *_: (("filter", "how many files there are"),),
    "{how_many} [GLOB | ENDING] ({files} | {folders} | {both})",
    "{count} {every} [GLOB | ENDING] ({files} | {folders} | {both})",
    "how many there are",
)

# -- size and age

add("PIECE", lambda size: (("min", size + 1),), "{size_lead} {more} SIZE", "with [a] size {more} SIZE")
add(
    "PIECE",
    lambda size: (("min", size),),
    "{size_lead} {at_least} SIZE",
    "{size_lead} SIZE or (more | larger | bigger | greater | above | over)",
)
add("PIECE", lambda size: (("max", size - 1),), "{size_lead} {less} SIZE")
add(
    "PIECE",
    lambda size: (("max", size),),
    "{size_lead} {at_most} SIZE",
    "{size_lead} SIZE or (less | smaller | under | below)",
)
add("PIECE", lambda low, high: (("min", low), ("max", high)), "{size_lead} between SIZE and SIZE")
add(
    "PIECE",
    lambda size: (("min", size), ("max", size)),
    "(that are | of | with a size of | of size | having a size of) [exactly] SIZE [in size]",
)
add("PIECE", lambda: (), "in size", "of size")
add("PIECE", lambda: (("max", 0), ("kind", "files")), "(that are | which are) empty")
add(
    "PIECE",
    lambda age: (("max_age", age),),
    "{modified} {within_last} DURATION",
    "{newer} DURATION [ago]",
    "{modified} (less than | no more than | not more than | at most | under | within | fewer than) DURATION ago",
    "from the (last | past) DURATION",
    "{modified} since DURATION ago",
)
add(
    "PIECE",
    lambda age: (("min_age", age),),
    "{modified} (more than | over | at least | longer than | earlier than | before) DURATION ago",
    "{older} DURATION [ago | old]",
    "{not_modified} (in | for | within | during) [the (last | past)] [more than | at least | over] DURATION",
    "{not_modified} since DURATION ago",
    "(at least | more than | over) DURATION old",
)
