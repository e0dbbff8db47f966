"""The processes of an experiment: who is alive, how much memory they hold, and the end of all of them."""

# ruff: noqa: PTH123, PTH208
# Paths are bytes here, and every microsecond counts.
from __future__ import annotations

import contextlib
import os
import signal

_PAGE = os.sysconf("SC_PAGE_SIZE")


class Family:
    """Everything that descends from the worker, which every orphan falls back to (as PID 1 or as subreaper)."""

    def __init__(self) -> None:
        self._children: int | None = None
        with contextlib.suppress(FileNotFoundError):  # kernels without CONFIG_PROC_CHILDREN
            self._children = os.open(f"/proc/self/task/{os.getpid()}/children", os.O_RDONLY | os.O_CLOEXEC)

    def children(self) -> list[int]:
        """The worker's own children, zombies included."""
        if self._children is not None:
            return [int(pid) for pid in os.pread(self._children, 1 << 16, 0).split()]
        return _children_by_parent().get(os.getpid(), [])

    def descendants(self, spare: int | None = None) -> list[int]:
        """All that is alive below the worker, leaving out `spare` and what is below it."""
        below = _children_by_parent()
        found: list[int] = []
        waiting = [pid for pid in below.get(os.getpid(), []) if pid != spare]
        while waiting:
            pid = waiting.pop()
            found.append(pid)
            waiting += below.get(pid, [])
        return [pid for pid in found if _state(pid) not in ("Z", "X", "")]

    def memory(self) -> int:
        """Resident bytes of all descendants together, shared pages counted once for each."""
        return sum(_resident(pid) for pid in self.descendants())

    def end(self) -> None:
        """Kill and reap every process below the worker; nothing can be left when this returns.

        kill(-1) reaches every process that the worker may signal, in one step that no fork can outrun. The ways in
        which the worker is confined (PID 1 of its namespace, an account of its own, or a Landlock signal scope) make
        sure that this is exactly its own family; `main` refuses to start without one of them.
        """
        while True:
            with contextlib.suppress(ProcessLookupError):
                os.kill(-1, signal.SIGKILL)
            try:
                while True:
                    os.waitpid(-1, 0)
            except ChildProcessError:
                return

    def end_one_by_one(self) -> None:
        """The same for a process whose signals are not confined to its family; repeats until nobody is left."""
        while pids := self.children():
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(-1, 0)
            self.reap()

    def reap(self) -> None:
        """Collect zombies without waiting."""
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _children_by_parent() -> dict[int, list[int]]:
    below: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (fields := _fields(int(name))):
            below.setdefault(int(fields[1]), []).append(int(name))
    return below


def _fields(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the name, or nothing when it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b") ")[2].decode("ascii").split()
    except OSError:
        return []


def _state(pid: int) -> str:
    return (_fields(pid) or [""])[0]


def _resident(pid: int) -> int:
    fields = _fields(pid)
    return int(fields[21]) * _PAGE if fields else 0
