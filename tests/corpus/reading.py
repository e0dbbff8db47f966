"""Reading one transcript through the public face of the room."""

from __future__ import annotations

from pathlib import Path

from dabhand.corpus.damage import Tally
from dabhand.corpus.readers import head_of, reader_for
from dabhand.corpus.records import Records
from dabhand.corpus.triple import Triple, to_triple


def read(path: Path) -> tuple[list[Triple], Tally]:
    """The triples of a file, and what else it held."""
    tally = Tally()
    head = head_of(path)
    reader = reader_for(head) if head is not None else None
    if reader is None:
        return [], tally
    triples = [to_triple(call, path.name, reader.name) for call in reader.read(Records(path, tally), tally)]
    return ([] if tally.withdrawn else triples), tally
