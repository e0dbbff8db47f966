"""What a reader of transcripts is, and what it is shown of a file to say whether the file is one of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from dabhand.corpus.damage import Tally
from dabhand.corpus.records import BOM, Records, is_broken, opened
from dabhand.corpus.triple import Call

LOOKED_AT = 256 << 10
"""Bytes at the beginning of a file by which it is recognised."""

LINES = 40

_key = re.compile(rb'"([A-Za-z_$]{1,40})"\s*:')


class Head(msgspec.Struct, frozen=True):
    """The beginning of a file.

    Attributes:
        records: those of its first lines that are JSON objects by themselves.
        opens: the first letter that is not blank.
        start: the beginning itself.
    """

    records: Sequence[Mapping[str, object]]
    opens: str
    start: bytes = b""

    @property
    def keys(self) -> frozenset[str]:
        """Names of fields anywhere in the beginning, for a document that does not end within it."""
        return frozenset(key.decode() for key in _key.findall(self.start))

    @property
    def is_document(self) -> bool:
        """The file is one JSON document, or could be one: its first line is not a record by itself, or the only one."""
        return self.opens in ("{", "[") and len(self.records) <= 1


class Reader(Protocol):
    """One source of transcripts. Packages offer further ones as entry points of `dabhand.corpus_readers`."""

    name: str

    def recognises(self, head: Head) -> bool:
        """Whether a file that begins so is of this source."""

    def read(self, records: Records, tally: Tally) -> Iterator[Call]:
        """Every call of the file once, each as soon as nothing more can belong to it."""


def head_of(path: Path) -> Head | None:
    """The beginning of a file; None where it is packed and damaged from the start.

    Raises:
        OSError: it cannot be read.
    """
    with opened(path) as stream:
        start = stream.read(LOOKED_AT).removeprefix(BOM)
        if not start and is_broken(stream):
            return None
    lines = start.split(b"\n")[:LINES]
    records = [found for line in lines if (found := _object(line)) is not None]
    return Head(records, start.lstrip()[:1].decode("latin-1"), start)


def _object(line: bytes) -> Mapping[str, object] | None:
    if not line.lstrip().startswith(b"{"):
        return None
    try:
        found = json.loads(line.decode("utf-8", "replace"), strict=False)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
