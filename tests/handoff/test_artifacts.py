"""Artifacts: private, exact, kept once, expired in order and told from what never was."""

from __future__ import annotations

import hashlib
import json
import stat
import time
from pathlib import Path

import pytest

import dabhand
from dabhand.handoff.artifacts import Artifacts, DamagedArtifact, ExpiredArtifact, NotKept, UnknownArtifact
from dabhand.handoff.raw import Raw

from .conftest import Inspect

HOUR = 3600.0


@pytest.fixture
def artifacts(store: Path) -> Artifacts:
    return Artifacts(store / "artifacts", quota=1000)


def keep(artifacts: Artifacts, data: bytes, now: float) -> str:
    with Raw(artifacts.new_file) as raw:
        raw.add(data, data.count(b"\n"), 1)
        return artifacts.keep(raw, {"request": "r"}, now).id


def test_the_whole_result_is_kept_whatever_is_shown(root: Path, store: Path, inspect: Inspect) -> None:
    data = b"".join(b"line %d \xff\r\n" % n for n in range(5000)) + b"end"
    (root / "a").write_bytes(data)
    packet = inspect("whole_file", options={"max_lines": 2})
    assert packet.artifact is not None
    path = Path(packet.artifact.path)
    assert path.read_bytes() == data
    assert path.name == hashlib.sha256(data).hexdigest()
    assert packet.artifact.bytes == len(data)
    for each in [store / "artifacts", *(store / "artifacts").rglob("*")]:
        assert stat.S_IMODE(each.stat().st_mode) == (0o700 if each.is_dir() else 0o600)


def test_the_record_says_what_was_done(root: Path, store: Path, inspect: Inspect) -> None:
    (root / "a").write_text("x\n")
    packet = inspect("last_lines", count=1)
    assert packet.artifact is not None
    record = Artifacts(store / "artifacts").get(packet.artifact.id).record
    assert record["plan"] == {"operation": "last_lines", "path": "a", "count": 1}
    assert {"environment", "timings_ms", "audit", "status", "searched"} <= record.keys()


def test_equal_results_are_kept_once(artifacts: Artifacts) -> None:
    first, second = keep(artifacts, b"same\n", 1.0), keep(artifacts, b"same\n", 2.0)
    assert first != second
    assert artifacts.raw_path(artifacts.get(first)) == artifacts.raw_path(artifacts.get(second))


def test_the_oldest_go_first_and_none_of_the_last_hour(store: Path) -> None:
    artifacts = Artifacts(store / "artifacts")
    now = time.time()
    ids = [keep(artifacts, bytes([65 + n]) * 39999 + b"\n", now - (9 - n) * HOUR) for n in range(3)]
    young = [keep(artifacts, bytes([75 + n]) * 39999 + b"\n", now - n) for n in range(3)]
    assert artifacts.prune(now, 10**6).removed == 0
    done = artifacts.prune(now, 100_000)
    assert (done.removed, done.left) == (3, 3)
    assert 120_000 < done.freed < 122_000
    assert {each.id for each in artifacts.all()} == set(young)
    for each in ids:
        with pytest.raises(ExpiredArtifact):
            artifacts.get(each)
    assert artifacts.prune(now + 2 * HOUR, 90_000).removed == 1
    with pytest.raises(ExpiredArtifact):
        artifacts.get(young[2])


def test_a_result_that_another_record_still_needs_stays(store: Path) -> None:
    artifacts = Artifacts(store / "artifacts")
    now = time.time()
    keep(artifacts, b"x" * 600 + b"\n", now - 5 * HOUR)
    other = keep(artifacts, b"x" * 600 + b"\n", now)
    artifacts.prune(now, 100)
    assert artifacts.raw_path(artifacts.get(other)).stat().st_size == 601


@pytest.mark.parametrize("name", ["0" * 16, "", "../x", "ABCDEF", "0" * 15 + "/"])
def test_what_never_was_is_unknown(artifacts: Artifacts, name: str) -> None:
    keep(artifacts, b"x\n", 1.0)
    with pytest.raises(UnknownArtifact):
        artifacts.get(name)


def test_what_was_changed_on_disk_is_said_to_be(artifacts: Artifacts) -> None:
    kept = artifacts.get(keep(artifacts, b"x\n", 1.0))
    artifacts.raw_path(kept).write_bytes(b"longer\n")
    with pytest.raises(DamagedArtifact):
        artifacts.open_raw(kept)
    record = artifacts.directory / "records" / f"{kept.id}.json"
    record.write_text(json.dumps({"raw": "../../etc"}))
    with pytest.raises(DamagedArtifact):
        artifacts.get(kept.id)


def test_what_is_larger_than_the_quota_is_not_kept_and_the_packet_says_so(artifacts: Artifacts) -> None:
    with pytest.raises(NotKept):
        keep(artifacts, b"x" * 1001 + b"\n", 1.0)


def test_a_store_that_cannot_be_written_costs_no_answer(root: Path, tmp_path: Path) -> None:
    (root / "a").write_text("x\n")
    (tmp_path / "file").touch()
    plan = {"operation": "whole_file", "path": "a"}
    packet = dabhand.inspect_request(root, plan=plan, store=tmp_path / "file" / "store")
    assert (packet.status, packet.artifact) == ("ok", None)
    assert "cannot be kept" in packet.notes[0]


def test_one_bad_record_never_hides_the_others(artifacts: Artifacts) -> None:
    good = keep(artifacts, b"a\n", 1.0)
    for text in (
        b"",
        b"[]",
        b"\xff",
        b'{"time": 1}',
        b"[" * 100_000,
        b'{"time": "x", "raw": 1, "bytes": -1, "lines": 0, "record": []}',
    ):
        name = hashlib.sha256(text).hexdigest()[:16]
        (artifacts.directory / "records" / f"{name}.json").write_bytes(text)
        with pytest.raises(DamagedArtifact):
            artifacts.get(name)
    older = json.dumps({"time": 2.0, "raw": "0" * 64, "bytes": 1, "lines": 1, "record": {"plan": {"min_age": 1e999}}})
    name = hashlib.sha256(older.encode()).hexdigest()[:16]
    (artifacts.directory / "records" / f"{name}.json").write_text(older)
    assert [each.id for each in artifacts.all()] == [name, good]
    json.dumps([each.record for each in artifacts.all()], allow_nan=False)
