"""`dabhand inspect` and `dabhand artifact` as programs call them."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from .command_line import DABHAND, dabhand, document


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    (root / "a = b's [draft].log").write_text("".join(f"line {n}\n" for n in range(1, 101)))
    return root


@pytest.fixture
def store(tmp_path: Path) -> tuple[str, str]:
    return "--store", str(tmp_path / "store")


def last(path: str, count: int = 2) -> str:
    return json.dumps({"operation": "last_lines", "path": path, "count": count})


def test_a_plan_gives_the_packet_of_the_contract(root: Path, store: tuple[str, str]) -> None:
    done = dabhand("inspect", "--root", str(root), "--plan", last("a = b's [draft].log"), "--json", *store)
    packet = document(done)
    assert (done.returncode, packet["status"]) == (0, "ok")
    assert packet["output"] == {
        "lines": [{"n": 99, "text": "line 99"}, {"n": 100, "text": "line 100"}],
        "total_lines": 100,
        "total_bytes": 792,
        "complete": True,
        "omitted_lines": 0,
        "omitted_bytes": 0,
    }
    shown = dabhand("artifact", "show", packet["artifact"]["id"], *store)
    assert shown.stdout == b"line 99\nline 100\n"
    assert dabhand("artifact", "show", packet["artifact"]["id"], "--lines", "2-2", *store).stdout == b"line 100\n"
    assert dabhand("artifact", "show", packet["artifact"]["id"], "--bytes", "5-8", *store).stdout == b"99\nl"
    listed = document(dabhand("artifact", "list", "--json", *store))["artifacts"]
    assert [each["id"] for each in listed] == [packet["artifact"]["id"]]
    assert document(dabhand("artifact", "prune", "--quota", "0", "--json", *store))["left"] == 1


@pytest.mark.parametrize(
    ("arguments", "code", "status"),
    [
        (("--plan", '{"operation": "search", "path": "", "value": "absent"}'), 1, "no_match"),
        (("--plan", '{"operation": "search", "path": "", "value": "line 1"}'), 0, "ok"),
        (("--plan", '{"operation": "steal", "path": ""}'), 2, "rejected"),
        (("--plan", '{"operation": "whole_file", "path": "x", "speed": 3}'), 2, "rejected"),
        (("--plan", '{"operation": "whole_file", "path": "../x"}'), 2, "rejected"),
        (("--plan", "nonsense"), 2, "rejected"),
        (("--plan", '{"operation": "json_field", "path": "a = b\'s [draft].log", "key": "k"}'), 1, "failed"),
        (("--request", "Read {{x}}", "--target", "y=a"), 2, "rejected"),
        (("--request", "Dance."), 3, "abstained"),
        ((), 2, "rejected"),
    ],
)
def test_how_it_ends(root: Path, store: tuple[str, str], arguments: tuple[str, ...], code: int, status: str) -> None:
    done = dabhand("inspect", "--root", str(root), "--json", *store, *arguments)
    packet = document(done)
    assert (done.returncode, packet["status"]) == (code, status)
    if code > 1 or status == "failed":
        assert packet["error"].keys() == {"code", "message", "hint"}
        assert not packet["output"]["complete"]


def test_bad_usage_is_one_error(root: Path, store: tuple[str, str]) -> None:
    for arguments in (["--target", "x"], ["--task-file", "/nowhere"], ["--max-lines", "-1"], ["--backend", "zsh"]):
        done = dabhand("inspect", "--root", str(root), "--json", *store, "--request", "x", *arguments)
        assert done.returncode == 2
        assert "error" in document(done)


def test_targets_that_are_not_utf8(root: Path, store: tuple[str, str]) -> None:
    name = b"caf\xe9 = 1.log"
    Path(os.fsdecode(os.fsencode(root) + b"/" + name)).write_bytes(b"x\n")
    command = [*DABHAND, "inspect", "--root", str(root), "--json", *store]
    command += ["--request", "Read the last 2 lines of {{a}}.", "--target"]
    done = subprocess.run([*map(os.fsencode, command), b"a=" + name], capture_output=True, check=False)
    packet = document(done)
    assert packet["request"] == {"base64": "UmVhZCB0aGUgbGFzdCAyIGxpbmVzIG9mIGNhZukgPSAxLmxvZy4="}
    plan = json.dumps({"operation": "whole_file", "path": {"base64": "Y2Fm6SA9IDEubG9n"}})
    packet = document(dabhand("inspect", "--root", str(root), "--json", *store, "--plan", plan))
    assert packet["output"]["lines"] == [{"n": 1, "text": "x"}]
    assert packet["plan"]["path"] == {"base64": "Y2Fm6SA9IDEubG9n"}


def test_task_files(root: Path, store: tuple[str, str], tmp_path: Path) -> None:
    task = tmp_path / "task.json"
    called = ("inspect", "--root", str(root), "--json", *store, "--task-file", str(task))
    task.write_text(json.dumps({"request": "Dance {{a}}.", "targets": {"a": "a = b's [draft].log"}}))
    assert document(dabhand(*called))["request"] == "Dance a = b's [draft].log."
    for text in ("", "[]", '{"request": 3}', '{"targets": []}', '{"wish": "x"}', "\udcff"):
        task.write_bytes(text.encode("utf-8", "surrogateescape"))
        done = dabhand(*called)
        assert done.returncode == 2, text
        assert document(done)["error"]["message"]


def test_people_see_lines_and_what_is_left_out(root: Path, store: tuple[str, str]) -> None:
    (root / "log").write_bytes(b"\x1b[31mred\x1b[0m\x07\n10%\r100%\nmore\n")
    plan = json.dumps({"operation": "whole_file", "path": "log"})
    done = dabhand("inspect", "--root", str(root), "--plan", plan, "--max-lines", "2", *store)
    assert done.stdout.decode().splitlines() == ["1  red\\x07", "2  100%"]
    assert "left out: 1 lines, 5 bytes" in done.stderr.decode()


def test_unknown_artifacts(store: tuple[str, str]) -> None:
    done = dabhand("artifact", "show", "0123456789abcdef", "--json", *store)
    assert done.returncode == 2
    assert document(done)["error"]["code"] == "unknown_artifact"
