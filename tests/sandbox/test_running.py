from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dabhand.commands import load_pack, render
from dabhand.errors import SandboxFault, StateError, UsageError
from dabhand.sandbox import Limits, Oddity, Outcome, Worker, open_worker
from dabhand.workspace import FOLDER, File, Link, State

from .conftest import LIMITS

SCENE = State(
    {
        "a": File(b"b\na\n"),
        "run.sh": File(b"#!/bin/sh\necho ran\n", True),
        "box": FOLDER,
        "box/in": File(b""),
        "l": Link("a"),
        "away": Link("/nowhere"),
    }
)


def out(worker: Worker, line: str, state: State = SCENE) -> bytes:
    return worker.run(state, line).stdout


def test_a_line_changes_the_folder_and_nothing_else(worker: Worker) -> None:
    outcome = worker.run(SCENE, "sort a > sorted && rm -r box && ./run.sh && echo bad >&2; exit 3")
    assert (outcome.exit_code, outcome.signal, outcome.timed_out) == (3, None, False)
    assert (outcome.stdout, outcome.stderr, outcome.survivors) == (b"ran\n", b"bad\n", 0)
    assert outcome.state == SCENE.with_changes({"sorted": File(b"a\nb\n"), "box": None})
    assert outcome.oddities == ()
    assert 0 < outcome.seconds < 5


def test_what_did_not_change_is_the_same_state(worker: Worker) -> None:
    assert worker.run(SCENE, "cat a").state is SCENE


def test_links_and_execute_bits(worker: Worker) -> None:
    outcome = worker.run(SCENE, "cp l copy; cp -P l same; mv away gone; chmod +x a; chmod -x run.sh; ln a hard")
    assert (
        outcome.state
        == State(
            {
                **SCENE.with_changes({"away": None}),
                "a": File(b"b\na\n", True),
                "hard": File(b"b\na\n", True),
                "run.sh": File(b"#!/bin/sh\necho ran\n"),
                "copy": File(b"b\na\n"),
                "same": Link("a"),
                "gone": Link("/nowhere"),
            }
        )
        or "permissions" in worker.detail
    )


def test_permissions_and_times_in_every_way(worker: Worker) -> None:
    line = (
        "chmod +x l; chmod -R a+w .; chmod 600 $PWD/box/in; touch -d @7 box; touch -h -d @8 l; touch -r box a;"
        "cp -p a b;"
        "stat -c '%n %a %Y' a b box box/in l; chmod 1 nosuch; chmod 1 '' ; touch -c nosuch; cd box && chmod 700 ../a"
    )
    outcome = worker.run(SCENE, line)
    assert outcome.stdout == b"a 777 7\nb 777 7\nbox 777 7\nbox/in 600 1000000000\nl 777 8\n"
    assert outcome.stderr == (
        b"chmod: cannot access 'nosuch': No such file or directory\n"
        b"chmod: cannot access '': No such file or directory\n"
    )
    assert outcome.state["a"] == File(b"b\na\n", True)


def test_names_and_contents_that_are_no_text(worker: Worker) -> None:
    state = State({"\udcff\n'x": File(b"\xfe\x00\r\n"), "-n": FOLDER, "-n/ü b": File(b"\xc3")})
    outcome = worker.run(state, "cp -- ./*x 'copy\udcfe'; cat $'\\377\\n\\'x'")
    assert outcome.stdout == b"\xfe\x00\r\n"
    assert outcome.state == state.with_changes({"copy\udcfe": File(b"\xfe\x00\r\n")})


def test_the_surroundings_are_always_the_same(worker: Worker) -> None:
    first = out(worker, "pwd; umask; cat; env | grep -v -e ^_= | sort; stat -c '%n %Y %a' * .")
    assert first == out(worker, "pwd; umask; cat; env | grep -v -e ^_= | sort; stat -c '%n %Y %a' * .")
    lines = first.decode().splitlines()
    assert lines[1] == "0022"
    names = {line.partition("=")[0] for line in lines if "=" in line}
    assert names - {"TMPDIR"} == {"HOME", "LC_ALL", "PATH", "PWD", "SHLVL"}
    assert "LC_ALL=C.UTF-8" in lines
    assert "PATH=/usr/bin:/bin" in lines
    assert "a 1000000000 644" in lines
    assert ". 1000000000 755" in lines


