"""Command lines that are one simple command with nothing to expand: they need no shell to be what they are.

Starting a shell, or even forking one, costs as much as the command. `sort -u 'a b' > c` is a program, its arguments
and its redirections, and is run as such, by the rules of POSIX.1-2017 XCU 2.2 (quoting) and 2.7 (redirection). The
least doubt (an operator, an expansion, a builtin, a link on the way to a redirection's file) leaves the line to bash.
"""

# ruff: noqa: PTH116, PTH118
# Paths are bytes here, and every microsecond counts.
from __future__ import annotations

import os
import re
import stat
from functools import lru_cache
from typing import NamedTuple

_SHELLS_OWN = frozenset(
    b". : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo "
    b"enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd "
    b"printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset "
    b"ulimit umask unalias unset wait ! [[ ]] { } case coproc do done elif else esac fi for function if in select then "
    b"time until while".split()
)
"""Builtins and reserved words of bash 5 (`compgen -b`, `compgen -k`)."""

_SHOWS_ENVIRONMENT = frozenset([b"env", b"printenv"])
"""Programs that tell which shell started them, and how."""

_PLAIN = rb"[A-Za-z0-9_./:,+@%=-]"
_PART = rb"(?:" + _PLAIN + rb"|'[^']*'|\"[^\"\\$`]*\"|\\[^\n])"
_NAME = re.compile(rb"[a-z][a-z0-9_-]*(?=[ \t]|$)")
_NEXT = re.compile(rb"[ \t]+(?:(>>|>|<)[ \t]*)?(" + _PART + rb"+)", re.DOTALL)
_QUOTED = re.compile(rb"'([^']*)'|\"([^\"]*)\"|\\(.)", re.DOTALL)


class Simple(NamedTuple):
    """A program to run as it is.

    Attributes:
        path: the program's file.
        argv: its name and arguments, quotes removed.
        redirections: operator and file, in the order in which they are to be opened.
    """

    path: bytes
    argv: list[bytes]
    redirections: list[tuple[bytes, bytes]]


def simple_command(line: bytes) -> Simple | None:
    """The line as a program, its arguments and redirections; None when bash has to read it."""
    line = line.rstrip(b" \t") if not line.endswith(b"\\ ") else line
    name = _NAME.match(line)
    if not name or name[0] in _SHELLS_OWN or name[0] in _SHOWS_ENVIRONMENT or not _is_program(name[0]):
        return None
    argv, redirections = [name[0]], []
    at = name.end()
    while at < len(line):
        found = _NEXT.match(line, at)
        if not found or not (found.end() == len(line) or line[found.end()] in b" \t"):
            return None
        word = _QUOTED.sub(lambda quoted: quoted[1] or quoted[2] or quoted[3] or b"", found[2])
        if found[1]:
            redirections.append((found[1], word))
        else:
            argv.append(word)
        at = found.end()
    return Simple(os.path.join(b"/usr/bin", name[0]), argv, redirections)


@lru_cache(maxsize=1024)
def _is_program(name: bytes) -> bool:
    """Whether the name is found first on the PATH, as a program that runs."""
    path = os.path.join(b"/usr/bin", name)
    try:
        status = os.stat(path)
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and os.access(path, os.X_OK)
