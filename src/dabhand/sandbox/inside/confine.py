"""Giving up rights, from inside: accounts, Landlock, seccomp, and being looked into. Linux only, by raw system calls.

Sources: landlock(7), seccomp(2), prctl(2). Every function raises OSError rather than go on with more rights than asked.
"""

# ruff: noqa: PTH112
# Paths are bytes here, and every microsecond counts.
from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import signal
import struct
from collections.abc import Sequence

_LIBC = ctypes.CDLL(None, use_errno=True)
_PR_SET_PDEATHSIG, _PR_GET_DUMPABLE, _PR_SET_DUMPABLE, _PR_SET_SECCOMP = 1, 3, 4, 22
_PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 36, 38
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every architecture

_SECCOMP, _NEW_LISTENER = {"x86_64": 317, "aarch64": 277, "riscv64": 277}, 8
_OPENAT2, _NO_LINKS, _BENEATH = 437, 0x04, 0x08

_READ = 1 << 2 | 1 << 3  # READ_FILE, READ_DIR
_EXECUTE = 1 << 0
_WRITE_FILE = 1 << 1
_NEVER = 1 << 6 | 1 << 11  # MAKE_CHAR, MAKE_BLOCK
_NET = 0b11
_SCOPES = 0b11  # abstract unix sockets, signals
_SCOPES_SINCE = 6
_LEAST_ABI = 3  # from here on truncation can be forbidden


def account(uid: int) -> None:
    """Become this user, for good, with no groups and no capabilities."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def no_new_privileges() -> None:
    """From here on, set-user-id programs are ordinary programs."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def hide() -> None:
    """Close this process's memory, environment and descriptors to other processes of the same user."""
    _prctl(_PR_SET_DUMPABLE, 0)


def is_hidden() -> bool:
    """Whether `hide` is in force."""
    return int(_LIBC.prctl(_PR_GET_DUMPABLE, 0, 0, 0, 0)) != 1


def end_with_parent() -> None:
    """Be killed when the parent process ends."""
    _prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL))


def adopt_orphans() -> None:
    """Make every orphan below this process its child."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def default_signals() -> None:
    """Undo what Python ignores, and block nothing: what a started program expects."""
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        with contextlib.suppress(OSError):
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def seccomp(program: bytes) -> None:
    """Install a compiled filter (see `dabhand.sandbox.seccomp`)."""
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    _prctl(_PR_SET_SECCOMP, 2, ctypes.create_string_buffer(header, len(header)))


def seccomp_with_listener(program: bytes) -> int:
    """Install a filter that hands some calls over; gives the descriptor on which they arrive."""
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    return _call("seccomp", _SECCOMP[platform.machine()], 1, _NEW_LISTENER, header)


def landlock_abi() -> int:
    """The kernel's Landlock version; 0 when there is none."""
    return max(0, int(_LIBC.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1)))


def landlock(readable: Sequence[str], writable: Sequence[str], devices: Sequence[str], runnable: Sequence[str]) -> None:
    """Confine this process to reading some trees, doing anything in others, and using some devices and programs.

    No network either way (from ABI 4), and from ABI 6 no signal and no abstract socket leaves the domain.
    """
    abi = landlock_abi()
    if abi < _LEAST_ABI:
        raise OSError(f"Landlock ABI {abi} is too old")
    every = (1 << min(16, 15 + (abi >= 5))) - 1
    ruleset = _ruleset(every, _NET if abi >= 4 else 0, _SCOPES if abi >= _SCOPES_SINCE else 0)
    try:
        for path in readable:
            _allow(ruleset, path, every & (_READ | _EXECUTE))
        for path in writable:
            _allow(ruleset, path, every & ~_NEVER)
        for path in devices:
            _allow(ruleset, path, every & (_WRITE_FILE | _READ))
        for path in runnable:
            _allow(ruleset, path, _EXECUTE | _READ)  # the kernel reads what it runs
        _call("landlock_restrict_self", _RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def ruleset_below(readable: Sequence[str], writable: Sequence[str], devices: Sequence[str]) -> int:
    """The rules of a domain below the present one, for `landlock_below`.

    Signals and tracing cannot go back up from it, and nothing can be read but these files and what lies in these trees.
    """
    ruleset = _ruleset(_NEVER | _READ, 0, _SCOPES if landlock_abi() >= _SCOPES_SINCE else 0)
    for path in (*readable, *writable, *devices):
        _allow(ruleset, path, _READ)
    return ruleset


def landlock_below(ruleset: int) -> None:
    """Enter a domain of one's own below the present one."""
    _call("landlock_restrict_self", _RESTRICT_SELF, ruleset, 0)


def signals_are_scoped() -> bool:
    """Whether Landlock keeps signals inside the domain on this kernel."""
    return landlock_abi() >= _SCOPES_SINCE


def open_without_links(path: bytes, flags: int) -> int:
    """Open a file below the current directory, with no link anywhere on the way (openat2(2), Linux 5.6)."""
    how = struct.pack("=QQQ", flags | os.O_CLOEXEC, 0o666 if flags & os.O_CREAT else 0, _BENEATH | _NO_LINKS)
    return _call("openat2", _OPENAT2, -100, path, how, ctypes.c_size_t(len(how)))


def _ruleset(files: int, net: int, scopes: int) -> int:
    attributes = struct.pack("=QQQ", files, net, scopes)
    size = 24 if scopes else 16 if net else 8
    return _call("landlock_create_ruleset", _CREATE_RULESET, attributes[:size], ctypes.c_size_t(size), 0)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not os.path.isdir(path):
            rights &= _EXECUTE | _WRITE_FILE | 1 << 2 | 1 << 14 | 1 << 15
        _call("landlock_add_rule", _ADD_RULE, ruleset, 1, struct.pack("=Qi", rights, place), 0)
    finally:
        os.close(place)


def _prctl(option: int, *arguments: object) -> None:
    rest = [a if not isinstance(a, int) else ctypes.c_ulong(a) for a in (*arguments, 0, 0, 0, 0)][:4]
    if _LIBC.prctl(option, *rest):
        raise _error("prctl")


def _call(name: str, number: int, *arguments: object) -> int:
    result = int(_LIBC.syscall(number, *arguments))
    if result < 0:
        raise _error(name)
    return result


def _error(name: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, f"{name}: {os.strerror(number)}")
