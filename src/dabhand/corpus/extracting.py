"""`dabhand corpus extract`: one part per file, put together into one corpus that is private to its owner."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from dabhand.corpus.merging import Entry, Merging
from dabhand.corpus.part import Part, Task
from dabhand.corpus.sources import MANIFEST, discover
from dabhand.corpus.stored import LINES, TABLE, replace
from dabhand.errors import Conflict, UsageError

MARK = ".dabhand-corpus"
COPY = "a copy of a call in another file"
PLACES = 1000
"""Damaged places that the summary lists; all are counted."""

Runner = Callable[[Sequence[Task]], Iterator[Part]]
"""Makes the parts, in any order: here, in processes, or on a cluster."""


class Job(msgspec.Struct, frozen=True):
    """What is to be extracted, and where to."""

    sources: tuple[Path, ...]
    out: Path
    now: float
    copy: bool = False
    parquet: bool = False


def extract(job: Job, run: Runner, told: Callable[[int, int], None] = lambda done, all_: None) -> dict[str, object]:
    """Build a corpus, and give its summary.

    Args:
        job: sources and the corpus' folder. Work that was broken off is taken up again.
        run: makes the parts.
        told: is told of progress: bytes that are read, and bytes in all.

    Raises:
        UsageError: a source is not there, or the folder holds something else.
        Conflict: another extraction is at work in the folder.
    """
    with _ours(job.out) as work:
        found = discover(job.sources, job.out)
        code = fingerprint_of_readers()
        sizes = {each.label: _size(each.path) for each in found}
        tasks = [Task(each, str(job.out.absolute()), code, job.now, job.copy) for each in found]
        merging, parts, entries, done = Merging(work), [], [], 0
        for part in _in_order(run(tasks), tasks):
            entries.append(merging.add(part))
            parts.append(part)
            done += sizes[part.label]
            told(done, sum(sizes.values()))
        _publish(job, merging.close(), work)
        _write_manifest(job.out / "sources", parts)
        summary = summary_of(parts, entries)
        replace(job.out / "summary.json", msgspec.json.format(msgspec.json.encode(summary), indent=1) + b"\n")
        shutil.rmtree(work)
    return summary


def _in_order(made: Iterator[Part], tasks: Sequence[Task]) -> Iterator[Part]:
    """The parts in the order of the tasks, each as soon as those before it are there."""
    ahead: dict[str, Part] = {}
    wanted = iter(tasks)
    following = next(wanted, None)
    for part in made:
        ahead[part.label] = part
        while following is not None and following.found.label in ahead:
            yield ahead.pop(following.found.label)
            following = next(wanted, None)


def _publish(job: Job, triples: Path, work: Path) -> None:
    """Give the triples their name; those that an earlier extraction left in the other form are older, and go."""
    if job.parquet:
        from dabhand.corpus.parquet import to_parquet

        to_parquet(triples, work / "parquet.new")
        (work / "parquet.new").replace(job.out / TABLE)
        (job.out / LINES).unlink(missing_ok=True)
    else:
        triples.replace(job.out / LINES)
        (job.out / TABLE).unlink(missing_ok=True)


def summary_of(parts: Sequence[Part], entries: Sequence[Entry]) -> dict[str, object]:
    """The summary: counts per source, format and status, what was left out and why. The same for the same sources."""
    copies = sum(entry.copies for entry in entries)
    left_out: dict[str, int] = {COPY: copies} if copies else {}
    statuses: dict[str, int] = {}
    formats: dict[str, int] = {}
    unknown: dict[str, int] = {}
    damages: dict[str, int] = {}
    hosts: dict[str, dict[str, int]] = {}
    places: list[dict[str, object]] = []
    files: list[dict[str, str]] = []
    for part, entry in zip(parts, entries, strict=True):
        tally = part.tally
        if part.failure or part.host is None or tally.withdrawn:
            reason = part.failure or tally.withdrawn or "not a transcript of a kind that is known"
            files.append({"file": part.label, "reason": reason})
        if part.host is not None:
            host = hosts.setdefault(part.host, {"files": 0, "records": 0, "triples": 0})
            host["files"] += 1
            host["triples"] += entry.fresh
            host["records"] += tally.records
        for counts, own in (
            (left_out, tally.left_out),
            (unknown, tally.unknown),
            (damages, tally.damage_counts),
            (statuses, entry.statuses),
            (formats, {} if tally.withdrawn else tally.formats),
        ):
            for reason, number in own.items():
                counts[reason] = counts.get(reason, 0) + number
        places += [{"file": part.label, "line": each.line, "kind": each.kind} for each in tally.damages]
    return {
        "triples": sum(entry.fresh for entry in entries),
        "files": len(parts),
        "bytes": sum(part.kept.bytes for part in parts if part.kept),
        "sources": dict(sorted(hosts.items())),
        "formats": dict(sorted(formats.items())),
        "statuses": dict(sorted((name, number) for name, number in statuses.items() if number)),
        "left_out": dict(sorted(left_out.items())),
        "files_left_out": files,
        "unknown_records": dict(sorted(unknown.items())),
        "damage": {"counts": dict(sorted(damages.items())), "places": places[:PLACES]},
    }


@contextmanager
def _ours(out: Path) -> Iterator[Path]:
    """The corpus' folder, private and held by us alone; gives the folder of unfinished work."""
    try:
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(out.iterdir()) and not (out / MARK).exists():
            raise UsageError(f"The folder {str(out)!r} holds something that is no corpus.", "Name a new folder.")
        out.chmod(0o700)
        (out / MARK).touch()
    except OSError as error:
        raise UsageError(f"The folder {str(out)!r} cannot be used: {error.strerror}.", "Name another.") from error
    handle = os.open(out, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            hint = "Wait for it to end, or name another folder."
            raise Conflict(f"Another extraction is at work in {str(out)!r}.", hint) from error
        work = out / "work"
        work.mkdir(mode=0o700, exist_ok=True)
        yield work
    finally:
        os.close(handle)


def _write_manifest(folder: Path, parts: Sequence[Part]) -> None:
    folder.mkdir(mode=0o700, exist_ok=True)
    lines = [msgspec.json.encode(part.kept) + b"\n" for part in parts if part.kept is not None]
    replace(folder / MANIFEST, b"".join(lines))


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size  # noqa: PTH116
    except OSError:  # it is looked at once more, and said of, when its turn comes
        return 0


def fingerprint_of_readers() -> str:
    """A hash of the code that reads, so that no part of another version is taken for one of this."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()
