"""Folders in which a recorded look at files can be repeated: made of what it printed, and of what could fool it.

A fixture is no copy of what was there. It has the file or folder that the command names, with what the command printed
where that can be told, and around it what an operation that means something else would trip over: the looked-for text
in the other case, one line more and one line fewer, a last line without its newline, names with awkward letters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from dabhand.corpus.changing import Carry, Change, Make, Put, Remove, Touch
from dabhand.handoff.plan import (
    CountMatches,
    FindFiles,
    FirstLines,
    JsonField,
    LastLines,
    LineRange,
    ListFiles,
    Plan,
    Search,
    WholeFile,
)
from dabhand.language import Call
from dabhand.workspace import FOLDER, File, Folder, Node, State

VARIANTS = 3
"""Fixtures of each command: as it printed; with less than was asked for; with awkward neighbours."""

_PREFIX = re.compile(r"^(?:[^\s:]+:)?\d+[:-]\s?|^\s*\d+\t")
_NAME = re.compile(r"[^\s/\0][^/\0\n]{0,80}")
_LITERAL = re.compile(r"[\\^$.*+?()\[\]{}|]")


def fixture(plan: Plan, path: str, output: str, variant: int) -> State:
    """A folder for one plan.

    Args:
        plan: what the command does.
        path: of the file or folder that it names, relative to the fixture.
        output: what the command printed when it was recorded; may be empty.
        variant: which of `VARIANTS`.
    """
    lines = [_PREFIX.sub("", line) for line in output.split("\n") if line.strip("- ")][:400]
    nodes: dict[str, Node] = {}
    match plan:
        case ListFiles(glob=None) if variant == 2 and PurePosixPath(path).suffix:
            nodes[path] = File(b"one file\n")
        case ListFiles() | FindFiles():
            _a_tree(nodes, path, plan, lines, variant)
        case Search() | CountMatches() if plan.recursive or plan.glob is not None:
            fitting = _fitting(plan.glob or "*.txt")
            for place, name in enumerate((fitting, f"b/{fitting}", f"b/.hidden/{fitting}", f"z {fitting}", "other")):
                nodes[_below(path, name)] = _file(_matching(plan, lines[place::4], variant), variant)
        case Search() | CountMatches():
            nodes[path] = _file(_matching(plan, lines, variant), variant)
        case JsonField(key=key):
            nodes[path] = File(f'{{"other": [1, 2], "{key}": {{"a": 1.50}}, "z": null}}\n'.encode())
        case _:
            nodes[path] = _file(_numbered(plan, lines, variant), variant)
    return State({**_parents(nodes), **nodes})


def ages_of(plan: FindFiles) -> tuple[float, ...]:
    """Ages of files, in seconds, that the tests of a plan tell apart: on either side of what it asks for."""
    asked = [age for age in (plan.min_age, plan.max_age) if age is not None]
    return tuple(age for each in asked for age in (each + 600, max(each - 600, 0.0), 2 * each + 600, each / 2))


def fixture_of_files(paths: Sequence[str], output: str, variant: int) -> State:
    """A folder with files that a term reads: what was printed, twice and in disorder, beside other lines."""
    lines = [line for line in output.split("\n") if line.strip()][:200]
    nodes: dict[str, Node] = {}
    for place, path in enumerate(paths):
        own = [*lines, *reversed(lines[::2]), "b", "a", "a", "", "10", "9", f"only in {place}"]
        nodes[path] = _file(own if variant != 1 else own[-2:], variant)
    return State({**_parents(nodes), **nodes})


def fixture_of_change(change: Change, variant: int) -> State:
    """A folder that a change can be made in: as it expects it (0), with all of it there or nothing (1), or folders."""
    nodes: dict[str, Node] = {"neighbour.txt": File(b"stays\n")}
    for place, act in enumerate(change.acts):
        match act:
            case Put(path, term):
                if variant:
                    nodes[path] = File(b"before\n") if variant == 1 else Folder()
                for file in change.paths[1:] if isinstance(term, Call) else ():
                    nodes[_slim(file)] = File(b"b\na\n\na\n")
                nodes |= _parents({path: FOLDER})
            case Make(path, parents):
                if variant == 1:
                    nodes[path] = FOLDER
                if not parents or variant:
                    nodes |= _parents({path: FOLDER})
            case Touch(path):
                if variant:
                    nodes[path] = File(b"before\n") if variant == 1 else FOLDER
                nodes |= _parents({path: FOLDER})
            case Remove(path, recursive):
                if variant == 0 or (variant == 2 and place % 2 == 0):
                    is_folder = recursive if variant == 0 else not recursive
                    nodes[path] = FOLDER if is_folder else File(b"gone\n")
                    nodes |= {f"{path}/inner.txt": File(b"inside\n")} if is_folder else {}
                nodes |= _parents({path: FOLDER})
            case Carry(source, path):
                if variant != 1:
                    nodes[source] = File(b"carried\n")
                if variant == 2:
                    nodes[path] = FOLDER
                nodes |= _parents({source: FOLDER, path: FOLDER})
    return State({**{path: node for path, node in nodes.items() if path not in ("", ".")}})


def _slim(path: str) -> str:
    return path.removeprefix("./")


def _numbered(plan: Plan, lines: list[str], variant: int) -> list[str]:
    """Lines of a file of which a part is shown."""
    match plan:
        case FirstLines(count=count) | LastLines(count=count):
            wanted = count - 1 if variant == 1 else count + 3
        case LineRange(first=first, last=last):
            wanted = (last or first + 5) + (3 if variant != 1 else -1)
        case WholeFile():
            return lines or ["only line"]
        case _:
            wanted = 7 + variant
    made = [f"line {number}" for number in range(1, max(wanted, 0) + 1)]
    start = plan.first - 1 if isinstance(plan, LineRange) else 0
    made[start : start + len(lines)] = lines[: max(0, len(made) - start)]
    return made


def _matching(plan: Search | CountMatches, lines: list[str], variant: int) -> list[str]:
    """Lines of a file that is searched: what was found, and what is nearly it."""
    value = plan.value
    plain = value if not plan.regex else _LITERAL.sub("", value)
    decoys = [f"x {plain.swapcase()} y", plain[:-1] or "-", f"{plain}{plain}", "", "nothing here", value]
    made = []
    for place, line in enumerate([*lines, *decoys] if variant != 1 else decoys):
        made += [line, f"between {place}"] if variant != 2 else [line]
    return [line.replace("\r", "") for line in made]


def _a_tree(nodes: dict[str, Node], path: str, plan: ListFiles | FindFiles, lines: list[str], variant: int) -> None:
    names = [last[-1] for line in lines if (last := line.rstrip("/").split("/")[-1].split())]
    kept = [name for name in names if _NAME.fullmatch(name) and name not in (".", "..")][:40]
    glob = _fitting(plan.glob or "*.txt")
    usual = [glob, f"{glob}.not", glob.upper(), "sub/" + glob, "sub/deeper/" + glob, ".hidden", "with space", "-dash"]
    for place, name in enumerate([*usual, *kept] if variant != 1 else kept or ["only"]):
        nodes.setdefault(_below(path, name), File(b"x" * place))
    if variant == 2:
        nodes.setdefault(_below(path, "empty folder"), Folder())


def _fitting(glob: str) -> str:
    """A name that a pattern of names matches."""
    return re.sub(r"\[[^]]*\]", "a", glob.replace("*", "match").replace("?", "q"))


def _file(lines: list[str], variant: int) -> File:
    text = "\n".join(lines)
    return File((text if variant == 2 or not lines else text + "\n").encode("utf-8", "surrogateescape"))


def _below(path: str, name: str) -> str:
    return name if path in ("", ".") else f"{path}/{name}"


def _parents(nodes: dict[str, Node]) -> dict[str, Node]:
    """The folders above, so that nothing is in a folder that is not there."""
    return {str(parent): Folder() for path in nodes for parent in PurePosixPath(path).parents if str(parent) != "."}
