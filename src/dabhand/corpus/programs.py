"""What is known of programs by their names: which only read, and when even those write."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from dabhand.handoff.shells.script import Command, Script

READS = frozenset(
    ("awk", "basename", "cat", "cksum", "cmp", "column", "comm", "cut", "df", "diff", "dirname", "du"),
).union(
    ("echo", "egrep", "fgrep", "file", "find", "fold", "grep", "head", "hexdump", "id", "jq"),
    ("ls", "md5sum", "nl", "od", "paste", "printenv", "printf", "ps", "pwd", "readlink", "realpath"),
    ("rev", "rg", "sed", "seq", "sha1sum", "sha256sum", "sort", "stat", "strings", "tac", "tail", "test", "tr", "tree"),
    ("true", "type", "uname", "uniq", "wc", "which", "whoami", "xxd", "[", "cd"),
)
"""Programs that change nothing, as long as their words are as `_CHECKS` has them."""

FILTERS = frozenset(
    ("awk", "cat", "column", "cut", "egrep", "fgrep", "grep", "head", "jq", "less", "more", "rg")
).union(("sed", "sort", "tail", "tee", "tr", "uniq", "wc"))
"""Programs that pass on what another said."""

GIT_READS = frozenset(
    (
        "blame",
        "cat-file",
        "describe",
        "diff",
        "grep",
        "log",
        "ls-files",
        "ls-tree",
        "merge-base",
        "rev-list",
        "rev-parse",
    ),
).union(("shortlog", "show", "show-ref", "status"))


def commands_of(script: Script) -> list[Command]:
    """Every simple command of a line, those inside of groups and subshells too."""
    found, waiting = [], list(script.lists)
    while waiting:
        one = waiting.pop(0)
        for pipeline in one.pipelines:
            for command in pipeline.commands:
                if command.inner:
                    waiting[:0] = command.inner
                elif command.name:
                    found.append(command)
    return found


def reads_only(script: Script) -> bool:
    """Whether nothing that a line runs changes anything; False wherever that is not sure."""
    if not script.understood or any(mark in script.source for mark in _RUNS_MORE):
        return False
    everything = [command for one in script.lists for pipeline in one.pipelines for command in pipeline.commands]
    if any(command.kind not in ("simple", "test", "subshell", "group") for command in everything):
        return False
    found = commands_of(script)
    return bool(found) and all(map(_reads, found)) and not any(map(_redirects, [*found, *everything]))


_RUNS_MORE = (b"$(", b"`", b"<(", b">(")
"""What runs a further command inside of a word."""

_PLACES = ("/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/")
_SED = re.compile(r"(?:\d+|\$|/[^/]*/)?(?:,(?:\d+|\$|/[^/]*/))?[pqd=](?:;(?:\d+|\$)?(?:,(?:\d+|\$))?[pqd=])*")
_AWK = re.compile(r"[^|>]*")
_NOT_IN_AWK = ("system", "getline", "close", "printf >")


def _reads(command: Command) -> bool:
    first, words = command.words[0], [word.value for word in command.words[1:]]
    if command.assignments or (first.value and "/" in first.value and not first.value.startswith(_PLACES)):
        return False
    if None in words and command.name not in _ANY_WORDS:
        return False
    known = [word for word in words if word is not None]
    if command.name == "git":
        return _reads_git(known)
    if command.name not in READS:
        return False
    check = _CHECKS.get(command.name)
    return check is None or check(known)


def _sed(words: Sequence[str]) -> bool:
    plain = [word for word in words if not word.startswith("-")]
    quiet = all(word in ("-n", "-E", "-r", "-nE", "-nr", "-e", "--quiet") for word in words if word.startswith("-"))
    return quiet and bool(plain) and _SED.fullmatch(plain[0].replace(" ", "")) is not None and words.count("-e") < 2


def _awk(words: Sequence[str]) -> bool:
    if any(word.startswith("-") and not word.startswith(("-F", "-v")) for word in words):
        return False
    return all(_AWK.fullmatch(word) and not any(name in word for name in _NOT_IN_AWK) for word in words)


def _without(*beginnings: str) -> Callable[[Sequence[str]], bool]:
    return lambda words: not any(word.startswith(beginnings) for word in words)


def _few(most: int) -> Callable[[Sequence[str]], bool]:
    return lambda words: sum(not word.startswith("-") for word in words) <= most and "-r" not in words


_CHECKS: dict[str, Callable[[Sequence[str]], bool]] = {
    "sed": _sed,
    "awk": _awk,
    "find": _without("-delete", "-exec", "-ok", "-fprint", "-fls"),
    "sort": lambda words: not any(word.startswith("-") and "o" in word for word in words),
    "tree": _without("-o", "--output"),
    "rg": _without("--pre"),
    "uniq": _few(1),
    "xxd": _few(1),
}
_ANY_WORDS = frozenset(("cat", "ls", "grep", "egrep", "fgrep", "head", "tail", "wc", "echo", "printf", "test", "["))
"""Programs that only read whatever their words turn out to be."""


def _reads_git(words: Sequence[str]) -> bool:
    plain = [word for word in words if not word.startswith("-")]
    if len(words) > 1 and words[0] == "-C":
        plain = plain[1:]
    if any(word.startswith(("-o", "-O", "--output", "--open-files-in-pager", "--ext-diff")) for word in words):
        return False
    if plain[:1] == ["branch"]:
        shows = ("-a", "-r", "-v", "-vv", "--list", "--show-current")
        return all(word in shows for word in words[list(words).index("branch") + 1 :])
    return bool(plain) and plain[0] in GIT_READS


def _redirects(command: Command) -> bool:
    """Whether something is written to a file."""
    for each in command.redirections:
        target = each.target.value if each.target is not None else None
        writes = each.operator in (">", ">>", ">|", "&>", "&>>", "<>")
        to_file = each.operator == ">&" and not (target or "").lstrip("-").isdigit() and target != "-"
        if (writes or to_file) and target != "/dev/null":
            return True
    return False


def lost_exits(script: Script) -> list[tuple[str, str]]:
    """Pipelines whose exit code is not that of what matters: the program that does more than read, and what hides it.

    None where the shell is told to watch all stages (`set -o pipefail`, PIPESTATUS); a comment tells it nothing.
    """
    found: list[tuple[str, str]] = []
    if any("PIPESTATUS" in word.text for command in commands_of(script) for word in command.words):
        return found
    waiting = list(script.lists)
    while waiting:
        for pipeline in waiting.pop(0).pipelines:
            if any(map(_watches, pipeline.commands)):
                return found
            waiting += [inner for command in pipeline.commands for inner in command.inner]
            *before, last = pipeline.commands
            matters = next((each for each in before if not _is_reading(each)), None)
            if matters is not None:
                found.append((_last_program(matters), last.name or last.kind))
    return found


_ONLY_SAY = frozenset(("date", "fd", "history", "yes"))
"""Programs of which nobody wants to know whether they succeeded, as what they print says it."""


def _watches(command: Command) -> bool:
    """`set -o pipefail`, `set -euo pipefail`."""
    words = [word.value or "" for word in command.words[1:]]
    said = any(re.fullmatch(r"-[a-zA-Z]*o", one) and other == "pipefail" for one, other in pairwise(words))
    return command.name == "set" and said


def _is_reading(command: Command) -> bool:
    """Whether a stage only reads, whatever its shape; what runs more inside of its words is not sure to."""
    if command.kind == "simple":
        return bool(command.words) and (_reads(command) or command.name in _ONLY_SAY)
    inner = commands_of(Script(b"", command.inner, True))
    return command.kind in ("subshell", "group", "loop", "choice") and bool(inner) and all(map(_is_reading, inner))


def _last_program(command: Command) -> str:
    """The name of the program whose exit code is that of a stage, or the kind of what stands there."""
    while command.inner:
        command = command.inner[-1].pipelines[-1].commands[-1]
    return command.name or command.kind
