"""Triples as a table in columns (Parquet): the same fields, those of the source under `source`."""

from __future__ import annotations

import json
from pathlib import Path

from dabhand.errors import UsageError

BATCH = 8 << 20
"""Bytes of triples that are turned over at once."""


def to_parquet(triples: Path, place: Path) -> None:
    """Write the triples of a file of lines as Parquet.

    Raises:
        UsageError: pyarrow is not installed.
    """
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError as error:
        raise UsageError(
            "Parquet needs pyarrow, which is not installed here.", "Install it with: pip install 'dabhand[parquet]'"
        ) from error
    text, words = arrow.string(), arrow.list_(arrow.string())
    source = arrow.struct(
        [("file", text), ("line", arrow.int64())] + [(name, text) for name in ("format", "session", "cwd", "time")]
    )
    fields = [("id", text), ("source", source), ("request", text), ("request_from", text), ("command", text)]
    fields += [("argv", words), ("shell", text), ("exit_code", arrow.int64())]
    fields += [(name, text) for name in ("output", "stdout", "stderr")]
    fields += [("truncated", arrow.bool_()), ("capped", arrow.bool_()), ("duration_ms", arrow.float64())]
    schema = arrow.schema([*fields, ("status", text)])
    with triples.open("rb") as stream, parquet.ParquetWriter(place, schema, compression="zstd") as writer:
        while lines := stream.readlines(BATCH):
            writer.write_table(arrow.Table.from_pylist([json.loads(line) for line in lines], schema=schema))
