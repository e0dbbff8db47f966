"""Which word of a command is itself a line for a shell."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dabhand.handoff.shells.words import Word

SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash", "fish"})
WRAPPERS = frozenset({"env", "timeout", "nice", "nohup", "time", "stdbuf", "command", "exec", "setsid", "ionice"})
"""Programs that start what follows, here and with the same files."""
CARRIERS = frozenset({"eval", "ssh", "watch", "trap", "parallel", "su", "script", "flock", "runuser", "tmux", "screen"})
"""Programs one of whose words is a line that a shell carries out, now, later or elsewhere."""
_CODE = re.compile(r"-[a-zA-Z]*c")
_NAMED = re.compile(r"[A-Za-z_]\w*=.*|-.*|\d+(\.\d+)?[smhd]?|\+.*", re.DOTALL)


def code_place(words: Sequence[Word]) -> int | None:
    """The place of the word that bash carries out here: of `eval` its only one, of `bash -c` the one behind it."""
    if len(words) == 2 and words[0].value == "eval":
        return 1
    first = next((at for at, word in enumerate(words) if not _passed_over(word)), None)
    if first is None or name_of(words[first]) != "bash":
        return None
    found = _behind_c(words, first)
    return None if found is None or (words[found].value or "").startswith("-") else found


def _passed_over(word: Word) -> bool:
    return word.value is not None and (name_of(word) in WRAPPERS or _NAMED.fullmatch(word.value) is not None)


def _behind_c(words: Sequence[Word], shell: int) -> int | None:
    for at in range(shell + 1, len(words) - 1):
        value = words[at].value
        if value is None or (not value.startswith(("-", "+")) and words[at - 1].value not in ("-o", "-O", "+O")):
            return None
        if _CODE.fullmatch(value):
            return at + 1
    return None


def name_of(word: Word) -> str:
    """The name of a program, without its folder; "" where it is not written out."""
    return (word.value or "").rsplit("/", 1)[-1]


def carried_texts(words: Sequence[Word]) -> list[Word]:
    """Words that some shell may carry out, wherever it runs."""
    if words and name_of(words[0]) in CARRIERS:
        return list(words[1:])
    found = []
    for at, word in enumerate(words):
        if name_of(word) in SHELLS:
            place = _behind_c(words, at)
            if place is not None:
                found.append(words[place])
    return found


def reads_its_input(words: Sequence[Word]) -> bool:
    """Whether a shell here takes its lines from its input."""
    first = next((at for at, word in enumerate(words) if not _passed_over(word)), None)
    if first is None or name_of(words[first]) not in SHELLS:
        return False
    rest = [word.value for word in words[first + 1 :]]
    return all(value is not None and value.startswith("-") and not _CODE.fullmatch(value) for value in rest) or (
        "-s" in rest
    )
