"""The work on one transcript: copy it, read it, write its triples. Parts are independent, and made once."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import msgspec

from dabhand.corpus.damage import Tally
from dabhand.corpus.readers import head_of, reader_for
from dabhand.corpus.records import Records
from dabhand.corpus.sources import Found, Kept, keep
from dabhand.corpus.triple import Call, fingerprint, to_triple
from dabhand.errors import DabhandError

BUFFER = 1 << 18
FINGERPRINT = 16
GLOBAL, LINEAGE, FILE = 0, 1, 2
"""What a call's identity is unique in; the byte before each fingerprint."""


class Task(msgspec.Struct, frozen=True):
    """One file to be read.

    Attributes:
        out: the corpus' folder.
        code: fingerprint of the readers; parts that others made are not used.
        now: the time that the copy is dated with.
        copy: copy the file, even if its host only ever appends to it.
    """

    found: Found
    out: str
    code: str
    now: float
    copy: bool = False


class Part(msgspec.Struct):
    """What came of one file; its triples stand in `work/NAME.triples`, their fingerprints in `work/NAME.keys`.

    Attributes:
        host: name of the reader; None for what is no transcript.
        failure: why the file could not be read at all.
        mark: size and time of the file when it was read, by which a part is known to be up to date.
    """

    label: str
    name: str
    mark: str
    host: str | None = None
    kept: Kept | None = None
    triples: int = 0
    statuses: dict[str, int] = msgspec.field(default_factory=dict)
    tally: Tally = msgspec.field(default_factory=Tally)
    failure: str | None = None


def make(task: Task) -> Part:
    """Read one file, or take what an earlier, interrupted run made of it."""
    work = Path(task.out) / "work"
    name = hashlib.sha256(f"{task.found.label}\0{task.code}".encode("utf-8", "surrogateescape")).hexdigest()[:32]
    record = work / f"{name}.part"
    try:
        about = os.stat(task.found.path)  # noqa: PTH116
        mark = f"{about.st_size} {about.st_mtime_ns} {about.st_ino}"
        earlier = _earlier(record, mark)
        part = earlier or _read(task, work, Part(task.found.label, name, mark))
    except (OSError, DabhandError) as error:
        reason = (
            f"{error.message} {error.hint}".strip() if isinstance(error, DabhandError) else error.strerror or str(error)
        )
        return Part(task.found.label, name, "", failure=reason)
    if earlier is None:
        _write(record, [msgspec.json.encode(part)])
    return part


def _earlier(record: Path, mark: str) -> Part | None:
    try:
        part = msgspec.json.decode(record.read_bytes(), type=Part)
    except (OSError, msgspec.DecodeError):
        return None
    return part if part.mark == mark else None


def _read(task: Task, work: Path, part: Part) -> Part:
    head = head_of(Path(task.found.path))
    reader = reader_for(head) if head is not None else None
    if reader is None or head is None:
        if head is None:
            part.tally.damaged(0, "compression")
        return part
    part.host = reader.name
    copies = Path(task.out) / "sources"
    part.kept = keep(task.found, copies, task.now, copy=task.copy or head.is_document)
    records = Records(copies / part.kept.sha256[:2] / part.kept.sha256, part.tally, part.kept.bytes)
    with _Writer(work / part.name) as writer:
        for call in reader.read(records, part.tally):
            writer.add(call, part)
    if part.tally.withdrawn:
        part.triples, part.statuses = 0, {}
        for suffix in (".triples", ".keys"):
            (work / (part.name + suffix)).write_bytes(b"")
    return part


class _Writer:
    """Writes triples and fingerprints; both files get their name only when they are whole."""

    def __init__(self, place: Path) -> None:
        self._names = [place.with_name(place.name + suffix) for suffix in (".triples", ".keys")]
        self._streams = [name.with_suffix(name.suffix + ".new").open("wb") for name in self._names]
        self._encoder = msgspec.json.Encoder()
        self._lines = bytearray()
        self._ids: set[str] = set()

    def __enter__(self) -> _Writer:
        return self

    def add(self, call: Call, part: Part) -> None:
        assert part.host is not None and part.kept is not None
        kind = FILE if call.scope == "file" else LINEAGE if call.scope else GLOBAL
        mark = bytes([kind]) + fingerprint(part.host, call)
        if call.scope == "file":
            call.scope = f"file {part.kept.sha256[:16]}"
        triple = to_triple(call, part.label, part.host)
        if triple.id in self._ids:  # a host that gave one name to two commands
            triple = msgspec.structs.replace(triple, id=f"{triple.id} ({part.triples})")
        self._ids.add(triple.id)
        self._lines += self._encoder.encode(triple)
        self._lines += b"\n"
        if len(self._lines) >= BUFFER:
            self._streams[0].write(self._lines)
            self._lines.clear()
        self._streams[1].write(mark)
        part.triples += 1
        part.tally.formats[call.format] = part.tally.formats.get(call.format, 0) + 1
        part.statuses[triple.status] = part.statuses.get(triple.status, 0) + 1

    def __exit__(self, kind: object, *rest: object) -> None:
        self._streams[0].write(self._lines)
        for name, stream in zip(self._names, self._streams, strict=True):
            stream.close()
            if kind is None:
                name.with_suffix(name.suffix + ".new").replace(name)


def _write(place: Path, lines: list[bytes]) -> None:
    new = place.with_suffix(place.suffix + ".new")
    new.write_bytes(b"\n".join(lines))
    new.replace(place)
