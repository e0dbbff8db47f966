"""What a corpus holds on disk: its triples, as lines or as Parquet, and files that are there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkstemp
from typing import BinaryIO

import msgspec

from dabhand.corpus.triple import Triple
from dabhand.errors import UsageError
from dabhand.workspace.durable import sync

LINES = "triples.jsonl"
TABLE = "triples.parquet"


class CorpusError(UsageError):
    """A folder that is no corpus, or whose partitions do not fit it."""

    code = "corpus"


def triples_of(corpus: Path) -> list[Triple]:
    """All triples of a corpus, whichever form they were written in.

    Raises:
        CorpusError: the folder holds none, or one of them cannot be read.
        MissingExtra: they are in Parquet, and pyarrow is not installed.
    """
    file = corpus / LINES
    try:
        if not file.exists() and (corpus / TABLE).exists():
            from dabhand.corpus.parquet import from_parquet

            return list(from_parquet(corpus / TABLE))
        with file.open("rb") as stream:
            return [msgspec.json.decode(line, type=Triple) for line in stream]
    except FileNotFoundError:
        hint = "Make some with: dabhand corpus extract"
        raise CorpusError(f"There are no triples in {str(corpus)!r}.", hint) from None
    except msgspec.DecodeError as error:
        said = f"The triples in {str(corpus)!r} hold something that is no triple: {error}."
        raise CorpusError(said, "Extract it anew.") from error
    except OSError as error:
        raise CorpusError(f"The triples in {str(corpus)!r} cannot be read: {error.strerror or error}.") from error


@contextmanager
def replacing(place: Path) -> Iterator[BinaryIO]:
    """A stream whose bytes take a file's place when all of them are written; private to its owner.

    Raises:
        CorpusError: the file cannot be made; what was there stays.
    """
    try:
        handle, name = mkstemp(prefix=f".{place.name}.", dir=place.parent)
    except OSError as error:
        raise CorpusError(f"{str(place)!r} cannot be written: {error.strerror}.") from error
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            sync(handle)
        Path(name).replace(place)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def replace(place: Path, data: bytes) -> None:
    """Put bytes in a file's place, whole or not at all."""
    with replacing(place) as stream:
        stream.write(data)
