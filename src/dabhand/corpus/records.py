"""A transcript as a stream of records: plain, gzip or zstd, line by line, whatever is wrong with it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TypeVar

import msgspec

from dabhand.corpus.damage import DamageKind, Tally
from dabhand.corpus.shortening import shortened
from dabhand.corpus.unpacking import Unpacked, unpacked

LONG = 4 << 20
"""Bytes of a line, or a document, from which on its longest texts are cut short."""

LONGEST = 40 << 20
"""Bytes of the longest line, or document, that is read; without the texts in it that are cut short."""

MENDED = 4 << 20
"""Bytes of the longest line, or document, that is mended: doing so takes many times its size."""

BLOCK = 1 << 18
BOM = b"\xef\xbb\xbf"

STARTS = ('{"parentUuid"', '{"timestamp"', '{"type"', '{"uuid"', '{"id"')
"""How a record begins that was written right behind a torn one."""

if TYPE_CHECKING:
    from typing_extensions import Buffer

Shape = TypeVar("Shape", bound=msgspec.Struct)
Whole = TypeVar("Whole")


def _no_constant(_name: str) -> None:
    """What NaN and Infinity, which are no JSON, are read as."""


_lenient = json.JSONDecoder(strict=False, parse_constant=_no_constant)


def opened(path: Path, size: int | None = None) -> BinaryIO:
    """The bytes of a file (of its first `size` bytes), unpacked, by what it begins with (never by its name).

    Raises:
        MissingExtra: the file is zstd, and nothing here can unpack that.
    """
    plain = io.BufferedReader(io.FileIO(path) if size is None else _Beginning(path, size), BLOCK)
    inner = unpacked(plain, plain.peek(4)[:4], path)
    return plain if inner is None else io.BufferedReader(inner, BLOCK)


def is_broken(stream: BinaryIO) -> bool:
    """Whether what was read last is all that there is, because the file's packing is cut off or damaged there."""
    raw = getattr(stream, "raw", None)
    return isinstance(raw, Unpacked) and raw.is_broken


def _line(stream: BinaryIO, begun: bytes) -> Iterator[bytes]:
    """A line that begins so, in chunks."""
    chunk = begun
    while chunk:
        yield chunk
        chunk = b"" if chunk.endswith(b"\n") else stream.readline(BLOCK)


class _Beginning(io.FileIO):
    """The first bytes of a file that may have grown since."""

    def __init__(self, path: Path, size: int) -> None:
        super().__init__(path)
        self._left = size

    def readinto(self, buffer: Buffer, /) -> int:
        with memoryview(buffer).cast("B") as room:
            done = super().readinto(room[: self._left]) or 0
        self._left -= done
        return done


