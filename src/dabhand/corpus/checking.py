"""Executable labels: a recorded command and what it maps to, both carried out on the same folder.

The command runs in the sandbox as it was written (its absolute paths put below the folder); natively run the typed
operation, the term, or the change of the folder that it says. A label says whether they came to the same; where not,
whether the known difference of the reading explains it.
"""

from __future__ import annotations

import os
import shlex
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from dabhand.corpus.changing import Change, after, change_of
from dabhand.corpus.comparing import (
    MAY_BE_A_FILE,
    as_printed,
    first_difference,
    is_known_difference,
    is_of_several,
    is_part,
    printed,
    told,
)
from dabhand.corpus.fixtures import VARIANTS, ages_of, fixture, fixture_of_change, fixture_of_files
from dabhand.corpus.meaning import Meaning, meanings, name_of
from dabhand.corpus.saying import Saying, saying_of
from dabhand.corpus.triple import Triple
from dabhand.handoff.artifacts import Artifacts
from dabhand.handoff.inspecting import Wish, artifacts_of, inspect
from dabhand.handoff.limits import Limits
from dabhand.handoff.packet import Packet
from dabhand.handoff.plan import FindFiles, Plan
from dabhand.handoff.shells.reading import read_line
from dabhand.handoff.shells.readings import Reading
from dabhand.language import EvalError, evaluate
from dabhand.sandbox import Worker
from dabhand.workspace import File, Folder, State
from dabhand.world.reading import StateView

Verdict = Literal["agrees", "differs", "cannot_run"]
_MANY = Limits(lines=100_000, bytes=64 << 20)


