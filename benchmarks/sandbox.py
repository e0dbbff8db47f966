"""Experiments per second: the worker, two workers, one bwrap start per experiment, and a bare `bash -c` loop.

`same` is bwrap with the isolation that the worker has, `least` is bwrap with as little as possible. All of them write
the same scenes to memory-backed storage, run the same lines, and read the same folders back, in turns within one run,
so that a busy machine slows all of them alike. `python benchmarks/sandbox.py --json` prints one JSON document.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from dabhand.sandbox import Limits, Worker, open_worker
from dabhand.sandbox.bubblewrap import Bubblewrap, contents_for
from dabhand.workspace import FOLDER, File, Folder, Link, Node, State

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"}
LINES = [
    "sort a.txt > out", "mkdir new", "cp a.txt b.txt", "cat a.txt", "head -n 2 a.txt > out", "rm a.txt",
    "echo x >> a.txt", "sed -i 's/a/b/g' a.txt", "cat a.txt b.txt > out", "mv a.txt box/", "grep -c a a.txt > out",
    "wc -l < a.txt > out",
    "ls box", "touch fresh", "cp -r box copy", "tr a-z A-Z < b.txt > out",
]  # fmt: skip
SCENE = State(
    {
        "a.txt": File(b"pear\napple\napple\nfig\n"),
        "b.txt": File(b"1,2\n3,4\n"),
        "box": FOLDER,
        "box/inner.txt": File(b"x\ny"),
        "box/deep": FOLDER,
        "run.sh": File(b"echo hi\n", True),
        "link": Link("a.txt"),
        "notes": File(b"some words\n\nmore\n"),
    }
)
IN_FLIGHT = 4


def write(folder: Path) -> None:
    folder.mkdir()
    for path, node in SCENE.items():
        if isinstance(node, Folder):
            (folder / path).mkdir()
        elif isinstance(node, Link):
            (folder / path).symlink_to(node.target)
        else:
            (folder / path).write_bytes(node.data)
            (folder / path).chmod(0o755 if node.executable else 0o644)


def read(folder: Path) -> State:
    nodes: dict[str, Node] = {}
    for where, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = os.path.join(where, name)  # noqa: PTH118  (the baseline must not be slowed down)
            key = path[len(str(folder)) + 1 :]
            if os.path.islink(path):  # noqa: PTH114
                nodes[key] = Link(os.readlink(path))  # noqa: PTH115
            elif name in folders:
                nodes[key] = FOLDER
            else:
                with open(path, "rb") as file:  # noqa: PTH123
                    nodes[key] = File(file.read(), os.access(path, os.X_OK))
    return State(nodes)


def bare(line: str, folder: Path) -> State:
    write(folder)
    subprocess.run(
        ["bash", "-c", line], cwd=folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    state = read(folder)
    shutil.rmtree(folder)
    return state


def fresh(argv: list[str], files: list[int]) -> Callable[[str, Path], State]:
    """One bwrap start per experiment."""

    def run(line: str, folder: Path) -> State:
        write(folder)
        for file in files:
            os.lseek(file, 0, os.SEEK_SET)
        whole = [*argv, "--bind", str(folder), "/scene", "--chdir", "/scene", "--", "/usr/bin/bash", "-c", line]
        subprocess.run(
            whole, env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, check=False, pass_fds=files
        )
        state = read(folder)
        shutil.rmtree(folder)
        return state

    return run


def least() -> list[str]:
    """The least that isolates: no filter, no limits, no devices taken away."""
    argv = [Bubblewrap().program, "--unshare-all", "--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc"]
    for top in ("/bin", "/lib", "/lib64"):
        if Path(top).is_symlink():
            argv += ["--symlink", str(Path(top).readlink()), top]
        elif Path(top).exists():
            argv += ["--ro-bind", top, top]
    return [*argv, "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]


def loop(run: Callable[[str, Path], State], count: int, folder: Path) -> float:
    started = time.perf_counter()
    for number in range(count):
        run(LINES[number % len(LINES)], folder)
    return time.perf_counter() - started


def pipelined(worker: Worker, count: int) -> float:
    """Seconds for `count` experiments; returns the wall time."""
    started = time.perf_counter()
    for number in range(count):
        worker.submit(SCENE, LINES[number % len(LINES)])
        if worker.pending > IN_FLIGHT:
            worker.collect()
    while worker.pending:
        worker.collect()
    return time.perf_counter() - started


def together(workers: list[Worker], count: int) -> float:
    started = time.perf_counter()
    threads = [threading.Thread(target=pipelined, args=(worker, count // len(workers))) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - started


def measure(tier: str, rounds: int, count: int) -> dict[str, object]:
    with contents_for(None) as files:
        return measured(fresh(Bubblewrap().box(Limits(), None, files), list(files)), tier, rounds, count)


def measured(same: Callable[[str, Path], State], tier: str, rounds: int, count: int) -> dict[str, object]:
    plain = fresh(least(), [])
    seconds: dict[str, list[float]] = {name: [] for name in ("bare", "same", "least", "worker", "in_turn", "two")}
    with tempfile.TemporaryDirectory(dir="/dev/shm") as memory, open_worker(tier) as one, open_worker(tier) as two:
        folder = Path(memory) / "scene"
        check(one, [bare, same, plain], folder)
        for _ in range(rounds):  # short turns: what else the machine does then slows all of them alike
            seconds["bare"].append(loop(bare, count, folder) / count)
            seconds["worker"].append(pipelined(one, count) / count)
            seconds["same"].append(loop(same, count, folder) / count)
            seconds["in_turn"].append(loop(lambda line, _: one.run(SCENE, line).state, count, folder) / count)
            seconds["least"].append(loop(plain, count, folder) / count)
            seconds["two"].append(together([one, two], 4 * count) / (4 * count))
        used = one.tier
    rates = {name: 1 / sorted(values)[len(values) // 2] for name, values in seconds.items()}
    return {
        "tier": used,
        "rounds": rounds,
        "experiments_per_second": {name: round(rate, 1) for name, rate in rates.items()},
        "ratios": {
            "worker_to_bwrap": rates["worker"] / rates["same"],
            "worker_to_least_bwrap": rates["worker"] / rates["least"],
            "worker_to_bash": rates["worker"] / rates["bare"],
            "in_turn_to_bash": rates["in_turn"] / rates["bare"],
            "two_workers_to_one": rates["two"] / rates["worker"],
        },
    }


def check(worker: Worker, others: list[Callable[[str, Path], State]], folder: Path) -> None:
    """All of them do the same work, or the figures mean nothing."""
    for line in LINES:
        expected = worker.run(SCENE, line).state
        for run in others:
            assert run(line, folder) == expected, line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="accepted for symmetry: the output is always JSON")
    parser.add_argument("--tier", default="auto")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--count", type=int, default=len(LINES), help="experiments per round")
    options = parser.parse_args()
    print(json.dumps(measure(options.tier, options.rounds, options.count), indent=2))


if __name__ == "__main__":
    main()
