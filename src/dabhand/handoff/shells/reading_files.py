"""Reading `cat`, `head`, `tail`, `sed -n`, `awk NR`, `wc -l`, `nl` and `jq .key` on one file."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dabhand.handoff.plan import CountLines, FirstLines, JsonField, LastLines, LineRange, Search, WholeFile
from dabhand.handoff.shells.readings import Declined, Reading, path_of, whole_number
from dabhand.handoff.shells.script import Command


def words_of(command: Command) -> list[str]:
    """The words; a pattern of names stays as it is written, marked by a NUL in front."""
    words = []
    for word in command.words:
        if word.value is None and word.glob is None:
            raise Declined(f"{word.text} depends on something else")
        words.append(word.value if word.value is not None else "\0" + str(word.glob))
    return words


def literal(command: Command) -> list[str]:
    """The words, all of them written out."""
    words = words_of(command)
    if any(word.startswith("\0") for word in words):
        raise Declined("it stands for several files")
    return words


def one_file(words: Sequence[str]) -> str:
    """The one file that is left after the options."""
    if len(words) != 1:
        raise Declined("it is not about one file")
    if words[0].startswith("\0"):
        raise Declined("it stands for several files")
    if words[0].startswith("-"):
        raise Declined(f"{words[0]} is an option that no plan has")
    return path_of(words[0])


def cat(words: Sequence[str], command: Command | None) -> Reading:
    """`cat [-n] FILE`."""
    numbered = list(words[:1]) == ["-n"]
    return Reading(WholeFile(path=one_file(words[1:] if numbered else words)), numbered=numbered)


def nl(words: Sequence[str], command: Command | None) -> Reading:
    """`nl -ba FILE`: without `-ba` empty lines have no number."""
    if list(words[:1]) == ["-ba"]:
        return Reading(WholeFile(path=one_file(words[1:])), numbered=True)
    if list(words[:2]) == ["-b", "a"]:
        return Reading(WholeFile(path=one_file(words[2:])), numbered=True)
    raise Declined("it does not number all lines")


def _count(words: Sequence[str], name: str) -> tuple[str, list[str]]:
    """The count as written (10 where none is), and the words without it."""
    count, rest = "10", []
    given = iter(words)
    for word in given:
        if word in ("-n", "--lines"):
            count = next(given, "")
        elif found := re.fullmatch(r"(?:-n|--lines=|-)(\+?[0-9]+)", word):
            count = found[1]
        elif word.startswith("-") and word != "-":
            raise Declined(f"{word} is an option of {name} that no plan has")
        else:
            rest.append(word)
    return count, rest


def count_of(words: Sequence[str], name: str) -> int:
    """The count of a `head` or `tail` that reads no file of its own."""
    count, rest = _count(words, name)
    if rest:
        raise Declined(f"{name} reads something else")
    return whole_number(count)


def head(words: Sequence[str], command: Command | None) -> Reading:
    """`head [-n N] FILE`."""
    count, rest = _count(words, "head")
    return Reading(FirstLines(path=one_file(rest), count=whole_number(count)))


def tail(words: Sequence[str], command: Command | None) -> Reading:
    """`tail [-n N] FILE`, `tail -n +N FILE`."""
    count, rest = _count(words, "tail")
    path = one_file(rest)
    if count.startswith("+"):
        return Reading(LineRange(path=path, first=whole_number(count[1:])))
    return Reading(LastLines(path=path, count=whole_number(count)))


def sed_range(script: str) -> tuple[int, int | None]:
    """The lines that `sed -n SCRIPT` prints."""
    found = re.fullmatch(r"\s*([0-9]+)\s*(?:,\s*([0-9]+|\$)\s*)?p\s*(?:;\s*([0-9]+)\s*q\s*)?", script)
    if not found:
        raise Declined("its sed script is no range of lines")
    first = whole_number(found[1])
    if found[2] is None:
        return first, first
    last = None if found[2] == "$" else whole_number(found[2])
    if found[3] is not None and (last is None or int(found[3]) < last):
        raise Declined("its sed script stops early")
    return first, last if last is None else max(last, first)


def sed(words: Sequence[str], command: Command | None) -> Reading:
    """`sed -n 'A,Bp' FILE`, `sed Nq FILE`, `sed -n '/TEXT/p' FILE`."""
    if len(words) == 2 and (found := re.fullmatch(r"([0-9]+)q", words[0])):
        return Reading(FirstLines(path=one_file(words[1:]), count=whole_number(found[1])))
    if len(words) != 3 or words[0] != "-n":
        raise Declined("sed changes lines")
    if found := re.fullmatch(r"/([A-Za-z0-9_ :-]+)/p", words[1]):
        return Reading(Search(path=one_file(words[2:]), value=found[1]))
    first, last = sed_range(words[1])
    return Reading(LineRange(path=one_file(words[2:]), first=first, last=last))


def awk(words: Sequence[str], command: Command | None) -> Reading:
    """`awk 'NR>=A && NR<=B' FILE`."""
    found = re.fullmatch(
        r"\s*NR\s*(?:==\s*([0-9]+)|>=\s*([0-9]+)\s*&&\s*NR\s*<=\s*([0-9]+))\s*(?:\{\s*print(?:\s+\$0)?;?\s*\})?\s*",
        words[0] if words else "",
    )
    if not found:
        raise Declined("its awk program is no range of lines")
    first, last = whole_number(found[1] or found[2]), whole_number(found[1] or found[3])
    return Reading(LineRange(path=one_file(words[1:]), first=first, last=last))


def wc(words: Sequence[str], command: Command | None) -> Reading:
    """`wc -l FILE`, which does not count a last line without a newline."""
    if list(words[:1]) != ["-l"]:
        raise Declined("it counts something else than lines")
    return Reading(CountLines(path=one_file(words[1:])), differs=("a last line without a newline",))


def jq(words: Sequence[str], command: Command | None) -> Reading:
    """`jq [-r] .key FILE`, which writes values in its own form."""
    raw = list(words[:1]) in (["-r"], ["--raw-output"])
    rest = list(words[1:] if raw else words)
    found = re.fullmatch(r'\.(?:([A-Za-z_][A-Za-z0-9_]*)|"([^"\\]+)"|\["([^"\\]+)"\])', rest[0] if rest else "")
    if not found:
        raise Declined("it is not one top-level field")
    key = found[1] or found[2] or found[3]
    return Reading(JsonField(path=one_file(rest[1:]), key=key), differs=("how the value is written",))
