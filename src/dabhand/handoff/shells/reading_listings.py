"""Reading `ls` and `find`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from dabhand.handoff.names import chooser
from dabhand.handoff.plan import FindFiles, ListFiles
from dabhand.handoff.shells.readings import Declined, Reading, path_of, whole_number
from dabhand.handoff.shells.script import Command

ORDER = "the order"
"""`find` tells files as the disk has them, `sort` and a plan by their names."""
A_FILE = "a file is told by its name"
IN_FRONT = "the folder in front of the names"
_LS = {
    "l": "what stands beside the names",
    "h": "",
    "1": "",
    "a": "the folder itself and the one above",
    "A": "",
    "F": "marks behind the names",
    "p": "marks behind the names",
    "t": ORDER,
    "r": ORDER,
    "S": ORDER,
}
_DAY, _MINUTE = 86400, 60
_UNITS = {"c": 1, "k": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def ls(words: Sequence[str], command: Command | None) -> Reading:
    """`ls [-l] [-a] [FOLDER or FOLDER/GLOB]`."""
    letters, rest = "", []
    for word in words:
        if re.fullmatch(r"-[a-zA-Z1]+", word):
            letters += word[1:]
        elif word.startswith("-"):
            raise Declined(f"{word} is an option of ls that no plan has")
        else:
            rest.append(word)
    if odd := [letter for letter in letters if letter not in _LS]:
        raise Declined(f"-{odd[0]} is an option of ls that no plan has")
    if len(rest) > 1:
        raise Declined("it lists several places")
    differs = tuple(dict.fromkeys(_LS[letter] for letter in letters if _LS[letter]))
    hidden = bool(set("aA") & set(letters))
    place = rest[0] if rest else "."
    if not place.startswith("\0"):
        if re.search(r"[^/.][^/]*\.[A-Za-z0-9]{1,8}$", place):
            differs = (*differs, A_FILE)
        return Reading(ListFiles(path=path_of(place), kind="all", hidden=hidden), differs=differs)
    folder, _, pattern = place[1:].rpartition("/")
    if re.search(r"[*?\[]", folder) or not pattern:
        raise Declined("it lists several places")
    found = ListFiles(path=path_of(folder or "."), glob=pattern, kind="all", hidden=pattern.startswith("."))
    in_front = (IN_FRONT,) if folder else ()
    return Reading(found, differs=(*differs, *in_front, "folders are listed by name, not by what is in them"))


def find(words: Sequence[str], command: Command | None) -> Reading:
    """`find [FOLDER] [-maxdepth N] [-type f|d] [-name GLOB] [-size N] [-mtime N] [-print]`."""
    given = list(words)
    place = given.pop(0) if given and not given[0].startswith("-") else "."
    if place.startswith("\0") or (given and not given[0].startswith("-")):
        raise Declined("it looks below several folders")
    fields: dict[str, object] = {"path": path_of(place), "kind": "all"}
    tests = iter(given)
    for test in tests:
        for name, value in _test(test, tests):
            if name in fields and (name != "kind" or fields["kind"] != "all"):
                raise Declined("it asks the same thing twice")
            fields[name] = value
    if ("min_bytes" in fields or "max_bytes" in fields) and fields["kind"] != "files":
        raise Declined("the size of folders is no size of files")
    plan = msgspec.convert(fields, FindFiles)
    itself = ("the folder itself",) if plan.kind != "files" and _chooses(plan, place) else ()
    return Reading(plan, differs=(*itself, ORDER))


def _chooses(plan: FindFiles, place: str) -> bool:
    """Whether the folder that `find` begins at is among what it finds."""
    name = place.rstrip("/").rpartition("/")[2] or "/"
    return chooser(plan.glob, None, ignore_case=plan.ignore_case, hidden=True)(name)


def _test(test: str, rest: Iterator[str]) -> Iterator[tuple[str, object]]:
    """The fields that one test of find sets."""
    if test == "-print":
        return
    value = next(rest, "")
    if value.startswith("\0"):
        raise Declined("a pattern that the shell would fill in")
    match test:
        case "-type" if value in ("f", "d"):
            yield "kind", "files" if value == "f" else "folders"
        case "-name" | "-iname" if "/" not in value and "\\" not in value and value:
            yield "glob", value
            if test == "-iname":
                yield "ignore_case", True
        case "-maxdepth":
            yield "max_depth", whole_number(value)
        case "-size":
            yield from _size(value)
        case "-mtime" | "-mmin":
            yield from _age(value, _DAY if test == "-mtime" else _MINUTE)
        case _:
            raise Declined(f"{test} is a test of find that no plan has")


def _size(value: str) -> Iterator[tuple[str, object]]:
    """`+10k` is more than ten whole units, rounded up; `-10k` at most nine."""
    found = re.fullmatch(r"([+-])([0-9]{1,9})([ckMG])", value)
    if not found:
        raise Declined("its size is none that plans have")
    count, unit = int(found[2]), _UNITS[found[3]]
    if found[1] == "+":
        yield "min_bytes", count * unit + 1
    elif count == 0:
        raise Declined("nothing is that small")
    else:
        yield "max_bytes", (count - 1) * unit


def _age(value: str, unit: int) -> Iterator[tuple[str, object]]:
    """`+3` is at least four whole units old, `-3` less than three."""
    found = re.fullmatch(r"([+-])([0-9]{1,6})", value)
    if not found:
        raise Declined("its age is none that plans have")
    if found[1] == "+":
        yield "min_age", float((int(found[2]) + 1) * unit)
    else:
        yield "max_age", float(int(found[2]) * unit)
