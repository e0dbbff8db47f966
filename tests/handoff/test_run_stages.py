"""Lines for the shell: every stage is told, and the line fails when one that matters does."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dabhand.errors import UsageError
from dabhand.handoff.artifacts import Artifacts
from dabhand.handoff.packet import Packet
from dabhand.handoff.running.command import Asked, run_command
from dabhand.handoff.running.recording import record

CASES = [json.loads(line) for line in Path(__file__).with_name("shell_stages.jsonl").read_text("utf-8").splitlines()]


def run(line: str, root: Path) -> Packet:
    return run_command(Asked((line,), root, shell=True), Artifacts(root.parent / "artifacts")).packet


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    (root / "there.txt").write_text("one\ntwo\n")
    (root / "sub" / "other.txt").write_text("three\n")
    return root


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["line"])
def test_every_stage_is_told(case: dict[str, object], folder: Path) -> None:
    if case["status"] == "usage":
        with pytest.raises(UsageError):
            run(str(case["line"]), folder)
        return
    packet = run(str(case["line"]), folder)
    assert packet.status == case["status"], packet
    if "exit" in case:
        assert packet.exit_code == case["exit"]
    if "stages" in case:
        assert [stage.exit_code for stage in packet.stages or ()] == case["stages"]


def test_a_stage_carries_its_text_and_its_signal(folder: Path) -> None:
    packet = run("yes 'a b' 2>&1 | head -2 > out.txt", folder)
    assert [stage.command for stage in packet.stages or ()] == ["yes 'a b' 2>&1", "head -2 > out.txt"]
    assert [stage.signal for stage in packet.stages or ()] == ["SIGPIPE", None]
    assert any("cut short" in note for note in packet.notes)


def test_a_traced_line_shows_nothing_of_ours(folder: Path) -> None:
    packet = run("set -x; false | cat", folder)
    assert packet.status == "failed" and "dabhand" not in packet.stderr.text
    assert sorted(packet.stderr.text.splitlines()) == ["+ cat", "+ false"]


COMMANDS = st.sampled_from(
    r"""true|false|echo a b|echo $?|: q; echo $_|(exit 3)|grep a|cat|x=1|echo $x $LINENO|[ -f there.txt ]|set -e
    |set -o pipefail|exit 5|cd sub|pwd|{ echo in; false; }|time -p true|f() { echo f $1; return 4; }|f 2|wait|! true
    |for i in 1 2; do echo $i; [ $i = 1 ] && continue; break; done|while read l; do echo $l; done < there.txt|true &
    |if false; then echo 1; elif true; then (exit 6); else echo 3; fi|case a in a) false;; *) true;; esac|((1 > 2))
    |[[ a == b ]]|trap 'echo bye' EXIT|cat <<E\nbody\nE""".replace("\n    ", "")
    .replace("\\n", "\n")
    .split("|")
)


@settings(max_examples=60)
@given(st.lists(st.tuples(COMMANDS, st.sampled_from([" | ", " && ", " || ", "; ", "\n"])), min_size=1, max_size=5))
def test_a_watched_line_does_what_it_does_unwatched(
    tmp_path_factory: pytest.TempPathFactory, parts: list[tuple[str, str]]
) -> None:
    line = ": q\n"
    for command, joint in parts:
        joint = "\n" if "<<E" in command else joint
        line += command + joint
    line = line.rstrip(" |&;\n") if "<<E" not in parts[-1][0] else line
    folder = tmp_path_factory.mktemp("watched")
    (folder / "sub").mkdir()
    (folder / "there.txt").write_text("one\n")
    recorded = record(line, folder / "notes", folder / "begin")
    (folder / "begin").write_text(recorded.prologue)
    outcomes = []
    for text in (line.encode(), recorded.text):
        done = subprocess.run(
            [b"bash", b"-c", text], cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, check=False
        )
        outcomes.append((done.returncode, done.stdout, b"line " in done.stderr))
    assert outcomes[0] == outcomes[1], recorded.text.decode()


UNSEEN = [
    "sh -c 'false | cat'",
    "ssh -o BatchMode=yes nowhere.invalid 'false | cat' || true",
    "echo 'false | cat' | bash",
    "bash <<< 'false | cat'",
    "x='false | cat'; eval $x",
    "x='false | cat'; bash -c \"$x\"",
    "trap 'false | cat' EXIT; true",
    "trap 'echo $BASH_COMMAND' DEBUG; false | cat",
    "set -T; false | cat",
    "(exit 3) & sleep 0.1",
    "(exit 3) & p=$!; kill -0 $p; wait",
    'echo `echo "a"; false`',
    "true\r\nfalse | cat\r\ntrue",
    "f() { false | cat; }; declare -f f >/dev/null; f",
    "cat <<E |\nbody\nE\ncat; false | cat",
    "coproc false; sleep 0.1",
    "echo $((false) | cat)",
    "cat <<E; false | cat; true\nbody\nE",
    "echo true | xargs -I{} sh -c 'false; {}'",
    "__dabhand_ended=1; false | cat",
]


@pytest.mark.parametrize("line", UNSEEN)
def test_what_cannot_be_watched_is_said(line: str, folder: Path) -> None:
    packet = run(line, folder)
    assert packet.status == "failed" or any("could not be watched" in note for note in packet.notes), packet


SEEN = [
    "bash -c 'cd sub && true'",
    "ssh -V && true",
    "sh -c true",
    "trap '' TERM; true",
    "bash -c 'set -e; true; true'",
]


@pytest.mark.parametrize("line", SEEN)
def test_what_cannot_be_lost_needs_no_word(line: str, folder: Path) -> None:
    packet = run(line, folder)
    assert packet.status == "ok" and not packet.notes, packet


def test_messages_of_the_shell_are_the_usual_ones(folder: Path) -> None:
    for line in ("nosuchprogram", "echo (", "true; cat $", "if", "false | nosuchprogram; [ 1 -eq x ]"):
        plain = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True, check=False)
        packet = run(line, folder)
        assert (packet.exit_code, packet.stderr.text) == (plain.returncode, plain.stderr)


def test_a_trap_of_the_callers_runs_as_often_as_it_would(folder: Path) -> None:
    first = "trap 'echo ERR $?' ERR; false; false | cat; (exit 3) || true"
    for line in (first, "set -E; trap 'echo E' ERR; f() { false; }; f"):
        plain = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True, check=False)
        packet = run(line, folder)
        assert [one.text for one in packet.output.lines] == plain.stdout.splitlines()


def test_a_very_long_line_runs_too(folder: Path) -> None:
    packet = run("true " + "x" * 200_000 + "; false | cat", folder)
    assert packet.status == "failed" and [stage.exit_code for stage in packet.stages or ()] == [0, 1, 0]


WAYS = [
    way.replace("\\n", "\n")
    for way in r"""
