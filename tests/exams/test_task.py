"""Task files: read whole or not at all, and what is wrong is said of its line."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dabhand.errors import StateError, UsageError
from dabhand.exams import read_tasks
from dabhand.exams.form import Item, folder_in
from dabhand.exams.suites import SUITES, draw
from dabhand.workspace.state import File, Folder, Link, Node, State

LINE: dict[str, Any] = {
    "id": "1",
    "kind": "sorted",
    "request": "Sort a.txt into b.txt",
    "files": {"a.txt": {"text": "b\na\n"}, "run.sh": {"text": "", "executable": True}, "l": {"link": "a.txt"}},
    "expect": {"files": {"b.txt": {"text": "a\nb\n"}, "old.txt": None}, "others": "any", "answer": "x"},
}


def file_of(tmp_path: Path, *lines: str) -> Path:
    file = tmp_path / "tasks.jsonl"
    file.write_text("\n".join(lines), "utf-8")
    return file


def test_a_line_comes_back_as_it_was(tmp_path: Path) -> None:
    (task,) = read_tasks(file_of(tmp_path, "\ufeff" + json.dumps(LINE), "", "  "))
    assert task.to_json() == LINE
    assert task.expect.absent == ("old.txt",)


@pytest.mark.parametrize("suite", SUITES)
def test_what_is_drawn_is_a_task_file(tmp_path: Path, suite: str) -> None:
    tasks = draw(suite, 3)
    assert read_tasks(file_of(tmp_path, *(json.dumps(task.to_json()) for task in tasks))) == tasks


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"request": None}, "request"),
        ({"request": "  "}, "request is empty"),
        ({"id": 7}, "id"),
        ({"files": {"../a": {"text": ""}}}, "not a relative path"),
        ({"files": {"a": {"txt": ""}}}, "no file, folder or link"),
        ({"files": {"a": {"dir": True, "text": ""}}}, "no file, folder or link"),
        ({"files": {"a": {"dir": 1}}}, "no file, folder or link"),
        ({"files": {"a": {"link": ""}}}, "no file, folder or link"),
        ({"files": {"a": {"text": "", "executable": 1}}}, "no file, folder or link"),
        ({"files": {"a": {"text": "", "base64": ""}}}, "no file, folder or link"),
        ({"files": {"a": {"base64": "?"}}}, "cannot be decoded"),
        ({"files": {"a": {"text": "\ud800"}}}, "no text and no bytes"),
        ({"files": {"a": {"text": ""}, "a/b": {"dir": True}}}, "below 'a', which is not a folder"),
        ({"files": {"a": {"dir": True}, "a/": {"dir": True}}}, "twice"),
        ({"expect": {"others": "all"}}, "others"),
        ({"expect": {"other": "any"}}, "other"),
        ({"expect": {"files": {"/a": None}}}, "not a relative path"),
        ({"expect": {"files": {"a": None, "a/b": {"text": ""}}}}, "expected to be gone"),
        ({"expect": {"answer": 3}}, "answer"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    file = file_of(tmp_path, json.dumps(LINE), "", json.dumps({**LINE, "id": "2", **change}))
    with pytest.raises(UsageError, match=r"^Line 3 of .*tasks\.jsonl") as caught:
        read_tasks(file)
    assert said in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("line", ["{", "[]", "null", '"x"', '{"id": "1"}', "[" * 100_000])
def test_what_is_no_task_is_named(tmp_path: Path, line: str) -> None:
    with pytest.raises(UsageError, match=r"^Line 1 of"):
        read_tasks(file_of(tmp_path, line))


def test_ids_are_unique_and_a_file_is_not_empty(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^Line 2 of .* has the id '1'"):
        read_tasks(file_of(tmp_path, json.dumps(LINE), json.dumps(LINE)))
    with pytest.raises(UsageError, match="no task"):
        read_tasks(file_of(tmp_path, ""))
    with pytest.raises(UsageError, match="cannot be read"):
        read_tasks(tmp_path / "missing.jsonl")
    (tmp_path / "raw").write_bytes(b"\xff\n")
    with pytest.raises(UsageError, match="not UTF-8"):
        read_tasks(tmp_path / "raw")


PARTS = ("a", "b c", ".x", "é", "\udcff", "\udcc3\udca9", "..", "", "n\0l", "\ud800")
PATHS = st.lists(st.sampled_from(PARTS), min_size=1, max_size=3).map("/".join)
TEXTS = st.sampled_from(PARTS)
ENTRIES = st.one_of(
    st.builds(lambda text: {"text": text}, TEXTS),
    st.builds(lambda text, said: {"text": text, "executable": said}, TEXTS, st.sampled_from([True, False, None, 1])),
    st.builds(lambda data: {"base64": base64.b64encode(data).decode()}, st.binary(max_size=4)),
    st.builds(lambda target: {"link": target}, TEXTS),
    st.sampled_from([{"dir": True}, {"dir": False}, {}, {"text": 1}, {"base64": "="}, {"link": "a", "dir": True}]),
)


@given(st.dictionaries(PATHS, ENTRIES, max_size=5))
def test_the_hosts_reading_of_a_folder_is_the_agents(entries: dict[str, dict[str, Any]]) -> None:
    """Two readers that share nothing agree on what is a folder, and which."""
    try:
        theirs = State.from_json(entries)
    except StateError:
        with pytest.raises(ValueError, match=r"folder|decoded|bytes"):
            folder_in(entries)
        return
    assert folder_in(entries) == {path: item_of(node) for path, node in theirs.items()}


def item_of(node: Node) -> Item:
    match node:
        case Folder():
            return Item("folder")
        case Link(target):
            return Item("link", target.encode("utf-8", "surrogateescape"))
        case File(data, executable):
            return Item("file", data, executable)
