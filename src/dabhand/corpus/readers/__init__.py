"""One file per source of transcripts, behind one small protocol. `readers()` are ours and those that packages offer."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from dabhand.corpus.readers.protocol import Head, Reader, head_of

__all__ = ["Head", "Reader", "head_of", "reader_for", "readers"]

GROUP = "dabhand.corpus_readers"

OURS = {
    "codex": "dabhand.corpus.readers.codex",
    "codex-exec": "dabhand.corpus.readers.codex_exec",
    "claude-code": "dabhand.corpus.readers.claude",
    "gemini": "dabhand.corpus.readers.gemini",
    "swe-agent": "dabhand.corpus.readers.swe_agent",
    "mini-swe-agent": "dabhand.corpus.readers.mini_swe_agent",
    "kimi": "dabhand.corpus.readers.kimi",
    "droid": "dabhand.corpus.readers.droid",
    "claude-managed": "dabhand.corpus.readers.managed",
    "opencode": "dabhand.corpus.readers.opencode",
}
"""Modules whose `READER` is one, in the order in which they are asked."""


@cache
def readers() -> Mapping[str, Reader]:
    """All readers by name: ours, then those of other packages, which cannot take the place of ours."""
    found: dict[str, Reader] = {name: import_module(module).READER for name, module in OURS.items()}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        if point.name not in found:
            found[point.name] = point.load()
    return found


def reader_for(head: Head) -> Reader | None:
    """The first reader that recognises a file by its beginning."""
    return next((reader for reader in readers().values() if reader.recognises(head)), None)