%s | cat
%s; true
true; %s
( %s )
{ %s; }
if true; then %s; fi
if false; then true; else %s; fi
if %s; then true; fi
while %s; do break; done
until true; do :; done; %s
case a in a) %s;; esac
for i in 1 2; do %s; done
true | while read x; do %s; done; %s
x=$( %s)
local=1; %s
echo "$( %s)"
echo ${y:-$( %s)}
echo `%s`
[[ -n $( %s) ]]; true
(( $( %s >/dev/null; echo 1) > 0 ))
cat <(%s; echo)
cat <<E\n$( %s)\nE\ntrue
%s && true
%s || s 0
! true; %s
f() { %s; }; f
f() { %s; }; f | cat
eval '%s'
bash -c '%s'
%s & wait
%s > out.txt
%s 2>&1 | tail -1
set -o pipefail; %s
set -e; %s
time { %s; }
s 0 && { %s; } | cat
""".strip().split("\n")
]


def nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Lines in which other lines are a part, in every way in which that may hide how they ended."""

    def filled(way: str, parts: list[str]) -> str:
        for part in parts:
            if "'%s'" in way:
                part = part.replace("'", "'\\''")
            way = way.replace("%s", part, 1)
        return way

    return st.builds(filled, st.sampled_from(WAYS), st.lists(inner, min_size=2, max_size=2))


@settings(max_examples=50, deadline=None)
@given(st.recursive(st.sampled_from(["s 0", "s 3", "s 7", "s 0 | s 5", "s 4 | cat", "s 0; s 6"]), nested, max_leaves=6))
def test_no_failure_goes_unsaid_however_deep(tmp_path_factory: pytest.TempPathFactory, line: str) -> None:
    folder = tmp_path_factory.mktemp("nested")
    for name in ("plain", "watched", "bin"):
        (folder / name).mkdir()
    program = folder / "bin" / "s"
    program.write_text(f"#!/bin/sh\necho $1 >> {folder}/ended\necho out $1\nexit $1\n")
    program.chmod(0o755)
    line = f"PATH={folder}/bin:$PATH\n{line}"
    plain = subprocess.run(
        ["bash", "-c", line], cwd=folder / "plain", capture_output=True, stdin=subprocess.DEVNULL, check=False
    )
    time.sleep(0.01)
    ended = sorted((folder / "ended").read_text().split()) if (folder / "ended").exists() else []
    (folder / "ended").unlink(missing_ok=True)
    packet = run(line, folder / "watched")
    again = sorted((folder / "ended").read_text().split()) if (folder / "ended").exists() else []
    assert again == ended, "another course than bash took by itself"
    assert packet.exit_code == plain.returncode
    assert sorted(one.text for one in packet.output.lines) == sorted(plain.stdout.decode().splitlines())
    failures = {status for status in ended if status != "0"}
    if failures:
        assert packet.status == "failed" or packet.notes, packet
    else:
        assert packet.status == ("ok" if plain.returncode == 0 else "failed"), packet
