"""Packed transcripts: gzip and zstd, whole and cut off, by what they begin with and not by their name."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from dabhand.corpus.damage import Tally
from dabhand.corpus.records import BOM, Records
from dabhand.corpus.sources import discover
from tests.corpus.reading import read
from tests.corpus.transcripts import claude_session

zstandard = pytest.importorskip("zstandard")

SESSION = claude_session([(f"toolu_{number}", f"ls {number}", f"egg {number * 7919}\n" * 40) for number in range(3000)])
PACKING: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "zstd": lambda data: bytes(zstandard.compress(data)),
    "several frames": lambda data: bytes(zstandard.compress(data[:99_999]) + zstandard.compress(data[99_999:])),
}


@pytest.mark.parametrize("pack", PACKING.values(), ids=PACKING)
def test_whole(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(pack(BOM + SESSION))
    triples, tally = read(path)
    assert len(triples) == 3000 and not tally.damage_counts


@pytest.mark.parametrize("pack", PACKING.values(), ids=PACKING)
def test_cut_off(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    data = pack(SESSION)
    path = tmp_path / "session.jsonl"
    path.write_bytes(data[: len(data) * 2 // 3])
    triples, tally = read(path)
    assert 0 <= len(triples) < 3000 and tally.damage_counts["compression"] == 1


def test_nothing_is_lost_before_the_place_where_a_file_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    for pack, kept in ((PACKING["gzip"], 0), (PACKING["zstd"], 1 << 17)):  # zstd gives whole blocks of 128 KiB only
        data = pack(SESSION)
        path.write_bytes(data[:-1])
        read_back = b"".join(line for _, line in Records(path, Tally()).lines())
        assert SESSION.startswith(read_back) and len(read_back) >= len(SESSION) - kept


def test_what_follows_is_damage_unless_it_is_padding_or_a_further_part(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    for rest, damages in ((b"\0" * 5000, {}), (b"junk", {"compression": 1}), (gzip.compress(b""), {})):
        path.write_bytes(gzip.compress(SESSION) + rest)
        triples, tally = read(path)
        assert len(triples) == 3000 and tally.damage_counts == damages


def test_only_what_was_there_counts(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(SESSION)
    size = SESSION.index(b"\n", len(SESSION) // 2) + 1
    assert sum(1 for _ in Records(path, Tally(), size).lines()) == SESSION[:size].count(b"\n")


def test_the_plain_file_goes_before_the_packed_one(tmp_path: Path) -> None:
    (tmp_path / "rollout-a.jsonl").write_bytes(SESSION)
    (tmp_path / "rollout-a.jsonl.zst").write_bytes(b"x")
    (tmp_path / "rollout-b.jsonl.zst").write_bytes(b"x")
    found = discover([tmp_path], tmp_path / "out")
    assert [each.label for each in found] == ["rollout-a.jsonl", "rollout-b.jsonl.zst"]
