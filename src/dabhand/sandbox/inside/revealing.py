r"""Command lines that may tell how their shell came to be: its process, its depth, its options, its past.

The zygote's child is a bash that differs from `bash -c LINE` in exactly these respects, so such a line is left to a
bash of its own. The test is coarse: a line that is taken for one costs time, one that is missed costs the truth.
Quotes and backslashes are removed first, for `P\PID` and `'en'v` are the same to a shell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dabhand.sandbox.inside.protocol import EXECUTABLE, FILE, Entry

_STRIPPED = re.compile(rb"\\\n|['\"\\]")
_ORDINARY = rb"[a-z]|\{[a-z]|(?:HOME|PATH|PWD)\b|[(?@*#1-9]"
_EXPANSION = rb"\$(?:(?!" + _ORDINARY + rb")[\w{$!-]|\(\(.*?[A-Z_])"
_NAME = (
    rb"(?<!\w)(?:BASH\w*|PPID|SHLVL|LINENO|S?RANDOM|SECONDS|EPOCH\w+|PIPESTATUS|FUNCNAME|DIRSTACK|HISTCMD"
    rb"|COMP_\w+|REPLY|_)(?!\w)"
)
_COMMAND = (
    rb"(?<![\w.-])(?:declare|typeset|local|export|readonly|set|env|printenv|compgen|complete|compopt|trap|times|time"
    rb"|jobs|eval|source|caller|history|fc|hash|shopt|enable|exec|wait|disown|dirs|getopts|bind|ps|pgrep|pidof|pstree"
    rb"|top|lsof|fuser)(?![\w.-])"
)
_SOURCING = rb"(?:^|[;&|({`!\n=]|\b(?:then|do|else|elif|if|while|until|builtin|command)\b)[^\S\n]*(?:\w+=\S*\s+)*\.\s"
_PROCESSES = rb"proc/|/proc|getp?pid|getpg|getsid"
_REVEALS = re.compile(b"|".join((_EXPANSION, _NAME, _COMMAND, _SOURCING, _PROCESSES)), re.DOTALL)
_RUNS_FILES = re.compile(rb"(?<![\w.-])(?:ba|da|r)?sh(?![\w-])|\./|\$PWD|xargs|-exec|python|perl|awk|PATH=")
_PARENT = re.compile(rb"PPID|getppid|proc|(?<![\w.-])(?:ps|pgrep|pstree)(?!\w)")


def reveals(line: bytes, scene: Sequence[Entry]) -> bool:
    """Whether the line, or a script of the scene that it may run, can tell its shell from another."""
    return _found(_REVEALS, line, scene)


def names_parent(line: bytes, scene: Sequence[Entry]) -> bool:
    """Whether the shell's parent may be looked at, which has to be another process each time."""
    return _found(_PARENT, line, scene)


def _found(pattern: re.Pattern[bytes], line: bytes, scene: Sequence[Entry]) -> bool:
    if pattern.search(_STRIPPED.sub(b"", line)):
        return True
    if not _RUNS_FILES.search(line):
        return False
    files = (data for kind, _, data in scene if kind in (FILE, EXECUTABLE))
    return any(pattern.search(_STRIPPED.sub(b"", data)) for data in files)
