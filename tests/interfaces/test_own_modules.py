"""Whatever stands in the folder that one works in, none of it is run in place of a module of ours or of Python's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

NAMES = ("click", "msgspec", "rich", "tree_sitter", "multiprocessing", "pickle", "logging", "json", "zstandard")
CALL = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "a"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    for name in NAMES:
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / 'bitten')!r}, 'a').write({name!r})\n")
    for name in ("a", "b"):
        lines = [
            {"type": "assistant", "sessionId": "s", "message": {"role": "assistant", "content": [CALL]}},
            {"type": "user", "sessionId": "s", "message": {"role": "user", "content": [RESULT]}},
        ]
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """The command as pip installs it: a script of another folder."""
    file = tmp_path / "bin" / "dabhand"
    file.parent.mkdir()
    file.write_text("from dabhand.interfaces.cli import main\nif __name__ == '__main__':\n    main()\n")
    return file


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["run", "--json", "--", "true"],
        ["inspect", "--root", ".", "--request", "Count the lines of a.jsonl.", "--json"],
        ["do", "Delete a.jsonl.", "--root", ".", "--dry-run", "--json"],
        ["corpus", "extract", ".", "--out", "../corpus", "--workers", "2", "--json"],
        ["host", "list", "--json"],
    ],
)
@pytest.mark.parametrize("how", ["script", "module"])
def test_no_module_of_the_project_is_run(
    project: Path, script: Path, tmp_path: Path, arguments: list[str], how: str
) -> None:
    program = [str(script)] if how == "script" else ["-m", "dabhand"]
    environment = os.environ | {"HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, *program, *arguments], cwd=project, env=environment, capture_output=True)
    assert not (tmp_path / "bitten").exists(), (tmp_path / "bitten").read_text()
    assert b"Traceback" not in done.stderr, done.stderr.decode()
