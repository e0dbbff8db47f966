"""Files that a write of ours left behind when it was killed between its beginning and its rename."""

from __future__ import annotations

import contextlib
import glob
import os
import stat
from collections.abc import Iterable
from pathlib import Path

NAMES = "[a-z0-9_]" * 8
"""What `tempfile` puts behind the prefix that `workspace.durable` gives it."""


def clean(path: Path, texts: Iterable[str | None]) -> None:
    """Remove half-written copies of what is, or was, to be written to a file.

    Only a private file of this user's that holds a beginning of one of the texts goes, so that nothing that somebody
    else put there under such a name is lost.
    """
    wanted = [text.encode("utf-8", "surrogateescape") for text in texts if text is not None]
    real = path.resolve()
    for found in real.parent.glob(f".{glob.escape(real.name[:200])}.{NAMES}"):
        with contextlib.suppress(OSError):
            about = found.lstat()
            if stat.S_ISREG(about.st_mode) and about.st_uid == os.getuid() and about.st_nlink == 1:
                data = found.read_bytes()
                if any(text.startswith(data) for text in wanted):
                    found.unlink()
