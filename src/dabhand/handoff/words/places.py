"""Where: files and folders, how deep."""

from __future__ import annotations

from typing import Any

import msgspec

from dabhand.goals.rules import NoReading
from dabhand.handoff.words.terminals import Place, PlaceKind, Said, add

HERE = Place(".", "folder")


def _of_kind(kind: PlaceKind) -> Any:
    def place(*values: Place | str | None) -> Place:
        named = next(value for value in values if value is not None)
        if isinstance(named, str):
            return Place(named, kind)
        if named.kind not in (None, kind, "json" if kind == "file" else kind):
            raise NoReading
        return named if named.kind is not None else msgspec.structs.replace(named, kind=kind)

    return place


# A name beside a noun; words between the two describe what is named anyway: "the build log `file_1`".
add(
    "FILE",
    _of_kind("file"),
    "{det} {file} [{called} | : | at] NAMED",
    "{det} {file} {called} BARENAME",
    "{det} DESCRIBING {file} [{called} | : | at] NAMED",
    "{det} NAMED {file}",
    "{det} (file | document) (at | with) [the] path NAMED",
)
add("FILE", lambda place: place if place.kind != "folder" else _refuse(), "{det} NAMED")
add("FILE", lambda place: place, "{det} DESCRIBED_FILE")
add("SAID_FOLDER", lambda place: place, "{det} DESCRIBED_FOLDER")
add("DESCRIBING", lambda *_: None, "ADJECTIVE [ADJECTIVE] [ADJECTIVE]")
add(
    "SAID_FOLDER",
    _of_kind("folder"),
    "{det} {folder} [{called} | : | at] NAMED",
    "{det} {folder} {called} BARENAME",
    "{det} DESCRIBING {folder} [{called} | : | at] NAMED",
    "{det} NAMED {folder}",
    "{det} BARENAME {folder}",
    "{det} {folder} BARENAME",
)
add("FOLDER", lambda place: place, "SAID_FOLDER")
add("FOLDER", _of_kind("folder"), "BARENAME", "{det} NAMED")
add("FOLDER", lambda: HERE, "{cwd}")


def _refuse() -> Place:
    raise NoReading


def _joined(file: Place, folder: Place) -> Place:
    """A file in a folder, where the file is named by its last name."""
    if file.bound or file.path.startswith(("/", "~", ".")) or folder.path == ".":
        if folder.path == "." and not file.bound and not file.path.startswith(("/", "~")):
            return file
        raise NoReading
    return Place(f"{folder.path.rstrip('/')}/{file.path}", "file", folder.bound)


def _at(place: Place, **more: Any) -> Said:
    return (("path", place), *more.items())


add("PLACE", lambda place: place, "FILE", "FOLDER")
add("JOINED", _joined, "FILE (in | from | inside | within | of) (SAID_FOLDER | CERTAIN)")
add("CERTAIN", lambda place: place if place.kind != "file" else _refuse(), "{det} NAMED")
add("CERTAIN", lambda: HERE, "{cwd}")
add("PIECE", _at, "{in} FILE", "{in} FOLDER", "{in} JOINED")
add("PIECE", lambda: _at(HERE), "{here}")
add(
    "PIECE",
    lambda folder: _at(folder, deep="here"),
    "{in} FOLDER {only_here}",
    "directly (under | below) FOLDER",
    "[in] (1 | one) (level | directory) (down | deep | below) [in | of | from | below] FOLDER",
    "FOLDER {shallow}",
)
add(
    "PIECE",
    lambda folder: _at(folder, below=True),
    "{under} FOLDER",
    "{in} FOLDER {tree}",
    "{under} FOLDER {tree}",
    "{in} {det} {tree} (of | under | below | at | rooted at) FOLDER",
    "{under} {det} {tree} (of | under | below | at | rooted at) FOLDER",
)
add(
    "PIECE",
    lambda folder: _at(folder, deep="all"),
    "{in} FOLDER {deep}",
    "{in} FOLDER and {under}",
    "{in} FOLDER and below",
)
add(
    "PIECE",
    lambda: (*_at(HERE, deep="all"), ("searching", True)),
    "{in} {all_code}",
    "(throughout | across | through | all over) {all_code}",
    "{search_in} {all_code}",
)
add(
    "PIECE",
    lambda place: (*_at(place), ("v:find", True), ("searching", True)),
    "{search_in} PLACE",
    "{search_in} JOINED",
)
add(
    "PIECE",
    lambda place: (*_at(place, below=True), ("v:find", True), ("searching", True)),
    "{search_in} FOLDER {tree}",
    "{search_in} {det} {tree} [of | under | rooted at | at] FOLDER",
)
add(
    "PIECE",
    lambda place: (*_at(place, deep="all"), ("v:find", True), ("searching", True)),
    "{search_in} FOLDER {deep}",
    "{search_in} FOLDER and {under}",
)
add("PIECE", _at, "FOLDER 's", "FILE 's", "once you (locate | find | open | have found | have located) (JOINED | FILE)")
add("PIECE", _at, "(for | in | from | about | regarding | concerning) FILE (: | ,)", "FILE :")

# -- how deep

add("PIECE", lambda: (("deep", "here"),), "{shallow}")
add("PIECE", lambda: (("deep", "all"),), "{deep}")
_LEVELS = (
    "(level | levels | directories | folders) [deep | down | of depth | in depth | of (folders | "
    "directories | subdirectories)]"
)
add(
    "PIECE",
    lambda number: (("depth", number),),
    "[in | to | with | up to | under | below] [a | the] (maximum | max | maximum of | at most) NUMBER "
    + _LEVELS
    + " [from | of | in | below | under]",
    "[with | to | up to | and] [a | the] (maximum | max) depth [level] [of | is] NUMBER",
    "(up to | at most | no more than | not more than | no deeper than | within) NUMBER " + _LEVELS,
    "[up] to [a] depth [level] [of] NUMBER",
    "up to depth level NUMBER",
)
add(
    "PIECE",
    lambda number, folder: _at(folder, depth=number),
    "({in} | under | below) [a | the] (maximum | max | maximum of | at most) NUMBER "
    + _LEVELS
    + " [from | of | in | below | under] FOLDER",
)
add(
    "PIECE",
    lambda folder, number: _at(folder, depth=number + 1),
    "{in} FOLDER and NUMBER (level | levels) (below | down | deeper)",
)
add(
    "PIECE",
    lambda folder, number: _at(folder, depth=number + 1),
    "{under} FOLDER and NUMBER (level | levels) (below | down | deeper)",
)
add(
    "PIECE",
    lambda folder, number: (*_at(folder, depth=number + 1), ("v:find", True), ("searching", True)),
    "{search_in} FOLDER and NUMBER (level | levels) (below | down | deeper)",
)
