"""Renaming that neither replaces by accident nor loses what it replaces, where the kernel can; else the nearest to it.

renameat2(2) with RENAME_NOREPLACE and RENAME_EXCHANGE, called through ctypes because the standard library has no call
for it. Both are atomic: what was at the other name is never gone, only elsewhere, and can be looked at afterwards.
"""

from __future__ import annotations

import errno
import os
from functools import cache
from typing import Any

_NOREPLACE = 1
_EXCHANGE = 2
_UNSUPPORTED = frozenset({errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP})
_NO_HARD_LINKS = frozenset({errno.EPERM, errno.EMLINK, *_UNSUPPORTED})

Name = tuple[int, bytes]
"""An open folder and a name in it."""


def move_to_free(source: Name, target: Name) -> None:
    """Move an entry (no folder) to a name at which nothing is.

    Raises:
        FileExistsError: when something is there by now.
        OSError: EXDEV for another file system, and whatever else the system says.
    """
    if _rename(source, target, _NOREPLACE):
        return
    if _link(source, target):
        os.unlink(source[1], dir_fd=source[0])
    else:
        _move_where_nothing_is(source, target)


def exchange(one: Name, other: Name, spare: Name) -> Name:
    """Put what `one` names at `other`; return where what was at `other` is now: at `one`, or at `spare`.

    At no moment is nothing at `other`, except on file systems that have neither an exchange nor hard links.

    Raises:
        FileNotFoundError: when nothing is at `other`.
        FileExistsError: when something is at `spare` and it would be needed.
    """
    if _rename(one, other, _EXCHANGE):
        return one
    if not _link(other, spare):
        _move_where_nothing_is(other, spare)
    os.rename(one[1], other[1], src_dir_fd=one[0], dst_dir_fd=other[0])
    return spare


def exchange_back(one: Name, other: Name, where: Name) -> None:
    """Take an `exchange` back: what is at `where` returns to `other`, and what was put there to `one`."""
    if where == one and _rename(one, other, _EXCHANGE):
        return
    if not _link(other, one):
        _move_where_nothing_is(other, one)
    os.rename(where[1], other[1], src_dir_fd=where[0], dst_dir_fd=other[0])


def _link(source: Name, target: Name) -> bool:
    """Give an entry a second name; False where the file system has no hard links.

    It may have that name already: a move by linking may have been cut short before the first name was removed.
    """
    try:
        os.link(source[1], target[1], src_dir_fd=source[0], dst_dir_fd=target[0], follow_symlinks=False)
    except FileExistsError:
        if not os.path.samestat(_status(source), _status(target)):
            raise
    except OSError as error:
        if error.errno in _NO_HARD_LINKS:
            return False
        raise
    return True


def _status(name: Name) -> os.stat_result:
    return os.stat(name[1], dir_fd=name[0], follow_symlinks=False)


def _move_where_nothing_is(source: Name, target: Name) -> None:
    try:
        _status(target)
    except FileNotFoundError:
        os.rename(source[1], target[1], src_dir_fd=source[0], dst_dir_fd=target[0])
    else:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target[1])


def _rename(source: Name, target: Name, flags: int) -> bool:
    """Call renameat2; False where it, or this flag, is not to be had."""
    call = _renameat2()
    if call is None:
        return False
    if call(source[0], source[1], target[0], target[1], flags) == 0:
        return True
    import ctypes

    code = ctypes.get_errno()
    if code in _UNSUPPORTED:
        return False
    raise OSError(code, os.strerror(code), source[1], None, target[1])


@cache
def _renameat2() -> Any:
    """The C library's function, or None where it has none."""
    import ctypes  # here, because most commands never rename anything

    call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if call is not None:
        call.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
        call.restype = ctypes.c_int
    return call
