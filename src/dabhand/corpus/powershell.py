"""A line of PowerShell that only looks at files, as the typed plan that says the same; what is not sure is declined.

`Get-Content`, `Select-String -SimpleMatch` and `Get-ChildItem -Name`, with every word written out: a variable, an
expression, a wildcard or a parameter that is not in the tables below makes a line no look that is known.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec

from dabhand.handoff.plan import (
    FirstLines,
    Kind,
    LastLines,
    LineRange,
    ListFiles,
    PlanError,
    Search,
    WholeFile,
    validated,
)
from dabhand.handoff.shells.reading_listings import ORDER
from dabhand.handoff.shells.readings import Declined, Reading, Unreadable, path_of, whole_number

_WORD = re.compile(r"""'((?:[^']|'')*)'|"([^"$`]*)"|([^\s'"$`;|&<>(){}@#,]+)""")
_CURLED = re.compile("[\u2013-\u2015\u2018-\u201f]")
_DRIVE = re.compile(r"[^/\\]{2,}:|[^/\\]*::")
"""`env:PATH`, `HKLM:` and the like are no files."""

_CONTENT = {"path": True, "literalpath": True, "totalcount": True, "tail": True, "raw": False}
_FOUND = {"path": True, "literalpath": True, "pattern": True, "simplematch": False, "casesensitive": False}
_LISTED = {"path": True, "literalpath": True, "name": False, "file": False, "directory": False, "force": False}
_CHOSEN = {"first": True, "last": True, "skip": True}
_ALIASES = {"first": "totalcount", "head": "totalcount", "last": "tail"}
"""Other names of parameters of `Get-Content`."""

_READERS = {"get-content": "content", "gc": "content", "select-string": "found", "sls": "found"}
_READERS |= {"get-childitem": "listed", "gci": "listed"}
_Given = Mapping[str, str]


def read_powershell(line: str) -> Reading | Unreadable:
    """The inspection that a line of PowerShell is, or why it is none."""
    try:
        stages = _stages(line)
        reading = _first(stages[0])
        if len(stages) > 1 and any(word.bare and word.text.lower() == "-raw" for word in stages[0]):
            raise Declined("a whole text is one object")
        for stage in stages[1:]:
            reading = _chosen(reading, stage)
        return msgspec.structs.replace(reading, plan=validated(reading.plan))
    except Declined as declined:
        return Unreadable(str(declined))
    except PlanError as error:
        return Unreadable(error.message)


class _Written(msgspec.Struct, frozen=True):
    """A word; `bare` where it stands without quotes, and so may be a parameter."""

    text: str
    bare: bool


def _stages(line: str) -> list[list[_Written]]:
    if _CURLED.search(line):
        raise Declined("it has quotes or dashes that only PowerShell takes for such")
    stages: list[list[_Written]] = [[]]
    said, at = line.strip(), 0
    while at < len(said):
        if said[at] in " \t":
            at += 1
        elif said[at] == "|":
            stages.append([])
            at += 1
        elif (found := _WORD.match(said, at)) and (found.end() == len(said) or said[found.end()] in " \t|"):
            single, double, bare = found.groups()
            text = single.replace("''", "'") if single is not None else double if double is not None else bare
            stages[-1].append(_Written(text, bare is not None))
            at = found.end()
        else:
            raise Declined("it is more than words that are written out")
    if not all(stage and stage[0].bare for stage in stages):
        raise Declined("it is no command")
    return stages


def _first(stage: Sequence[_Written]) -> Reading:
    kind = _READERS.get(stage[0].text.lower())
    if kind == "content":
        return _content(_given(stage[1:], _CONTENT, ("path",), _ALIASES))
    if kind == "found":
        return _found(_given(stage[1:], _FOUND, ("pattern", "path")))
    if kind == "listed":
        return _listed(_given(stage[1:], _LISTED, ("path",)))
    raise Declined(f"{stage[0].text} is no look at files that is known")


def _given(
    words: Sequence[_Written],
    known: Mapping[str, bool],
    places: Sequence[str],
    aliases: Mapping[str, str] | None = None,
) -> _Given:
    """The parameters by name; those without one by their place."""
    given: dict[str, str] = {}
    left = iter(words)
    for word in left:
        if word.bare and word.text.startswith("-"):
            name = word.text[1:].lower()
            name = (aliases or {}).get(name, name)
            value = next(left, None) if known.get(name) else _Written("", bare=False)
            if name not in known or name in given or value is None or (value.bare and value.text.startswith("-")):
                raise Declined(f"{word.text} is not read")
            given[name] = value.text
        else:
            free = [
                place for place in places if place not in given and not (place == "path" and "literalpath" in given)
            ]
            if not free:
                raise Declined("it names more than one file")
            given[free[0]] = word.text
    return given


def _path(given: _Given, otherwise: str = "") -> str:
    if "path" in given and "literalpath" in given:
        raise Declined("it names its file twice")
    if re.search(r"[*?\[\]]", given.get("path", "")):
        raise Declined("its path is a pattern")
    path = given.get("literalpath", given.get("path", otherwise))
    if _DRIVE.match(path):
        raise Declined("it is no file")
    return path_of(path.replace("\\", "/"))


def _content(given: _Given) -> Reading:
    path = _path(given)
    if len(given.keys() & {"totalcount", "tail", "raw"}) > 1:
        raise Declined("its parameters exclude each other")
    if "totalcount" in given:
        return Reading(FirstLines(path=path, count=whole_number(given["totalcount"])))
    if "tail" in given:
        return Reading(LastLines(path=path, count=whole_number(given["tail"])))
    return Reading(WholeFile(path=path))


def _chosen(reading: Reading, stage: Sequence[_Written]) -> Reading:
    """`| Select-Object -First 3`, behind a whole file."""
    if stage[0].text.lower() not in ("select-object", "select") or not isinstance(reading.plan, WholeFile):
        raise Declined("what comes behind it is not read")
    path, given = reading.plan.path, _given(stage[1:], _CHOSEN, ())
    numbers = {name: whole_number(value) for name, value in given.items()}
    match numbers:
        case {"first": count, **rest} if not rest:
            return Reading(FirstLines(path=path, count=count))
        case {"last": count, **rest} if not rest:
            return Reading(LastLines(path=path, count=count))
        case {"skip": skipped, "first": count, **rest} if not rest:
            return Reading(LineRange(path=path, first=skipped + 1, last=skipped + count))
        case {"skip": skipped, **rest} if not rest:
            return Reading(LineRange(path=path, first=skipped + 1))
    raise Declined("which lines it shows is not read")


def _found(given: _Given) -> Reading:
    pattern = given.get("pattern", "")
    if "simplematch" not in given or not pattern:
        raise Declined("its pattern is one of .NET")
    ignore_case = "casesensitive" not in given
    if ignore_case and not pattern.isascii():
        raise Declined("which letters are the same depends on the machine")
    return Reading(Search(path=_path(given), value=pattern, ignore_case=ignore_case), numbered=True)


def _listed(given: _Given) -> Reading:
    if "name" not in given or {"file", "directory"} <= given.keys():
        raise Declined("it shows more than names")
    kind: Kind = "files" if "file" in given else "folders" if "directory" in given else "all"
    differs = (ORDER,) if "force" in given else (ORDER, "what counts as hidden")
    return Reading(ListFiles(path=_path(given, "."), kind=kind, hidden="force" in given), differs=differs)
