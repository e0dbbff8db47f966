"""What hostile command lines try, in every tier: contained, survived by the worker, and forgotten by the next one."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from dabhand.sandbox import Worker, open_worker
from dabhand.workspace import File, Link, State

from .attacking import SCENE, SECRET, gone, python, right_afterwards, said
from .conftest import LIMITS


@pytest.fixture(scope="module")
def worker(tier: str) -> Iterator[Worker]:
    os.environ["DABHAND_TEST_SECRET"] = SECRET
    with open_worker(tier, LIMITS) as opened:
        yield opened
    del os.environ["DABHAND_TEST_SECRET"]


@pytest.fixture(autouse=True)
def the_next_experiments_are_right(worker: Worker) -> Iterator[None]:
    yield
    right_afterwards(worker)


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder with a secret in it, which everybody may read and write as far as its permissions go."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "secret").write_text(SECRET)
    (folder / "secret").chmod(0o666)
    for place in (folder, *folder.parents):
        if place.owner() == folder.owner() and place != Path("/"):
            place.chmod(0o777 if place == folder else place.stat().st_mode | 0o111)
    return folder


def test_reading_what_is_private(worker: Worker, outside: Path) -> None:
    lines = [
        f"cat {outside}/secret; ls {outside}; cat < {outside}/secret",
        "cat /etc/shadow /root/.bash_history ~/.profile; cat /proc/[0-9]*/environ /proc/self/environ | tr '\\0' '\\n'",
        "ls -a /home/* /root; find / -xdev -name 'secret' -exec cat {} + 2>/dev/null",
        python('import glob\nfor f in glob.glob("/proc/[0-9]*/cmdline"): print(open(f).read())')
        + f"; ls {outside.parent}",
    ]
    for line in lines:
        outcome = worker.run(SCENE, line)
        assert SECRET not in said(outcome)
        assert "root:$" not in said(outcome)
        assert "secret\n" not in outcome.stdout.decode()


def test_writing_outside(worker: Worker, outside: Path) -> None:
    before = {path: (path.stat().st_mtime_ns, path.stat().st_mode) for path in (outside, outside / "secret")}
    for target in (
        f"{outside}/secret",
        f"{outside}/new",
        "/tmp/../usr/bin/planted",
        "/dev/shm/planted",
        "/var/tmp/planted",
    ):
        worker.run(
            SCENE, f"echo x > {target}; cp a {target}; mv a {target}; ln -s / {target}; mkdir {target}; touch {target}"
        )
    worker.run(
        SCENE,
        f"chmod 000 {outside}/secret; chmod 000 {outside}; rm -rf {outside}; touch {outside}/secret; chown 1 {outside}",
    )
    worker.run(SCENE, f"mv {outside}/secret .; ln {outside}/secret hard; cp --remove-destination a {outside}/secret")
    assert {path: (path.stat().st_mtime_ns, path.stat().st_mode) for path in before} == before
    assert (outside / "secret").read_text() == SECRET
    assert [path.name for path in outside.iterdir()] == ["secret"]
    assert not [place for place in ("/usr/bin", "/dev/shm", "/var/tmp") if Path(place, "planted").exists()]


def test_following_a_planted_link(worker: Worker, outside: Path) -> None:
    scene = State({"file": Link(f"{outside}/secret"), "folder": Link(str(outside)), "up": Link("../../../../..")})
    before = (outside / "secret").stat()
    for line in (
        "cat file; cat folder/secret; cat < file; sort file > file; echo x >> file; cp file copy; chmod +x file",
        "echo x > file", "cat > file < /dev/null", "sort file > folder/new", "cat < file", "touch file",
        "chmod 777 file",
        "rm -r folder/; rm -rf folder/*; mv folder/secret .; cp -rL folder copy",
        f"cat up{outside}/secret; echo x > up{outside}/secret",
    ):  # fmt: skip
        outcome = worker.run(scene, line)
        assert SECRET not in said(outcome)
        assert SECRET.encode() not in b"".join(node.data for node in outcome.state.values() if isinstance(node, File))
    after = (outside / "secret").stat()
    assert (outside / "secret").read_text() == SECRET
    assert (before.st_mode, before.st_mtime_ns) == (after.st_mode, after.st_mtime_ns)
    assert [path.name for path in outside.iterdir()] == ["secret"]


def test_planting_a_link_for_the_worker(worker: Worker, outside: Path) -> None:
    for line in (
        f"rm -rf *; ln -s {outside} box; ln -s {outside}/secret a",
        f"rm -rf a; ln -s {outside}/secret a",
        f"mkdir -p d/e; mv d/e .; ln -s {outside} d/e; chmod 0 d",
    ):
        outcome = worker.run(SCENE, line)
        assert SECRET not in repr(outcome)
    assert (outside / "secret").read_text() == SECRET


def test_the_network(worker: Worker, tmp_path: Path) -> None:
    with socket.socket() as tcp, socket.socket(socket.AF_UNIX) as unix, socket.socket(socket.AF_UNIX) as abstract:
        tcp.bind(("127.0.0.1", 0))
        unix.bind(str(tmp_path / "s"))
        (tmp_path / "s").chmod(0o777)
        name = f"dabhand-test-{os.getpid()}"
        abstract.bind("\0" + name)
        for listener in (tcp, unix, abstract):
            listener.listen()
        port = tcp.getsockname()[1]
        for attempt in (
            f'socket.create_connection(("127.0.0.1", {port}), 1)',
            'socket.create_connection(("1.1.1.1", 53), 1)',
            'socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("1.1.1.1", 53))',
            f'socket.socket(socket.AF_UNIX).connect("\\0{name}")',
            f'socket.socket(socket.AF_UNIX).connect("{tmp_path}/s")',
            'socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).send(b"x" * 32) and 0/0',
        ):
            outcome = worker.run(SCENE, python(f'import socket\n{attempt}\nprint("reached")'))
            assert outcome.exit_code == 1, said(outcome)
            assert b"reached" not in outcome.stdout
        assert worker.run(SCENE, f"echo x > /dev/tcp/127.0.0.1/{port}").exit_code == 1


@pytest.mark.parametrize("call", ["socket", "socketpair"])
def test_families_of_sockets(worker: Worker, call: str) -> None:
    """A network namespace does not hold AF_VSOCK (40) and AF_ALG (38), for two."""
    program = (
        "import socket\n"
        "def made(family, kind):\n  try: socket." + call + "(family, kind)\n  except OSError: return False\n"
        "  return True\n"
        "print([f for f in range(64) if f not in (1, 2, 10) and any(made(f, k) for k in (1, 2, 3, 5))])"
    )
    assert worker.run(SCENE, python(program)).stdout == b"[]\n"
    assert worker.run(SCENE, python("import socket\nsocket.socket(40, 1).bind((1, 99))")).exit_code == 1


SPOILING = [
    "chmod 000 /dev/stdout /dev/stderr", python("import os\nos.fchmod(1, 0); os.fchmod(2, 0)"),
    "touch -d @7 /dev/stdout; echo x > /tmp/x; touch -d @7 /tmp", python("import os\nos.utime(1, (7, 7))"),
    "chattr +d . ; chattr +A .; chattr +d /dev/stdout; chattr +d /tmp",
    python("import os\nos.set_blocking(1, False); os.set_blocking(0, False); os.lseek(1, 100, 0)"),
    python("import fcntl\nfor f in (0, 1, 2): fcntl.flock(f, 2)"), "flock 1 true; flock 2 true; { flock 1; echo x; }",
    python("import fcntl, struct\nfcntl.fcntl(1, 38, struct.pack(\"hhqqi4x\", 1, 0, 0, 0, 0))"),
    python("import fcntl, os\nfcntl.fcntl(1, 8, os.getpid()); fcntl.fcntl(1, 10, 12); fcntl.fcntl(1, 4, 0x2000)"),
    python("import fcntl\nfcntl.fcntl(1, 1033, 0x1f)"), "truncate -s 1000 /dev/stdout; setfattr -n user.x -v y . /tmp",
    "chmod 000 . /tmp $TMPDIR; exec 1>&-", "umask 777; echo x > /dev/stdout; chmod 1777 .; chmod g+s .",
]  # fmt: skip


@pytest.mark.parametrize("line", SPOILING)
@pytest.mark.parametrize("form", ["{}", "{{ {}\n}}", "{}\n: $BASH_SUBSHELL"])
def test_spoiling_what_experiments_share(worker: Worker, line: str, form: str) -> None:
    look = "lsattr -d . /tmp $TMPDIR; lsattr -l /dev/stdout; stat -c '%a %Y' . ${TMPDIR:-/tmp}; stat -Lc %a /dev/stdout"
    with open_worker(worker.tier, LIMITS) as fresh:
        expected = fresh.run(SCENE, look)
        place = fresh.run(SCENE, "pwd; echo ${TMPDIR:-/tmp}").stdout.split()
    worker.run(SCENE, form.format(line))
    for again in ("echo hi > /dev/stdout", "{ echo hi > /dev/stdout; }", "echo hi > /dev/stdout; : $SHLVL"):
        outcome = worker.run(SCENE, again)
        assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (0, b"hi\n", b"")
    here = worker.run(SCENE, "pwd; echo ${TMPDIR:-/tmp}").stdout.split()
    seen = worker.run(SCENE, look).stdout
    for now, then in zip(here, place, strict=True):
        seen = seen.replace(now, then)
    assert seen == expected.stdout
    assert worker.run(SCENE, "flock -n /dev/stdout echo free").stdout == b"free\n"
    age = worker.run(SCENE, "echo $(( $(date +%s) - $(stat -Lc %Y /dev/stdout) < 60 ))").stdout
    assert age == b"1\n"


def test_other_programs_of_the_machine_are_not_seen(worker: Worker) -> None:
    with subprocess.Popen(["sleep", "55.0625"]) as stranger:
        own = f"/proc/{stranger.pid}"
        outcome = worker.run(SCENE, f"cat {own}/cmdline /proc/[0-9]*/cmdline /proc/*/comm; ls {own}; ps -e -o args")
        stranger.kill()
    assert b"55.0625" not in outcome.stdout
    assert worker.run(SCENE, "cat <(echo a) /dev/fd/0; sed -i s/a/c/ a; free > f; nproc > n").exit_code == 0


DAEMONS = [
    "nohup sleep 88.125 > /dev/null 2>&1 &",
    "setsid sleep 88.125 &",
    "setsid -f sleep 88.125",
    "(setsid sh -c '(sleep 88.125 &) &' &) &",
    "sh -c 'trap \"\" HUP TERM; sleep 88.125; sleep 88.125' & disown -a",
    python(
        "import os, time\nif os.fork(): os._exit(0)\nos.setsid()\nif os.fork(): os._exit(0)\n"
        'while True:\n  open("planted", "a").write("sleep 88.125"); time.sleep(0.001)'
    ),
]


@pytest.mark.parametrize("line", DAEMONS)
def test_leaving_a_daemon(worker: Worker, line: str) -> None:
    outcome = worker.run(SCENE, line)
    assert outcome.exit_code == 0
    assert not outcome.timed_out
    assert gone("88.125")
    for _ in range(5):
        assert worker.run(SCENE, "ls").stdout == b"a\nbox\n"


@pytest.mark.parametrize(
    "line",
    [
        "kill -9 -1",
        "kill -9 $PPID; kill -9 1; kill -9 0",
        "kill -STOP $PPID; kill -TERM $PPID; kill -INT $PPID; kill -USR1 $PPID",
        "for p in /proc/[0-9]*; do kill -9 ${p#/proc/}; done",
        "for ((i = 1; i < 40; i++)); do kill -9 $((PPID + i)) $((PPID - i)); done 2> /dev/null",
        "exec 3>&- 4>&- 0<&- 1>&- 2>&-; exec sleep 0",
        "for p in /proc/[0-9]*; do for f in $p/fd/*; do echo 0 > $f; done; done 2> /dev/null",
        "for f in 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do echo 0 >&$f; done 2> /dev/null",
        "for p in /proc/[0-9]*; do echo x > $p/mem; echo 1 > $p/oom_score_adj; echo > $p/clear_refs; done 2> /dev/null",
        "prlimit --pid $PPID --nofile=3 --fsize=1 --nproc=1; prlimit --pid 1 --fsize=1; taskset -p 1 $PPID",
        "renice -n 19 -p $PPID; prlimit --pid $$ --fsize=1",
        "strace -p $PPID; gdb -p 1 -batch",
    ],
)
def test_killing_or_disturbing_the_worker(worker: Worker, line: str) -> None:
    victim = subprocess.Popen(["sleep", "30"])
    process = worker._started and worker._started.process.pid
    worker.run(SCENE, line)
    assert worker._started
    assert worker._started.process.pid == process
    assert victim.poll() is None
    victim.kill()
    victim.wait()


def test_tracing(worker: Worker) -> None:
    attach = (
        "import ctypes, os\nlibc = ctypes.CDLL(None)\n"
        'try: pids = [int(p) for p in os.listdir("/proc") if p.isdigit()]\n'
        "except PermissionError: pids = [*range(1, 50), *range(max(1, os.getppid() - 500), os.getpid() + 5)]\n"
        "pids = [p for p in pids if p != os.getpid()]\n"
        "print(sum(libc.ptrace(16, p, 0, 0) == 0 for p in pids))\n"
        "b = ctypes.create_string_buffer(16)\n"
        'class V(ctypes.Structure): _fields_ = [("a", ctypes.c_void_p), ("n", ctypes.c_size_t)]\n'
        "v = V(ctypes.addressof(b), 16)\n"
        "print(sum(libc.process_vm_readv(p, ctypes.byref(v), 1, ctypes.byref(v), 1, 0) > 0 for p in pids))"
    )
    assert worker.run(SCENE, python(attach)).stdout == b"0\n0\n"


def test_new_namespaces_and_mounts(worker: Worker) -> None:
    for line in (
        "unshare -Ur true",
        "unshare -m true",
        "mount -t tmpfs x box",
        "chroot / true",
        "nsenter -t 1 -m true",
    ):
        assert worker.run(SCENE, line).exit_code != 0


@pytest.mark.parametrize(
    "line",
    [
        "cd / && rm -rf * .[a-z]*",
        "rm -rf --no-preserve-root /",
        "rm -rf ../* ~ /tmp /tmp/*",
        "cd ..; mv scene elsewhere; rmdir scene",
    ],
)
def test_deleting_everything(worker: Worker, outside: Path, line: str) -> None:
    worker.run(SCENE, line)
    assert (outside / "secret").read_text() == SECRET
    assert Path("/usr/bin/env").exists()


def test_shared_memory_and_queues_do_not_outlive(worker: Worker) -> None:
    worker.run(SCENE, "ipcmk -M 1000; ipcmk -Q; ipcmk -S 1")
    assert b"0x" not in worker.run(SCENE, "ipcs").stdout.replace(b"0x00000000", b"") or worker.tier == "landlock"
    before = subprocess.run(["ipcs"], capture_output=True, check=False).stdout
    worker.run(SCENE, "ipcmk -M 1000")
    assert subprocess.run(["ipcs"], capture_output=True, check=False).stdout == before


def test_two_workers_do_not_meet(tier: str, worker: Worker) -> None:
    with open_worker(tier, LIMITS) as other:
        stop = threading.Event()

        def disturb() -> None:
            while not stop.is_set():
                other.run(SCENE, "kill -9 -1; killall5 -9; rm -rf /tmp/* /dev/shm/*")

        thread = threading.Thread(target=disturb)
        thread.start()
        try:
            for _ in range(60):
                assert worker.run(SCENE, "sort a > out; sort a").stdout == b"a\nb\n"
        finally:
            stop.set()
            thread.join()
