"""The same work on a Ray cluster of two nodes on this machine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dabhand.corpus.extracting import Job, extract
from dabhand.corpus.runners import here, on_ray
from tests.corpus.transcripts import claude_session

ray = pytest.importorskip("ray")
cluster_utils = pytest.importorskip("ray.cluster_utils")


def test_a_cluster_gives_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = tmp_path / "sources"
    sources.mkdir()
    for number in range(6):
        calls = [(f"toolu_{number}_{each}", f"ls box{each}", "egg\n" * 20) for each in range(30)]
        (sources / f"s{number}.jsonl").write_bytes(claude_session(calls, session=f"session-{number}"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(("src", os.environ.get("PYTHONPATH", ""))))
    monkeypatch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    extract(Job((sources,), tmp_path / "here", now=1.0), here)
    node = {"num_cpus": 1, "object_store_memory": 80 << 20, "include_dashboard": False}
    cluster = cluster_utils.Cluster(initialize_head=True, head_node_args=node)
    try:
        cluster.add_node(num_cpus=1, object_store_memory=80 << 20)
        ray.init(address=cluster.address, log_to_driver=False)
        assert len(ray.nodes()) == 2
        extract(Job((sources,), tmp_path / "there", now=1.0), on_ray())
    finally:
        ray.shutdown()
        cluster.shutdown()
    for name in ("triples.jsonl", "summary.json"):
        assert (tmp_path / "here" / name).read_bytes() == (tmp_path / "there" / name).read_bytes()
