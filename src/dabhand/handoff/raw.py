"""The raw result while it is made: bytes in order, where every line comes from, in constant memory."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from typing import Protocol

import stringzilla

from dabhand.closing import Closing
from dabhand.handoff.packet import Line

IN_MEMORY = 4 << 20
"""Bytes that are held before they go to a file."""
_PIECE = 1 << 18
_LARGE = 1 << 18


class _Hash(Protocol):
    def update(self, data: bytes, /) -> None: ...

    def hexdigest(self) -> str: ...


def _hash_of(data: bytes) -> _Hash:
    """A fresh SHA-256 for what begins with these bytes.

    StringZilla's is loaded anyway; OpenSSL's takes a tenth less (measured on 1 MB), and loading it pays only then.
    """
    if len(data) < _LARGE:
        small: _Hash = stringzilla.Sha256()
        return small
    import hashlib

    return hashlib.sha256()


class Raw(Closing):
    """Whole lines in, with the number and file of each; read again as often as is wished.

    Args:
        new_file: opens a fresh file that has no name any more, or is nobody else's, for what is too much for memory.
        origins: how many first lines are to be told where they come from; None for all.

    Attributes:
        size: bytes.
        lines: lines; a last one without a newline is one.
        separator: what ends a line. Names that hold newlines are told apart by NUL.
        paths: the files that lines come from, where there are several; each line then begins with path and number.
        complete: nothing that belongs to the result is missing.
    """

    def __init__(self, new_file: Callable[[], int], origins: int | None = None) -> None:
        self._new_file = new_file
        self._origins = origins
        self._held: list[bytes] = []
        self._held_size = 0
        self._fd = -1
        self._hash: _Hash | None = None
        self._numbers = array("q")  # per run: its first row (from 0), the number of that row, 2 * file + is context
        self._next = (-1, -1)  # the number and origin that would continue the last run
        self.size = self.lines = 0
        self.separator = b"\n"
        self.paths: list[str] = []
        self.complete = True

    @property
    def wants_origins(self) -> bool:
        """Whether it is still to be told where lines come from."""
        return self._origins is None or self.lines < self._origins

    @property
    def room(self) -> int | None:
        """Of how many lines more it is to be told where they come from; None for all."""
        return None if self._origins is None else max(0, self._origins - self.lines)

    def add(self, data: bytes, count: int, n: int, *, matched: bool = True) -> None:
        """Add `count` lines that follow each other, the first of which has the number `n`."""
        origin = 2 * len(self.paths) + (not matched)
        if (n, origin) != self._next and self.wants_origins:
            self._numbers.extend((self.lines, n, origin))
        self._next = (n + count, origin)
        self.write(data, count)

    def add_each(
        self, data: bytes, numbers: Sequence[int], matched: Sequence[bool] | None = None, count: int | None = None
    ) -> None:
        """Add lines that need not follow each other.

        Args:
            data: all of them, whole.
            numbers: theirs, or those of the first ones, for which there is `room`.
            matched: which of these match; None for all.
            count: how many lines there are; None for as many as numbers.
        """
        if self.wants_origins:
            origin = 2 * len(self.paths)
            firsts = numbers if self._origins is None else numbers[: self._origins - self.lines]
            triples = array("q", bytes(24 * len(firsts)))
            triples[0::3] = array("q", range(self.lines, self.lines + len(firsts)))
            triples[1::3] = array("q", firsts)
            origins = [origin] * len(firsts) if matched is None else [origin + (not one) for one in matched]
            triples[2::3] = array("q", origins[: len(firsts)])
            self._numbers.extend(triples)
        self._next = (-1, -1)
        self.write(data, len(numbers) if count is None else count)

    def write(self, data: bytes, count: int) -> None:
        """Add bytes that hold (or end) so many lines, which go on where the last ones ended."""
        self.size += len(data)
        self.lines += count
        if not data:
            return
        if self._hash is None:
            self._hash = _hash_of(data)
        self._hash.update(data)
        self._held.append(data)
        self._held_size += len(data)
        if self._held_size > IN_MEMORY:
            self._flush()

    def _flush(self) -> None:
        if self._fd < 0:
            self._fd = self._new_file()
        data = memoryview(b"".join(self._held))
        while data:
            data = data[os.write(self._fd, data) :]
        self._held, self._held_size = [], 0

    @property
    def digest(self) -> str:
        """SHA-256 of all bytes, in hexadecimal."""
        return str((self._hash or _hash_of(b"")).hexdigest())

    def close(self) -> None:
        """Let go of what is held."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
        self._held, self._held_size = [], 0

    def linked(self, path: str) -> bool:
        """Give the file that holds all of it a name; False where there is no such file, or it cannot have one."""
        if self._fd < 0:
            return False
        if self._held:
            self._flush()
        try:
            os.link(f"/proc/self/fd/{self._fd}", path, follow_symlinks=True)
        except OSError:  # not a file of this file system, or one that had a name: it is copied instead
            return False
        return True

    def pieces(self) -> Iterator[bytes]:
        """All bytes, in pieces."""
        if self._fd < 0:
            yield from self._held
            return
        if self._held:
            self._flush()
        at = 0
        while piece := os.pread(self._fd, _PIECE, at):
            at += len(piece)
            yield piece

    def tail(self, size: int) -> bytes:
        """The last bytes."""
        if self._fd < 0:
            return self._from_memory(max(0, self.size - size), size)
        if self._held:
            self._flush()
        return os.pread(self._fd, size, max(0, self.size - size))

    def slice(self, start: int, size: int) -> bytes:
        """Some bytes from a place on."""
        if self._fd < 0:
            return self._from_memory(start, size)
        if self._held:
            self._flush()
        return os.pread(self._fd, size, start)

    def _from_memory(self, start: int, size: int) -> bytes:
        found: list[bytes] = []
        for piece in self._held:
            if size <= 0:
                break
            if start < len(piece):
                found.append(piece[start : start + size])
                size -= len(found[-1])
            start = max(0, start - len(piece))
        return b"".join(found)

    def place_of(self, row: int) -> tuple[int, int]:
        """Where a line (from 0) begins, and its length without what ends it."""
        at = start = 0
        for piece in self.pieces():
            place = -1
            while (place := piece.find(self.separator, place + 1)) >= 0:
                if not row:
                    return start, at + place - start
                row -= 1
                start = at + place + 1
            at += len(piece)
        return start, at - start

    def rows(self, longest: int | None = None) -> Iterator[bytes]:
        """The lines without what ends them, one by one.

        Args:
            longest: bytes after which the rest of a line is passed over; None holds lines as long as they are.
        """
        rest = b""
        dropping = False
        for piece in self.pieces():
            lines = (rest + piece).split(self.separator)
            rest = lines.pop()
            for line in lines:
                if dropping:
                    dropping = False
                    continue
                yield line if longest is None else line[:longest]
            if longest is not None and len(rest) > longest:
                if not dropping:
                    yield rest[:longest]
                rest, dropping = b"", True
        if rest and not dropping:
            yield rest

    def texts(self, longest: int) -> Iterator[str]:
        """The lines as they are in their files, of each so many bytes at most."""
        for row, line in enumerate(self.rows(longest)):
            yield self._original(row, line) if self.paths else line.decode("utf-8", "surrogateescape")

    def line(self, row: int, data: bytes, cut: int = 0) -> Line:
        """The line at a place (from 0), whose bytes are given."""
        return self._line(data, *self._origin(row), cut)

    def _line(self, data: bytes, n: int, origin: int, cut: int = 0) -> Line:
        text = data.decode("utf-8", "surrogateescape")
        if not self.paths:
            return Line(n, text, cut=cut, matched=not origin % 2)
        path = self.paths[origin // 2 - 1]
        return Line(n, text[_prefix_length(path, n) :], path, cut, not origin % 2)

    def lines_from(self, row: int, data: bytes, count: int) -> tuple[Line, ...]:
        """Lines that follow each other.

        Args:
            row: the place of the first (from 0).
            data: all of them; what ends the last one may be missing.
            count: how many there are.
        """
        numbers, origins = self._origins_from(row, count)
        if not count:
            return ()
        if self.paths:
            parts = data.split(self.separator, count)
            every = zip(parts, numbers, origins, strict=False)
            return tuple(self._line(part, n, origin) for part, n, origin in every)
        texts = data.decode("utf-8", "surrogateescape").split(self.separator.decode(), count)  # all at once is quickest
        if not any(origins):
            return tuple(map(Line, numbers, texts))
        context = (not origin % 2 for origin in origins)
        return tuple(map(Line, numbers, texts, repeat(None), repeat(0), context))

    def chosen(self, rows: Sequence[int], longest: int) -> tuple[Line, ...]:
        """The lines at the places given (from 0), which ascend, of each so many bytes at most."""
        wanted = iter(rows)
        row = next(wanted, None)
        found = []
        for at, data in enumerate(self.rows(longest)):
            if row is None:
                break
            if at == row:
                length = self.place_of(row)[1] if len(data) == longest else len(data)
                data = whole_characters(data) if length > len(data) else data
                found.append(self.line(at, data, length - len(data)))
                row = next(wanted, None)
        return tuple(found)

    def _original(self, row: int, data: bytes) -> str:
        return self.line(row, data).text

    def _origin(self, row: int) -> tuple[int, int]:
        first, n, origin = self._numbers[3 * (run := self._run(row)) : 3 * run + 3]
        return n + row - first, origin

    def _run(self, row: int) -> int:
        """Which run a line belongs to."""
        runs = self._numbers
        low, high = 0, len(runs) // 3
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if runs[3 * middle] <= row else (low, middle)
        return low

    def _origins_from(self, row: int, count: int) -> tuple[Sequence[int], Sequence[int]]:
        """Numbers and origins of lines that follow each other."""
        numbers: list[int] = []
        origins: list[int] = []
        run, end = self._run(row), row + count
        runs, last = self._numbers, len(self._numbers) // 3 - 1
        while row < end:
            rest = end - row
            if run + rest <= last + 1 and runs[3 * run] == row and runs[3 * (run + rest - 1)] == end - 1:
                here = runs[3 * run : 3 * (run + rest)]  # from here on each line is a run of its own
                return [*numbers, *here[1::3]], [*origins, *here[2::3]]
            first, n, origin = runs[3 * run : 3 * run + 3]
            stop = end if run == last else min(end, runs[3 * run + 3])
            numbers += range(n + row - first, n + stop - first)
            origins += [origin] * (stop - row)
            row, run = stop, run + 1
        return numbers, origins


def prefix(path: str, n: int, *, matched: bool) -> bytes:
    """What a line of the raw result begins with, where several files were searched: as `grep -n` has it."""
    between = ":" if matched else "-"
    return f"{on_one_line(path)}{between}{n}{between}".encode("utf-8", "surrogateescape")


def words_about_paths(raw: Raw) -> tuple[str, ...]:
    """What a reader of the raw result must know about the paths in it."""
    if all("\n" not in path for path in raw.paths):
        return ()
    return ("Some names hold newlines; in the raw result they are written as bash writes them, $'a\\nb'.",)


def on_one_line(path: str) -> str:
    """A path as it stands in front of a line: one that holds newlines in the way that bash writes them."""
    if "\n" not in path:
        return path
    return "$'" + path.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"


def _prefix_length(path: str, n: int) -> int:
    return len(on_one_line(path)) + len(str(n)) + 2


def whole_characters(data: bytes) -> bytes:
    """The data without a UTF-8 character that it ends in the middle of."""
    for back in range(1, min(4, len(data)) + 1):
        letter = data[-back]
        if letter >= 0xC0:
            needed = 2 if letter < 0xE0 else 3 if letter < 0xF0 else 4
            return data[:-back] if needed > back else data
        if letter < 0x80:
            break
    return data
