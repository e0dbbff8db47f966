"""Practise a little, then ask in every way there is."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dabhand.store import Store
from tests.interfaces.command_line import DABHAND, dabhand, document, documents

KILLS = 20
TEMPLATES = ("mkdir {A}", "cat {A}", "head -n {N} {A} > {B}")


def learn_arguments(store: Path, experiments: int) -> list[str]:
    chosen = [part for template in TEMPLATES for part in ("--template", template)]
    return ["learn", *chosen, "--experiments", str(experiments), "--seed", "3", "--store", str(store)]


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """A store in which three commands were practised, and the document that came of it."""
    store = tmp_path_factory.mktemp("learned")
    done = dabhand(*learn_arguments(store, 240), "--json", timeout=240)
    assert done.returncode == 0, done.stderr.decode()
    return store, document(done)


def test_the_document_of_practice(learned: tuple[Path, Any]) -> None:
    store, report = learned
    assert report["experiments"] == 240
    assert [command["command"] for command in report["commands"]] == list(TEMPLATES)
    assert report["understood"] == sum(command["status"] == "understood" for command in report["commands"])
    assert sum(command["experiments"] for command in report["commands"]) == 240
    assert {"seconds", "accuracy_recent", "surprises"} <= report.keys()
    for command in report["commands"]:
        assert command["effects"]
        for effect in command["effects"]:
            assert {"context", "effect", "support", "rival", "rival_support"} <= effect.keys()
    with Store.open(store) as opened:
        assert opened.count_experiments() == 240


def test_commands_and_explain_agree_with_practice(learned: tuple[Path, Any]) -> None:
    store, report = learned
    table = document(dabhand("commands", "--store", str(store), "--json"))
    by_command = {command["command"]: command for command in table["commands"]}
    assert by_command.keys() == set(TEMPLATES)
    for command in report["commands"]:
        assert by_command[command["command"]]["status"] == command["status"]
        assert by_command[command["command"]]["experiments"] == command["experiments"]
    assert document(dabhand("explain", "mkdir", "--store", str(store), "--json")) == by_command["mkdir {A}"]


def test_a_person_sees_every_command_and_every_rule(learned: tuple[Path, Any]) -> None:
    store, _ = learned
    table = dabhand("commands", "--store", str(store)).stdout.decode()
    for template in TEMPLATES:
        assert template in table
    assert b"\x1b" not in table.encode()
    explained = dabhand("explain", "mkdir {A}", "--store", str(store)).stdout.decode()
    assert "closest rival" in explained
    assert " of " in explained


def test_predictions_one_per_line_in_order(learned: tuple[Path, Any]) -> None:
    store, _ = learned
    state = {"a": {"text": "x\ny\n"}, "box": {"dir": True}}
    lines = [
        {"id": 1, "command": "mkdir {A}", "slots": {"A": "new"}, "state": state},
        {"id": "two", "command": "cat {A}", "slots": {"A": "a"}, "state": state},
        {"id": None, "command": "head -n {N} {A} > {B}", "slots": {"A": "a", "B": "out", "N": 1}, "state": state},
        {"id": 4, "command": "rm {A}", "slots": {"A": "a"}, "state": state},
    ]
    done = dabhand("predict", "--store", str(store), given="\n".join(map(json.dumps, lines)).encode())
    assert done.returncode == 0
    made, printed, headed, unknown = documents(done)
    assert (made["id"], made["known"], made["ok"]) == (1, True, True)
    assert made["state"] == {**state, "new": {"dir": True}}
    assert (printed["id"], printed["stdout"], printed["state"]) == ("two", "x\ny\n", state)
    assert headed["state"] == {**state, "out": {"text": "x\n"}}
    assert 0 <= headed["confidence"] <= 1
    assert unknown.keys() == {"id", "known", "reason"}
    assert unknown["known"] is False


BAD_LINES = [
    "not json",
    "[]",
    '{"id": 9}',
    '{"id": 9, "command": 3, "slots": {}, "state": {}}',
    '{"id": 9, "command": "cat {Q}", "slots": {}, "state": {}}',
    '{"id": 9, "command": "cat {A}", "slots": {"B": "a"}, "state": {}}',
    '{"id": 9, "command": "cat {A}", "slots": {"A": 1}, "state": {}}',
    '{"id": 9, "command": "head -n {N} {A} > {B}", "slots": {"A": "a", "B": "b", "N": true}, "state": {}}',
    '{"id": 9, "command": "head -n {N} {A} > {B}", "slots": {"A": "a", "B": "b", "N": "1"}, "state": {}}',
    '{"id": 9, "command": "cat {A}", "slots": {"A": "a"}, "state": {"../x": {"text": ""}}}',
    '{"id": 9, "command": "cat {A}", "slots": {"A": "a"}, "state": []}',
    r'{"id": 9, "command": "cat {A}", "slots": {"A": "\ud800"}, "state": {}}',
    r'{"id": 9, "command": "cat {A}; echo \ud800", "slots": {"A": "a"}, "state": {}}',
    r'{"id": 9, "command": "cat {A}", "slots": {"A": "a"}, "state": {"a": {"text": "\ud800"}}}',
    r'{"id": 9, "command": "cat {A}", "slots": {"A": "a"}, "state": {"\ud800": {"text": ""}}}',
    r'{"id": 9, "command": "cat {A}", "slots": {"A": "a"}, "state": {"a": {"link": "\udfff"}}}',
    '{"id": 9, "command": "cat {A}", "slots": {"A": "a"}, "state": {"a": {"text": "q", "dir": true}}}',
    '{"id": 9, "command": "head -n {N} {A} > {B}", "slots": {"A": "a", "B": "b", "N": 1e400}, "state": {}}',
    '{"id": 1e400, "command": "cat {A}", "slots": {"A": "a"}, "state": {}}',
    '{"id": [1e400], "command": "cat {A}", "slots": {"A": "a"}, "state": {}}',
    '{"id": NaN, "command": "cat {A}", "slots": {"A": "a"}, "state": {}}',
    '{"id": 9, "command": "cat {A}", "slots": {"A": "a"}}',
]


def test_bad_lines_are_answered_where_they_stand(learned: tuple[Path, Any]) -> None:
    store, _ = learned
    good = '{"id": "good", "command": "cat {A}", "slots": {"A": "a"}, "state": {"a": {"text": "x"}}}'
    given = "\n".join(line for bad in BAD_LINES for line in (bad, "", good))
    done = dabhand("predict", "--store", str(store), given=given.encode())
    assert done.returncode == 2
    replies = documents(done)
    assert [reply["id"] for reply in replies[1::2]] == ["good"] * len(BAD_LINES)
    for bad, reply in zip(BAD_LINES, replies[::2], strict=True):
        assert reply["id"] == (9 if '"id": 9' in bad else None)
        assert reply["error"].keys() == {"code", "message", "hint"}
        assert reply["error"]["hint"], bad
    assert b"Infinity" not in done.stdout
    assert b"NaN, " not in done.stdout


def test_an_explanation_needs_one_command(learned: tuple[Path, Any]) -> None:
    store, _ = learned
    for wanted, *named in (("", *TEMPLATES), ("cat -n {A}", "cat {A}"), ("haed", "head -n {N} {A} > {B}"), ("zebra",)):
        done = dabhand("explain", wanted, "--store", str(store), "--json")
        assert done.returncode == 2
        error = document(done)["error"]
        assert error["hint"]
        assert all(repr(name) in error["hint"] for name in named)


def test_predictions_stream(learned: tuple[Path, Any]) -> None:
    store, _ = learned
    with subprocess.Popen(
        [*DABHAND, "predict", "--store", str(store)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(3):
            question = {"id": number, "command": "cat {A}", "slots": {"A": "a"}, "state": {"a": {"text": str(number)}}}
            process.stdin.write(json.dumps(question).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["stdout"] == str(number)
        process.stdin.close()
    assert process.returncode == 0


def test_the_world_predicts_the_same_elsewhere(learned: tuple[Path, Any], tmp_path: Path) -> None:
    store, _ = learned
    question = b'{"id": 1, "command": "mkdir {A}", "slots": {"A": "x"}, "state": {}}'
    exported = dabhand("world", "export", "-", "--store", str(store))
    dabhand("world", "import", "-", "--store", str(tmp_path), given=exported.stdout)
    here = dabhand("predict", "--store", str(store), given=question)
    there = dabhand("predict", "--store", str(tmp_path), given=question)
    assert here.stdout == there.stdout != b""


def wait_for_experiments(store: Path, count: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        with Store.open(store) as opened:
            if opened.count_experiments() >= count:
                return
        time.sleep(0.05)
    raise AssertionError("practice did not get that far")


def test_an_interrupt_keeps_what_was_learned(tmp_path: Path) -> None:
    command = [*DABHAND, *learn_arguments(tmp_path, 1_000_000), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        wait_for_experiments(tmp_path, 20, process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in err
    report = json.loads(out)
    with Store.open(tmp_path) as opened:
        assert opened.count_experiments() == report["experiments"] >= 20
    again = document(dabhand(*learn_arguments(tmp_path, 5), "--json"))
    assert sum(command["experiments"] for command in again["commands"]) == report["experiments"] + 5


def test_practice_killed_again_and_again_loses_at_most_what_is_in_flight(tmp_path: Path) -> None:
    command = [*DABHAND, *learn_arguments(tmp_path, 1_000_000)]
    rng = Random(4)
    kept = 0
    for number in range(KILLS):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            if number % 2:
                wait_for_experiments(tmp_path, kept + rng.randrange(1, 30), process)
            else:
                time.sleep(rng.uniform(0.0, 0.8))
            assert process.poll() is None, process.stderr and process.stderr.read()
            process.kill()
        with Store.open(tmp_path) as opened:
            assert opened.count_experiments() >= kept
            kept = opened.count_experiments()
            assert [one.id for one in opened.experiments()] == list(range(1, kept + 1))
    assert kept > KILLS
    again = document(dabhand(*learn_arguments(tmp_path, 3), "--json"))
    assert sum(command["experiments"] for command in again["commands"]) == kept + 3


def below(pid: int) -> set[tuple[int, str]]:
    """The processes below one, each with when it began, because numbers come again."""
    found = set()
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                found |= {(child, began(child)), *below(child)}
    except OSError:  # it ended meanwhile
        pass
    return found


def began(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except OSError:
        return "ended"


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_sandbox_outlives_practice(tmp_path: Path, ending: signal.Signals) -> None:
    command = [*DABHAND, *learn_arguments(tmp_path, 1_000_000), "--workers", "2"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        wait_for_experiments(tmp_path, 10, process)
        sandboxes = below(process.pid)
        assert sandboxes
        process.send_signal(ending)
    deadline = time.monotonic() + 10
    while any(began(pid) == when for pid, when in sandboxes) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [pid for pid, when in sandboxes if began(pid) == when] == []
    with Store.open(tmp_path) as opened:
        assert opened.count_experiments() >= 10


def test_two_practise_in_one_store_at_once(tmp_path: Path) -> None:
    command = [*DABHAND, *learn_arguments(tmp_path, 40), "--json"]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    for process in processes:
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err.decode()
    table = document(dabhand("commands", "--store", str(tmp_path), "--json"))
    assert sum(command["experiments"] for command in table["commands"]) == 80


def test_a_terminal_gets_a_live_view_and_the_table(tmp_path: Path) -> None:
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}
    process = subprocess.Popen(
        [*DABHAND, *learn_arguments(tmp_path, 30)], stdin=slave, stdout=slave, stderr=slave, env=environment
    )
    os.close(slave)
    shown = b""
    try:
        while part := os.read(master, 65536):
            shown += part
    except OSError:  # how Linux says that the other side of a terminal is closed
        pass
    os.close(master)
    assert process.wait(60) == 0
    assert b"\x1b[?25h" in shown, "the cursor must be back"
    assert b"after 30 experiments" in shown
