"""Lines for the shell: every stage is told, and the line fails when one that matters does."""

from __future__ import annotations

import json
import subprocess
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
    (folder / "watched").write_bytes(recorded.text)
    (folder / "plain").write_text(line + "\n")
    outcomes = []
    for script in ("plain", "watched"):
        done = subprocess.run(
            ["bash", str(folder / script)], cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, check=False
        )
        outcomes.append((done.returncode, done.stdout, b"line " in done.stderr))
    assert outcomes[0] == outcomes[1], recorded.text.decode()
