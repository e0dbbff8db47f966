"""The caller's line, written so that bash tells how every stage of every pipeline ended, and changed in nothing else.

Around each pipeline comes `{ PIPELINE ; __dabhand_ended K "$_" ; }`: a function that notes `PIPESTATUS` and gives back
`$?`. So `&&`, `||`, `;`, `set -e` and what is in braces, brackets or loops go on as they would. A list with a
here-document is noted as a whole. What reads PIPESTATUS itself, or cannot be taken apart, is run as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from dabhand.handoff.shells.syntax import AndOr, Pipeline, Script, parse_line

SHELL = "bash"
_PROLOGUE = """\
__dabhand_ended() {{
  local __r=$? __s=("${{PIPESTATUS[@]}}")
  {{ builtin printf '%s %s' "$1" "$__r"; builtin printf ' %s' "${{__s[@]}}"; builtin printf '\\n'; }} >> {notes}
  return "$__r"
}} 2>/dev/null
trap '__dabhand_ended exit' EXIT
"""
"""A trap on EXIT notes what `exit`, `set -e` or a missing end would keep to itself; a line may set its own."""
_MOST = 10_000
"""Notes that are read: a loop may write any number."""
_AS_IT_IS = re.compile(r"PIPESTATUS|__dabhand|\bBASH_COMMAND\b|\btrap\s+-p")


class Recorded(msgspec.Struct, frozen=True):
    """A line made ready to be run, and what its notes will be about.

    Attributes:
        text: what goes into the script file.
        prologue: what the script reads first.
        pipelines: by number, what is noted.
        script: how the line reads.
    """

    text: bytes
    prologue: str
    pipelines: Mapping[int, Pipeline]
    script: Script


class Ending(msgspec.Struct, frozen=True):
    """How a pipeline ended: as a whole (with pipefail, without `!`), and each of its stages."""

    whole: int
    stages: tuple[int, ...]


class Notes(msgspec.Struct, frozen=True):
    """What was noted: for each pipeline each time that it ended, and what ended last of all when the shell did."""

    pipelines: Mapping[int, tuple[Ending, ...]]
    at_exit: Ending | None = None


def record(line: str, notes: Path, prologue: Path) -> Recorded:
    """Make a line ready.

    Args:
        line: the caller's.
        notes: the file that is written to while it runs; its name must be plain.
        prologue: the file that the script reads first; its name must be plain.
    """
    script = parse_line(line)
    numbered: dict[int, Pipeline] = {}
    insertions: list[tuple[int, int, bytes]] = []
    # behind a carriage return a brace is no brace
    if script.understood and "\r" not in line and not _AS_IT_IS.search(line) and not _interleaved(script):
        for one in script.lists:
            _mark(one, script.source, numbered, insertions)
    text = bytearray(script.source)
    for at, _, piece in sorted(insertions, reverse=True):
        text[at:at] = piece
    first = b". " + bytes(prologue) + b"; "
    return Recorded(first + bytes(text) + b"\n", _PROLOGUE.format(notes=notes), numbered, script)


def _mark(one: AndOr, source: bytes, numbered: dict[int, Pipeline], insertions: list[tuple[int, int, bytes]]) -> None:
    """Note where something is to be put in. What runs in the background is left as it is."""
    if one.background:
        return
    if one.here_document:
        if len(one.pipelines) == 1 and source[one.end : one.end + 1] in (b"\n", b""):
            number = _number(one.pipelines[0], numbered)
            if one.end + 1 < len(source):  # no line more than there was, so that LINENO stays right
                insertions.append((one.end + 1, 0, b"__dabhand_ended %d; " % number))
            else:
                insertions.append((one.end, 0, b"\n__dabhand_ended %d" % number))
        return
    for pipeline in one.pipelines:
        commands = pipeline.commands
        if len(commands) == 1 and commands[0].kind in ("function", "other") and not commands[0].assignments:
            continue
        number = _number(pipeline, numbered)
        # where places coincide, what is further out comes first on the left and last on the right
        # `!` stays outside: what it turns around does not end a line under `set -e`, what a function returns would
        insertions.append((commands[0].begin, number, b"{ "))
        insertions.append((pipeline.end, -number, b' ; __dabhand_ended %d "$_" ; }' % number))
        for command in commands:
            for inner in command.inner:
                _mark(inner, source, numbered, insertions)


def _number(pipeline: Pipeline, numbered: dict[int, Pipeline]) -> int:
    number = len(numbered) + 1
    numbered[number] = pipeline
    return number


def is_traced(line: str) -> bool:
    """Whether a line may ask bash to show what it does, which would show what we put in."""
    return re.search(r"xtrace|set\s+(?:-\w+\s+)*-\w*x|SHELLOPTS", line) is not None


class Untraced:
    """Passes on standard error without the lines in which bash shows what we put in."""

    def __init__(self, sink: Callable[[bytes], None]) -> None:
        self._sink, self._rest = sink, b""

    def take(self, piece: bytes) -> None:
        """Take in a piece; only whole lines are passed on."""
        *lines, self._rest = (self._rest + piece).split(b"\n")
        self._sink(b"".join(line + b"\n" for line in lines if b"__dabhand_ended " not in line))

    def finish(self) -> None:
        """Pass on what is left."""
        self._sink(self._rest)
        self._rest = b""


def read_notes(notes: bytes) -> Notes:
    """What was noted, by pipeline."""
    ended: dict[int, list[Ending]] = {}
    at_exit = None
    for line in notes.splitlines()[:_MOST]:
        if found := re.fullmatch(rb"([0-9]+|exit) ([0-9]+)((?: [0-9]+)+)", line):
            ending = Ending(int(found[2]), tuple(map(int, found[3].split())))
            if found[1] == b"exit":
                at_exit = ending
            else:
                ended.setdefault(int(found[1]), []).append(ending)
    return Notes({number: tuple(endings) for number, endings in ended.items()}, at_exit)


def _interleaved(script: Script) -> bool:
    """Whether something else begins between a here-document's command and its text."""
    for at, one in enumerate(script.lists):
        if one.here_document and any(other.begin < one.end for other in script.lists[at + 1 :]):
            return True
    return False
