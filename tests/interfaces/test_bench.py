"""`dabhand bench`: numbers under labels."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from dabhand.errors import UsageError
from dabhand.interfaces.cli import bench_tokens

from .command_line import dabhand, document


def test_every_bound_target_is_exact_and_labels_are_never_overwritten(tmp_path: Path) -> None:
    called = ("bench", "bindings", "--count", "40", "--label", "first", "--json", "--store", str(tmp_path / "store"))
    done = dabhand(*called)
    found = document(done)
    assert done.returncode == 0, found
    assert (found["bound"]["exact"], found["bound"]["wrong"], found["unbound"]["wrong"]) == (40, 0, 0)
    kept = (tmp_path / "store/bench/bindings/first.json").read_text()
    again = dabhand(*called)
    assert (again.returncode, document(again)["error"]["code"]) == (2, "usage")
    assert (tmp_path / "store/bench/bindings/first.json").read_text() == kept


def test_what_handing_over_saves_is_measured_without_anything_but_the_tool_itself(tmp_path: Path) -> None:
    """The packages that only the corpus commands need are not there: the tokenizer is left out, and said to be."""
    call = {"id": "t1", "source": {"file": "f", "line": 1, "format": "codex 1"}, "request": None, "request_from": None}
    output = "".join(f"step {n}\n" for n in range(900)) + "a.c:1:2: error: no\n"
    call |= {"command": "make", "argv": None, "shell": None, "exit_code": 2, "output": output, "stdout": None}
    call |= {"stderr": None, "truncated": False, "capped": False, "duration_ms": None, "status": "ran"}
    (tmp_path / "triples.jsonl").write_text(json.dumps(call) + "\n")
    block = "".join(
        f"sys.modules[{name!r}] = None\n" for name in ("datasketch", "bpe_openai", "detect_secrets", "ray", "mcp")
    )
    arguments = ["bench", "handoff", str(tmp_path), "--json", "--store", str(tmp_path / "store")]
    program = f"import sys\n{block}from dabhand.interfaces.cli.root import run\nsys.exit(run({arguments!r}))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    found = json.loads(done.stdout)
    assert found["tokenizer"] is None and found["all"]["handed_over"] == 1
    before, text, data = found["all"]["characters"]
    assert text < data < before / 4
    assert found["if_all_long"]["hosts"].keys() == {"codex"}


def test_packets_and_raw_outputs_are_counted_by_the_same_tokenizer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a tokenizer of one token a character, the sums are lengths."""
    looked_at = tmp_path / "looked-at"
    looked_at.mkdir()
    text = "".join(f"step {number}\n" for number in range(3000)) + "error: disk full\n"
    (looked_at / "build.log").write_text(text)
    (looked_at / "image").write_bytes(b"a\0b")
    (looked_at / "empty").write_bytes(b"")
    monkeypatch.setattr(bench_tokens, "_tokenizers", lambda: iter([("letters", len)]))
    found = bench_tokens.measure(looked_at)
    ways = found["tokenizers"]["letters"]
    assert (found["files"], found["looks"]) == (2, 3)
    assert ways["read for errors"][0] == len(text) > 10 * ways["read for errors"][1] > 0
    assert ways["last 20 lines"][0] == len("\n".join(text.splitlines()[-20:]))
    assert ways["search, first 20"][0] == len("3001:error: disk full")
    monkeypatch.setattr(bench_tokens, "_tokenizers", lambda: iter(()))
    with pytest.raises(UsageError):
        bench_tokens.measure(looked_at)
