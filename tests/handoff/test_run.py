"""A command of the caller's own: what it wrote, how it ended, what it left, and how it is ended."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dabhand.errors import UsageError
from dabhand.handoff.artifacts import Artifacts
from dabhand.handoff.running.command import Asked, Ran, run_command

PYTHON = sys.executable


def run(root: Path, *argv: str, **more: object) -> Ran:
    artifacts = Artifacts(root / "kept")
    return run_command(Asked(argv, root, **more), artifacts)  # type: ignore[arg-type]


def alive(mark: str) -> list[str]:
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark.encode() in place.read_bytes() and int(place.parent.name) != os.getpid():
                found.append(place.parent.name)
        except OSError:
            continue
    return found


def gone(mark: str) -> bool:
    until = time.monotonic() + 5
    while alive(mark) and time.monotonic() < until:
        time.sleep(0.05)
    return not alive(mark)


def test_streams_are_apart_and_in_order_of_arrival(tmp_path: Path) -> None:
    script = "import sys,time\nfor n in range(4):\n print('out', n, flush=True); time.sleep(.05)\n"
    script += " print('err', n, file=sys.stderr, flush=True); time.sleep(.05)"
    packet = run(tmp_path, PYTHON, "-c", script).packet
    assert packet.status == "ok" and packet.exit_code == 0
    assert [line.text for line in packet.output.lines] == [f"out {n}" for n in range(4)]
    assert packet.stderr.text == "".join(f"err {n}\n" for n in range(4))
    assert packet.artifact is not None
    raw = Path(packet.artifact.path).read_text()
    assert raw.split("\n")[:-1] == [word for n in range(4) for word in (f"out {n}", f"err {n}")]
    assert [line.n for line in packet.output.lines] == [1, 3, 5, 7]


def test_arguments_arrive_as_they_are(tmp_path: Path) -> None:
    awkward = ["a b", "", "$HOME", "`id`", "'", '"', "*", "-n", "\n", "é", "\udcff", "; exit 3", "|"]
    packet = run(tmp_path, PYTHON, "-c", "import sys,os; os.write(1, repr(sys.argv[1:]).encode())", *awkward).packet
    assert packet.output.lines[0].text == repr(awkward)


@pytest.mark.parametrize(
    ("argv", "status", "exit_code", "signal_name"),
    [
        (["true"], "ok", 0, None),
        (["sh", "-c", "exit 3"], "failed", 3, None),
        (["sh", "-c", "kill -SEGV $$"], "failed", None, "SIGSEGV"),
        (["sh", "-c", "exit 255"], "failed", 255, None),
        (["grep", "zzz", "/etc/passwd"], "no_match", 1, None),
        (["grep", "zzz", "/not/there"], "failed", 2, None),
        (["there-is-no-such-program"], "failed", 127, None),
        (["/etc/passwd"], "failed", 126, None),
    ],
)
def test_how_it_ended(tmp_path: Path, argv: list[str], status: str, exit_code: int, signal_name: str) -> None:
    packet = run(tmp_path, *argv).packet
    assert (packet.status, packet.exit_code, packet.signal) == (status, exit_code, signal_name)
    assert packet.exit_status == (0 if status == "ok" else 1)


def test_nothing_to_run_is_bad_usage(tmp_path: Path) -> None:
    for argv in ([], [""], ["a\0b"]):
        with pytest.raises(UsageError):
            run(tmp_path, *argv)


def test_nobody_answers_a_prompt_and_it_ends(tmp_path: Path) -> None:
    script = 'read -p "Overwrite? [y/N] " answer </dev/tty || read -p "Overwrite? [y/N] " answer || exit 9'
    packet = run(tmp_path, "bash", "-c", script, timeout=20.0).packet
    assert packet.exit_code == 9 and not packet.timed_out
    assert any("asked for input" in note for note in packet.notes)
    packet = run(tmp_path, PYTHON, "-c", "input('Name: ')", timeout=20.0).packet
    assert packet.exit_code == 1
    assert any("asked for input" in note for note in packet.notes)
    assert any("EOFError" in line.text for line in packet.evidence.lines)


def test_a_timeout_ends_everything_even_in_other_sessions(tmp_path: Path) -> None:
    mark = "61.70300100"
    elsewhere = f"setsid sleep {mark} & (setsid nohup sh -c 'sleep {mark}; :' >/dev/null 2>&1 &)"
    script = f"{elsewhere} ; trap '' TERM; sleep {mark}; :"
    packet = run(tmp_path, "bash", "-c", script, timeout=0.7).packet
    assert packet.timed_out and packet.status == "failed"
    assert gone(mark)


def test_the_signal_of_a_timeout_is_always_told(tmp_path: Path) -> None:
    for _ in range(20):
        packet = run(tmp_path, "sleep", "61.703", timeout=0.02).packet
        assert (packet.timed_out, packet.signal, packet.exit_code) == (True, "SIGTERM", None)


def test_what_runs_on_in_the_background_is_told_and_left_alone(tmp_path: Path) -> None:
    mark = "61.70300200"
    packet = run(tmp_path, "sh", "-c", f"sleep {mark} & echo started").packet
    try:
        assert packet.status == "ok"
        assert [line.text for line in packet.output.lines] == ["started"]
        assert any(mark in note and "background" in note for note in packet.notes)
        assert alive(mark)
    finally:
        for pid in alive(mark):
            os.kill(int(pid), signal.SIGKILL)


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_however_dabhand_ends_the_command_ends_too(tmp_path: Path, end: signal.Signals) -> None:
    mark = f"61.7030030{int(end)}"
    argv = [PYTHON, "-m", "dabhand", "run", "--json", "--root", str(tmp_path), "--"]
    shell = f"echo before; setsid sleep {mark} & sleep {mark}"
    process = subprocess.Popen(
        [*argv, "sh", "-c", shell], stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": "src"}
    )
    until = time.monotonic() + 20
    while len(alive(f"sleep\0{mark}")) < 2 and time.monotonic() < until:
        time.sleep(0.05)
    process.send_signal(end)
    said, _ = process.communicate(timeout=20)
    assert gone(f"sleep\0{mark}")
    if end != signal.SIGKILL:
        assert process.returncode == 130
        packet = json.loads(said)
        assert packet["status"] == "failed" and packet["output"]["lines"] == [{"n": 1, "text": "before"}]
        assert any("interrupted" in note for note in packet["notes"])


def test_endless_output_costs_no_memory_and_is_counted_honestly(tmp_path: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    packet = run(tmp_path, "sh", "-c", "yes 'a line of some length'; :", timeout=1.5, largest=2_000_000).packet
    assert packet.timed_out and not packet.output.complete and not packet.evidence.complete
    assert packet.artifact is not None and packet.artifact.bytes <= 2_000_000
    assert packet.output.total_bytes is not None and packet.output.total_bytes > 4_000_000
    assert packet.output.total_bytes == 22 * (packet.output.total_lines or 0) + packet.output.total_bytes % 22
    assert any("not complete" in note for note in packet.notes)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150_000


def test_a_line_without_end_goes_in_pieces(tmp_path: Path) -> None:
    packet = run(tmp_path, "sh", "-c", "head -c 5000000 /dev/zero; echo; echo last").packet
    assert (packet.output.total_lines, packet.output.total_bytes) == (2, 5_000_006)
    assert packet.output.lines[-1].text == "last" and not packet.output.complete
    assert packet.artifact is not None and packet.artifact.bytes == 5_000_006


def test_evidence_is_found_in_a_line_too_long_to_show(tmp_path: Path) -> None:
    script = "print('ERROR: ' + 'x' * 100_000); print('fine'); raise SystemExit(1)"
    packet = run(tmp_path, PYTHON, "-c", script, wish="every line that mentions fine").packet
    assert [(line.n, line.text) for line in packet.evidence.lines] == [(2, "fine")]


def test_a_last_line_without_a_newline_keeps_its_stream(tmp_path: Path) -> None:
    packet = run(tmp_path, "sh", "-c", "printf out; printf err >&2").packet
    assert [line.text for line in packet.output.lines] == ["out"] and packet.stderr.text == "err"
    assert (packet.output.total_lines, packet.output.total_bytes, packet.output.complete) == (1, 3, True)


def test_limits_count_what_they_leave_out(tmp_path: Path) -> None:
    packet = run(tmp_path, "seq", "1000", most_lines=9).packet
    shown = [int(line.text) for line in packet.output.lines]
    assert shown == [1, 2, 3, 995, 996, 997, 998, 999, 1000]
    assert [line.n for line in packet.output.lines] == shown
    assert packet.output.omitted_lines == 991 and not packet.output.complete
    nothing = run(tmp_path, "seq", "5", most_lines=0).packet.output
    assert (nothing.lines, nothing.total_lines, nothing.omitted_lines, nothing.complete) == ((), 5, 5, False)
    assert packet.output.omitted_bytes == 3893 - sum(len(str(n)) + 1 for n in shown)


def test_colours_and_bytes_stay_as_they_are(tmp_path: Path) -> None:
    packet = run(tmp_path, "printf", r"\033[31mred\033[0m\r\n\377\n").packet
    assert [line.text for line in packet.output.lines] == ["\x1b[31mred\x1b[0m\r", "\udcff"]
    assert packet.to_json()["output"]["lines"][1] == {"n": 2, "base64": "/w=="}


def test_the_environment_is_the_callers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_VALUE", "kept")
    packet = run(tmp_path, "env").packet
    assert "A_VALUE=kept" in [line.text for line in packet.output.lines]
    assert packet.artifact is not None


def test_the_command_line_gives_the_packet(tmp_path: Path) -> None:
    argv = [PYTHON, "-m", "dabhand", "run", "--json", "--root", str(tmp_path)]
    env = os.environ | {"PYTHONPATH": "src"}
    line = "echo a; echo b >&2; exit 3"
    done = subprocess.run([*argv, "--", "sh", "-c", line], capture_output=True, env=env, check=False)
    packet = json.loads(done.stdout)
    assert done.returncode == 1 and not done.stderr
    assert (packet["status"], packet["exit_code"], packet["stderr"]["text"]) == ("failed", 3, "b\n")
    assert packet["plan"]["operation"] == "run" and packet["plan"]["argv"] == ["sh", "-c", line]
    done = subprocess.run([*argv, "--shell", "--", "false | cat", "x"], capture_output=True, env=env, check=False)
    assert done.returncode == 2 and json.loads(done.stdout)["error"]["code"] == "usage"
    people = subprocess.run(
        [*argv[:4], "--root", str(tmp_path), "--shell", "--", "(exit 7) | cat"],
        capture_output=True,
        env=env,
        check=False,
    )
    assert people.returncode == 1 and re.search(rb"7\s+\(exit 7\)", people.stdout)


def test_in_the_sandbox_nothing_is_changed(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("before\n")
    argv = [PYTHON, "-m", "dabhand", "run", "--json", "--sandbox", "--root", str(tmp_path), "--"]
    env = os.environ | {"PYTHONPATH": "src"}
    done = subprocess.run(
        [*argv, "sh", "-c", "echo after > a.txt; cat a.txt"], capture_output=True, env=env, check=False
    )
    if done.returncode == 4:
        pytest.skip("there is no box on this machine")
    assert json.loads(done.stdout)["output"]["lines"] == [{"n": 1, "text": "after"}]
    assert (tmp_path / "a.txt").read_text() == "before\n"


@pytest.mark.parametrize("size", range(8))
@pytest.mark.parametrize("text", ["ab\\ncd\\n", "ab\\ncd", "abcd\\n", "abcd", "é\\n", "\\n\\n"])
def test_bytes_are_counted_as_an_inspection_counts_them(tmp_path: Path, text: str, size: int) -> None:
    packet = run(tmp_path, "printf", text, most_bytes=size).packet
    whole = len(text.replace("\\n", "\n").encode())
    shown = sum(len(line.text.encode()) for line in packet.output.lines)
    ended = shown + len(packet.output.lines) - (not text.endswith("\\n"))
    assert packet.output.complete == (
        whole <= size or (ended == whole and len(packet.output.lines) == 1 and size >= shown)
    )
    assert len(packet.output.lines) == 1 or ended <= max(size, 0) or not packet.output.lines
    assert shown <= size


def test_what_is_only_read_says_nothing_of_the_reader(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("Overwrite? [y/n]\nAre you sure?\n")
    for argv, asked in ((("cat", "log", "missing"), {}), (("cat log missing | cat",), {"shell": True})):
        packet = run(tmp_path, *argv, **asked).packet
        assert packet.status == "failed" and not any("input" in note for note in packet.notes)
