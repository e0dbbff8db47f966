"""JSON text of any length in bounded memory: texts inside it that are longer than any triple keeps are cut short."""

from __future__ import annotations

import re
from collections.abc import Iterable

KEPT = 3 << 20
"""Bytes of one text that are kept: more than the characters of a triple's text, each of them an escaped pair."""

INSIDE = re.compile(rb'[^"\\]*(?:\\.[^"\\]*)*', re.DOTALL)
HALF = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}\Z")
ESCAPE = 12
"""Bytes of the longest escape, a pair of surrogates."""


def shortened(chunks: Iterable[bytes], most: int, room: int = KEPT) -> tuple[bytes | None, bool]:
    """The same JSON text with its longest texts cut short, and whether there were any.

    There is None of it if it is longer than `most` even so. A text is cut between two letters, never within an escape,
    so what was sound stays sound.
    """
    out, kept, is_text, is_cut, carried = bytearray(), 0, False, False, b""
    for chunk in chunks:
        chunk, carried, at = carried + chunk, b"", 0
        while at < len(chunk):
            if not is_text:
                end = chunk.find(b'"', at) + 1
                out += chunk[at : end or len(chunk)]
                at, is_text, kept = end or len(chunk), bool(end), 0
                continue
            found = INSIDE.match(chunk, at)
            assert found is not None  # it matches nothing, too
            kept = _kept(out, memoryview(chunk)[at : found.end()], kept, room)
            is_cut = is_cut or kept > room
            at = found.end()
            if at < len(chunk) and chunk[at : at + 1] == b'"':
                out += b'"'
                at, is_text = at + 1, False
            else:  # at the end, or at a backslash whose letter is in the next chunk
                carried = chunk[at:]
                break
        if len(out) > most:
            return None, is_cut
    out += carried
    return bytes(out), is_cut


def _kept(out: bytearray, body: memoryview, kept: int, room: int) -> int:
    """Append as much of a text as there is room for; give how much there is, more than that if it was cut."""
    if kept > room:
        return kept
    out += body[: room - kept]
    if kept + len(body) <= room:
        return kept + len(body)
    slash = out.rfind(b"\\", len(out) - ESCAPE)
    if slash >= 0:
        del out[slash:]
    if HALF.search(out, max(len(out) - 6, 0)):
        del out[-6:]
    while out.endswith(b"\\"):
        del out[-1:]
    for _ in range(4):  # the last letter, which may not be whole
        last = out.pop() if out[-1] >= 0x80 else 0
        if not 0x80 <= last < 0xC0:
            break
    return room + 1
