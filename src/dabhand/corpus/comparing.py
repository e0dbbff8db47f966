"""What a command printed and what its operation gives, in a form that both have, and whether they come to the same."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence

from dabhand.handoff.packet import Line, Packet
from dabhand.handoff.plan import CountLines, CountMatches, FindFiles, JsonField, ListFiles, Plan, Search
from dabhand.handoff.shells.reading_listings import A_FILE, IN_FRONT
from dabhand.handoff.shells.reading_searches import NAMED
from dabhand.handoff.shells.readings import Reading

Row = tuple[str, ...]
_NUMBER = re.compile(r"\s*(\d+)[:\t-]?(.*)", re.DOTALL)
_NAMED = re.compile(r"(?P<path>[^\0]*?)[:-](?:(?P<n>\d+)[:-])?(?P<text>.*)", re.DOTALL)
_ONLY = re.compile(r"only the first (\d+)")
_BESIDE = "what stands beside the names"
_ABOVE = "the folder itself and the one above"
_ITSELF = "the folder itself"
MAY_BE_A_FILE = frozenset((A_FILE,))


def is_of_several(plan: Plan) -> bool:
    """Whether what is found is told with the file that it is in."""
    return isinstance(plan, Search) and (plan.recursive or plan.glob is not None)


def told(packet: Packet, plan: Plan, *, numbered: bool) -> list[Row]:
    """What the operation gave."""
    if isinstance(plan, CountLines | CountMatches):
        return [(str(packet.answer),)]
    if isinstance(plan, JsonField):
        return [(json.dumps(json.loads(str(packet.answer)), sort_keys=True),)] if packet.answer is not None else []
    if isinstance(plan, Search):
        several = is_of_several(plan)
        return [
            (line.path or "" if several else "", str(line.n) if numbered else "", line.text)
            for line in packet.output.lines
        ]
    return [(line.text,) for line in packet.output.lines]


def printed(text: str, reading: Reading, folder: str, paths: set[str]) -> list[Row]:
    """What the command printed, likewise.

    Args:
        text: its standard output.
        reading: the operation, its plan's path relative to where the line went.
        folder: where the line went.
        paths: of the files that the operation found something in.
    """
    lines = text.removesuffix("\n").split("\n") if text else []
    plan, numbered = reading.plan, reading.numbered
    match plan:
        case Search():
            lines = [line for line in lines if line != "--"]
            named = is_of_several(plan) != (NAMED in reading.differs)
            if named and not is_of_several(plan):
                paths = {_joined(folder, plan.path)}
            return [_match(line, folder, paths, numbered=numbered, named=named) for line in lines]
        case CountLines() | CountMatches():
            return [(line.split()[0] if line.split() else "",) for line in lines]
        case JsonField():
            return [(json.dumps(json.loads("\n".join(lines)), sort_keys=True),)] if lines != ["null"] else []
        case ListFiles():
            before = f"{plan.path}/" if IN_FRONT in reading.differs else ""
            names = [name.removeprefix(before) for name in _listed(lines, reading.differs)]
            return [(name,) for name in names if name not in (".", "..")]
        case FindFiles():
            itself = _joined(folder, plan.path) if _ITSELF in reading.differs else None
            found = [_plain(line, folder) for line in lines]
            return [(path,) for path in found if itself is None or path.rstrip("/") not in (itself, ".")]
    return [((_NUMBER.sub(r"\2", line) if numbered else line),) for line in lines]


def _listed(lines: Sequence[str], differs: Sequence[str]) -> list[str]:
    if _BESIDE not in differs:
        return list(lines)
    rows = [line.split(maxsplit=8) for line in lines if not line.startswith("total ")]
    return [row[-1] for row in rows if row]


def _match(line: str, folder: str, paths: set[str], *, numbered: bool, named: bool) -> Row:
    if named:
        return _named(line, folder, numbered, paths)
    found = _NUMBER.fullmatch(line) if numbered else None
    return ("", found[1], found[2]) if found else ("", "", line)


def _named(line: str, folder: str, numbered: bool, paths: set[str]) -> Row:
    """A line that begins with the name of its file, and with its number where those were asked for."""
    whole = _plain(line, folder)
    for path in sorted(paths, key=len, reverse=True):
        if path and whole.startswith((f"{path}:", f"{path}-")):
            rest = whole[len(path) + 1 :]
            found = _NUMBER.fullmatch(rest) if numbered else None
            return (path, found[1], found[2]) if found else (path, "", rest)
    found = _NAMED.fullmatch(whole)
    return (found["path"], found["n"] or "", found["text"]) if found else ("", "", line)


def _plain(path: str, folder: str) -> str:
    path = path.removeprefix("./")
    return path if folder in ("", ".") or path.startswith(f"{folder}/") else f"{folder}/{path}"


def _joined(folder: str, path: str) -> str:
    if folder in ("", "."):
        return path
    return folder if path == "." else f"{folder}/{path}"


def is_known_difference(theirs: list[Row], ours: list[Row], everything: list[Row], reading: Reading) -> bool:
    """Whether they are the same but for what the reading said.

    Args:
        theirs: what the command printed.
        ours: what the operation gave.
        everything: what it gives without its limit.
        reading: what says how they may differ.
    """
    known = "; ".join(reading.differs)
    if NAMED in known:
        theirs, ours, everything = ([("", *row[1:]) for row in rows] for rows in (theirs, ours, everything))
    if "which of the matches" in known:
        return len(theirs) == len(ours) and is_part(theirs, everything)
    if (most := _ONLY.search(known)) is not None:
        shown, all_ = [_loosely(row) for row in theirs], [_loosely(row) for row in ours]
        exactly = not any(each in known for each in (_BESIDE, _ABOVE, _ITSELF))
        wanted = min(int(most[1]), len(ours))
        return is_part(shown, all_) and (len(shown) == wanted if exactly else len(shown) <= wanted)
    if "a last line without" in known:
        return bool(theirs and ours) and int(ours[0][0]) - int(theirs[0][0]) in (0, 1)
    return sorted(map(_loosely, theirs)) == sorted(map(_loosely, ours))


def is_part(some: Sequence[Row], all_: Sequence[Row]) -> bool:
    """Whether every row of some stands, as often, among all."""
    return not Counter(some) - Counter(all_)


def _loosely(row: Row) -> Row:
    return (*row[:-1], row[-1].rstrip("/*@=|"))


def first_difference(theirs: Sequence[Row], ours: Sequence[Row]) -> str:
    """In words."""
    for one, other in zip(theirs, ours, strict=False):
        if one != other:
            return f"it printed {':'.join(one)[:80]!r}, ours is {':'.join(other)[:80]!r}"
    return f"it printed {len(theirs)} lines, ours are {len(ours)}"


def as_printed(packet: Packet, reading: Reading, place: str) -> str:
    """What a look that is an operation would have printed itself, paths as `place` has them."""
    plan, lines = reading.plan, packet.output.lines
    if isinstance(plan, ListFiles):
        return "".join(f"{line.text}\n" for line in lines)
    if isinstance(plan, FindFiles):
        return "".join(f"{_as_written(line.text, plan.path, place)}\n" for line in lines)
    assert isinstance(plan, Search)
    text, before = "", None
    for line in lines:
        if before is not None and (plan.before or plan.after) and _is_apart(before, line):
            text += "--\n"
        sign = ":" if line.matched else "-"
        name = _as_written(line.path or "", plan.path, place) + sign if is_of_several(plan) else ""
        text += f"{name}{f'{line.n}{sign}' if reading.numbered else ''}{line.text}\n"
        before = line
    return text


def _is_apart(before: Line, line: Line) -> bool:
    return before.path != line.path or line.n != before.n + 1


def _as_written(path: str, root: str, place: str) -> str:
    """A path below the place that the line names, the way that place is written."""
    below = path if root in ("", ".") else path.removeprefix(root).removeprefix("/")
    if not place:
        return below
    return f"{place.rstrip('/') or ''}/{below}" if below else place
