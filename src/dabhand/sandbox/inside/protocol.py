"""The binary protocol between dabhand and the worker: length-prefixed frames, the same code on both sides.

A frame is a little-endian u32 length and that many bytes. A request starts with its kind (RUN, STAGED or LIMITS), an
answer with DONE, REFUSED or HELLO.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple

RUN, LIMITS, STAGED = 1, 2, 3
HELLO, DONE, REFUSED = 1, 2, 3

FOLDER, FILE, EXECUTABLE, LINK = 0, 1, 2, 3
SAME, LONG_FILE, LONG_EXECUTABLE, FIFO, SOCKET, DEVICE, MORE, WHITEOUT, OPAQUE = 8, 9, 10, 11, 12, 13, 14, 15, 16
"""What an entry is. SAME: as it was in the request. LONG_*: only the beginning. MORE: further entries were left out.

Of a layer over a folder there are also WHITEOUT (what the folder has there is gone) and OPAQUE (a folder in whose place
whatever the folder below has, with all in it, is gone).
"""

NO_STATUS = -1

LENGTH = struct.Struct("<I")
_RUN = struct.Struct("<BII")
_DONE = struct.Struct("<BBiiIdIII")
_ENTRY = struct.Struct("<BHI")

Entry = tuple[int, bytes, bytes]
"""Kind, path, and data (a file's content, a link's target, else empty)."""


class Answer(NamedTuple):
    """What the worker says of an experiment."""

    timed_out: bool
    out_complete: bool
    err_complete: bool
    exit_code: int
    signal: int
    survivors: int
    seconds: float
    out: bytes
    err: bytes
    entries: Sequence[Entry]


def frame(body: bytes) -> bytes:
    """The body with its length before it."""
    return LENGTH.pack(len(body)) + body


def encode_request(line: bytes, entries: Sequence[Entry]) -> bytes:
    """The body of a request to run a line in a scene; every folder comes before what lies in it."""
    parts = [_RUN.pack(RUN, len(line), len(entries)), line]
    _put_entries(parts, entries)
    return b"".join(parts)


def decode_request(body: bytes) -> tuple[bytes, list[Entry]]:
    """The inverse of `encode_request`."""
    _, length, count = _RUN.unpack_from(body)
    at = _RUN.size
    return body[at : at + length], _get_entries(body, at + length, count)


def encode_staged(line: bytes) -> bytes:
    """The body of a request to run a line in the folder as the lines before it left it."""
    return bytes([STAGED]) + line


def encode_answer(answer: Answer) -> bytes:
    """The body of the answer to a RUN request."""
    flags = answer.timed_out | answer.out_complete << 1 | answer.err_complete << 2
    head = _DONE.pack(
        DONE,
        flags,
        answer.exit_code,
        answer.signal,
        answer.survivors,
        answer.seconds,
        len(answer.out),
        len(answer.err),
        len(answer.entries),
    )
    parts = [head, answer.out, answer.err]
    _put_entries(parts, answer.entries)
    return b"".join(parts)


def decode_answer(body: bytes) -> Answer:
    """The inverse of `encode_answer`."""
    _, flags, code, signal, survivors, seconds, out, err, count = _DONE.unpack_from(body)
    at = _DONE.size
    entries = _get_entries(body, at + out + err, count)
    printed, complained = body[at : at + out], body[at + out : at + out + err]
    return Answer(
        bool(flags & 1),
        bool(flags & 2),
        bool(flags & 4),
        code,
        signal,
        survivors,
        seconds,
        printed,
        complained,
        entries,
    )


def _put_entries(parts: list[bytes], entries: Sequence[Entry]) -> None:
    pack = _ENTRY.pack
    for kind, path, data in entries:
        parts.append(pack(kind, len(path), len(data)))
        parts.append(path)
        parts.append(data)


def _get_entries(body: bytes, at: int, count: int) -> list[Entry]:
    entries: list[Entry] = []
    unpack, size = _ENTRY.unpack_from, _ENTRY.size
    for _ in range(count):
        kind, path_length, data_length = unpack(body, at)
        path_end = at + size + path_length
        at_end = path_end + data_length
        entries.append((kind, body[at + size : path_end], body[path_end:at_end]))
        at = at_end
    return entries
