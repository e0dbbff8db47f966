"""The scene folder, which is the worker's current directory: write it, read it back, empty it.

Nothing of an experiment is alive while this runs, so what a path names cannot change under it. Still no link is
followed when reading: the experiment may have planted any.
"""

# ruff: noqa: PTH101, PTH102, PTH106, PTH108, PTH114, PTH115, PTH118, PTH208, PTH211
# Paths are bytes here, and every microsecond counts.
from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Sequence

from dabhand.sandbox.inside.protocol import (
    DEVICE,
    EXECUTABLE,
    FIFO,
    FILE,
    FOLDER,
    LINK,
    LONG_EXECUTABLE,
    LONG_FILE,
    MORE,
    SAME,
    SOCKET,
    Entry,
)

_WHEN = (1_000_000_000 * 10**9, 1_000_000_000 * 10**9)
"""Access and modification time of everything in a fresh scene: a moment in 2001, so that scenes are all alike."""

_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
DEEPEST, LONGEST = 64, 3500
"""Folders deeper than this, or with longer paths, are not read back: only what runs away makes them."""


def materialise(entries: Sequence[Entry]) -> None:
    """Write the scene into the (empty) current directory; OSError when that is not possible."""
    for kind, path, data in entries:
        if kind == FOLDER:
            os.mkdir(path, 0o755)
        elif kind == LINK:
            os.symlink(data, path)
            os.utime(path, ns=_WHEN, follow_symlinks=False)
        else:
            _write_file(path, data, 0o755 if kind == EXECUTABLE else 0o644)
    for kind, path, _ in reversed(entries):
        if kind == FOLDER:
            os.utime(path, ns=_WHEN)
    os.utime(b".", ns=_WHEN)


def _write_file(path: bytes, data: bytes, mode: int) -> None:
    file = os.open(path, _WRITE, mode)
    try:
        written = os.write(file, data) if data else 0
        while written < len(data):
            written += os.write(file, data[written:])
        os.utime(file, ns=_WHEN)
    finally:
        os.close(file)


class Readback:
    """What the folder holds now, compared with what it held at first."""

    def __init__(self, before: Sequence[Entry], capture_bytes: int, most: int) -> None:
        self._before = {path: (kind, data) for kind, path, data in before}
        self._capture = capture_bytes
        self._most = most
        self.entries: list[Entry] = []
        """For the answer; what is unchanged is SAME."""
        self.folders: list[bytes] = []
        self.others: list[bytes] = []

    def run(self) -> None:
        """Walk the whole tree below the current directory."""
        waiting = [(b".", b"", 0)]
        while waiting:
            folder, prefix, depth = waiting.pop()
            for item in _listed(folder):
                if len(self.entries) >= self._most or depth > DEEPEST or len(prefix) > LONGEST:
                    self.entries.append((MORE, prefix or b".", b""))
                    return
                path = prefix + item.name
                if item.is_dir(follow_symlinks=False):
                    self.folders.append(path)
                    self._add(FOLDER, path, b"")
                    waiting.append((path, path + b"/", depth + 1))
                else:
                    self.others.append(path)
                    self._add_other(item, path)

    def _add(self, kind: int, path: bytes, data: bytes) -> None:
        if self._before.get(path) == (kind, data):
            self.entries.append((SAME, path, b""))
        else:
            self.entries.append((kind, path, data))

    def _add_other(self, item: os.DirEntry[bytes], path: bytes) -> None:
        if item.is_symlink():
            self._add(LINK, path, os.readlink(path))
        elif item.is_file(follow_symlinks=False):
            self._add(*file_entry(path, self._capture))
        else:
            self._add(special_kind(os.lstat(path).st_mode), path, b"")


def file_entry(path: bytes, capture: int) -> Entry:
    """The regular file at a path, at most `capture` bytes of it."""
    try:
        file = os.open(path, _READ)
    except PermissionError:
        mode = os.lstat(path).st_mode
        os.chmod(path, 0o600)
        file = os.open(path, _READ)
        os.chmod(path, stat.S_IMODE(mode))
    try:
        status = os.fstat(file)
        data = _read_up_to(file, min(status.st_size, capture))
    finally:
        os.close(file)
    executable = status.st_mode & stat.S_IXUSR
    if status.st_size > capture:
        return (LONG_EXECUTABLE if executable else LONG_FILE, path, data)
    return (EXECUTABLE if executable else FILE, path, data)


def special_kind(mode: int) -> int:
    """What is no file, folder or link."""
    return FIFO if stat.S_ISFIFO(mode) else SOCKET if stat.S_ISSOCK(mode) else DEVICE


def _read_up_to(file: int, size: int) -> bytes:
    data = os.read(file, size) if size else b""
    while len(data) < size:
        more = os.read(file, size - len(data))
        if not more:
            break
        data += more
    return data


def _listed(folder: bytes) -> list[os.DirEntry[bytes]]:
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        os.chmod(folder, 0o700)
    with os.scandir(folder) as listing:
        return list(listing)


def empty(readback: Readback) -> None:
    """Leave the current directory as empty as it was before the scene; OSError when something will not go."""
    try:
        for path in readback.others:
            os.unlink(path)
        for path in reversed(readback.folders):
            os.rmdir(path)
    except OSError:
        empty_by_force(b".")
    else:
        if os.listdir(b"."):
            empty_by_force(b".")


def reset_folder(folder: int, mode: int) -> None:
    """Give an open folder its permissions back; by path it could not be reached without them."""
    if stat.S_IMODE(os.fstat(folder).st_mode) != mode:
        os.fchmod(folder, mode)


def reset_times(folder: int) -> None:
    """Give an open folder the times of everything in a fresh scene."""
    os.utime(folder, ns=_WHEN)


def empty_by_force(folder: bytes) -> None:
    """Remove everything in a folder, however deep or forbidding; only called when nothing else is alive."""
    paths = [os.path.join(folder, name) for name in os.listdir(folder)]
    real = [path for path in paths if not os.path.islink(path)]
    for command, operands in ((["chmod", "-R", "u+rwx", "--"], real), (["rm", "-rf", "--"], paths)):
        for start in range(0, len(operands), 500):
            _run(["/usr/bin/" + command[0], *command[1:], *operands[start : start + 500]])
    if os.listdir(folder):
        raise OSError("the folder does not get empty")


def _run(argv: Sequence[str | bytes]) -> None:
    """Run one of the system's tools, which know trees deeper than PATH_MAX."""
    null = subprocess.DEVNULL
    subprocess.run(argv, stdin=null, stdout=null, stderr=null, check=False)
