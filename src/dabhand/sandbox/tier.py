"""The seam between ways of isolating: what a tier is, and what it has to prove before it is believed."""

from __future__ import annotations

import base64
import contextlib
import itertools
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Protocol

import msgspec

from dabhand.sandbox.outcome import Limits
from dabhand.sandbox.seccomp import closing_program

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"}
"""All that a command finds in its environment, besides what bash adds (PWD, SHLVL, _)."""

_ACCOUNTS = itertools.count()
_FIRST_ACCOUNT = 1879048192
_NEWCOMERS = 200
"""Processes that the same user may start elsewhere while the worker lives."""


class TierReport(msgspec.Struct, frozen=True):
    """What was found when a tier was tried.

    Attributes:
        tier: its name.
        available: an experiment ran in it, and its isolation was in force.
        detail: what it consists of here, or why it cannot be had.
        hint: how to mend it; empty when available.
    """

    tier: str
    available: bool
    detail: str
    hint: str = ""


class Started(msgspec.Struct):
    """A worker process that was just started; nothing is known of it yet.

    Attributes:
        process: its standard input and output carry the protocol.
        complaints: the file that its standard error goes to.
        close: frees what belongs to it on this side, once it has ended.
    """

    process: subprocess.Popen[bytes]
    complaints: IO[bytes]
    close: Callable[[], None]


class Tier(Protocol):
    """One way of isolating."""

    name: str
    detail: str
    hint: str
    ending: signal.Signals
    """The signal that ends the started process together with everything below it."""

    def start(self, limits: Limits, canary: str) -> Started:
        """Start a worker; raises SandboxUnavailable when this tier cannot be had here."""
        ...

    def objections(self, facts: dict[str, Any]) -> list[str]:
        """What is missing from the isolation, by what the worker found out from inside; empty when all is well."""
        ...


def python_for_worker() -> tuple[str, str | None]:
    """A Python interpreter for the worker, and a folder that has to be visible for it beyond /usr."""
    system = Path("/usr/bin/python3")
    if system.exists() and _is_recent(system):
        return str(system), None
    interpreter = Path(sys.executable).resolve()
    prefix = Path(sys.base_prefix).resolve()
    return str(interpreter), None if prefix.is_relative_to("/usr") else str(prefix)


def _is_recent(interpreter: Path) -> bool:
    """Whether it is Python 3.9 or later, by the name its link points to: python3 -> python3.11."""
    name, _, minor = interpreter.resolve().name.partition("3.")
    return name == "python" and minor.isdigit() and int(minor) >= 9


def account_for_worker() -> int | None:
    """A user id that nobody else has, when this process is root; None for anybody else.

    Root's processes are not bound by RLIMIT_NPROC, and an account of one's own keeps signals to oneself. The range
    starts above those that systemd hands out (524288 to 1879048191, systemd.io/UIDS-GIDS).
    """
    if os.geteuid() != 0:
        return None
    number = (os.getpid() % (1 << 22)) * 32 + next(_ACCOUNTS) % 32
    first, count = _FIRST_ACCOUNT, 1 << 27
    if not all(_is_mapped(kind, first + count) for kind in ("uid", "gid")):  # a container of few users
        first, count = 40_000, 25_000
    return first + number % count


def _is_mapped(kind: str, number: int) -> bool:
    """Whether there is such a user or group in this user namespace."""
    rows = [tuple(map(int, row.split())) for row in Path(f"/proc/self/{kind}_map").read_text().splitlines()]
    return any(inside <= number < inside + length for inside, _, length in rows)


def crowd(counted_apart: bool) -> int:
    """How many more processes RLIMIT_NPROC has to allow, because it counts this user's other processes too.

    Args:
        counted_apart: the worker is in a user namespace, which Linux counts by itself from 5.14 on.
    """
    release = tuple(int(part) for part in re.findall(r"[0-9]+", platform.release())[:2])
    if os.geteuid() == 0 or (counted_apart and release >= (5, 14)):
        return 0
    own = [task for task in Path("/proc").glob("[0-9]*/task/[0-9]*") if _owner(task) == os.getuid()]
    return len(own) + _NEWCOMERS


def _owner(task: Path) -> int | None:
    try:
        return task.stat().st_uid
    except OSError:
        return None


def launch(argv: list[str], pass_fds: tuple[int, ...], close: Callable[[], None]) -> Started:
    """Start the program that becomes, or starts, the worker."""
    complaints = tempfile.TemporaryFile()  # noqa: SIM115  (lives as long as the worker)
    try:
        process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
            env={},
            cwd="/",
            pass_fds=pass_fds,
            start_new_session=True,
            bufsize=0,
        )
    except BaseException:
        complaints.close()
        close()
        raise
    return Started(process, complaints, close)


def settings(limits: Limits, canary: str, **own: Any) -> str:
    """The worker's settings as JSON."""
    whole = {
        "canary": canary,
        "limits": msgspec.to_builtins(limits),
        "uid": None,
        "landlock": None,
        "seccomp": None,
        "below": None,
        "landlock_below": None,
        "closing": base64.b64encode(closing_program()).decode(),
        "crowd": 0,
        "upper": None,
    } | own
    return msgspec.json.encode(whole).decode()


def common_objections(facts: dict[str, Any]) -> list[str]:
    """What no tier may lack."""
    found = []
    if facts["uid"] == 0:
        found.append("it runs as root")
    if not facts["no_new_privileges"]:
        found.append("set-user-id programs still work")
    if not facts["seccomp"]:
        found.append("system calls are not filtered")
    if facts["capabilities"]:
        found.append("it holds capabilities")
    if not facts["hidden"]:
        found.append("experiments can look into the worker")
    if facts["canary"]:
        found.append("a private file can be read")
    if facts["internet"]:
        found.append("the network can be reached")
    if facts["families"]:
        found.append(f"sockets of families {facts['families']} can be made")
    return found


@contextlib.contextmanager
def canary() -> Any:
    """A file in the user's home, which the worker must not be able to read; elsewhere if the home cannot be written."""
    try:
        file = tempfile.NamedTemporaryFile(prefix=".dabhand-canary-", dir=Path.home())  # noqa: SIM115
    except (OSError, RuntimeError):
        file = tempfile.NamedTemporaryFile(prefix="dabhand-canary-")  # noqa: SIM115
    with file:
        Path(file.name).chmod(0o644)
        yield file.name
