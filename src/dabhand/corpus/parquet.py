"""Triples as a table in columns (Parquet): the same fields, those of the source under `source`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from dabhand.corpus.extras import needed
from dabhand.corpus.triple import Triple

BATCH = 8 << 20
"""Bytes of triples that are turned over at once."""

ROWS = 1024


def to_parquet(triples: Path, place: Path) -> None:
    """Write the triples of a file of lines as Parquet.

    Raises:
        MissingExtra: pyarrow is not installed.
    """
    arrow, parquet = _arrow()
    schema = _schema(arrow)
    with triples.open("rb") as stream, parquet.ParquetWriter(place, schema, compression="zstd") as writer:
        while lines := stream.readlines(BATCH):
            writer.write_table(arrow.Table.from_pylist([json.loads(line) for line in lines], schema=schema))


def from_parquet(place: Path) -> Iterator[Triple]:
    """The triples of such a table, in its order.

    Raises:
        MissingExtra: pyarrow is not installed.
        OSError: it is no such table.
        msgspec.DecodeError: what stands in it is no triple.
    """
    arrow, parquet = _arrow()
    try:
        with parquet.ParquetFile(place) as table:
            for batch in table.iter_batches(batch_size=ROWS):
                for row in batch.to_pylist():
                    yield msgspec.convert(row, Triple)
    except arrow.ArrowException as error:
        raise OSError(str(error)) from error


def _arrow() -> tuple[Any, Any]:
    return needed("pyarrow", "Parquet", "parquet"), needed("pyarrow.parquet", "Parquet", "parquet")


def _schema(arrow: Any) -> Any:
    text, words = arrow.string(), arrow.list_(arrow.string())
    source = arrow.struct(
        [("file", text), ("line", arrow.int64())] + [(name, text) for name in ("format", "session", "cwd", "time")]
    )
    fields = [("id", text), ("source", source), ("request", text), ("request_from", text), ("command", text)]
    fields += [("argv", words), ("shell", text), ("exit_code", arrow.int64())]
    fields += [(name, text) for name in ("output", "stdout", "stderr")]
    fields += [("truncated", arrow.bool_()), ("capped", arrow.bool_()), ("duration_ms", arrow.float64())]
    return arrow.schema([*fields, ("status", text)])
