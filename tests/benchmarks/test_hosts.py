"""The benchmark of the server: it runs, and what it measures stands beside its floors."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def test_the_server_is_measured(tmp_path: Path) -> None:
    program = [sys.executable, str(BENCHMARKS / "hosts.py"), "--json", "--calls", "16", "--first", "24"]
    done = subprocess.run(program, capture_output=True, check=True)
    measured = json.loads(done.stdout)
    listing = "import json, sys; from ratios import all_ratios; found = json.load(sys.stdin);"
    listing += "print(json.dumps([each.name for each in all_ratios({'hosts': found}) if each.value is not None]))"
    rows = subprocess.run(
        [sys.executable, "-c", listing], input=done.stdout, capture_output=True, check=True, cwd=BENCHMARKS
    )
    names = json.loads(rows.stdout)
    assert "the server answers initialize" in names and "processes that cancelled calls leave" in names
    assert measured["ratios"]["mixed_up"] == 0 and measured["ratios"]["mixed_session"]["processes_left"] == 0
