"""A real folder as the scene, under a fresh layer in memory that takes every change: the folder is never written.

Staging costs the same whatever the folder holds, because nothing of it is read. The layer and the mount are made by a
small program of ours (`inside/mounting.py`) before bubblewrap confines the worker; bubblewrap binds the finished mount
as a whole and makes nothing inside it. For an ordinary user this happens in a user namespace; root, whose commands get
another account, sees the folder through a mount in which root's files are that account's (Linux 5.19).
"""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

from dabhand.errors import SandboxUnavailable
from dabhand.sandbox.bubblewrap import Bubblewrap, contents_for
from dabhand.sandbox.bundle import mounting_source
from dabhand.sandbox.outcome import Limits
from dabhand.sandbox.tier import Started, account_for_worker, common_objections, launch, python_for_worker

_UPPER = 100
"""The descriptor under which the worker finds the layer; commands never get it."""
_BASE = "/sys"
"""Where the layer is mounted, in mounts that only the worker has: a folder that is everywhere and not needed."""
_HINT = "Use Linux 6.6 or later where user namespaces are allowed; until then, copies are made instead."


class Overlay:
    """Isolation by bubblewrap, over one folder.

    Args:
        root: the folder.
        identity: its device and inode, so that no other one can be put in its place meanwhile.

    Raises:
        SandboxUnavailable: there is no bubblewrap.
    """

    name = "overlay"
    hint = _HINT
    ending = signal.SIGKILL

    def __init__(self, root: Path, identity: tuple[int, int]) -> None:
        self._inner = Bubblewrap()
        self._root = root
        self._identity = identity
        self.detail = f"kernel overlay, memory-backed layer, {self._inner.detail}"

    def start(self, limits: Limits, canary: str) -> Started:
        """See `Tier.start`."""
        uid = account_for_worker()
        python, _ = python_for_worker()
        with contents_for(uid) as files:
            argv = self._inner.command(limits, canary, uid, files, f"{_BASE}/merged", upper=_UPPER)
            own = {
                "root": os.fspath(self._root), "identity": self._identity, "base": _BASE, "size": limits.storage_bytes,
                "uid": uid, "upper": _UPPER, "argv": argv,
            }  # fmt: skip
            try:
                return launch([python, "-I", "-S", "-c", mounting_source(), _as_json(own)], files, lambda: None)
            except OSError as error:
                raise SandboxUnavailable(f"A folder cannot be staged: {error.strerror}.", _HINT) from error

    def objections(self, facts: dict[str, Any]) -> list[str]:
        """See `Tier.objections`."""
        found = common_objections(facts) + ([] if facts["pid"] == 1 else ["it sees other processes"])
        return found + ([] if facts["layered"] else ["the folder itself would be written"])


def _as_json(value: object) -> str:
    """ASCII, with what is not UTF-8 in a path as an escaped lone surrogate, which is how Python reads it back."""
    return json.dumps(value)