def test_nothing_of_the_shell_is_left(worker: Worker) -> None:
    worker.run(
        SCENE, "x=1; export y=2; cd box; umask 0; trap 'echo trapped' EXIT; ulimit -n 5; set -e; f() { :; }; exec >&-"
    )
    worker.run(SCENE, "echo z > $TMPDIR/t; echo z > /tmp/t; mkdir -p /tmp/d/e; chmod 0 /tmp/d; chmod 0 .")
    assert out(
        worker, 'echo "$x$y"; umask; pwd | wc -l; ulimit -n; type f 2>&1 | tail -c 10; ls /tmp 2>&1 | grep -c ^t'
    ) == (b"\n0022\n1\n256\nnot found\n0\n")


@pytest.mark.parametrize(
    ("line", "code", "number"),
    [
        ("exit 3", 3, None),
        ("exit 129", 129, None),
        ("(exit 130)", 130, None),
        ("(exit 137); :", 0, None),
        ("sh -c 'exit 143'", 143, None),
        ("sh -c 'kill -9 $$'", None, signal.SIGKILL),
        ("sh -c 'kill -9 $$'; exit", 137, None),
        ("kill -9 $$", None, signal.SIGKILL),
        ("kill -TERM $$", None, signal.SIGTERM),
        ("nosuchcommand", 127, None),
        ("if", 2, None),
        ("./a", 126, None),
        ("sort nosuch", 2, None),
        ("cat a > box", 1, None),
        ("cat < nosuch", 1, None),
    ],
)
def test_how_it_ended(worker: Worker, line: str, code: int | None, number: int | None) -> None:
    outcome = worker.run(SCENE, line)
    assert (outcome.exit_code, outcome.signal, outcome.state) == (code, number, SCENE)


def test_a_long_line(worker: Worker) -> None:
    assert out(worker, "printf %s " + "x" * 50_000) == b"x" * 50_000


@pytest.mark.parametrize("name", ["echo", "cat", ": |", "nosuch"])
@pytest.mark.parametrize("length", [131_071, 131_072, 1_000_000])
def test_a_line_longer_than_any_argument(worker: Worker, name: str, length: int) -> None:
    line = f"{name} > new ".ljust(length - 3, "x") + " xx"
    outcome = worker.run(SCENE, line)
    if length > 131_071:
        assert (outcome.exit_code, outcome.stdout, outcome.state) == (126, b"", SCENE)
        assert outcome.stderr == b"bash: /usr/bin/bash: Argument list too long\n"
    else:
        assert outcome.exit_code == {"echo": 0, "cat": 1}.get(name, 127)
        assert "new" in outcome.state
    assert out(worker, "echo hi") == b"hi\n"


REVEALING = [
    "echo $BASH_SUBSHELL > n; cat n",
    'echo "$BASH_EXECUTION_STRING" | cat', "echo $_ | cat", "echo $0; echo $-",
    "echo ${BASH_SUBSHELL}${SHLVL} $LINENO", "x=SHLVL; echo ${!x}; echo $((BASH_SUBSHELL + 1)) $((LINENO))",
    "echo $SECONDS; echo ${#BASH_ARGV[@]} ${BASH_SOURCE} ${#FUNCNAME[@]} ${PIPESTATUS[@]}",
    "declare -p | grep -c '^declare'",
    "set | grep -c =; set | grep -e SHLVL -e BASH_E", "env | sort; :",
    "printenv SHLVL; compgen -v | sort",
    "e'n'v | sort | cat", "trap -p; jobs; hash; times | wc -l", "eval 'echo $SHL''VL'",
    "[[ -v BASH_EXECUTION_STRING ]]; echo $?",
    "test -v PIPESTATUS; echo $?", "sh show; ./show", ". ./show; :", "echo 1; ./show",
    "unset x; echo ${x:-$BASH_SUBSHELL}",
    "(echo $BASH_SUBSHELL)", "readlink /proc/self/fd/0 | cat", "P=x; echo `echo $SHLVL`",
    "shopt | wc -l; enable | wc -l",
    "type -a ls; dirs; echo $OPTIND $IFS", "echo $? $# $* ${x-no}",
]  # fmt: skip


