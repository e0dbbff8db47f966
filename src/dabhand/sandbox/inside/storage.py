"""How much an experiment has stored, where no mount of its own limits that."""

# ruff: noqa: PTH116, PTH118, PTH208
# Paths are bytes here, and every microsecond counts.
from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence


class Storage:
    """The watch over some folders on one file system.

    Named files are counted, and files without a name that a process still has open. Which files a process has open
    cannot be seen when it has hidden itself, as every child of the zygote is; then it has to answer for what the file
    system as a whole has lost since the experiment began.

    Args:
        places: the folders; empty when mounts limit what can be stored.
    """

    def __init__(self, places: Sequence[bytes]) -> None:
        self._places = places
        self._free = 0

    def begin(self) -> None:
        """From here on, what the file system loses is the experiment's."""
        if self._places:
            self._free = self._free_bytes()

    def used(self, pids: Sequence[int]) -> int:
        """Bytes stored by the experiment, whose processes these are."""
        if not self._places:
            return 0
        files: dict[tuple[int, int], int] = {}
        for place in self._places:
            for folder, _, names in os.walk(place):
                for name in names:
                    with contextlib.suppress(OSError):
                        _count(os.lstat(os.path.join(folder, name)), files)
        hidden = False
        for pid in pids:
            hidden |= not _count_open(pid, files)
        total = sum(files.values())
        return max(total, self._free - self._free_bytes()) if hidden else total

    def _free_bytes(self) -> int:
        there = os.statvfs(self._places[0])
        return there.f_bfree * there.f_frsize


def _count_open(pid: int, files: dict[tuple[int, int], int]) -> bool:
    """Count what the process has open and nobody can find by name; whether it lets itself be looked at."""
    try:
        numbers = os.listdir(f"/proc/{pid}/fd")
    except FileNotFoundError:
        return True  # it has ended
    except OSError:
        return False
    for number in numbers:
        with contextlib.suppress(OSError):
            status = os.stat(f"/proc/{pid}/fd/{number}")
            if status.st_nlink == 0:
                _count(status, files)
    return True


def _count(status: os.stat_result, files: dict[tuple[int, int], int]) -> None:
    files[status.st_dev, status.st_ino] = status.st_blocks * 512
