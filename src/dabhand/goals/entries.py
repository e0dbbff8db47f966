"""What is done to files and folders as wholes: copying, moving, renaming, deleting, making them executable."""

from __future__ import annotations

import msgspec

from dabhand.goals.acts import BOTH, IT, Acts, Copy, Delete, MakeExecutable, MakeFolder, Move, Swap
from dabhand.goals.frames import deed
from dabhand.goals.places import Entry, Going, within
from dabhand.goals.rules import Build, NoReading
from dabhand.goals.words import ENGLISH

rule, add = ENGLISH.rule, ENGLISH.add

Entries = tuple[Entry, ...]
THAT: Entries = ((IT, ""),)


def _each_goes(entries: Entries, going: Going) -> None:
    if (len(entries) > 1 or entries[0][0] == BOTH) and going[1] is False:
        raise NoReading


# -- copying ----------------------------------------------------------------------------------------------------------


def _copy(entries: Entries, going: Going) -> Acts:
    _each_goes(entries, going)
    return tuple(Copy(entry, going[0], going[1]) for entry, _ in entries)


deed(
    lambda entry, name: (Copy(entry[0], name, False),),
    "copy",
    "{det} [whole|entire|complete] FOLDER_ENTRY {everything_in_it}",
    "(to|as) NAME {everything_in_it}",
)
add("FOLDER_ENTRY", lambda name: (name, "folder"), "{folder} [{named}] NAME", "NAME {folder}")
deed(_copy, "copy", "ENTRIES {everything_in_it}", "GOING {everything_in_it} {here} [too|as well]", elided=THAT)
add(
    "CLAUSE",
    _copy,
    "(put|place|save|store|leave|transfer|move|add|drop) {det} (copy|duplicate|backup) of ENTRIES "
    "{everything_in_it} [over] GOING",
    "(save|write|store) ENTRIES under the [file] name NAME_GOING [as well|too]",
)
add("NAME_GOING", lambda name: (name, False), "NAME")
add("CLAUSE", lambda entry, name: (Copy(entry[0], name, False),), "(cp|copy|duplicate) PATH_ENTRY PATH")
add("PATH_ENTRY", lambda path: (path, ""), "PATH")


def _as_new(kind: type[Copy] | type[Move]) -> Build:
    """A folder that becomes, or is copied as, a new one; a file cannot."""
    return lambda entry, name: (kind(entry[0], name, False, kind="folder"),)


def _into_new(kind: type[Copy] | type[Move]) -> object:
    def build(entries: Entries, name: str) -> Acts:
        return (MakeFolder(name), *(kind(entry, name, True) for entry, _ in entries))

    return build


def _made_for(name: str, acts: Acts) -> Acts:
    """Something that things are put into is a folder, unless it is called as files are."""
    if "." in name:
        raise NoReading
    return (MakeFolder(name), *acts)


for _kind, _verb in ((Copy, "copy"), (Move, "move")):
    deed(_as_new(_kind), _verb, "ENTRY {everything_in_it}", "(to|into) {det} new {folder} {named} NAME", elided=THAT[0])
    deed(_into_new(_kind), _verb, "ENTRIES {everything_in_it}", "(to|into|in|inside) NEW_FOLDER", elided=THAT)  # type: ignore[arg-type]
    add(
        "CLAUSE",
        lambda name, entries, _kind=_kind: _made_for(name, tuple(_kind(entry, name, True) for entry, _ in entries)),
        f"(create|make|set up) NAME [,] and [then] {{{_verb}}} ENTRIES (into|in) (it|there)",
    )
add(
    "CLAUSE",
    lambda entries, name: (MakeFolder(name), *(Copy(entry, name, True) for entry, _ in entries)),
    "(put|place|save|store) {det} (copy|copies) of ENTRIES (in|into|inside) NEW_FOLDER",
)

# -- moving and renaming ----------------------------------------------------------------------------------------------


def _move(entries: Entries, going: Going) -> Acts:
    _each_goes(entries, going)
    return tuple(Move(entry, going[0], going[1]) for entry, _ in entries)


deed(
    lambda entries, going: tuple(msgspec.structs.replace(act, put=True) for act in _move(entries, going)),
    "lay",
    "ENTRIES {everything_in_it}",
    "GOING {everything_in_it} {here}",
)
deed(_move, "move", "ENTRIES {everything_in_it}", "GOING {everything_in_it} {here}", elided=THAT)
add("CLAUSE", lambda entry, name: (Move(entry[0], name, None),), "mv PATH_ENTRY PATH")
add(
    "CLAUSE",
    lambda names, source, going: _move(tuple((within(name, source), "") for name in names), going),
    "{move} [{det} [file|files]] NAMES (from|out of) FOLDER GOING",
)


def _rename(entry: Entry, name: str) -> Acts:
    return (Move(entry[0], name, False, rename=True),)