@pytest.mark.parametrize("line", REVEALING)
def test_a_line_that_looks_at_its_shell_sees_bash_c(worker: Worker, line: str, tmp_path: Path) -> None:
    script = b"echo $SHLVL $BASH_SUBSHELL $LINENO\n"
    (tmp_path / "show").write_bytes(script)
    (tmp_path / "show").chmod(0o755)
    surroundings = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"}
    whole = out(worker, "pwd; echo $TMPDIR").decode().splitlines()
    surroundings |= {"TMPDIR": whole[1]} if whole[1] else {}
    command = ["bash", "-c", line]
    real = subprocess.run(
        command, executable="/usr/bin/bash", cwd=tmp_path, env=surroundings, stdin=subprocess.DEVNULL,
        capture_output=True, check=False,
    )  # fmt: skip
    for _ in range(2):
        outcome = worker.run(State({"show": File(script, True)}), line)
        said = outcome.stdout.replace(whole[0].encode(), str(tmp_path).encode())
        assert (outcome.exit_code, said) == (real.returncode, real.stdout)


@pytest.mark.parametrize("line", ["echo $$", "echo $PPID", "echo ${BASHPID}", "sh -c 'echo $PPID'", "sh show; :"])
def test_process_numbers_do_not_repeat(worker: Worker, line: str) -> None:
    scene = State({"show": File(b"echo $PPID\n")})
    assert len({out(worker, line, scene) for _ in range(3)}) == 3


def test_output_is_capped_and_says_so(worker: Worker) -> None:
    outcome = worker.run(SCENE, "head -c 200000 /dev/zero; echo e >&2")
    assert (len(outcome.stdout), outcome.stdout_complete) == (100_000, False)
    assert (outcome.stderr, outcome.stderr_complete) == (b"e\n", True)
    assert out(worker, "echo fresh") == b"fresh\n"


def test_the_clock_ends_it_and_keeps_what_was_done(worker: Worker) -> None:
    outcome = worker.run(SCENE, "echo 1 > half; sleep 50", Limits(**{**_fields(LIMITS), "seconds": 0.2}))
    assert (outcome.timed_out, outcome.exit_code) == (True, None)
    assert outcome.state == SCENE.with_changes({"half": File(b"1\n")})


def _fields(limits: Limits) -> dict[str, float]:
    return {name: getattr(limits, name) for name in limits.__struct_fields__}


def test_odd_things_are_reported_and_not_read(worker: Worker) -> None:
    outcome = worker.run(SCENE, "mkfifo pipe; truncate -s 5M long; mkdir shut; echo s > shut/x")
    assert set(outcome.oddities) == {Oddity("pipe", "fifo"), Oddity("long", "long")}
    assert outcome.state["shut/x"] == File(b"s\n")
    assert "pipe" not in outcome.state


def test_unreadable_things_are_read_all_the_same(worker: Worker) -> None:
    outcome = worker.run(SCENE, "umask 777; mkdir shut; echo s > x")
    assert outcome.state == SCENE.with_changes({"shut": FOLDER, "x": File(b"s\n")})


def test_too_much_to_read(worker: Worker) -> None:
    patient = msgspec.structs.replace(LIMITS, seconds=60.0, cpu_seconds=60)  # the machine may be busy
    outcome = worker.run(SCENE, "for ((i = 0; i < 6000; i++)); do : > f$i; done", patient)
    assert [oddity.what for oddity in outcome.oddities] == ["more"]
    deep = worker.run(SCENE, "for ((i = 0; i < 300; i++)); do mkdir d && cd d || break; done", patient)
    assert [oddity.what for oddity in deep.oddities] == ["more"]
    assert worker.run(SCENE, "true").state is SCENE


def test_a_scene_that_cannot_be_written_is_refused(worker: Worker) -> None:
    with pytest.raises(StateError, match="name too long"):
        worker.run(State({"ok": File(b""), "x" * 300: File(b"")}), "true")
    assert worker.run(SCENE, "true").state is SCENE


def test_bad_calls(worker: Worker) -> None:
    with pytest.raises(UsageError, match="NUL"):
        worker.run(SCENE, "echo \0")
    with pytest.raises(UsageError, match="more than its worker"):
        worker.run(SCENE, "true", Limits(memory_bytes=LIMITS.memory_bytes * 2))
    with pytest.raises(UsageError, match="No experiment"):
        worker.collect()


