"""The benchmarks stand beside the package, where nothing but this would notice that a name of it is gone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"
IMPORTED = (
    "import importlib, sys; sys.path.insert(0, sys.argv[1]); [importlib.import_module(name) for name in sys.argv[2:]]"
)
OFFLINE = {"evidence_weights": "numpy"}
"""Those that need a package which nothing else here needs."""


def test_every_benchmark_finds_what_it_imports() -> None:
    names = sorted(file.stem for file in FOLDER.glob("*.py") if file.stem != "__main__" and file.stem not in OFFLINE)
    assert len(names) > 20
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED, str(FOLDER), *names], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", OFFLINE)
def test_so_do_those_that_need_more(name: str) -> None:
    pytest.importorskip(OFFLINE[name])
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED, str(FOLDER), name], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
