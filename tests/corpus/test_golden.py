"""One small transcript per format version, written by us after the formats; beside each what must come out of it."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from tests.corpus.reading import read

GOLDEN = Path(__file__).parent / "golden"
CASES = sorted(path for path in GOLDEN.iterdir() if not path.name.endswith(".expected.json"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_a_transcript_gives_exactly_its_calls(path: Path) -> None:
    expected = json.loads((GOLDEN / f"{path.name}.expected.json").read_text("utf-8"))
    triples, tally = read(path)
    found = [msgspec.to_builtins(triple) for triple in triples]
    assert [
        {key: triple[key] for key in wanted} for triple, wanted in zip(found, expected["triples"], strict=True)
    ] == (expected["triples"])
    assert tally.left_out == expected.get("left_out", {})
    assert tally.damage_counts == expected.get("damages", {})
    assert tally.withdrawn == expected.get("withdrawn")
