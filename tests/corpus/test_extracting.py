"""`dabhand corpus extract`: the same bytes whatever the way, each call once, taken up again, private."""

from __future__ import annotations

import gzip
import json
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.corpus.transcripts import claude_session, codex_call, codex_item, codex_meta, codex_result, lines


def extract(*arguments: object) -> dict[str, object]:
    """Run the command and give its document."""
    done = _started(*arguments).communicate(timeout=120)[0]
    found = json.loads(done)
    assert isinstance(found, dict)
    return found


def _started(*arguments: object) -> subprocess.Popen[bytes]:
    line = [sys.executable, "-m", "dabhand", "corpus", "extract", *map(str, arguments), "--json"]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def triples(out: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (out / "triples.jsonl").read_bytes().splitlines()]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Several sessions, one of which repeats calls of another; packed files; and what is no transcript."""
    folder = tmp_path_factory.mktemp("sources")
    for number in range(6):
        calls = [(f"toolu_{number}_{each}", f"ls box{each}", f"egg{each}\n" * 50) for each in range(20)]
        (folder / f"s{number}.jsonl").write_bytes(claude_session(calls, session=f"session-{number}"))
    (folder / "copy.jsonl").write_bytes(claude_session([("toolu_3_1", "ls box1", "egg1\n" * 50)], session="forked"))
    (folder / "packed.jsonl.gz").write_bytes(gzip.compress(claude_session([("toolu_gz", "wc -l a", "3 a")])))
    call, result = codex_call("call_1", "make"), codex_result("call_1", "done\n")
    (folder / "rollout-a.jsonl").write_bytes(lines(codex_meta("one"), call, result))
    (folder / "rollout-b.jsonl").write_bytes(lines(codex_meta("two"), call, result))
    (folder / "rollout-c.jsonl").write_bytes(lines(codex_meta("three"), codex_meta("one"), call, result))
    (folder / "auth.json").write_text('{"token": "secret"}')
    (folder / "package.json").write_text('{"name": "shop"}')
    return folder


def test_each_call_is_there_once(sources: Path, tmp_path: Path) -> None:
    summary = extract(sources, "--out", tmp_path / "out")
    found = triples(tmp_path / "out")
    assert summary["triples"] == len(found) == len({triple["id"] for triple in found}) == 6 * 20 + 1 + 2
    assert summary["left_out"] == {"a copy of a call in another file": 2}
    assert summary["files_left_out"] == [{"file": "package.json", "reason": "not a transcript of a kind that is known"}]
    assert [triple["command"] for triple in found].count("make") == 2  # two sessions; the third repeats the first


def typed(command: str, time: str) -> dict[str, object]:
    """A command that the person at the keyboard of Codex ran."""
    result = "Exit code: 0\nDuration: 0.1 seconds\nOutput:\nclean"
    said = (
        f"<user_shell_command>\n<command>\n{command}\n</command>\n<result>\n{result}\n</result>\n</user_shell_command>"
    )
    content = [{"type": "input_text", "text": said}]
    return codex_item(type="message", role="user", content=content) | {"timestamp": time}


def test_what_was_typed_is_not_counted_again_in_a_fork_with_new_times(tmp_path: Path) -> None:
    folder = tmp_path / "sources"
    folder.mkdir()
    early, late = "2026-03-01T10:00:00Z", "2026-03-02T11:11:11Z"
    pair = [codex_call("call_1", "make"), codex_result("call_1", "done\n")]
    history = [typed("git status", early), *pair, typed("git status", early), typed("git status", early)]
    again = [typed("git status", late), *pair, typed("git status", late), typed("git status", late)]
    own = [codex_call("call_2", "pwd"), codex_result("call_2", "/w\n"), typed("git status", late)]
    (folder / "rollout-a.jsonl").write_bytes(lines(codex_meta("one"), *history))
    fork = lines(codex_meta("two", forked_from_id="one"), codex_meta("one"), *again, *own)
    (folder / "rollout-b.jsonl").write_bytes(fork)
    extract(folder, "--out", tmp_path / "out")
    said = [triple["command"] for triple in triples(tmp_path / "out")]
    assert (said.count("git status"), said.count("make"), said.count("pwd")) == (4, 1, 1)


def test_workers_and_copies_change_no_byte(sources: Path, tmp_path: Path) -> None:
    extract(sources, "--out", tmp_path / "one")
    extract(sources, "--out", tmp_path / "two", "--workers", 2)
    extract(tmp_path / "one" / "sources", "--out", tmp_path / "again", "--copy")
    for name in ("triples.jsonl", "summary.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert (tmp_path / "one" / "triples.jsonl").read_bytes() == (tmp_path / "again" / "triples.jsonl").read_bytes()


def test_what_was_killed_is_taken_up_again(sources: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    extract(sources, "--out", whole)
    killed = _started(sources, "--out", tmp_path / "out")
    deadline = time.monotonic() + 60
    while not list((tmp_path / "out").glob("work/*.part")) and killed.poll() is None and time.monotonic() < deadline:
        time.sleep(0.001)
    killed.kill()
    killed.communicate()
    extract(sources, "--out", tmp_path / "out")
    assert (tmp_path / "out" / "triples.jsonl").read_bytes() == (whole / "triples.jsonl").read_bytes()
    assert not (tmp_path / "out" / "work").exists()


def test_only_its_owner_can_look_into_it(sources: Path, tmp_path: Path) -> None:
    extract(sources, "--out", tmp_path / "out")
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o700
    kept = (tmp_path / "out" / "sources" / "manifest.jsonl").read_text("utf-8")
    assert "auth.json" not in kept and "package.json" not in kept


def test_a_folder_that_holds_something_else_is_left_alone(sources: Path, tmp_path: Path) -> None:
    found = extract(sources, "--out", sources)
    error = found["error"]
    assert isinstance(error, dict) and error["code"] == "usage"


def test_a_source_that_is_not_there_is_said(tmp_path: Path) -> None:
    error = extract(tmp_path / "none", "--out", tmp_path / "out")["error"]
    assert isinstance(error, dict) and "does not exist" in error["message"]


def test_parquet_holds_the_same(sources: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    extract(sources, "--out", tmp_path / "lines")
    extract(sources, "--out", tmp_path / "table", "--format", "parquet")
    assert parquet.read_table(tmp_path / "table" / "triples.parquet").to_pylist() == triples(tmp_path / "lines")
