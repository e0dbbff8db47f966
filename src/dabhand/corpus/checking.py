"""Executable labels: a recorded command and the operation that it maps to, both run on the same folder.

The command runs in the sandbox as it was written (its absolute paths put below the folder), the operation natively. A
label says whether they came to the same; where not, whether the known difference of the reading explains it.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

import msgspec

from dabhand.corpus.fixtures import VARIANTS, fixture
from dabhand.corpus.templating import statements
from dabhand.corpus.triple import Triple
from dabhand.handoff.artifacts import Artifacts
from dabhand.handoff.inspecting import Wish, artifacts_of, inspect
from dabhand.handoff.limits import Limits
from dabhand.handoff.packet import Packet
from dabhand.handoff.plan import CountLines, CountMatches, FindFiles, JsonField, ListFiles, Plan, Search, operation_of
from dabhand.handoff.shells.reading import read_line
from dabhand.handoff.shells.readings import Reading
from dabhand.sandbox import Worker
from dabhand.workspace import File, Folder, State

Verdict = Literal["agrees", "differs", "cannot_run"]
_MANY = Limits(lines=100_000, bytes=64 << 20)
_NUMBER = re.compile(r"\s*(\d+)[:\t-]?(.*)", re.DOTALL)
_NAMED = re.compile(r"(?P<path>[^\0]*?)[:-](?:(?P<n>\d+)[:-])?(?P<text>.*)", re.DOTALL)


class Label(msgspec.Struct, frozen=True):
    """What came of one recorded command.

    Attributes:
        id: of its triple; statement: which of its line, from 0; variant: of the fixture.
        reason: why the two differ, or why it could not be run.
        explained: whether the reading said beforehand that they may differ so.
    """

    id: str
    statement: int
    variant: int
    command: str
    operation: str
    label: Verdict
    reason: str = ""
    explained: bool = False


class _Unrunnable(Exception):
    """Why a recorded command cannot be repeated."""


def check(triples: Iterable[Triple], worker: Worker) -> Iterator[Label]:
    """A label for every statement that maps to an operation, in every variant of its fixture.

    Args:
        triples: of a corpus.
        worker: a sandbox.
    """
    with tempfile.TemporaryDirectory(prefix="dabhand-check-") as place:
        artifacts = artifacts_of(Path(place) / "store")
        for triple in triples:
            for number, (text, reading) in enumerate(_readings(triple.command)):
                for variant in range(VARIANTS):
                    root = Path(tempfile.mkdtemp(dir=place))
                    label, reason, explained = _checked(triple, text, reading, variant, worker, root, artifacts)
                    name = operation_of(reading.plan)
                    yield Label(triple.id, number, variant, text, name, label, reason, explained)


def _readings(line: str) -> Iterator[tuple[str, Reading]]:
    """The statements of a line that are one operation each, with what they say."""
    whole = read_line(line)
    if isinstance(whole, Reading):
        yield line, whole
        return
    source = line.encode("utf-8", "surrogateescape")
    for pipeline in statements(line):
        text = source[pipeline.begin : pipeline.end].decode("utf-8", "surrogateescape")
        reading = read_line(text)
        if isinstance(reading, Reading):
            yield text, reading


def _checked(
    triple: Triple, text: str, reading: Reading, variant: int, worker: Worker, root: Path, artifacts: Artifacts
) -> tuple[Verdict, str, bool]:
    try:
        line, plan, folder = _moved(text, reading)
    except _Unrunnable as why:
        return "cannot_run", str(why), False
    below = _joined(folder, plan.path)
    state = fixture(plan, below, triple.output or "", variant)
    if folder and folder not in state:
        state = state.with_changes({folder: Folder()})
    outcome = worker.run(state, line)
    if outcome.timed_out or not outcome.stdout_complete:
        return "cannot_run", "it did not end in time", False
    _write(state, root)
    packet = inspect(root, Wish(plan=msgspec.structs.replace(plan, path=below), limits=_MANY), artifacts)
    ours, theirs = _said(packet, plan, reading.numbered), outcome.stdout.decode("utf-8", "surrogateescape")
    lines = theirs.removesuffix("\n").split("\n") if theirs else []
    printed = [each for each in lines if each != "--"]
    if outcome.exit_code not in (0, 1) or (packet.status == "failed"):
        same = (packet.status in ("failed", "rejected")) == (outcome.exit_code not in (0, 1))
        return (
            ("agrees", "", False)
            if same
            else ("differs", f"it ended with {outcome.exit_code}, ours {packet.status}", False)
        )
    paths = {row[0] for row in ours} if _of_several(plan) else set()
    exact = _as_lines(printed, plan, reading, folder, paths)
    if exact == ours:
        return "agrees", "", False
    if reading.differs and _alike(exact, ours, reading):
        return "differs", "; ".join(reading.differs), True
    return "differs", _first_difference(exact, ours), False


def _moved(text: str, reading: Reading) -> tuple[str, Plan, str]:
    """The line, the plan and the folder with absolute paths put below the fixture."""
    line, plan, folder = text, reading.plan, reading.folder
    for written in sorted({folder, plan.path}, key=len, reverse=True):
        if written.startswith("/"):
            line = line.replace(written, _inside(written))
    plan = msgspec.structs.replace(plan, path=_inside(plan.path))
    folder = _inside(folder) if folder else ""
    again = read_line(line)
    if not isinstance(again, Reading) or again.plan != plan or again.folder.rstrip("/") != folder:
        raise _Unrunnable("its paths cannot be put below a folder")
    return line, plan, folder


def _inside(path: str) -> str:
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise _Unrunnable("it leads out of its folder")
    return "/".join(parts) or "."


def _joined(folder: str, path: str) -> str:
    if folder in ("", "."):
        return path
    return folder if path == "." else f"{folder}/{path}"


def _write(state: State, root: Path) -> None:
    for path, node in sorted(state.items()):
        place = root / path
        if isinstance(node, Folder):
            place.mkdir(parents=True, exist_ok=True)
        elif isinstance(node, File):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(node.data)


def _of_several(plan: Plan) -> bool:
    """Whether what is found is told with the file that it is in."""
    return isinstance(plan, Search) and (plan.recursive or plan.glob is not None)


def _said(packet: Packet, plan: Plan, numbered: bool) -> list[tuple[str, ...]]:
    """What the operation gave, in a form that both have."""
    if isinstance(plan, CountLines | CountMatches):
        return [(str(packet.answer),)]
    if isinstance(plan, JsonField):
        return [(json.dumps(json.loads(str(packet.answer)), sort_keys=True),)] if packet.answer is not None else []
    if isinstance(plan, Search):
        several = _of_several(plan)
        return [
            (line.path or "" if several else "", str(line.n) if numbered else "", line.text)
            for line in packet.output.lines
        ]
    return [(line.text,) for line in packet.output.lines]


def _as_lines(printed: list[str], plan: Plan, reading: Reading, folder: str, paths: set[str]) -> list[tuple[str, ...]]:
    """What the command printed, in that form."""
    match plan:
        case Search():
            found: list[tuple[str, ...]] = []
            for line in printed:
                path, number, text = "", "", line
                if _of_several(plan):
                    path, number, text = _named(line, folder, reading.numbered, paths)
                elif reading.numbered and (numbered := _NUMBER.fullmatch(line)):
                    number, text = numbered[1], numbered[2]
                found.append((path, number, text))
            return found
        case CountLines() | CountMatches():
            return [(line.split()[0] if line.split() else "",) for line in printed]
        case JsonField():
            return [(json.dumps(json.loads("\n".join(printed)), sort_keys=True),)] if printed != ["null"] else []
        case ListFiles() if "what stands beside the names" in reading.differs:
            rows = [line.split(maxsplit=8) for line in printed if not line.startswith("total ")]
            return [(row[-1],) for row in rows if row and row[-1] not in (".", "..")]
        case FindFiles():
            return [(_plain(line, folder),) for line in printed]
    return [((_NUMBER.sub(r"\2", line) if reading.numbered else line),) for line in printed]


def _named(line: str, folder: str, numbered: bool, paths: set[str]) -> tuple[str, str, str]:
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


def _alike(theirs: list[tuple[str, ...]], ours: list[tuple[str, ...]], reading: Reading) -> bool:
    """Whether they are the same but for what the reading said."""
    known = " ".join(reading.differs)
    if "which of the matches" in known:
        return len(theirs) == len(ours)
    if "only the first" in known:
        return len(theirs) <= len(ours) and set(map(_loosely, theirs)) <= set(map(_loosely, ours))
    if "a last line without" in known:
        return bool(theirs and ours) and int(ours[0][0]) - int(theirs[0][0]) in (0, 1)
    return sorted(map(_loosely, theirs)) == sorted(map(_loosely, ours))


def _loosely(row: tuple[str, ...]) -> tuple[str, ...]:
    return (*row[:-1], row[-1].rstrip("/*@=|"))


def _first_difference(theirs: list[tuple[str, ...]], ours: list[tuple[str, ...]]) -> str:
    for one, other in zip(theirs, ours, strict=False):
        if one != other:
            return f"it printed {':'.join(one)[:80]!r}, ours is {':'.join(other)[:80]!r}"
    return f"it printed {len(theirs)} lines, ours are {len(ours)}"
