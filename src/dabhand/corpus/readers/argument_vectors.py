"""From the arguments that a host starts to the command that its agent wrote, and the shell that reads it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

SHELLS = frozenset(("bash", "sh", "zsh", "dash", "ksh", "fish"))
POWERSHELLS = frozenset(("powershell", "pwsh"))

_joined = re.compile(r"(\S*?([\w.]+)) (-\w*c) (.*)", re.DOTALL)
_double = re.compile(r'\\([\\"$`\n])')
_piece = re.compile(r"'([^']*)'|\"((?:[^\"\\]|\\.)*)\"|\\(.)|([^\s'\"\\]+)", re.DOTALL)


def unwrapped(argv: Sequence[str]) -> tuple[str, str | None]:
    """The command and its shell: the script of `bash -lc SCRIPT` and its likes, else the words, quoted."""
    program = _name(argv[0])
    if program in SHELLS and len(argv) == 3 and re.fullmatch(r"-[a-z]*c", argv[1]):
        return argv[2], program
    if program in POWERSHELLS:
        flags = [word.lower() for word in argv[:-1]]
        for flag in ("-command", "-c"):
            if flag in flags:
                return " ".join(argv[flags.index(flag) + 1 :]), "powershell"
    if program == "cmd" and len(argv) > 2 and argv[1].lower() in ("/c", "/k"):
        return " ".join(argv[2:]), "cmd"
    return shlex.join(argv), None


def unwrapped_line(line: str) -> tuple[str, str | None, list[str] | None]:
    """The same of arguments that were joined into one line with quotes; and the arguments, where they can be told."""
    found = _joined.fullmatch(line)
    if found and _name(found[2]) in SHELLS and (script := _one_word(found[4])) is not None:
        argv = [found[1], found[3], script]
        return (*unwrapped(argv), argv)
    try:
        argv = shlex.split(line)
    except ValueError:
        return line, None, None
    if argv and (_name(argv[0]) in POWERSHELLS or _name(argv[0]) == "cmd"):
        return (*unwrapped(argv), argv)
    return line, None, None


def _name(program: str) -> str:
    return re.split(r"[/\\]", program)[-1].lower().removesuffix(".exe")


def _one_word(said: str) -> str | None:
    """What a shell makes of text that is one word; None if it is several."""
    parts: list[str] = []
    at = 0
    while at < len(said):
        found = _piece.match(said, at)
        if found is None:
            return None
        single, double, escaped, bare = found.groups()
        parts.append(single or escaped or bare or (_double.sub(r"\1", double) if double else ""))
        at = found.end()
    return "".join(parts)
