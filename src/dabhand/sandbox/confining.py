"""A box around one command of the caller's own: no network, other processes unseen, and what it changes thrown away.

Not the place where commands are learned (that is `Worker`), so there are no limits of size or time in it. The folder is
the lower layer of an overlay in memory, and everything else is read-only.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from dabhand.errors import SandboxUnavailable
from dabhand.sandbox.bubblewrap import Bubblewrap

_HINT = "See: dabhand doctor. Without --sandbox it runs with your own permissions."
_PATIENCE = 10.0


def confinement(root: Path) -> Callable[[Sequence[str]], tuple[str, ...]]:
    """What gives, for folders that stay as they are and can be written, what to put before a command to box it in.

    Args:
        root: the folder in which it runs.

    Raises:
        SandboxUnavailable: there is no such box on this machine; proved by trying it.
    """
    place = str(root.resolve())
    program = Bubblewrap().program

    def box(folders: Sequence[str]) -> tuple[str, ...]:
        kept = [part for folder in folders for part in ("--bind", folder, folder)]
        return (*_parts(program, place), *kept, "--")

    _try(box(()))
    return box


def _parts(program: str, place: str) -> tuple[str, ...]:
    return (
        *(program, "--die-with-parent", "--new-session", "--unshare-all", "--cap-drop", "ALL"),
        *("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/run"),
        *("--overlay-src", place, "--tmp-overlay", place, "--chdir", place),
    )


def _try(box: Sequence[str]) -> None:
    try:
        tried = subprocess.run([*box, "/bin/true"], capture_output=True, check=False, timeout=_PATIENCE)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SandboxUnavailable(f"The command cannot be boxed in: {error}.", _HINT) from error
    if tried.returncode:
        said = tried.stderr.decode("utf-8", "backslashreplace").strip().rpartition("\n")[2]
        raise SandboxUnavailable(f"The command cannot be boxed in: {said or tried.returncode}.", _HINT)