_TO_NAME = (
    "(to|as|into|to be|so that (it|its name) is [called]|->|so it is called|so that it's called) [{det} "
    "{new} [{file}|"
    "{folder}] {named}|the name] NAME"
)
deed(_rename, "rename", "ENTRY", _TO_NAME + " {here}", elided=(IT, ""))
deed(_rename, "rename", "ENTRY", "to {det} ({folder}|{file}|name) NAME")
add(
    "CLAUSE",
    _rename,
    "(call|name) ENTRY NAME [instead]",
    "(give) ENTRY {det} [new|different] [file] name [of] NAME",
    "{rename} ENTRY NAME",
    "{rename} ENTRY [;|,|:|.] (its|the) new name (is|should be|must be) NAME",
    "change the [file] name of ENTRY (to|into) NAME",
    "change [the] (filename|file name|name) ENTRY (to|into) NAME",
    "change ENTRY 's name (to|into) NAME",
    "ENTRY {should_be} (called|named|titled) NAME [from now on]",
    "{wanted} ENTRY (to be|) (called|named) NAME",
    "ENTRY {should} (have|get|receive|bear) {det} [new] name NAME",
    "the [new] name of ENTRY {should_be} NAME",
)
add(
    "CLAUSE",
    lambda name: _rename((IT, ""), name),
    "(call|name) (it|that file|the file) NAME",
    "change its name (to|into) NAME",
    "give it the [new] name NAME",
    "rename [it] to NAME",
)
add("DONE_TOO", lambda name: _rename((IT, ""), name), "called NAME", "named NAME")
add(
    "DOING",
    lambda entry, name: _rename(entry, name),
    "(calling|naming) ENTRY NAME",
    "giving ENTRY {det} [new] name NAME",
)

add(
    "CLAUSE",
    lambda copied, moved, going: _copy(copied, going) + _move(moved, going),
    "{copy} ENTRIES and {move} ENTRIES GOING",
)

# -- changing places ---------------------------------------------------------------------------------------------------

add(
    "CLAUSE",
    lambda first, second: (Swap(first[0], second[0]),),
    "{exchange} [(the names|the contents|the content|the places|names|contents|what is) [{of}]] "
    "[[the] [two] {files}|both] ENTRY (and|with|for|&) ENTRY [with each other|around|over]",
    "let ENTRY and ENTRY (change|swap|trade) (places|names|contents)",
)

# -- deleting ---------------------------------------------------------------------------------------------------------


def _delete(entries: Entries) -> Acts:
    return tuple(Delete(path, kind) for path, kind in entries)


deed(_delete, "delete", "ENTRIES {everything_in_it}", "{here} {as_useless}", elided=THAT)
deed(
    lambda entries, folder: _delete(tuple((within(path, folder), kind) for path, kind in entries)),
    "delete",
    "ENTRIES {everything_in_it}",
    "THIS_FOLDER {as_useless}",
)
deed(lambda name: (Delete(name, "empty folder"),), "delete", "{det} empty {folder} [{named}] NAME")
deed(lambda name: (Delete(name, "empty file"),), "delete", "{det} empty {file} [{named}] NAME")
add(
    "CLAUSE",
    _delete,
    "ENTRIES {everything_in_it} {gone}",
    "{wanted} ENTRIES (to be|) gone",
    "{wanted} ENTRIES (is|are) gone",
    "{ensure} [that] ENTRIES {everything_in_it} {not_there}",
    "(there should be no|there must be no|i don't want [the]|i no longer want) ENTRIES any more",
    "(do|clean) away with ENTRIES",
)
add(
    "CLAUSE",
    lambda entries: _delete(entries),
    "i (don't|do not|no longer) need ENTRIES [any more|anymore] [,|:|.|and] [so] [please] {delete} (it|them|that)",
)

# -- modes ------------------------------------------------------------------------------------------------------------


def _executable(entries: Entries) -> Acts:
    return tuple(MakeExecutable(path) for path, _ in entries)


_FOR_ALL = "[for (everyone|all users|all|everybody)]"
deed(_executable, "mark", "ENTRIES", "[as] [to be] {executable}", elided=THAT)
deed(_executable, "grant", "ENTRIES", "{execute_right} " + _FOR_ALL)
add(
    "CLAUSE",
    _executable,
    "turn ENTRIES into an executable [file]",
    "{grant} {execute_right} (to|on|for|of) ENTRIES " + _FOR_ALL,
    "{allow} ENTRIES to be (executed|run)",
    "{allow} (execution|running|executing|the execution) [of] ENTRIES",
    "make it possible to (run|execute) ENTRIES",
    "it {should_be} possible to (run|execute) ENTRIES",
    "chmod (+x|a+x) ENTRIES",
    "let ENTRIES be (executable|run|executed)",
    "ENTRIES {should_be} {executable}",
    "(set|change|adjust) the (permissions|mode|rights) (of|on|for) ENTRIES so that (it|they|everyone) can (be "
    "(executed|run)|run it)",
    "{make} ENTRIES so that (it|they) can be (executed|run)",
    "ENTRIES {should} {runnable}",
    "{wanted} ENTRIES (to be|be|is|are|) {executable}",
    "{wanted} ENTRIES (can be|to be) (run|executed)",
    "{ensure} [that] (i|we|everyone|you) can (run|execute) ENTRIES",
    "(i|we) (need|want|have|would like) to be able to (execute|run) ENTRIES [directly]",
    "(i|we) (should be able|must be able|want) to (execute|run) ENTRIES directly",
    "ENTRIES {should} (have|get|receive) {execute_right}",
)
add("DOING", _executable, "giving ENTRIES {execute_right}", "adding {execute_right} to ENTRIES")
add("DONE_TOO", lambda: _executable(THAT), "executable", "made executable")


@rule(
    "CLAUSE",
    "make ENTRIES (not executable|non-executable|no longer executable)",
    "(remove|take away|revoke|drop|unset|delete|clear|turn off) {execute_right} (from|of|on|for) ENTRIES",
    "ENTRIES {should} (not|no longer) be executable",
    "chmod (-x|a-x) ENTRIES",
)
def _not_executable(entries: Entries) -> Acts:
    return tuple(MakeExecutable(path, False) for path, _ in entries)
