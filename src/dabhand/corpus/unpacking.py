"""Files packed with gzip or zstd as streams that give all there is to have, also of a file that was cut off."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol

from dabhand.corpus.extras import needed

if TYPE_CHECKING:
    from typing_extensions import Buffer

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
STEP = 1 << 10
"""Packed bytes that are unpacked at once: a bomb of zstd makes 32 MB of them, one of gzip 1 MB."""

WINDOW = 1 << 27


class _Member(Protocol):
    """What unpacks one of the parts that such a file consists of."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, /, max_length: int = 0) -> bytes: ...


class Unpacked(io.RawIOBase):
    """What a packed file holds, up to where it is cut off or damaged.

    Attributes:
        is_broken: that place has been reached.
    """

    def __init__(self, packed: BinaryIO, member: Callable[[], _Member], broken: type[Exception]) -> None:
        """What comes out of a packed stream; `member` begins a part, and fails with `broken`."""
        self.is_broken = False
        self._packed, self._member, self._broken = packed, member, broken
        self._now: _Member | None = None
        self._rest, self._ready = b"", memoryview(b"")

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        """Give the next bytes; none at the end, and where it is broken."""
        while not self._ready:
            chunk = self._rest or self._packed.read(STEP)
            if not chunk or self.is_broken:
                self.is_broken = self.is_broken or self._now is not None
                return 0
            self._unpack(chunk)
        with memoryview(buffer).cast("B") as room:
            done = min(len(room), len(self._ready))
            room[:done] = self._ready[:done]
        self._ready = self._ready[done:]
        return done

    def _unpack(self, chunk: bytes) -> None:
        self._rest = b""
        if self._now is None:
            chunk = chunk.lstrip(b"\0")  # parts may be padded
            if not chunk:
                return
            self._now = self._member()
        try:
            self._ready = memoryview(self._now.decompress(chunk))
        except self._broken:
            self.is_broken = True
            return
        if self._now.eof:
            self._rest, self._now = self._now.unused_data, None


def unpacked(plain: BinaryIO, start: bytes, path: Path) -> Unpacked | None:
    """What is in a packed file, by how it starts; None for what is not packed.

    Raises:
        MissingExtra: the file is zstd, and nothing here can unpack that.
    """
    if start.startswith(GZIP):
        return Unpacked(plain, lambda: zlib.decompressobj(wbits=31), zlib.error)
    if start.startswith(ZSTD):
        zstandard = needed("zstandard", f"Unpacking {str(path)!r}")
        unpacker = zstandard.ZstdDecompressor(max_window_size=WINDOW)
        return Unpacked(plain, unpacker.decompressobj, zstandard.ZstdError)
    return None
