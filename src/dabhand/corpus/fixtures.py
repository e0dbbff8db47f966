"""Folders in which a recorded look at files can be repeated: made of what it printed, and of what could fool it.

A fixture is no copy of what was there. It has the file or folder that the command names, with what the command printed
where that can be told, and around it what an operation that means something else would trip over: the looked-for text
in the other case, one line more and one line fewer, a last line without its newline, names with awkward letters.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

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
from dabhand.workspace import File, Folder, Node, State

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
