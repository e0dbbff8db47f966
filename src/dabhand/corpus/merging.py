"""Parts put together: in the order of their names, each call once, whatever the number of workers was."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import msgspec

from dabhand.corpus.part import FILE, FINGERPRINT, GLOBAL, Part

COPY = "a copy of a call in another file"
STEP = 1 + FINGERPRINT


class Merged(msgspec.Struct):
    """What the corpus holds: triples by host, format and status, and copies that were left out."""

    triples: int = 0
    copies: int = 0
    hosts: dict[str, int] = msgspec.field(default_factory=dict)
    formats: dict[str, int] = msgspec.field(default_factory=dict)
    statuses: dict[str, int] = msgspec.field(default_factory=dict)


class _Facts(msgspec.Struct):
    """What is counted of a triple that is left out."""

    status: str


_facts = msgspec.json.Decoder(_Facts)


def merge(parts: Sequence[Part], work: Path, out: BinaryIO) -> Merged:
    """Write the triples of all parts, each call once: the first file that has it keeps it."""
    merged = Merged()
    lineages = _lineages(parts)
    seen: set[bytes] = set()
    for part in sorted(parts, key=lambda part: part.label):
        if part.host is None or not part.triples:
            continue
        keys = (work / f"{part.name}.keys").read_bytes()
        fresh = [_is_new(mark, part, lineages, seen) for mark in _marks(keys)]
        with (work / f"{part.name}.triples").open("rb") as stream:
            statuses = dict(part.statuses)
            if all(fresh):
                shutil.copyfileobj(stream, out, 1 << 20)
            else:
                _copy_some(stream, fresh, out, statuses)
        count = sum(fresh)
        merged.triples += count
        merged.copies += len(fresh) - count
        merged.hosts[part.host] = merged.hosts.get(part.host, 0) + count
        for status, number in statuses.items():
            merged.statuses[status] = merged.statuses.get(status, 0) + number
    return merged


def _marks(keys: bytes) -> Iterator[bytes]:
    for at in range(0, len(keys), STEP):
        yield keys[at : at + STEP]


def _is_new(mark: bytes, part: Part, lineages: dict[str, str], seen: set[bytes]) -> bool:
    """Whether no earlier file had that call: one of that identity in its lineage, or anywhere."""
    kind, own = mark[0], mark[1:]
    if kind != GLOBAL:
        name = part.kept.sha256 if kind == FILE and part.kept else lineages[part.label]
        own = hashlib.blake2b(name.encode("utf-8", "surrogatepass") + b"\0" + own, digest_size=FINGERPRINT).digest()
    if own in seen:
        return False
    seen.add(own)
    return True


def _copy_some(stream: BinaryIO, fresh: Iterable[bool], out: BinaryIO, statuses: dict[str, int]) -> None:
    for line, is_new in zip(stream, fresh, strict=True):
        if is_new:
            out.write(line)
        else:
            statuses[_facts.decode(line).status] -= 1


def _lineages(parts: Sequence[Part]) -> dict[str, str]:
    """Per file the name of its family of sessions: those that repeat each other's history, or a third's."""
    above: dict[str, str] = {}

    def top(name: str) -> str:
        while above.setdefault(name, name) != name:
            above[name] = above[above[name]]
            name = above[name]
        return name

    named = {}
    for part in parts:
        sessions = [f"{part.host}\0{name}" for name in part.tally.sessions] or [f"file\0{part.label}"]
        named[part.label] = sessions[0]
        for session in sessions[1:]:
            one, other = sorted((top(sessions[0]), top(session)))
            above[other] = one
    return {label: top(session) for label, session in named.items()}
