"""The second tier, where namespaces are forbidden: Landlock confines files and signals, seccomp the rest.

Experiments read nothing of /proc but what is said of the machine as a whole: there is one /proc for all programs here.
So `ps` and the like fail in this tier. That a process of some number exists, and whose it is, can still be found out.

Its scenes lie in a folder of their own in shared memory, which is removed with the worker. Set-up happens in that
folder only before anything has run in it.
"""

from __future__ import annotations

import base64
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from dabhand.errors import SandboxUnavailable
from dabhand.sandbox.bundle import worker_source
from dabhand.sandbox.inside import confine
from dabhand.sandbox.outcome import Limits
from dabhand.sandbox.seccomp import filter_program, handing_over_program
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

_READABLE = ["/usr", "/bin", "/lib", "/lib32", "/lib64", "/libx32", "/proc"]
_READABLE_ETC = ["/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives"]
_HARMLESS_PROC = [
    f"/proc/{name}"
    for name in ("cpuinfo", "filesystems", "loadavg", "meminfo", "stat", "sys/kernel", "sys/vm", "uptime", "version")
]
"""All that an experiment can read in /proc, which shows every process of the machine here. The worker needs it all."""
_DEVICES = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"]
_MEMORY = ("/dev/shm", "/run/shm")
_LEAST_ABI = 3
_SCOPED_ABI = 6
_HINT = "Use Linux 6.12 or later with Landlock switched on (lsm=landlock,...), or allow user namespaces for bubblewrap."


class Landlock:
    """Isolation by access rules."""

    name = "landlock"
    hint = _HINT
    ending = signal.SIGTERM

    def __init__(self) -> None:
        abi = confine.landlock_abi()
        if abi < _LEAST_ABI or (abi < _SCOPED_ABI and os.geteuid() != 0):
            raise SandboxUnavailable(f"This kernel's Landlock (ABI {abi}) cannot confine files and signals.", _HINT)
        self._uid_is_own = os.geteuid() == 0
        self.detail = f"Landlock ABI {abi}, seccomp, no namespaces"

    def start(self, limits: Limits, canary: str) -> Started:
        """See `Tier.start`."""
        uid = account_for_worker()
        python, folder = python_for_worker()
        base = _fresh_folder()
        try:
            scene, tmp, bash = (base / name for name in ("scene", "tmp", "bash"))
            scene.mkdir()
            tmp.mkdir()
            shutil.copyfile("/usr/bin/bash", bash)
            bash.chmod(0o111)  # readable by nobody, so that what runs it cannot be looked into
            rules = {
                "readable": [*_READABLE, *_READABLE_ETC, *([folder] if folder else [])],
                "writable": [str(scene), str(tmp)],
                "devices": _DEVICES,
                "runnable": [str(bash)],
            }
            readable = [path for path in rules["readable"] if path != "/proc"]
            below = {
                "readable": [*readable, *_HARMLESS_PROC, str(bash)],
                "writable": rules["writable"],
                "devices": _DEVICES,
            }
            own = settings(
                limits, canary, scene=str(scene),
                base=str(base), tmp=str(tmp), bash=str(bash), uid=uid, landlock=rules, landlock_below=below,
                crowd=crowd(False),                env=ENVIRONMENT | {"TMPDIR": str(tmp)},
                seccomp=_text(filter_program(sockets=False)), below=_text(handing_over_program()),
            )  # fmt: skip
            return launch([python, "-I", "-S", "-c", worker_source(), own], (), lambda: _remove(base))
        except OSError as error:
            _remove(base)
            raise SandboxUnavailable(f"A Landlock worker cannot be started: {error}.", _HINT) from error

    def objections(self, facts: dict[str, Any]) -> list[str]:
        """See `Tier.objections`."""
        scoped = self._uid_is_own or facts["landlock"] >= _SCOPED_ABI
        return common_objections(facts) + ([] if scoped else ["signals reach other programs"])


def _text(program: bytes) -> str:
    return base64.b64encode(program).decode()


def _fresh_folder() -> Path:
    """A new folder in memory; nobody but its worker gets rights below it."""
    for place in _MEMORY:
        if Path(place).is_dir() and os.access(place, os.W_OK):
            folder = Path(tempfile.mkdtemp(prefix=f"dabhand-{os.getpid()}-", dir=place))
            folder.chmod(0o711)
            return folder
    raise SandboxUnavailable("There is no memory-backed folder for scenes.", "Mount a tmpfs on /dev/shm.")


def _remove(base: Path) -> None:
    """Remove the folder; rm knows trees deeper than any path, and nothing that could change them is alive."""
    subprocess.run(["/usr/bin/rm", "-rf", "--", str(base)], stderr=subprocess.DEVNULL, check=False)
