"""Tools as files: what is left after a crash or a loss is no dead end, and a tool is a well-behaved command."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest

from dabhand.errors import StoreError
from dabhand.language import parse
from dabhand.language.python_source import to_python
from dabhand.sandbox import open_worker
from dabhand.toolmaking import making
from dabhand.toolmaking.examples import Example
from dabhand.toolmaking.registry import BadName, DamagedTool, NoSuchTool, Registry, Tool, digest_of
from dabhand.toolmaking.reporting import Foretelling
from dabhand.toolmaking.source import GIVEN, stand_alone
from dabhand.toolmaking.testing import LIMITS
from dabhand.workspace import File, State
from dabhand.workspace.durable import replace_file
from dabhand.world import World

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


def _retested(registry: Registry) -> making.Retested:
    with open_worker("auto", LIMITS) as worker:
        return making.tested_again(registry, registry.get("vowels"), worker)


def _foretold(registry: Registry, text: str) -> str:
    tool = registry.get("vowels")
    slots: dict[str, str | int] = {"A": "a.txt", "B": "b.txt"}
    with Foretelling(World(), registry.all()) as world:
        after = world.predict(tool.template.text, slots, State({"a.txt": File(text.encode())})).state
    made = after.get("b.txt")
    assert isinstance(made, File)
    return made.text


def test_comments_leave_a_tool_what_it_is(tmp_path: Path) -> None:
    registry = Registry(tmp_path)
    registry.keep(_tool())
    edited = _tool().source + "\n# harmless\n"
    registry.path("vowels").write_text(edited)
    assert not registry.get("vowels").is_intact
    assert _retested(registry).failed == ()
    tool = registry.get("vowels")
    assert (tool.is_intact, tool.term, tool.source, tool.writer) == (True, TERM, edited, "edited")
    assert _foretold(registry, "aeiou\n") == "5\n"


@pytest.mark.parametrize(
    ("old", "new", "given", "wanted"),
    [
        ("aeiouAEIOU", "aeiouyAEIOUY", "sky why\n", "2\n"),
        ("return {0}", "return '0\\n' if 'zebra' in given else {0}", "a zebra\n", "0\n"),
        ("return {0}", "return (lambda made: made)({0})", "aeiou\n", "5\n"),
    ],
)
def test_another_program_that_passes_its_tests_is_run_to_tell(
    tmp_path: Path, old: str, new: str, given: str, wanted: str
) -> None:
    registry = Registry(tmp_path)
    registry.keep(_tool())
    result = to_python(parse(TERM, (GIVEN,))).expression
    edited = _tool().source.replace(old.format(result), new.format(result))
    assert edited != _tool().source
    registry.path("vowels").write_text(edited)
    assert _retested(registry).failed == ()
    tool = registry.get("vowels")
    assert tool.is_intact and tool.is_simulated
    assert _foretold(registry, given) == wanted


def test_what_is_kept_is_nobody_elses_to_read(tmp_path: Path) -> None:
    Registry(tmp_path).keep(_tool())
    assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}


def test_a_full_disk_is_said_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes, mode: int) -> None:
        if path.suffix == ".json":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        replace_file(path, data, mode)

    monkeypatch.setattr("dabhand.toolmaking.registry.replace_file", full)
    with pytest.raises(StoreError, match="No space left"):
        Registry(tmp_path).keep(_tool())
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_cannot_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    registry = Registry(tmp_path)
    registry.keep(_tool())

    def refused(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(Path, "unlink", refused)
    with pytest.raises(StoreError, match="was not removed: Read-only"):
        registry.remove("vowels")


def test_a_damaged_record_and_a_lost_file_are_told_of(tmp_path: Path) -> None:
    registry = Registry(tmp_path)
    registry.keep(_tool())
    registry.path("vowels").unlink()
    assert registry.get("vowels").distrust == "its file is gone or empty"
    assert _retested(registry).failed == ("its file is gone or empty",)
    (tmp_path / "vowels.json").write_text("{")
    assert (registry.all(), registry.damaged()) == ((), ("vowels",))
    with pytest.raises(DamagedTool):
        registry.get("vowels")
