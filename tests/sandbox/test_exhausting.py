"""Command lines that take all there is, in every tier: cut short, and gone by the next one."""

from __future__ import annotations

import time
from collections.abc import Iterator

import msgspec
import pytest

from dabhand.sandbox import Limits, Worker
from dabhand.workspace import File

from .attacking import SCENE, gone, python, right_afterwards
from .conftest import LIMITS


@pytest.fixture(autouse=True)
def the_next_experiments_are_right(worker: Worker) -> Iterator[None]:
    yield
    right_afterwards(worker)


def test_memory_that_belongs_to_no_process(worker: Worker) -> None:
    hoard = (
        "import os, time\nfiles = [os.memfd_create(str(n)) for n in range(20)]\n"
        'for f in files: os.posix_fallocate(f, 0, 7 << 20)\nprint("hoarded")'
    )
    outcome = worker.run(SCENE, python(hoard))
    assert (outcome.exit_code, outcome.stdout) == (1, b"")
    assert b"not implemented" in outcome.stderr


@pytest.mark.parametrize(
    "line",
    [
        "cd ${TMPDIR:-/tmp}; for ((i = 0; i < 30; i++)); do head -c 7000000 /dev/zero > f$i || exit; done; sleep 1; "
        "echo kept",
        python(
            'import os, time\nfor n in range(30):\n  f = open("x", "w"); os.unlink("x"); os.dup(f.fileno())\n'
            '  os.posix_fallocate(f.fileno(), 0, 7000000)\ntime.sleep(1); print("kept")'
        ),
        'for ((i = 20; i < 50; i++)); do eval "exec $i> x"; rm x; head -c 7000000 /dev/zero >&$i || exit; done; '
        "sleep 1; echo kept",
        "for ((i = 0; i < 30; i++)); do { rm x; head -c 7000000 /dev/zero; sleep 1; } > x & sleep 0.01; done; "
        "wait; [ -e y ] || sleep 1",
    ],
)
def test_storing_out_of_sight(worker: Worker, line: str) -> None:
    started = time.monotonic()
    outcome = worker.run(SCENE, line, msgspec.structs.replace(LIMITS, seconds=5.0))
    assert b"kept" not in outcome.stdout
    assert time.monotonic() - started < 12
    if worker.tier == "landlock":
        assert outcome.signal == 9


def test_a_fork_bomb(worker: Worker) -> None:
    started = time.monotonic()
    for line in (
        "bomb() { bomb | bomb & }; bomb; : marker-bomb",
        "f() { f & f; }; f",
        "yes | xargs -P 0 -n 1 sh -c 'sleep 77.125' ",
    ):
        worker.run(SCENE, line)
    grown = python("import os\nwhile True:\n  try: os.fork()\n  except OSError: pass")
    worker.run(SCENE, grown)
    assert time.monotonic() - started < 30
    assert gone("sleep\x0077.125")


def test_how_many_processes_there_can_be(worker: Worker) -> None:
    count = python(
        "import os, time\nn = 0\ntry:\n  while n < 4000:\n"
        "    if os.fork() == 0: time.sleep(5); os._exit(0)\n    n += 1\n"
        "except OSError: pass\nprint(n, flush=True)\nos._exit(0)"
    )
    outcome = worker.run(SCENE, count)
    assert 0 < int(outcome.stdout) < LIMITS.processes + 1000
    assert outcome.survivors == int(outcome.stdout)


def test_eating_memory(worker: Worker) -> None:
    one = worker.run(SCENE, python('x = bytearray(2 << 30); print("ate")'))
    assert one.exit_code == 1
    assert b"ate" not in one.stdout
    many = f"for i in 1 2 3 4 5 6; do {python('x = bytearray(300 << 20); import time; time.sleep(30)')} & done; wait"
    outcome = worker.run(
        SCENE, many, Limits(seconds=5, memory_bytes=400 << 20, file_bytes=8 << 20, storage_bytes=32 << 20)
    )
    assert not outcome.timed_out
    assert outcome.signal == 9
    worker.run(SCENE, "tail /dev/zero")


@pytest.mark.parametrize("line", ["yes", "cat /dev/zero", "while :; do echo x; done", "yes >&2", "yes | cat | cat"])
def test_endless_output(worker: Worker, line: str) -> None:
    outcome = worker.run(SCENE, line)
    assert outcome.exit_code in (None, 153)  # as bash says it of its last command: 128 + SIGXFSZ
    assert not (outcome.stdout_complete and outcome.stderr_complete)
    assert len(outcome.stdout) <= LIMITS.output_bytes
    assert len(outcome.stderr) <= LIMITS.output_bytes + 1000


@pytest.mark.parametrize(
    "line", ["while :; do :; done", "sleep inf", "sleep inf & wait", "trap '' TERM INT HUP; while :; do sleep 1; done"]
)
def test_endless_loops(worker: Worker, line: str) -> None:
    outcome = worker.run(SCENE, line)
    assert outcome.timed_out
    assert outcome.seconds < LIMITS.seconds + 3


def test_filling_the_storage(worker: Worker) -> None:
    one = worker.run(SCENE, "cat /dev/zero > big; ls -l big | wc -l")
    assert one.oddities or one.signal
    started = time.monotonic()
    many = worker.run(
        SCENE, "for ((i = 0; i < 500; i++)); do head -c 1000000 /dev/zero > f$i || break; done; echo enough"
    )
    assert time.monotonic() - started < 20
    assert sum(len(node.data) for node in many.state.values() if isinstance(node, File)) < 3 * LIMITS.storage_bytes
    worker.run(SCENE, "for ((i = 0; ; i++)); do : > f$i; done")
    worker.run(SCENE, "cd /tmp && cat /dev/zero > planted; mkdir -p /tmp/planted2/x; ln -s / /tmp/planted3")


def test_a_tree_deeper_than_any_path(worker: Worker) -> None:
    worker.run(SCENE, python('import os\nfor i in range(2500): os.mkdir("d" * 100); os.chdir("d" * 100)'))


def test_lifting_limits(worker: Worker) -> None:
    for line in ("ulimit -u unlimited", "ulimit -v unlimited", "ulimit -f unlimited", "prlimit --fsize=unlimited true"):
        assert worker.run(SCENE, line).exit_code != 0
    assert worker.run(SCENE, "ulimit -n 4; ulimit -f 0; ulimit -v 10000; ls").survivors == 0
