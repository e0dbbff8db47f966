"""Changing permissions and times by path on behalf of an experiment, where no mounts keep its paths inside.

Landlock confines what is opened, created and removed, but not chmod(2) and utimensat(2). So these calls are handed to
the worker by the filter (SECCOMP_RET_USER_NOTIF, seccomp_unotify(2)). The worker copies the path, opens what it names
once, looks where that really is, and changes exactly what it has open; the caller cannot swap anything in between.
"""

# ruff: noqa: PTH101, PTH115
from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import platform
import struct
from collections.abc import Callable, Sequence

_RECEIVE, _SEND, _STILL_VALID = 0xC0502100, 0xC0182101, 0x40082102
_REQUEST = struct.Struct("=QIIiIQ6Q")
_ANSWER = struct.Struct("=QqiI")
_AT_FDCWD, _AT_SYMLINK_NOFOLLOW = -100, 0x100
_LONGEST = 4096
_LIBC = ctypes.CDLL(None, use_errno=True)


class Deputy:
    """Answers the calls that one filter hands over.

    Args:
        listener: the filter's descriptor.
        places: folders, as real paths, in which things may be changed.
    """

    def __init__(self, listener: int, places: Sequence[bytes]) -> None:
        self._listener = listener
        self._places = places

    def fileno(self) -> int:
        """The descriptor that becomes readable when a call waits."""
        return self._listener

    def close(self) -> None:
        """Let go of the filter; calls that come later fail."""
        os.close(self._listener)

    def answer(self) -> None:
        """Deal with one waiting call."""
        request = ctypes.create_string_buffer(_REQUEST.size)
        if _LIBC.ioctl(self._listener, ctypes.c_ulong(_RECEIVE), request):
            return  # the caller is gone
        identity, pid, _, number, _, _, *arguments = _REQUEST.unpack(request.raw)
        try:
            self._act(identity, pid, number, arguments)
            error = 0
        except OSError as failure:
            error = -(failure.errno or errno.EPERM)
        answer = ctypes.create_string_buffer(_ANSWER.pack(identity, 0, error, 0), _ANSWER.size)
        _LIBC.ioctl(self._listener, ctypes.c_ulong(_SEND), answer)

    def _act(self, identity: int, pid: int, number: int, arguments: Sequence[int]) -> None:
        name = _CALLS[number]
        if name == "chmod":
            folder, path, rest = _AT_FDCWD, arguments[0], arguments[1:]
        else:
            folder, path, rest = _signed(arguments[0]), arguments[1], arguments[2:]
        flags = rest[1] if name in ("fchmodat2", "utimensat") else 0
        if flags & ~_AT_SYMLINK_NOFOLLOW:
            raise OSError(errno.EINVAL, "")
        change = _times(pid, rest[0]) if name == "utimensat" else _mode(rest[0])
        target = self._open(pid, folder, _text_of(pid, path), bool(flags))
        try:
            still = ctypes.c_uint64(identity)
            if _LIBC.ioctl(self._listener, ctypes.c_ulong(_STILL_VALID), ctypes.byref(still)):
                raise OSError(errno.ESRCH, "")  # another process may have its number by now
            change(target)
        finally:
            os.close(target)

    def _open(self, pid: int, folder: int, path: bytes, itself: bool) -> int:
        """What the path names for the caller, opened for nothing but to be changed; PermissionError when outside."""
        start = os.open(
            f"/proc/{pid}/cwd" if folder == _AT_FDCWD else f"/proc/{pid}/fd/{folder}", os.O_PATH | os.O_CLOEXEC
        )
        try:
            links = os.O_NOFOLLOW if itself else 0
            target = os.open(path, os.O_PATH | os.O_CLOEXEC | links, dir_fd=start)
        finally:
            os.close(start)
        real = os.readlink(b"/proc/self/fd/%d" % target)
        if not any(real == place or real.startswith(place + b"/") for place in self._places):
            os.close(target)
            raise PermissionError(errno.EPERM, "")
        return target


def _mode(mode: int) -> Callable[[int], None]:
    return lambda target: os.chmod(f"/proc/self/fd/{target}", mode & 0o7777)


def _times(pid: int, address: int) -> Callable[[int], None]:
    """Both times as the caller gave them; a null pointer is the present moment."""
    given = ctypes.create_string_buffer(_memory(pid, address, 32), 32) if address else None

    def change(target: int) -> None:
        if _LIBC.utimensat(_AT_FDCWD, b"/proc/self/fd/%d" % target, given, 0):
            raise OSError(ctypes.get_errno(), "")

    return change


def _text_of(pid: int, address: int) -> bytes:
    """The caller's string; pages after its end need not exist."""
    text = b""
    while len(text) < _LONGEST:
        step = _LONGEST - (address + len(text)) % _LONGEST
        text += _memory(pid, address + len(text), step)
        if b"\0" in text:
            return text.partition(b"\0")[0]
    raise OSError(errno.ENAMETOOLONG, "")


def _memory(pid: int, address: int, size: int) -> bytes:
    memory = os.open(f"/proc/{pid}/mem", os.O_RDONLY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError, OverflowError):
            if len(found := os.pread(memory, size, address)) == size:
                return found
    finally:
        os.close(memory)
    raise OSError(errno.EFAULT, "")


def _signed(value: int) -> int:
    value &= 0xFFFFFFFF
    return value - (1 << 32) if value >> 31 else value


_CALLS = {452: "fchmodat2"} | (
    {90: "chmod", 268: "fchmodat", 280: "utimensat"}
    if platform.machine() == "x86_64"
    else {53: "fchmodat", 88: "utimensat"}
)