class Label(msgspec.Struct, frozen=True):
    """What came of one recorded command.

    Attributes:
        id: of its triple; statement: which of its line, from 0; variant: of the fixture.
        operation: its name; "term", "operation+term", "text" (a term that reads no file), or what is changed.
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


class _Judged(NamedTuple):
    label: Verdict
    reason: str = ""
    explained: bool = False


class _Unrunnable(Exception):
    """Why a recorded command cannot be repeated."""


class _Bench(NamedTuple):
    """Where both are carried out."""

    worker: Worker
    artifacts: Artifacts
    root: Path


def check(triples: Iterable[Triple], worker: Worker) -> Iterator[Label]:
    """A label for every statement that maps to something, in every variant of its fixture.

    Args:
        triples: of a corpus.
        worker: a sandbox.
    """
    with tempfile.TemporaryDirectory(prefix="dabhand-check-") as place:
        artifacts = artifacts_of(Path(place) / "store")
        for triple in triples:
            for number, (text, meaning) in enumerate(meanings(triple.command)):
                for variant in range(VARIANTS):
                    bench = _Bench(worker, artifacts, Path(tempfile.mkdtemp(dir=place)))
                    try:
                        judged = _checked(triple.output or "", text, meaning, variant, bench)
                    except _Unrunnable as why:
                        judged = _Judged("cannot_run", str(why))
                    yield Label(triple.id, number, variant, text, name_of(meaning), *judged)


def _checked(output: str, text: str, meaning: Meaning, variant: int, bench: _Bench) -> _Judged:
    match meaning:
        case Reading():
            return _checked_look(output, text, meaning, variant, bench)
        case Saying():
            return _checked_saying(output, text, meaning, variant, bench)
        case Change():
            return _checked_change(text, meaning, variant, bench)


def _checked_look(output: str, text: str, reading: Reading, variant: int, bench: _Bench) -> _Judged:
    line, reading = _moved_look(text, reading)
    plan, below = reading.plan, _joined(reading.folder, reading.plan.path)
    state = _with_folder(fixture(plan, below, output, variant), reading.folder)
    code, theirs = _run(line, state, plan, bench)
    packet = _inspected(plan, below, state, bench)
    if code == 2 and not theirs and packet.status == "no_match":
        return _Judged("agrees")  # `ls` fails where a pattern of names stands for nothing
    if code == 0 and packet.status in ("failed", "rejected") and MAY_BE_A_FILE & set(reading.differs):
        return _Judged("differs", "; ".join(reading.differs), explained=True)
    if code not in (0, 1) or packet.status == "failed":
        same = (packet.status in ("failed", "rejected")) == (code not in (0, 1))
        return _Judged("agrees") if same else _Judged("differs", f"it ended with {code}, ours {packet.status}")
    ours = told(packet, plan, numbered=reading.numbered)
    paths = {row[0] for row in ours} if is_of_several(plan) else set()
    exact = printed(theirs, reading, reading.folder, paths)
    if exact == ours:
        return _Judged("agrees")
    everything = ours
    if getattr(plan, "max_count", None) is not None:
        unlimited = _inspected(msgspec.structs.replace(plan, max_count=None), below, state, bench)
        everything = told(unlimited, plan, numbered=reading.numbered)
        exact = printed(theirs, reading, reading.folder, {row[0] for row in everything})
    if reading.differs and is_known_difference(exact, ours, everything, reading):
        return _Judged("differs", "; ".join(reading.differs), explained=True)
    return _Judged("differs", first_difference(exact, ours))


def _checked_saying(output: str, text: str, said: Saying, variant: int, bench: _Bench) -> _Judged:
    files = [*said.files, *([said.reading.plan.path] if said.reading else [])]
    line = _moved(text, files)
    again = saying_of(line)
    if again is None or [*again.files] != [_inside(path, shown=path) for path in said.files]:
        raise _Unrunnable("its paths cannot be put below a folder")
    if again.reading is not None:
        plan = again.reading.plan
        state = fixture(plan, plan.path, output, variant)
    else:
        state = fixture_of_files([_inside(path) for path in again.files], output, variant)
    code, theirs = _run(line, state, again.reading.plan if again.reading else None, bench)
    slots = {}
    if again.reading is not None:
        packet = _inspected(again.reading.plan, again.reading.plan.path, state, bench)
        slots = {"found": as_printed(packet, again.reading, again.place)}
    try:
        ours = str(evaluate(again.term, slots, StateView(state)))
    except EvalError as error:
        raise _Unrunnable(f"its term has no value here: {error}") from error
    if code not in (0, 1):
        return _Judged("differs", f"it ended with {code}")
    if theirs == ours:
        return _Judged("agrees")
    one, other = ([(each,) for each in text.split("\n")[:-1]] for text in (theirs, ours))
    if again.unordered:
        whole = len(one) == (len(other) if again.most is None else min(again.most, len(other)))
        if whole and is_part(one, other):
            limit = "which of the lines come first" if again.most is not None else "the order of the lines"
            return _Judged("differs", limit, explained=True)
    return _Judged("differs", first_difference(one, other))


def _checked_change(text: str, change: Change, variant: int, bench: _Bench) -> _Judged:
    again = change_of(_moved(text, change.paths))
    if again is None or [*again.paths] != [_inside(path, shown=path) for path in change.paths]:
        raise _Unrunnable("its paths cannot be put below a folder")
    state = fixture_of_change(again, variant)
    expected, succeeds = after(again, state)
    if expected is None:
        raise _Unrunnable("what comes of it on this folder is beyond what the change says")
    outcome = bench.worker.run(state, _moved(text, change.paths))
    if outcome.timed_out:
        raise _Unrunnable("it did not end in time")
    if outcome.state != expected:
        paths = [path for path in {*expected, *outcome.state} if expected.get(path) != outcome.state.get(path)]
        return _Judged("differs", f"another thing is at {min(paths)[:80]!r}")
    fine = (0, 1) if succeeds and change.may_find_nothing else (0,)
    if (outcome.exit_code in fine) != succeeds:
        return _Judged("differs", f"it ended with {outcome.exit_code}, ours {'succeeds' if succeeds else 'fails'}")
    return _Judged("agrees")


def _run(line: str, state: State, plan: Plan | None, bench: _Bench) -> tuple[int | None, str]:
    """Exit code and standard output; the folder is there natively, too, its files as old as in the sandbox."""
    ages = _aged(state, plan)
    now = time.time()
    before = "".join(f"touch -d @{now - age:.0f} -- {shlex.quote(path)}\n" for path, age in ages)
    outcome = bench.worker.run(state, before + line)
    if outcome.timed_out or not outcome.stdout_complete:
        raise _Unrunnable("it did not end in time")
    _write(state, bench.root)
    for path, age in ages:
        os.utime(bench.root / path, (now - age, now - age))
    return outcome.exit_code, outcome.stdout.decode("utf-8", "surrogateescape")


def _aged(state: State, plan: Plan | None) -> list[tuple[str, float]]:
    """How old every file and folder is to be, where a plan asks for that."""
    ages = ages_of(plan) if isinstance(plan, FindFiles) else ()
    return [(path, ages[place % len(ages)]) for place, path in enumerate(sorted(state))] if ages else []


def _inspected(plan: Plan, path: str, state: State, bench: _Bench) -> Packet:
    return inspect(bench.root, Wish(plan=msgspec.structs.replace(plan, path=path), limits=_MANY), bench.artifacts)


def _moved(text: str, paths: Sequence[str]) -> str:
    """The line with absolute paths put below the fixture."""
    for written in sorted(set(paths), key=len, reverse=True):
        if written.startswith("/"):
            text = text.replace(written, _inside(written))
        else:
            _inside(written)
    return text


def _moved_look(text: str, reading: Reading) -> tuple[str, Reading]:
    plan, folder = reading.plan, reading.folder
    line = _moved(text, [folder, plan.path])
    plan = msgspec.structs.replace(plan, path=_inside(plan.path))
    folder = _inside(folder) if folder else ""
    again = read_line(line)
    if not isinstance(again, Reading) or again.plan != plan or again.folder.rstrip("/") != folder:
        raise _Unrunnable("its paths cannot be put below a folder")
    return line, msgspec.structs.replace(again, folder=folder)


def _inside(path: str, shown: str | None = None) -> str:
    """A path below the fixture; one that is `shown` stays as it is written, if it is not absolute."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise _Unrunnable("it leads out of its folder")
    return shown if shown is not None and not shown.startswith("/") else "/".join(parts) or "."


def _joined(folder: str, path: str) -> str:
    if folder in ("", "."):
        return path
    return folder if path == "." else f"{folder}/{path}"


def _with_folder(state: State, folder: str) -> State:
    return state.with_changes({folder: Folder()}) if folder and folder not in state else state


def _write(state: State, root: Path) -> None:
    for path, node in sorted(state.items()):
        place = root / path
        if isinstance(node, Folder):
            place.mkdir(parents=True, exist_ok=True)
        elif isinstance(node, File):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(node.data)
