"""Parts put together: in the order of their labels, each call once, whatever the number of workers was.

What is put together is noted in a journal beside it, so that killed work goes on behind the last part that is in.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import msgspec

from dabhand.corpus.part import FILE, FINGERPRINT, GLOBAL, Part

STEP = 1 + FINGERPRINT


class Entry(msgspec.Struct, frozen=True):
    """One part that is in: where its triples end, how many of them were new, and what became of those calls."""

    label: str
    name: str
    mark: str
    end: int
    fresh: int
    copies: int
    statuses: dict[str, int]


class _Status(msgspec.Struct):
    status: str


_status = msgspec.json.Decoder(_Status)


class Merging:
    """Takes parts in the order of their labels, and writes the triples of each that no earlier one had."""

    def __init__(self, work: Path) -> None:
        self._work = work
        self.triples = work / "triples.new"
        self._journal = work / "journal"
        self._earlier = _read_journal(self._journal) if self.triples.exists() else []
        self._kept: list[Entry] = []
        self._out: BinaryIO | None = None
        self._lineages = _Lineages()
        self._numbers: dict[str, int] = {}
        self._seen: set[bytes] = set()
        self._size = self.triples.stat().st_size if self._earlier else 0

    def add(self, part: Part) -> Entry:
        """Put a part in, unless it is in already."""
        ends = self._ends(part)
        keys = (self._work / f"{part.name}.keys").read_bytes() if part.triples else b""
        fresh = [self._is_new(mark, ends) for mark in _marks(keys)]
        entry = self._in_already(part)
        if entry is None:
            entry = self._written(part, fresh)
        self._kept.append(entry)
        (self._work / f"{part.name}.triples").unlink(missing_ok=True)
        return entry

    def _in_already(self, part: Part) -> Entry | None:
        place = len(self._kept)
        if self._out is not None or place >= len(self._earlier):
            return None
        entry = self._earlier[place]
        is_same = (entry.label, entry.name, entry.mark) == (part.label, part.name, part.mark)
        return entry if is_same and entry.end <= self._size else None

    def _written(self, part: Part, fresh: Sequence[bool]) -> Entry:
        out = self._out or self._opened()
        statuses = dict(part.statuses)
        if part.triples:
            with (self._work / f"{part.name}.triples").open("rb") as stream:
                if all(fresh):
                    _copy(stream, out)
                else:
                    _copy_some(stream, fresh, out, statuses)
        new = sum(fresh)
        entry = Entry(part.label, part.name, part.mark, out.tell(), new, len(fresh) - new, statuses)
        with self._journal.open("ab") as journal:
            journal.write(msgspec.json.encode(entry) + b"\n")
        return entry

    def _opened(self) -> BinaryIO:
        """The file of triples, cut off behind what is known to be in it; and so the journal."""
        end = self._kept[-1].end if self._kept else 0
        self.triples.touch()
        os.truncate(self.triples, end)
        self._journal.write_bytes(b"".join(msgspec.json.encode(entry) + b"\n" for entry in self._kept))
        self._out = self.triples.open("r+b", buffering=0)
        self._out.seek(end)
        return self._out

    def _is_new(self, mark: bytes, ends: Sequence[bytes]) -> bool:
        """Whether no earlier file had that call: one of that identity in its family, or anywhere."""
        if mark[0] == GLOBAL:
            marks = [mark]
        elif mark[0] == FILE:
            marks = [mark + ends[0]]
        else:
            marks = [mark + end for end in ends[1:]]
        if not self._seen.isdisjoint(marks):
            return False
        self._seen.add(marks[0])
        return True

    def _ends(self, part: Part) -> list[bytes]:
        """What tells the marks of a file from others: a number for its bytes, then for each name of its family."""
        names = [part.kept.sha256 if part.kept else "", *self._lineages.family_of(part)]
        return [self._numbers.setdefault(name, len(self._numbers)).to_bytes(4) for name in names]

    def close(self) -> Path:
        """The file of all triples."""
        (self._out or self._opened()).close()
        return self.triples


def _read_journal(place: Path) -> list[Entry]:
    """What the journal of a run that was broken off says, up to the first line that it did not finish."""
    entries: list[Entry] = []
    try:
        for line in place.read_bytes().splitlines():
            entries.append(msgspec.json.decode(line, type=Entry))
    except (OSError, msgspec.DecodeError):
        return entries
    return entries


def _marks(keys: bytes) -> Iterator[bytes]:
    for at in range(0, len(keys), STEP):
        yield keys[at : at + STEP]


def _copy(stream: BinaryIO, out: BinaryIO) -> None:
    """Append a whole file; inside the kernel, where it can."""
    left = os.fstat(stream.fileno()).st_size
    try:
        while left > 0 and (done := os.copy_file_range(stream.fileno(), out.fileno(), left)):
            left -= done
    except OSError:
        stream.seek(os.lseek(stream.fileno(), 0, os.SEEK_CUR))
        shutil.copyfileobj(stream, out, 1 << 20)


def _copy_some(stream: BinaryIO, fresh: Iterable[bool], out: BinaryIO, statuses: dict[str, int]) -> None:
    for line, is_new in zip(stream, fresh, strict=True):
        if is_new:
            out.write(line)
        else:
            statuses[_status.decode(line).status] -= 1


class _Lineages:
    """Families of sessions: those that repeat each other's history, or a third's, as far as the files so far say so."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}
        self._names: dict[str, set[str]] = {}

    def family_of(self, part: Part) -> list[str]:
        """The name of a file's family, then those that parts of it went by before it was known to be one."""
        sessions = [f"{part.host}\0{name}" for name in part.tally.sessions] or [f"file\0{part.label}"]
        tops = {self._top(session) for session in sessions}
        first = min(tops)
        names = self._names.setdefault(first, set())
        for other in tops - {first}:
            self._above[other] = first
            names |= {other} | self._names.pop(other, set())
        return [first, *sorted(names)]

    def _top(self, name: str) -> str:
        while self._above.setdefault(name, name) != name:
            self._above[name] = self._above[self._above[name]]
            name = self._above[name]
        return name
