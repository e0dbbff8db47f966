"""What every experiment is given as standard input, output and error, and finds as new although it stays the same.

The zygote holds these files open, so they cannot be new ones each time. Whatever can be changed through a descriptor
(contents, permissions, times, flags, position, locks, leases, owner of signals) is put back instead.
"""

from __future__ import annotations

import fcntl
import os
import stat
import struct

_MODE = 0o777
_NO_LOCK = struct.pack("hhqqi4x", fcntl.F_UNLCK, os.SEEK_SET, 0, 0, 0)
_SET_SIGNAL, _GET_SIGNAL = 10, 11  # F_SETSIG, F_GETSIG


class Standard:
    """The three standard files; the outputs are in memory, and nobody else can open them."""

    def __init__(self) -> None:
        self._null = high(os.open("/dev/null", os.O_RDWR | os.O_CLOEXEC))
        self._out = _output("out")
        self._err = _output("err")
        self._flags = {file: fcntl.fcntl(file, fcntl.F_GETFL) for file in (self._null, self._out, self._err)}

    def pairs(self) -> list[tuple[int, int]]:
        """Each file with the number that it has for an experiment."""
        return [(self._null, 0), (self._out, 1), (self._err, 2)]

    def printed(self, cap: int) -> tuple[bytes, bool, bytes, bool]:
        """What was printed and complained, each with whether that is all of it."""
        out, err = os.pread(self._out, cap + 1, 0), os.pread(self._err, cap + 1, 0)
        return out[:cap], len(out) <= cap, err[:cap], len(err) <= cap

    def complain(self, text: bytes) -> None:
        """Write to standard error in the name of a shell that cannot be started."""
        os.write(self._err, text)

    def renew(self) -> None:
        """Make them as new; only called when no experiment is alive."""
        for file, flags in self._flags.items():
            _renew_opening(file, flags)
        for file in (self._out, self._err):
            status = os.fstat(file)
            if status.st_size:
                os.ftruncate(file, 0)
            if stat.S_IMODE(status.st_mode) != _MODE:
                os.fchmod(file, _MODE)
            os.utime(file)


def _renew_opening(file: int, flags: int) -> None:
    """Put back what belongs to the open file itself, which the zygote and its children share."""
    if fcntl.fcntl(file, fcntl.F_GETFL) != flags:
        fcntl.fcntl(file, fcntl.F_SETFL, flags)
    if fcntl.fcntl(file, fcntl.F_GETOWN):
        fcntl.fcntl(file, fcntl.F_SETOWN, 0)
    if fcntl.fcntl(file, _GET_SIGNAL):
        fcntl.fcntl(file, _SET_SIGNAL, 0)
    if fcntl.fcntl(file, fcntl.F_GETLEASE) != fcntl.F_UNLCK:
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    fcntl.flock(file, fcntl.LOCK_UN)
    fcntl.fcntl(file, fcntl.F_OFD_SETLK, _NO_LOCK)
    os.lseek(file, 0, os.SEEK_SET)


def high(file: int) -> int:
    """The descriptor moved out of the way of those that a child is given."""
    moved = fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(file)
    return moved


def _output(name: str) -> int:
    file = high(os.memfd_create(name))
    fcntl.fcntl(file, fcntl.F_SETFL, os.O_APPEND)
    os.fchmod(file, _MODE)
    return file
