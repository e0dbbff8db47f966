"""`dabhand bench`: numbers under labels."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

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
