"""`dabhand tool` as a program and as a person use it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.interfaces.command_line import dabhand, document

VOWELS = [("alpha\nbe\n", "3\n"), ("xyz\n", "0\n"), ("queue\naa\n", "6\n")]


def examples(file: Path, pairs: list[tuple[str, str]]) -> str:
    file.write_text("".join(json.dumps({"input": given, "output": made}) + "\n" for given, made in pairs))
    return str(file)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("made")
    file = examples(folder / "vowels.jsonl", VOWELS)
    store = folder / "store"
    done = dabhand("tool", "make", "--name", "vowels", "--examples", file, "--store", str(store), "--json")
    assert done.returncode == 0, (done.stdout, done.stderr)
    return store, document(done)


def test_the_document(made: tuple[Path, dict[str, Any]]) -> None:
    store, result = made
    assert result["status"] == "made" and result["name"] == "vowels"
    assert result["command"] == "python3 TOOLS/vowels.py {A} {B}" and Path(result["path"]).parent == store / "tools"
    assert result["tests"][0] == result["tests"][1] >= 3 and result["tried"] > 0 and result["term"]


def test_its_file_stands_alone(made: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    file = made[1]["path"]
    source, target = tmp_path / 'it\'s a "text".txt', tmp_path / "-n of vowels"
    source.write_text("Äpfel and oranges\n")
    run = [sys.executable, "-I", file, source.name, f"./{target.name}"]
    assert subprocess.run(run, cwd=tmp_path, check=False).returncode == 0
    assert target.read_text().strip().isdigit()
    failed = subprocess.run([sys.executable, "-I", file, "none", "x"], cwd=tmp_path, capture_output=True, check=False)
    assert failed.returncode == 1 and b"Traceback" not in failed.stderr and not (tmp_path / "x").exists()


def test_list_show_test(made: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    store = made[0]
    (listed,) = document(dabhand("tool", "list", "--store", str(store), "--json"))["tools"]
    assert listed["name"] == "vowels" and listed["trusted"] and not listed["simulated"]
    shown = document(dabhand("tool", "show", "vowels", "--store", str(store), "--json"))
    assert "def main" in shown["source"] and len(shown["tests"]) >= 3
    done = dabhand("tool", "test", "--all", "--store", str(store), "--json")
    assert done.returncode == 0 and document(done)["status"] == "ok"
    assert b"vowels" in dabhand("tool", "list", "--store", str(store)).stdout


def test_what_cannot_be_used(made: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    store = str(made[0])
    file = examples(tmp_path / "e.jsonl", VOWELS)
    wrong = [
        ["make", "--name", "x"],
        ["make", "--name", "Not A Name", "--examples", file],
        ["make", "--name", "vowels", "--examples", file],
        ["make", "--name", "json", "--examples", file],
        ["make", "--name", "x", "--examples", str(tmp_path / "none")],
        ["make", "--name", "x", "--request", "do it", "--examples", file],
        ["make", "--name", "x", "--request", "do it", "--writer", "remote"],
        ["make", "--name", "x", "--examples", examples(tmp_path / "c", [("a", "b"), ("a", "c")])],
        ["show", "none"],
        ["remove", "none"],
        ["test"],
    ]
    for arguments in wrong:
        done = dabhand("tool", *arguments, "--store", store, "--json")
        assert done.returncode == 2, arguments
        assert document(done)["error"]["message"]


def test_several_programs_that_fit_are_said(tmp_path: Path) -> None:
    file = examples(tmp_path / "e.jsonl", [("a\n", "1\n"), ("b\n", "1\n")])
    done = dabhand("tool", "make", "--name", "one", "--examples", file, "--store", str(tmp_path / "s"), "--json")
    result = document(done)
    assert done.returncode == 1 and result["status"] == "failed" and "example" in result["reason"]


def test_an_edited_tool_is_not_trusted_until_tested(tmp_path: Path) -> None:
    file = examples(
        tmp_path / "e.jsonl", [("b\nc\na\n", "a\nb\nc\n"), ("x\nx\n", "x\nx\n"), ("d\nb\nc\n", "b\nc\nd\n")]
    )
    store = str(tmp_path / "s")
    made = document(dabhand("tool", "make", "--name", "sorted_lines", "--examples", file, "--store", store, "--json"))
    path = Path(made["path"])
    path.write_text(path.read_text() + "# mine\n")
    assert not document(dabhand("tool", "list", "--store", store, "--json"))["tools"][0]["trusted"]
    assert dabhand("tool", "test", "sorted_lines", "--store", store).returncode == 0
    assert document(dabhand("tool", "list", "--store", store, "--json"))["tools"][0]["trusted"]
    path.write_text(path.read_text().replace("sorted(", "list("))
    assert dabhand("tool", "test", "sorted_lines", "--store", store).returncode == 1
    assert not document(dabhand("tool", "list", "--store", store, "--json"))["tools"][0]["trusted"]
    assert dabhand("tool", "remove", "sorted_lines", "--store", store).returncode == 0
    assert document(dabhand("tool", "list", "--store", store, "--json"))["tools"] == []


def test_the_guide_is_shown_and_trained(tmp_path: Path) -> None:
    store = str(tmp_path / "s")
    shown = document(dabhand("tool", "guide", "show", "--store", store, "--json"))
    assert shown["runs"] > 10_000 and shown["rows"]
    trained = document(dabhand("tool", "guide", "train", "--scenes", "12", "--store", store, "--json"))
    assert document(dabhand("tool", "guide", "show", "--store", store, "--json"))["runs"] == trained["runs"]


def test_made_from_words(tmp_path: Path) -> None:
    (tmp_path / "story.txt").write_text("Once upon\n")
    store = ("--store", str(tmp_path / "store"))
    where = ("--root", str(tmp_path), "--request", "How many vowels are in story.txt?")
    made = document(dabhand("tool", "make", "--name", "count_vowels", *where, "--json", *store))
    assert (made["status"], made["term"]) == ("made", "line(digits(count(vowels(chars(given)))))")
    done = dabhand("tool", "make", "--name", "x", "--root", str(tmp_path), "--request", "Make it nicer.", *store)
    assert done.returncode == 3


def test_a_tool_is_told_of_as_a_command(made: tuple[Path, dict[str, Any]]) -> None:
    store = str(made[0])
    name = "python3 TOOLS/vowels.py {A} {B}"
    listed = document(dabhand("commands", "--store", store, "--json"))["commands"]
    assert [(each["command"], each["status"]) for each in listed] == [(name, "understood")]
    explained = document(dabhand("explain", name, "--store", store, "--json"))
    assert "vowels" in explained["effects"][0]["effect"] and explained["support"][0] == explained["support"][1]
    question = {"id": 7, "command": name, "slots": {"A": "a b", "B": "n"}, "state": {"a b": {"text": "aeiou\n"}}}
    told = document(dabhand("predict", "--store", store, given=json.dumps(question).encode()))
    assert told["known"] and told["trusted"] and told["state"]["n"] == {"text": "5\n"}


def test_one_example_says_too_little(tmp_path: Path) -> None:
    file = examples(tmp_path / "e.jsonl", [("3\n5\n", "8\n")])
    done = dabhand("tool", "make", "--name", "one", "--examples", file, "--store", str(tmp_path / "s"), "--json")
    assert done.returncode == 1 and document(done)["status"] == "failed"
    (tmp_path / "bad.jsonl").write_bytes(b"\xff\xfe")
    bad = dabhand("tool", "make", "--name", "x", "--examples", str(tmp_path / "bad.jsonl"), "--json")
    assert bad.returncode == 2 and document(bad)["error"]["message"]
