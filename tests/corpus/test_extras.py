"""Without a package that only parts of the room need: one sentence and how to install it, and all else still works."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.corpus.transcripts import claude_session

RUN = """
import json, sys
missing, lines = json.loads(sys.argv[1])
for name in missing:
    sys.modules[name] = None
from dabhand.interfaces.cli.root import run
for line in lines:
    print("STATUS", run(line), flush=True)
    print("STATUS", "next", file=sys.stderr, flush=True)
"""
OPTIONAL = ("datasketch", "detect_secrets", "tree_sitter_powershell", "tree_sitter_javascript", "zstandard")
EXTRA = dict.fromkeys(OPTIONAL, "corpus") | {"pyarrow": "parquet", "ray": "ray"}


def run(missing: Sequence[str], *lines: Sequence[str]) -> list[tuple[int, str]]:
    """The exit status and what is said in standard error of each command line, where packages are missing."""
    given = json.dumps([list(missing), [list(line) for line in lines]])
    done = subprocess.run([sys.executable, "-c", RUN, given], capture_output=True, text=True, check=True)
    statuses = [int(line.split()[1]) for line in done.stdout.splitlines() if line.startswith("STATUS")]
    return list(zip(statuses, done.stderr.split("STATUS next\n"), strict=False))


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A transcript with a look at a file, a cmdlet and a build."""
    path = tmp_path_factory.mktemp("source") / "session.jsonl"
    path.write_bytes(
        claude_session(
            [
                ("toolu_1", "cat notes.txt", "egg\n"),
                ("toolu_2", "Get-ChildItem src", ""),
                ("toolu_3", "make | tail", ""),
            ]
        )
    )
    return path


def commands(source: Path, folder: Path) -> dict[str, list[str]]:
    """Every command of the room, in the order in which they are used."""
    out, store = str(folder / "out"), str(folder / "store")
    return {
        "extract": ["corpus", "extract", str(source), "--out", out],
        "facts": ["corpus", "facts", out],
        "facts as it is": ["corpus", "facts", out, "--no-redact"],
        "templates": ["corpus", "templates", out, "--store", store],
        "prepare": ["corpus", "prepare", out],
        "check": ["corpus", "check", out],
        "split": ["corpus", "split", out],
        "open": ["corpus", "split", out, "--open", "review", "--out", str(folder / "review.jsonl")],
        "handoff": ["bench", "handoff", out, "--label", "none", "--store", store],
        "parquet": ["corpus", "extract", str(source), "--out", str(folder / "table"), "--format", "parquet"],
        "of parquet": ["corpus", "facts", str(folder / "table"), "--no-redact"],
        "ray": ["corpus", "extract", str(source), "--out", str(folder / "cluster"), "--ray"],
    }


NEEDS = {
    "datasketch": {"split", "open"},
    "detect_secrets": {"facts", "templates", "prepare", "check"},
    "tree_sitter_powershell": {"facts", "facts as it is", "of parquet"},
    "tree_sitter_javascript": set(),
    "zstandard": set(),
    "pyarrow": {"parquet", "of parquet"},
    "ray": {"ray"},
}
"""Which commands cannot do without which package, for such a transcript."""


@pytest.mark.parametrize("package", NEEDS)
def test_what_needs_a_package_says_so_and_nothing_else_does(package: str, source: Path, tmp_path: Path) -> None:
    lines = commands(source, tmp_path)
    if package != "ray":
        lines.pop("ray")  # a cluster takes long to come up
    for name, (status, said) in zip(lines, run([package], *lines.values()), strict=True):
        assert "Traceback" not in said, (name, said)
        if name in NEEDS[package] and name not in ("open", "of parquet"):
            assert status == 2 and said.count("\n") == 2, (name, said)
            assert f"pip install 'dabhand[{EXTRA[package]}]'" in said, (name, said)
            assert package.replace("_", "-") in said, (name, said)
        elif name not in NEEDS[package]:
            assert status == 0, (name, said)


def test_a_packed_transcript_needs_zstandard(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    packed = tmp_path / "session.jsonl"
    packed.write_bytes(zstandard.compress(claude_session([("toolu_1", "ls", "")])))
    line = ["corpus", "extract", str(packed), "--out", str(tmp_path / "out"), "--json"]
    ((status, said),) = run(["zstandard"], line)
    summary = json.loads((tmp_path / "out" / "summary.json").read_bytes())
    assert status == 0 and not said
    assert "needs zstandard, which is not installed here" in summary["files_left_out"][0]["reason"]
    assert "pip install 'dabhand[corpus]'" in summary["files_left_out"][0]["reason"]


def test_a_corpus_in_parquet_is_read_by_every_command(source: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    lines = commands(source, tmp_path)
    lines["extract"] += ["--format", "parquet"]
    for name in ("parquet", "of parquet", "ray", "open"):
        lines.pop(name)
    for name, (status, said) in zip(lines, run([], *lines.values()), strict=True):
        assert status == 0 and not said, (name, said)
    assert not (tmp_path / "out" / "triples.jsonl").exists()
    assert (tmp_path / "out" / "facts.jsonl").read_bytes().count(b"\n") == 3
