"""Laying a fresh, memory-backed layer over a folder, in mounts of one's own, and then becoming the sandbox's program.

This runs before the sandbox and outside it, as one program that imports nothing of ours: only the kernel may mount,
and the folder itself is only ever the read-only lower layer. It is over before any command runs. Linux only, by raw
system calls: mount(2), mount_setattr(2), user_namespaces(7), and the kernel's overlayfs.rst ("userxattr").
"""

# ruff: noqa: PTH102, PTH116, PTH123
# Somebody waits for this: pathlib and typing take longer to import than everything here takes to run.
from __future__ import annotations

import ctypes
import os
import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LIBC = ctypes.CDLL(None, use_errno=True)
_NEW_MOUNTS, _NEW_USERS = 0x20000, 0x10000000
_NO_SUID, _NO_DEVICES, _PRIVATE, _RECURSIVE = 0x2, 0x4, 1 << 18, 1 << 14
_OPEN_TREE, _MOVE_MOUNT, _MOUNT_SETATTR = 428, 429, 442  # the same on every architecture
_CLONE, _EMPTY_PATH, _FROM_EMPTY_PATH = 0x1, 0x1000, 0x4
_READ_ONLY_AND_MAPPED = 0x1 | 0x100000
_AT_FDCWD = -100
_EVERYBODY = 0xFFFFFFFF


def main(settings: dict[str, Any]) -> None:
    """Mount, check that it is the folder that was meant, and become the program.

    Args:
        settings: `root` (the folder) and its `identity` (device and inode), `base` (a folder to mount over), `size`
            (of the layer, bytes), `uid` (the account that commands will have; None to stay the caller in a user
            namespace), `upper` (the descriptor that the layer is handed on as), `argv` (the program).
    """
    uid, base = settings["uid"], settings["base"]
    if uid is None:
        _leave_users()
        os.chdir(settings["root"])
        lower = "."
        here = os.stat(".")
    else:
        tree = _mapped(settings["root"], uid)
        here = os.fstat(tree)
        _check(_LIBC.unshare(_NEW_MOUNTS))
    if [here.st_dev, here.st_ino] != settings["identity"]:
        raise SystemExit("another folder is in its place")
    _mount(None, "/", None, _PRIVATE | _RECURSIVE, None)
    _mount("tmpfs", base, "tmpfs", _NO_SUID | _NO_DEVICES, f"size={settings['size']},mode=0755")
    for name in ("upper", "work", "merged", "lower"):
        os.mkdir(f"{base}/{name}", 0o755)
    if uid is not None:
        lower = f"{base}/lower"
        _check(_LIBC.syscall(_MOVE_MOUNT, tree, b"", _AT_FDCWD, lower.encode(), _FROM_EMPTY_PATH))
    layers = f"lowerdir={lower},upperdir={base}/upper,workdir={base}/work,userxattr"
    _mount("overlay", f"{base}/merged", "overlay", _NO_SUID | _NO_DEVICES, layers)
    upper = os.open(f"{base}/upper", os.O_RDONLY | os.O_DIRECTORY)
    os.setxattr(upper, "user.dabhand", b"works")  # without these, it could not be said what a folder hides
    os.removexattr(upper, "user.dabhand")
    os.dup2(upper, settings["upper"])
    os.chdir("/")
    os.execve(settings["argv"][0], settings["argv"], {})


def _leave_users() -> None:
    """Become alone in a user namespace, where one may mount, with mounts of one's own."""
    uid, gid = os.getuid(), os.getgid()
    _check(_LIBC.unshare(_NEW_USERS | _NEW_MOUNTS))
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        _write(f"/proc/self/{name}", text)


def _mapped(root: str, uid: int) -> int:
    """The folder as a mount that is read-only and in which what is root's is `uid`'s."""
    tree = _check(_LIBC.syscall(_OPEN_TREE, _AT_FDCWD, os.fsencode(root), _CLONE | os.O_CLOEXEC))
    users = _users_where_root_is(uid)
    attributes = (ctypes.c_uint64 * 4)(_READ_ONLY_AND_MAPPED, 0, 0, users)
    size = ctypes.c_size_t(ctypes.sizeof(attributes))
    _check(_LIBC.syscall(_MOUNT_SETATTR, tree, b"", _EMPTY_PATH, ctypes.byref(attributes), size))
    os.close(users)
    return tree


def _users_where_root_is(uid: int) -> int:
    """A user namespace in which root and `uid` have changed places; everybody else is as they were."""
    ready, done = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _check(_LIBC.unshare(_NEW_USERS))
            os.write(done, b".")
            signal.pause()
        finally:
            os._exit(1)
    try:
        os.close(done)
        if not os.read(ready, 1):
            raise SystemExit("there is no user namespace to be had")
        swap = f"0 {uid} 1\n1 1 {uid - 1}\n{uid} 0 1\n{uid + 1} {uid + 1} {_EVERYBODY - uid - 1}\n"
        for name in ("uid_map", "gid_map"):
            _write(f"/proc/{child}/{name}", swap)
        return os.open(f"/proc/{child}/ns/user", os.O_RDONLY | os.O_CLOEXEC)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(ready)


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)


def _mount(source: str | None, target: str, kind: str | None, flags: int, data: str | None) -> None:
    texts = [None if text is None else os.fsencode(text) for text in (source, target, kind, data)]
    _check(_LIBC.mount(texts[0], texts[1], texts[2], ctypes.c_ulong(flags), texts[3]), target)


def _check(result: int, what: str = "") -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
    return int(result)
