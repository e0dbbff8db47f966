"""Pipelines of the kinds that lose exit codes: each is told to have failed, with the failing lines as evidence."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import tests.handoff.failing as failing
from dabhand.handoff.artifacts import Artifacts
from dabhand.handoff.running.command import Asked, run_command

NEEDED = ("npm", "node", "make", "gcc")


@pytest.fixture(autouse=True)
def no_make_above(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs these by `make` would have the inner one speak of being inside of another."""
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(("line", "proof"), failing.PIPELINES, ids=[line[-60:] for line, _ in failing.PIPELINES])
def test_a_lost_failure_is_found(tmp_path: Path, line: str, proof: str) -> None:
    for program in NEEDED:
        if re.search(rf"\b{program}\b", line) and shutil.which(program) is None:
            pytest.skip(f"there is no {program}")
    failing.write(tmp_path)
    packet = run_command(Asked((line,), tmp_path, shell=True), Artifacts(tmp_path / "kept")).packet
    assert packet.status == "failed", packet
    assert any(stage.exit_code for stage in packet.stages or ())
    evidence = "\n".join(found.text for found in packet.evidence.lines)
    assert proof in evidence, (evidence, packet.output.lines)


def test_the_shell_itself_says_nothing_of_most(tmp_path: Path) -> None:
    quick = [line for line, _ in failing.PIPELINES if "npm" not in line and "pytest" not in line]
    failing.write(tmp_path)
    said = [
        subprocess.run(["bash", "-c", line], cwd=tmp_path, capture_output=True, check=False).returncode
        for line in quick
    ]
    assert said.count(0) >= len(quick) - 2
