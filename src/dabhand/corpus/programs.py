"""What is known of programs by their names: which only read, and when even those write."""

from __future__ import annotations

from collections.abc import Sequence

from dabhand.handoff.shells.syntax import Command, Script

READS = frozenset(
    ("awk", "basename", "bat", "cat", "cksum", "cmp", "column", "comm", "cut", "date", "df", "diff", "dirname", "du"),
).union(
    ("echo", "egrep", "env", "fd", "fgrep", "file", "find", "fold", "grep", "head", "hexdump", "hostname", "id", "jq"),
    ("less", "ls", "md5sum", "more", "nl", "od", "paste", "printenv", "printf", "ps", "pwd", "readlink", "realpath"),
    ("rev", "rg", "sed", "seq", "sha1sum", "sha256sum", "sort", "stat", "strings", "tac", "tail", "test", "tr", "tree"),
    ("true", "type", "uname", "uniq", "wc", "which", "whoami", "xxd", "yq", "[", "cd", "command"),
)
"""Programs that change nothing, as long as none of `WRITES` is among their words."""

WRITES = {
    "sed": ("-i", "--in-place"),
    "find": ("-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprintf", "-fls"),
    "fd": ("-x", "-X", "--exec", "--exec-batch"),
    "sort": ("-o", "--output"),
    "yq": ("-i", "--inplace"),
    "tree": ("-o",),
    "awk": (),
    "date": ("-s", "--set"),
    "hostname": (),
}

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
    if not script.understood:
        return False
    everything = [command for one in script.lists for pipeline in one.pipelines for command in pipeline.commands]
    if any(command.kind not in ("simple", "test", "subshell", "group") for command in everything):
        return False
    found = commands_of(script)
    return bool(found) and all(map(_reads, found)) and not any(map(_redirects, [*found, *everything]))


def _reads(command: Command) -> bool:
    words = [word.value for word in command.words[1:]]
    if command.name == "git":
        return _reads_git(words)
    if command.name not in READS:
        return False
    writes = WRITES.get(command.name, ())
    if command.name == "sed" and any(word is not None and word.startswith("-") and "i" in word[1:4] for word in words):
        return False
    if command.name == "awk" and any(word is None or ">" in word or "system(" in word for word in words):
        return False
    return not any(
        word is None or word in writes or word.startswith(tuple(f"{each}=" for each in writes))
        for word in words
        if writes
    )


def _reads_git(words: Sequence[str | None]) -> bool:
    plain = [word for word in words if word is not None and not word.startswith("-")]
    if len(words) > 1 and words[0] == "-C":
        plain = plain[1:]
    if plain[:1] == ["branch"]:
        return all(
            word in ("-a", "-r", "-v", "-vv", "--list", "--show-current") for word in words[words.index("branch") + 1 :]
        )
    return bool(plain) and plain[0] in GIT_READS and not any(word in ("-o", "--output") for word in words)


def _redirects(command: Command) -> bool:
    """Whether something is written to a file."""
    for each in command.redirections:
        target = each.target.value if each.target is not None else None
        if each.operator in (">", ">>", ">|", "&>", "&>>", "<>") and target != "/dev/null":
            return True
    return False


def lost_exits(script: Script) -> list[tuple[str, str]]:
    """Pipelines whose exit code is that of a filter: the program that matters, and the filter."""
    found = []
    for one in script.lists:
        for pipeline in one.pipelines:
            names = [command.name or command.kind for command in pipeline.commands]
            matters = next((name for name in names[:-1] if name not in READS and name not in ("git", "gh")), None)
            if matters is not None and names[-1] in FILTERS:
                found.append((matters, names[-1]))
    return found
