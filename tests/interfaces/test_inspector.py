"""The MCP Inspector's command line, as somebody would try the server with it; where npm can install it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PACKAGE = "@modelcontextprotocol/inspector@2.12.0"


@pytest.fixture(scope="module")
def inspector(tmp_path_factory: pytest.TempPathFactory) -> Path:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("there is no npm on this machine")
    folder = tmp_path_factory.mktemp("inspector")
    install = [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), PACKAGE]
    done = subprocess.run(install, capture_output=True, check=False, timeout=240)
    binary = folder / "node_modules/.bin/mcp-inspector"
    if done.returncode != 0 or not binary.exists():
        pytest.skip("npm cannot install the inspector here")
    return binary


def asked(inspector: Path, root: Path, *arguments: str) -> Any:
    server = [sys.executable, "-m", "dabhand", "mcp", "--root", str(root)]
    done = subprocess.run(
        [str(inspector), "--cli", *server, *arguments], cwd=root, capture_output=True, check=False, timeout=120
    )
    assert done.returncode in (0, 5), done.stderr.decode()
    return json.loads(done.stdout)


def test_the_tools_are_listed_and_called(inspector: Path, tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text("one\ntwo\nthree\n")
    tools = asked(inspector, tmp_path, "--method", "tools/list")["tools"]
    assert [tool["name"] for tool in tools] == ["inspect", "run", "artifact", "plan", "do", "undo", "commands"]
    call = ("--method", "tools/call", "--tool-name")
    said = asked(inspector, tmp_path, *call, "inspect", "--tool-arg", 'request=Read the last 2 lines of "log.txt".')
    assert [line["text"] for line in said["structuredContent"]["output"]["lines"]] == ["two", "three"]
    ran = asked(inspector, tmp_path, *call, "run", "--tool-arg", "shell=echo hello | cat; exit 3")
    assert ran["structuredContent"]["exit_code"] == 3 and not ran["isError"]
    assert asked(inspector, tmp_path, *call, "commands")["structuredContent"]["status"] == "ok"
    plan = '{"operation": "whole_file", "path": "log.txt"}'
    kept = asked(inspector, tmp_path, *call, "inspect", "--tool-arg", f"plan={plan}")["structuredContent"]["artifact"]
    again = ("--tool-arg", f"id={kept['id']}", "--tool-arg", "lines=2-3")
    part = asked(inspector, tmp_path, *call, "artifact", *again)["structuredContent"]
    assert [line["text"] for line in part["output"]["lines"]] == ["two", "three"]
    for name in ("plan", "do"):  # nothing was practised in this store
        told = asked(inspector, tmp_path, *call, name, "--tool-arg", "request=Delete log.txt.")
        assert told["structuredContent"]["status"] == "abstained" and not told["isError"]
    nothing = asked(inspector, tmp_path, *call, "undo")
    assert nothing["isError"] and nothing["content"][0]["text"]
    assert (tmp_path / "log.txt").exists()
    wrong = asked(inspector, tmp_path, *call, "artifact", "--tool-arg", "id=nothing")
    assert wrong["isError"] and wrong["content"][0]["text"]