class Records:
    """The records of one file. A reader goes through them once, by line or as one document."""

    def __init__(self, path: Path, tally: Tally, size: int | None = None) -> None:
        """The records in a file, or in its first `size` bytes."""
        self.path = path
        self._size = size
        self._tally = tally

    def first_line(self) -> tuple[bytes, bool]:
        """The first line that is not blank, and whether it is all there is; nothing is counted."""
        lines = Records(self.path, Tally(), self._size).lines()
        first = next(lines, (0, b""))[1]
        return first, next(lines, None) is None

    def decoded(self, decoder: msgspec.json.Decoder[Shape]) -> Iterator[tuple[int, Shape]]:
        """Every record with the number of its line; what is broken is mended or counted, and passed over."""
        decode, tally, count = decoder.decode, self._tally, 0
        try:
            for number, line in self.lines():
                try:
                    found = decode(line)
                except (msgspec.DecodeError, RecursionError) as error:
                    for mended in self._mended(number, line, error, decoder):
                        count += 1
                        yield number, mended
                else:
                    count += 1
                    yield number, found
        finally:
            tally.records += count

    def document(self, decoder: msgspec.json.Decoder[Whole]) -> Whole | None:
        """The file as one JSON document; None, and a damage, where it is none."""
        data = self._whole()
        if data is None:
            return None
        try:
            return decoder.decode(data)
        except (msgspec.DecodeError, RecursionError) as error:
            return self._mended_document(decoder, data, error)

    def _mended_document(self, decoder: msgspec.json.Decoder[Whole], data: bytes, error: Exception) -> Whole | None:
        if isinstance(error, RecursionError):
            self._tally.damaged(0, "too_deep")
            return None
        try:
            said = data.decode("utf-8", "surrogateescape") if len(data) <= MENDED else ""
            whole = decoder.decode(_clean(_lenient.decode(said)))
        except (ValueError, RecursionError):
            self._tally.damaged(0, "unreadable_document")
            return None
        self._tally.damaged(0, "not_unicode")
        return whole

    def _whole(self) -> bytes | None:
        with opened(self.path, self._size) as stream:
            data = stream.read(LONG)
            if len(data) == LONG:
                data = self._shortened(chain((data,), iter(partial(stream.read, BLOCK), b"")), 0)
            if is_broken(stream):
                self._tally.damaged(0, "compression")
        return data.removeprefix(BOM) or None

    def lines(self) -> Iterator[tuple[int, bytes]]:
        r"""Every line that is not blank, with its number; lines end at `\n` alone."""
        number = 0
        with opened(self.path, self._size) as stream:
            for line in iter(partial(stream.readline, LONG), b""):
                number += 1
                if number == 1:
                    line = line.removeprefix(BOM)
                if len(line) >= LONG and not line.endswith(b"\n"):
                    line = self._shortened(_line(stream, line), number)
                if line and not line.isspace():
                    yield number, line
            if is_broken(stream):
                self._tally.damaged(number + 1, "compression")

    def _shortened(self, chunks: Iterator[bytes], number: int) -> bytes:
        """What is said in so many chunks, cut short; nothing, where it is too long even so."""
        found, is_cut = shortened(chunks, LONGEST)
        if found is None or is_cut:
            self._tally.damaged(number, "too_long" if found is None else "shortened")
        for _ in chunks:
            pass
        return found or b""

    def _mended(self, number: int, line: bytes, error: Exception, decoder: msgspec.json.Decoder[Shape]) -> list[Shape]:
        """What can be saved of a line that is not one JSON object."""
        broken: DamageKind = "broken_line" if line.endswith(b"\n") else "cut_off"
        if isinstance(error, msgspec.ValidationError):
            self._tally.damaged(number, "odd_value" if line.lstrip().startswith(b"{") else "not_an_object")
            return []
        if isinstance(error, RecursionError) or len(line) > MENDED:
            self._tally.damaged(number, "too_deep" if isinstance(error, RecursionError) else broken)
            return []
        try:
            found, whole = _objects(line.decode("utf-8", "surrogateescape").strip())
            mended = [decoder.decode(_clean(each)) for each in found if isinstance(each, dict)]
        except RecursionError:
            self._tally.damaged(number, "too_deep")
            return []
        except msgspec.DecodeError:
            self._tally.damaged(number, "odd_value")
            return []
        if not whole:
            self._tally.damaged(number, broken)
        elif len(found) > 1:
            self._tally.damaged(number, "several_records")
        else:
            self._tally.damaged(number, "not_unicode" if mended else "not_an_object")
        return mended


def _objects(said: str) -> tuple[list[object], bool]:
    """The values that stand one after the other on a line, and whether they make up all of it."""
    found: list[object] = []
    at = 0
    while at < len(said):
        try:
            one, at = _lenient.raw_decode(said, at)
        except ValueError:
            return found + _behind_a_torn_one(said, at), False
        found.append(one)
        while at < len(said) and said[at] in " \t\r\0":
            at += 1
    return found, True


def _behind_a_torn_one(said: str, at: int) -> list[object]:
    """The record that begins within a torn one and is whole up to the end of the line."""
    for begin in sorted({said.rfind(start, at + 1) for start in STARTS} - {-1}):
        try:
            one, end = _lenient.raw_decode(said, begin)
        except ValueError:
            continue
        if end == len(said):
            return [one]
    return []


def _clean(found: object) -> bytes:
    """The value as JSON, with U+FFFD for every letter that is none: half a surrogate pair, a byte that is not UTF-8."""
    said = json.dumps(found, ensure_ascii=False)
    return said.encode("utf-8", "surrogatepass").decode("utf-8", "replace").encode()
