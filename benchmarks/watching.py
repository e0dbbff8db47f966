"""Run a program and watch what it costs: wall time, its own processor time, memory of it and of all below it."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

LOOK_EVERY = 0.05  # seconds; the peak of the program itself is kept by the kernel, so little is missed
TREE_EVERY = 5  # looks; adding up the processes below costs more, and what they hold changes little
TICKS = os.sysconf("SC_CLK_TCK")


class WatchingError(RuntimeError):
    """The program could not be started, or did not end in time."""


@dataclass(frozen=True)
class Usage:
    """What a run cost.

    Attributes:
        wall_seconds: from starting the program to its end, its own start-up included.
        own_cpu_seconds: processor time of the program itself, without what it started.
        own_peak_mb: the most memory the program itself held at once (the kernel's VmHWM).
        tree_peak_mb: the most that it and all below it held, shared pages counted once (PSS).
    """

    wall_seconds: float
    own_cpu_seconds: float
    own_peak_mb: float
    tree_peak_mb: float

    def to_json(self) -> dict[str, float]:
        return {name: round(value, 3) for name, value in asdict(self).items()}


@dataclass(frozen=True)
class Finished:
    """How a program ended, what it printed and what that cost."""

    exit_code: int
    stdout: bytes
    stderr: bytes
    usage: Usage


def watch(argv: Sequence[str], *, stdin: bytes = b"", env: Mapping[str, str], timeout: float) -> Finished:
    """Run a program to its end.

    Raises:
        WatchingError: it could not be started, or ran longer than `timeout` seconds.
    """
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin)
        given.seek(0)
        started = time.perf_counter()
        try:
            process = subprocess.Popen(argv, stdin=given, stdout=out, stderr=err, env=env, start_new_session=True)
        except OSError as error:
            raise WatchingError(f"{argv[0]} could not be started: {error.strerror}") from error
        try:
            usage = _watched(process, started, timeout)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        out.seek(0)
        err.seek(0)
        return Finished(process.returncode, out.read(), err.read(), usage)


def _watched(process: subprocess.Popen[bytes], started: float, timeout: float) -> Usage:
    own = tree = cpu = 0.0
    looks = 0
    while True:
        own = max(own, _own_peak_mb(process.pid))
        cpu = max(cpu, _cpu_seconds(process.pid))
        if looks % TREE_EVERY == 0:
            tree = max(tree, sum(_held_mb(pid) for pid in _tree(process.pid)))
        looks += 1
        try:
            process.wait(LOOK_EVERY)
        except subprocess.TimeoutExpired:
            if time.perf_counter() - started > timeout:
                raise WatchingError(f"it ran longer than {timeout:.0f} s") from None
            continue
        return Usage(time.perf_counter() - started, cpu, own, max(tree, own))


def _fields(path: str) -> dict[str, str]:
    """The `Name: value` lines of a file of the kernel; none when the process has gone or is not ours to look at."""
    try:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    return dict(line.split(":", 1) for line in text.splitlines() if ":" in line)


def _megabytes(value: str) -> float:
    return int(value.split()[0]) / 1024


def _own_peak_mb(pid: int) -> float:
    return _megabytes(_fields(f"/proc/{pid}/status").get("VmHWM", "0 kB"))


def _held_mb(pid: int) -> float:
    """Memory of one process now: its proportional share, or all it maps when the kernel hides the share."""
    share = _fields(f"/proc/{pid}/smaps_rollup").get("Pss")
    return _megabytes(share or _fields(f"/proc/{pid}/status").get("VmRSS", "0 kB"))


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat from the third on; the second, the name, may hold spaces and brackets."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def _cpu_seconds(pid: int) -> float:
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) / TICKS if fields else 0.0


def _tree(root: int) -> list[int]:
    below: dict[int, list[int]] = defaultdict(list)
    for name in os.listdir("/proc"):  # noqa: PTH208  (a hundred names, twice a second: strings are enough)
        if name.isdigit() and (fields := _stat(int(name))):
            below[int(fields[1])].append(int(name))
    found = [root]
    for pid in found:
        found += below[pid]
    return found


def total(usages: Sequence[Usage]) -> dict[str, Any]:
    """Times added up, memory at its highest."""
    return Usage(
        sum(usage.wall_seconds for usage in usages),
        sum(usage.own_cpu_seconds for usage in usages),
        max(usage.own_peak_mb for usage in usages),
        max(usage.tree_peak_mb for usage in usages),
    ).to_json()
