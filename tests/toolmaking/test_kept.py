"""Tools as files: what is left after a crash or a loss is no dead end, and a tool is a well-behaved command."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest

from dabhand.language import parse
from dabhand.toolmaking.examples import Example
from dabhand.toolmaking.registry import BadName, NoSuchTool, Registry, Tool, digest_of
from dabhand.toolmaking.source import GIVEN, stand_alone

TERM = "line(digits(count(vowels(chars(given)))))"


def _tool() -> Tool:
    source = stand_alone(parse(TERM, (GIVEN,)), "vowels")
    return Tool("vowels", TERM, digest_of(source), (Example("a\n", "1\n"),), 9, 9, source)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "vowels.py"
    file.write_text(_tool().source)
    return file


def _run(program: Path, given: Path, target: Path) -> int:
    return subprocess.run([sys.executable, "-I", program, given, target], check=False, capture_output=True).returncode


def test_what_a_crash_left_before_the_record_is_no_tool_and_in_nobodys_way(tmp_path: Path) -> None:
    registry = Registry(tmp_path)
    registry.path("vowels").write_text("# somebody's own\n")
    registry.require_free("vowels")
    with pytest.raises(NoSuchTool):
        registry.remove("vowels")
    registry.keep(_tool())
    assert [tool.is_intact for tool in registry.all()] == [True]
    assert (tmp_path / "vowels.py.1").read_text() == "# somebody's own\n"


def test_of_two_that_are_made_at_once_under_one_name_one_is_kept(tmp_path: Path) -> None:
    refused: list[BadName] = []

    def keep(number: int) -> None:
        tool = msgspec.structs.replace(_tool(), source=f"{_tool().source}\n# {number}\n")
        tool = msgspec.structs.replace(tool, digest=digest_of(tool.source))
        try:
            Registry(tmp_path).keep(tool, new=True)
        except BadName as error:
            refused.append(error)

    threads = [threading.Thread(target=keep, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 7
    assert [tool.is_intact for tool in Registry(tmp_path).all()] == [True]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["vowels.json", "vowels.py"]


def test_examples_that_are_not_utf_8_are_kept(tmp_path: Path) -> None:
    registry = Registry(tmp_path)
    tool = msgspec.structs.replace(_tool(), tests=(Example("a\udcff\n", "1\n"), Example("\U00013000\n", "0\n")))
    registry.keep(tool)
    assert registry.get("vowels") == tool


def test_a_tool_whose_file_was_lost_is_seen_not_trusted_and_can_be_removed(tmp_path: Path) -> None:
    registry = Registry(tmp_path)
    registry.keep(_tool())
    registry.path("vowels").unlink()
    assert [tool.is_intact for tool in registry.all()] == [False]
    with pytest.raises(BadName):
        registry.require_free("vowels")
    registry.remove("vowels")
    registry.require_free("vowels")
    assert list(tmp_path.iterdir()) == []


def test_a_record_that_cannot_be_read_can_be_removed(tmp_path: Path) -> None:
    registry = Registry(tmp_path)
    (tmp_path / "vowels.json").write_text("{")
    registry.remove("vowels")
    registry.require_free("vowels")


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path, program: Path) -> None:
    given, pipe = tmp_path / "in", tmp_path / "pipe"
    given.write_bytes(b"caf\xe9 aeiou\n")
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    assert _run(program, given, pipe) == 0
    reader.join(10)
    assert read == [b"6\n"]
    assert pipe.is_fifo()


def test_one_file_in_two_roles_and_awkward_names(tmp_path: Path, program: Path) -> None:
    given = tmp_path / 'it\'s a "q" {A}.txt'
    given.write_text("aeiou\n")
    assert _run(program, given, given) == 0
    assert given.read_text() == "5\n"
    assert _run(program, tmp_path / "none", tmp_path / "out") == 1
    assert _run(program, given, tmp_path) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == [given.name, "vowels.py"]
