"""Reading the next block of a large file while this one is looked at: the system copies it without Python's lock."""

from __future__ import annotations

from dabhand.closing import Closing
from dabhand.errors import DabhandError
from dabhand.handoff.blocks import Source

LARGE = 32 << 20
"""Bytes from which on it is worth a thread."""


class Blocks(Closing):
    """Blocks of a file, in buffers that take turns.

    Args:
        source: the file.
        size: bytes of a block.
    """

    def __init__(self, source: Source, size: int) -> None:
        self._source = source
        self._buffers = [bytearray(size)]
        self._waiting = -1  # the place from which the other buffer is being filled
        self._worker: _Worker | None = None
        if source.size > LARGE:
            self._buffers.append(bytearray(size))
            self._worker = _Worker(source)

    def close(self) -> None:
        """Wait for what is being read, and let go."""
        if self._worker is not None:
            self._worker.stop()
            self._worker = None

    def at(self, place: int) -> tuple[bytearray, int]:
        """The block from a place on, good until the one after the next is asked for, and how many bytes it has.

        Raises:
            Failed: it cannot be read.
        """
        self._buffers.reverse()
        buffer = self._buffers[0]
        if self._worker is not None and self._waiting >= 0:
            got, waiting = self._worker.result(), self._waiting
            self._waiting = -1
            if waiting == place:
                return buffer, got
        return buffer, self._source.into(buffer, place)

    def expect(self, place: int) -> None:
        """Begin to read the block that will be asked for next."""
        if self._worker is not None and place < self._source.size:
            self._waiting = place
            self._worker.start(self._buffers[-1], place)


class _Worker:
    """A thread that fills one buffer at a time."""

    def __init__(self, source: Source) -> None:
        import threading
        from queue import SimpleQueue

        self._source = source
        self._asked: SimpleQueue[tuple[bytearray, int] | None] = SimpleQueue()
        self._answered: SimpleQueue[int | DabhandError] = SimpleQueue()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while (asked := self._asked.get()) is not None:
            try:
                self._answered.put(self._source.into(*asked))
            except DabhandError as error:
                self._answered.put(error)

    def start(self, buffer: bytearray, place: int) -> None:
        self._asked.put((buffer, place))

    def result(self) -> int:
        answer = self._answered.get()
        if isinstance(answer, DabhandError):
            raise answer
        return answer

    def stop(self) -> None:
        self._asked.put(None)
        self._thread.join()
