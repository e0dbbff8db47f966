"""An open file read in blocks, never as a whole: where lines begin and end, and how many there are.

Newlines are counted by turning a block into zeros and ones and summing those up, both of which SIMD code does at memory
speed (StringZilla), which counting one by one does not.
"""

from __future__ import annotations

import codecs
import errno
import os
from collections.abc import Callable, Iterator

import stringzilla

from dabhand.closing import Closing
from dabhand.errors import DabhandError

BLOCK = 1 << 20
"""Bytes read at once: as much as stays in a processor's second cache."""
COUNTED = 64 << 20
"""Bytes that are read for nothing but to know the numbers of lines, at most: some 20 ms."""
_SMALL = 1 << 16
_FEW = 2048
_ENDLESS = 64 << 20
_ONES = bytes(letter == 0x0A for letter in range(256))


class Failed(DabhandError):
    """The file could not be read to the end, or holds something else than was asked for."""

    code = "failed"


class Source(Closing):
    """A regular file that is open. It is read up to the size that it had when it was opened.

    Args:
        fd: a descriptor, which is closed with this.
        path: what it is called in messages.
        encoding: what was recognised and is told to the reader; empty for bytes as they are.
    """

    def __init__(self, fd: int, path: str, encoding: str = "") -> None:
        self.fd, self.path, self.encoding = fd, path, encoding
        self.size = os.fstat(fd).st_size
        self.read = 0

    def close(self) -> None:
        """Let go of the file."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def into(self, buffer: bytearray | memoryview, at: int) -> int:
        """Fill a buffer from a place on; how many bytes there were, which is less only at the end.

        Raises:
            Failed: it cannot be read, or has become shorter.
        """
        wanted = min(len(buffer), max(0, self.size - at))
        view = memoryview(buffer)
        got = 0
        while got < wanted:
            try:
                more = os.preadv(self.fd, [view[got:wanted]], at + got)
            except OSError as error:
                raise Failed(f"{self.path!r} cannot be read: {error.strerror}.") from error
            if not more:
                raise Failed(f"{self.path!r} became shorter while it was read.", "Ask again.")
            got += more
        self.read += got
        return got

    def part(self, start: int, end: int) -> bytes:
        """The bytes from one place to another."""
        end = min(end, self.size)
        parts: list[bytes] = []
        while start < end:
            try:
                part = os.pread(self.fd, end - start, start)
            except OSError as error:
                raise Failed(f"{self.path!r} cannot be read: {error.strerror}.") from error
            if not part:
                raise Failed(f"{self.path!r} became shorter while it was read.", "Ask again.")
            parts.append(part)
            start += len(part)
        self.read += sum(map(len, parts))
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def pieces(self, start: int, end: int, size: int = BLOCK) -> Iterator[bytes]:
        """The bytes from one place to another, in pieces."""
        while start < end:
            piece = self.part(start, min(end, start + size))
            yield piece
            start += len(piece)

    def newlines(self, start: int, end: int) -> int:
        """How many newlines there are from one place to another; holes in the file are passed over."""
        if end - start <= _SMALL:
            return int(stringzilla.count(self.part(start, end), b"\n")) if end > start else 0
        buffer = bytearray(min(BLOCK, end - start))
        found = 0
        for data_start, data_end in self._data(start, end):
            at = data_start
            while at < data_end:
                view = memoryview(buffer)[: min(BLOCK, data_end - at)]
                at += self.into(view, at)
                found += summed(view)
        return found

    def data_size(self, start: int, end: int) -> int:
        """How many bytes between two places are not in holes of the file."""
        return sum(data_end - data_start for data_start, data_end in self._data(start, end))

    def _data(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        while start < end:
            try:
                begin = os.lseek(self.fd, start, os.SEEK_DATA)
            except OSError as error:
                if error.errno != errno.ENXIO:  # this file system does not know of holes
                    yield start, end
                return
            if begin >= end:
                return
            stop = os.lseek(self.fd, begin, os.SEEK_HOLE)
            yield begin, min(stop, end)
            start = stop

    def line_total(self) -> int | None:
        """How many lines there are; None where counting them would mean reading a very large file."""
        return self.line_number_at(self.size)

    def line_number_at(self, end: int) -> int | None:
        """How many lines there are before a place; None as for `line_total`."""
        if end > COUNTED and self.data_size(0, end) > COUNTED:
            return None
        return self.newlines(0, end) + (self.ends_open and end == self.size)

    @property
    def ends_open(self) -> bool:
        """Whether the last line has no newline."""
        return self.size > 0 and self.part(self.size - 1, self.size) != b"\n"

    def after_lines(self, start: int, count: int) -> tuple[int, int]:
        """Where `count` lines from a place on have ended, and how many there were, which is less only at the end."""
        left, at = count, start
        size = _SMALL
        while at < self.size:
            block = self.part(at, min(self.size, at + size))
            found = stringzilla.count(block, b"\n")
            if found >= left:
                return at + nth_end(block, left), count
            left -= found
            at += len(block)
            size = BLOCK
        return self.size, count - left + (self.ends_open and start < self.size)

    def before_lines(self, end: int, count: int, floor: int = 0) -> tuple[int, int]:
        """Where the last `count` lines before a place begin, not before `floor`; and how many there are."""
        if end <= floor:
            return floor, 0
        left = count + (self.part(end - 1, end) == b"\n")
        at, size = end, _SMALL
        while at > floor:
            begin = max(floor, at - size)
            block = self.part(begin, at)
            found = stringzilla.count(block, b"\n")
            if found >= left:
                return begin + nth_end(block, found - left + 1), count
            left -= found
            at, size = begin, BLOCK
        return floor, count - left + 1

    def line_end(self, at: int) -> int:
        """Where the line that a place is in ends, its newline included."""
        for piece in self.pieces(at, self.size):
            found = piece.find(b"\n")
            if found >= 0:
                return at + found + 1
            at += len(piece)
        return self.size


def summed(view: memoryview) -> int:
    """How many newlines a buffer holds, which holds nothing else afterwards."""
    stringzilla.translate(view, _ONES, inplace=True)
    return int(stringzilla.bytesum(view))


def nth_end(block: bytes, n: int) -> int:
    """Where the n-th newline (from 1) ends; 0 for n = 0."""
    low, high, view = 0, len(block), memoryview(block)
    while high - low > _FEW and n:
        middle = (low + high) // 2
        found = stringzilla.count(view[low:middle], b"\n")
        if found >= n:
            high = middle
        else:
            low, n = middle, n - found
    for _ in range(n):
        low = block.find(b"\n", low) + 1
    return low if n else 0


def decoded(fd: int, path: str, new_file: Callable[[], int]) -> Source:
    """The file as it is, or, when it begins with the mark of UTF-16, its text as UTF-8 in a file without a name.

    A file whose size the system does not know (those in /proc) is copied as well.
    """
    try:
        head = os.pread(fd, 2, 0)
        encoding = "UTF-16" if head in (b"\xff\xfe", b"\xfe\xff") else ""
        if not encoding and (not head or os.fstat(fd).st_size):
            return Source(fd, path)
        copy = new_file()
        try:
            read = _copy(fd, copy, path, encoding)
        except BaseException:
            os.close(copy)
            raise
    except OSError as error:
        os.close(fd)
        raise Failed(f"{path!r} cannot be read: {error.strerror}.") from error
    except Failed:
        os.close(fd)
        raise
    os.close(fd)
    made = Source(copy, path, encoding)
    made.read = read
    return made


def _copy(fd: int, copy: int, path: str, encoding: str) -> int:
    """Copy a file as UTF-8; how many bytes were read."""
    to_text = codecs.getincrementaldecoder("utf-16")("surrogatepass") if encoding else None
    at = 0
    while piece := os.pread(fd, BLOCK, at):
        at += len(piece)
        if at > _ENDLESS and not encoding:
            raise Failed(f"{path!r} has no end.")
        _write(copy, to_text.decode(piece).encode("utf-8", "surrogatepass") if to_text else piece)
    if to_text:
        _write(copy, "\ufffd".encode() if to_text.getstate()[0] else b"")  # half a character at the very end
    return at


def _write(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
