"""`dabhand tool`: made from examples or words, listed, tested after a restart and elsewhere, removed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.interfaces.command_line import dabhand, document

EXAMPLES = [("pear\nfig\n", "fig\npear\n"), ("b\na\nb\n", "a\nb\nb\n"), ("z\ny x\nq\n", "q\ny x\nz\n")]


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    file = tmp_path / "examples.jsonl"
    file.write_text("".join(json.dumps({"input": given, "output": output}) + "\n" for given, output in EXAMPLES))
    return file


def test_made_listed_tested_removed(examples: Path, tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / 'my "store"'))
    done = dabhand("tool", "make", "--name", "in_order", "--examples", str(examples), "--json", *store)
    assert done.returncode == 0, done.stdout
    made = document(done)
    assert (made["status"], made["command"]) == ("made", "python3 TOOLS/in_order.py {A} {B}")
    assert made["tests"][0] == made["tests"][1] > 3 and made["tried"] > 0
    (tmp_path / "it's a file").write_text("2\n1\n")
    argv = [sys.executable, "-I", made["path"], "it's a file", "out"]
    subprocess.run(argv, cwd=tmp_path, check=True)
    assert (tmp_path / "out").read_text() == "1\n2\n"
    again = dabhand("tool", "make", "--name", "in_order", "--examples", str(examples), *store)
    assert again.returncode == 2
    (listed,) = document(dabhand("tool", "list", "--json", *store))["tools"]
    assert listed["trusted"] and listed["practised"][0] == listed["practised"][1]
    assert "def main" in dabhand("tool", "show", "in_order", *store).stdout.decode()
    assert document(dabhand("tool", "test", "--all", "--json", *store))["ok"]
    Path(made["path"]).write_text("raise SystemExit(1)\n")
    assert dabhand("tool", "test", "in_order", *store).returncode == 1
    assert b"edited" in dabhand("tool", "list", *store).stdout
    assert dabhand("tool", "remove", "in_order", *store).returncode == 0
    assert document(dabhand("tool", "list", "--json", *store)) == {"tools": []}
    assert dabhand("tool", "show", "in_order", *store).returncode == 2


def test_made_from_words(tmp_path: Path) -> None:
    (tmp_path / "story.txt").write_text("Once upon\n")
    store = ("--store", str(tmp_path / "store"))
    where = ("--root", str(tmp_path), "--request", "How many vowels are in story.txt?")
    made = document(dabhand("tool", "make", "--name", "count_vowels", *where, "--json", *store))
    assert (made["status"], made["term"]) == ("made", "line(digits(count(vowels(chars(given)))))")


def test_what_is_wrong_is_said(examples: Path, tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "store"))
    for arguments in (
        ("--name", "x"),
        ("--name", "../x", "--examples", str(examples)),
        ("--name", "x", "--examples", str(tmp_path / "none")),
        ("--name", "x", "--examples", str(examples), "--writer", "remote"),
    ):
        done = dabhand("tool", "make", *arguments, "--json", *store)
        assert done.returncode == 2 and document(done)["error"]["message"]
