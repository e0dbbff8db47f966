"""Small file systems and read-only ones, mounted where only one child process sees them."""

from __future__ import annotations

import ctypes
import os
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

_NEW_MOUNTS, _NEW_USER = 0x20000, 0x10000000
_PRIVATE, _RECURSIVE, _BIND, _REMOUNT, _READ_ONLY = 1 << 18, 0x4000, 0x1000, 0x20, 1
_CANNOT = 77


class Mounts:
    """What a child in a mount namespace of its own can mount."""

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._require(self._libc.unshare(_NEW_MOUNTS | (0 if os.geteuid() == 0 else _NEW_USER)))
        self._require(self._libc.mount(b"none", b"/", None, _RECURSIVE | _PRIVATE, None))

    def small(self, folder: Path, size: str) -> None:
        """Mount a file system in memory that holds only so much."""
        self._require(self._libc.mount(b"tmpfs", os.fsencode(folder), b"tmpfs", 0, f"size={size}".encode()))

    def read_only(self, folder: Path) -> None:
        """Let nobody write to a folder."""
        place = os.fsencode(folder)
        self._require(self._libc.mount(place, place, None, _BIND, None))
        self._require(self._libc.mount(None, place, None, _BIND | _REMOUNT | _READ_ONLY, None))

    def _require(self, result: int) -> None:
        if result != 0:
            os._exit(_CANNOT)


def with_mounts(act: Callable[[Mounts], None]) -> None:
    """Do something in a child that can mount; skip the test where that is not allowed."""
    child = os.fork()
    if child == 0:
        try:
            act(Mounts())
            os._exit(0)
        except BaseException:  # noqa: BLE001  (a child has no other way to say what failed)
            traceback.print_exc()
        finally:
            os._exit(1)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == _CANNOT:
        pytest.skip("this process may not mount anything")
    assert status == 0