def test_several_in_flight_come_back_in_order(worker: Worker) -> None:
    big = State({"big": File(b"x" * 90_000)})
    for number in range(40):
        worker.submit(big, f"cat big > copy; cat big; echo {number} >&2")
    with pytest.raises(UsageError, match="in flight"):
        worker.run(SCENE, "true")
    outcomes = [worker.collect() for _ in range(40)]
    assert [outcome.stderr for outcome in outcomes] == [b"%d\n" % number for number in range(40)]
    assert {len(outcome.stdout) for outcome in outcomes} == {90_000}


def test_a_broken_worker_is_a_fault_and_then_a_new_one(tier: str) -> None:
    with open_worker(tier, LIMITS) as worker:
        for line in ("sleep 0.4", "echo second", "echo third"):
            worker.submit(SCENE, line)
        assert worker._started
        for pid in _below(worker._started.process.pid):
            with contextlib.suppress(ProcessLookupError):  # the end of another may have ended it
                os.kill(pid, signal.SIGKILL)
        with pytest.raises(SandboxFault, match="worker broke"):
            worker.collect()
        assert [worker.collect().stdout, worker.collect().stdout] == [b"second\n", b"third\n"]
        assert worker.run(SCENE, "cat a").stdout == b"b\na\n"


def _below(pid: int) -> Iterator[int]:
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield from _below(int(child))
            yield int(child)


def test_a_closed_worker_leaves_nothing(tier: str) -> None:
    before = set(Path("/dev/shm").glob(f"dabhand-{os.getpid()}-*"))
    worker = open_worker(tier, LIMITS)
    assert worker._started
    family = [worker._started.process.pid, *_below(worker._started.process.pid)]
    worker.close()
    worker.close()
    assert not [pid for pid in family if Path(f"/proc/{pid}").exists()]
    assert set(Path("/dev/shm").glob(f"dabhand-{os.getpid()}-*")) == before
    with pytest.raises(UsageError, match="closed"):
        worker.run(SCENE, "true")


PACK = load_pack("posix").templates + load_pack("posix").templates[17:19]
PATHS = st.sampled_from(
    ["a", "b c", "box", "box/in", "box/new", "l", "missing/x", "-n", "it's", "$(touch p)", "a/b", "../a"]
)
WORDS = st.sampled_from(
    ["a", "", "-v", ".", "*", "x y", "'", '"', "\\", "$HOME", "`id`", "\n", "é", "\udcff", "!", "["]
)


@settings(max_examples=120)
@given(st.sampled_from(PACK), st.lists(PATHS, min_size=3, max_size=3), st.lists(WORDS, min_size=2, max_size=2))
def test_every_way_of_running_gives_the_same(
    any_worker: Worker, template: object, paths: list[str], words: list[str]
) -> None:
    filling = dict(zip("ABCTU", [*paths, *words], strict=True)) | {"N": 2}
    names = {slot.name for slot in template.slots}  # type: ignore[attr-defined]
    line = render(template, {name: filling[name] for name in names})  # type: ignore[arg-type]
    state = SCENE.with_changes({"b c": File(b"1\n10\n9\n"), "-n": File(b"x\n"), "it's": File(b"a\xff\n")})
    quick = any_worker.run(state, line)
    grouped = any_worker.run(state, f"{{ {line}\n}}")
    alone = any_worker.run(state, line + "\n#" + "x" * 20_000)
    assert _essence(quick) == _essence(grouped) == _essence(alone)


def _essence(outcome: Outcome) -> tuple[object, ...]:
    complaint = outcome.stderr.partition(b"bash: ")[0]
    return outcome.exit_code, outcome.signal, outcome.stdout, complaint, outcome.state, outcome.oddities


@pytest.fixture(scope="module")
def any_worker() -> Iterator[Worker]:
    with open_worker("auto") as opened:
        yield opened


def test_what_we_ignore_is_not_ignored_by_commands() -> None:
    ignored = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
    before = [signal.signal(number, signal.SIG_IGN) for number in ignored]
    try:
        with open_worker("auto") as worker:
            lines = "; ".join(f"trap 'echo {number:d}' {number:d}; kill -{number:d} $$" for number in ignored)
            assert worker.run(State({}), lines).stdout == b"1\n2\n3\n"
    finally:
        for number, handler in zip(ignored, before, strict=True):
            signal.signal(number, handler)
