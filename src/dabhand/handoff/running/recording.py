"""The caller's line, written so that bash tells how every stage of every pipeline ended, and changed in nothing else.

Around each pipeline comes `{ PIPELINE ; __dabhand_ended K "$_" && : __dabhand_ended "$_" ; }`: a function that notes
`PIPESTATUS` and gives back `$?`, in a place where that neither ends the shell (`set -e`) nor sets off a trap on ERR. So
`&&`, `||`, `;` and what is in braces, conditions, functions, substitutions or literal `eval` and `bash -c` go on as
they would. What cannot be watched without changing it is left as it is and told (`Recorded.unwatched`).
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec

from dabhand.handoff.shells.script import AndOr, Command, Pipeline, Script
from dabhand.handoff.shells.syntax import parse_line
from dabhand.handoff.shells.texts import CARRIERS, carried_texts, name_of, reads_its_input

SHELL = "bash"
_PROLOGUE = """\
__dabhand_ended() {{
  local __r=$? __s=("${{PIPESTATUS[@]}}") IFS=' '
  __dabhand_was=("${{__s[@]}}")
  builtin printf '%s\\n' "$1 $__r ${{__s[*]}}" >> {notes}
  return "$__r"
}} 2>/dev/null
"""
_AT_EXIT = "trap '__dabhand_ended exit' EXIT\n"
"""Notes what `exit`, `set -e` or a missing end would keep to itself; not where the line has traps of its own."""
_MOST = 10_000
"""Notes that are read: a loop may write any number."""
_AS_IT_IS = re.compile(
    r"__dabhand|\btrap\b.*\b(?:DEBUG|RETURN)\b|\bextdebug\b|\bfunctrace\b|set\s+(?:-\w+\s+)*-\w*[Tvn]|\bverbose\b"
    r"|\btrap\b.*BASH_COMMAND.*\b(?:EXIT|0)\b",
    re.DOTALL,
)
"""What would show what we put in, or act on it."""
_STATUSES = re.compile(r"PIPESTATUS")
_SHOWS_FUNCTIONS = re.compile(r"\b(?:declare|typeset|export)\s+-\w*[fFp]|\btype\b|\bset\s*(?:$|[;|&\n])")
_JOBS = re.compile(r"\b(?:kill|pkill|killall|jobs|disown|fg|bg|coproc)\b|%[0-9+%-]|/proc\b")
"""What tells the processes of a job apart, which braces would change."""
_ENDS_AT_FAILURE = re.compile(r"\s*set\s+-\w*e\w*(?:\s+-?o?\s*pipefail|\s+-o\s+pipefail)?\s*(?:;|&&|\n)")
_GOES_ON = re.compile(r"<<-?\s*[\w'\"\\].*(?:\||&&)[ \t]*$", re.MULTILINE)
"""A pipeline that goes on behind its here-document, which the grammar has wrong."""
_LISTED = 3


class Recorded(msgspec.Struct, frozen=True):
    """A line made ready to be run, and what its notes will be about.

    Attributes:
        text: what bash carries out.
        prologue: what it reads first; empty where the line is run as it is.
        pipelines: by number, what is noted.
        script: how the line reads.
        unwatched: the parts of the line, or all of it, of which nobody will know how they ended.
        lines: what is to be readable for bash: the text, and the lines that it hands to `eval` and `bash -c`.
    """

    text: bytes
    prologue: str
    pipelines: Mapping[int, Pipeline]
    script: Script
    unwatched: tuple[str, ...] = ()
    lines: tuple[bytes, ...] = ()


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
        prologue: the file that bash reads first; its name must be plain.
    """
    script = parse_line(line)
    shows = _STATUSES.search(line) and (is_traced(line) or re.search(r"\bERR\b", line))
    # behind a carriage return a brace is no brace
    if not script.understood or "\r" in line or _AS_IT_IS.search(line) or _GOES_ON.search(line) or shows:
        return as_it_is(script)
    marking = _Marking(line, prologue)
    text = marking.marked(script)
    text = b". " + bytes(prologue) + b"; " + text
    begin = _PROLOGUE.format(notes=notes) + ("" if re.search(r"\btrap\b", line) else _AT_EXIT)
    lines = (text, *marking.codes)
    return Recorded(text, begin, marking.numbered, script, tuple(marking.told(script)), lines)


def as_it_is(script: Script) -> Recorded:
    """The line without anything of ours in it."""
    unwatched = (script.source.decode("utf-8", "surrogateescape").strip(),) if loses(script) else ()
    return Recorded(script.source, "", {}, script, unwatched)


def loses(script: Script) -> bool:
    """Whether a line could end well although something in it did not."""
    if not script.understood:
        return bool(script.source.strip())
    if _ENDS_AT_FAILURE.match(script.source.decode("utf-8", "replace")) and (
        b"pipefail" in script.source or all(len(one.commands) == 1 for part in script.lists for one in part.pipelines)
    ):
        return False
    if len(script.lists) != 1 or script.lists[0].background or "||" in script.lists[0].operators:
        return bool(script.lists)
    return any(
        len(pipeline.commands) > 1 or pipeline.negated or command.inner or command.branches or command.substitutions
        for pipeline in script.lists[0].pipelines
        for command in pipeline.commands
    )


class _Marking:
    """Puts in what tells how pipelines ended."""

    def __init__(self, line: str, prologue: Path) -> None:
        self.numbered: dict[int, Pipeline] = {}
        self.codes: list[bytes] = []
        self._prologue = prologue
        self._again = _STATUSES.search(line) is not None
        self._traced = is_traced(line)
        self._functions = not _SHOWS_FUNCTIONS.search(line)
        self._jobs = re.search(r"\bwait\b", line) is not None and not _JOBS.search(line)
        self._watched: set[int] = set()
        self._unwatched: list[str] = []
        self._pieces: list[tuple[int, int, int, bytes]] = []

    def marked(self, script: Script) -> bytes:
        """The text of a script with everything put in."""
        outer, self._pieces = self._pieces, []
        for one in script.lists:
            self._list(one, script.source)
        text = bytearray(script.source)
        for begin, _, end, piece in sorted(self._pieces, reverse=True):
            text[begin:end] = piece
        self._pieces = outer
        return bytes(text)

    def told(self, script: Script) -> Iterator[str]:
        """What is not watched: what was left out on purpose, and what nobody came across."""
        yield from dict.fromkeys(self._unwatched)
        for begin in sorted(script.begins - self._watched):
            yield _from(script.source, begin)

    def _list(self, one: AndOr, source: bytes, quiet: bool = False) -> None:
        """Mark a list; where it is `quiet`, what is in it is left as it is and has been told of."""
        if one.background and not self._jobs and not quiet:
            self._unwatched.append(source[one.begin : one.pipelines[-1].end].decode("utf-8", "surrogateescape") + " &")
            quiet = True
        for pipeline in one.pipelines:
            commands = pipeline.commands
            only = commands[0] if len(commands) == 1 else None
            if not (quiet or (only is not None and only.kind == "function")):
                self._pipeline(pipeline)
            for command in commands:
                self._watched.add(command.begin)
                self._watched.update(place for place in (command.starts,) if place >= 0)
                self._inside(command, source, quiet)

    def _pipeline(self, pipeline: Pipeline) -> None:
        number = len(self.numbered) + 1
        self.numbered[number] = pipeline
        # where places coincide, what is further out comes first on the left and last on the right
        # `!` stays outside: what it turns around does not end a line under `set -e`, what a function returns would
        begin, end = pipeline.commands[0].begin, pipeline.end
        again = ""
        if self._again and len(pipeline.commands) > 1:
            stages = (f"(exit ${{__dabhand_was[{at}]}})" for at in range(len(pipeline.commands)))
            again = " ; " + " | ".join(stages)
        mark = f' ; __dabhand_ended {number} "$_" && : __dabhand_ended "$_"{again} ; }}'
        self._pieces.append((begin, number, begin, b"{ "))
        self._pieces.append((end, -number, end, mark.encode()))

    def _inside(self, command: Command, source: bytes, quiet: bool) -> None:
        """Go through what a command consists of."""
        quiet = quiet or (command.kind == "function" and not self._functions)
        if command.kind == "function" and not self._functions:
            self._unwatched.append(command.text)
        parts = [inner for branch in command.branches for inner in (*branch.asks, *branch.does)]
        for inner in parts or command.inner:
            self._list(inner, source, quiet)
        for one in command.substitutions:
            if one.kind == "code" and one.source is not None:
                self._code(command, Script(one.source, one.lists, True), one.begin, one.end, quiet)
                continue
            piece = source[one.begin : one.end]
            hidden = one.kind == "backticks" and (b"\\" in piece or b'"' in piece)
            if hidden and not quiet:
                self._unwatched.append(piece.decode("utf-8", "surrogateescape"))
            for inner in one.lists:
                self._list(inner, source, quiet or hidden)
        if not quiet:
            self._unwatched += _carried(command, {one.begin for one in command.substitutions if one.kind == "code"})

    def _code(self, command: Command, script: Script, begin: int, end: int, quiet: bool) -> None:
        """A word that is a line of its own is written anew."""
        if quiet or not loses(script):
            return
        other_shell = command.words[0].value != "eval"
        if (other_shell and self._traced) or self._again:
            self._unwatched.append(command.text)
            return
        text = self.marked(script).decode("utf-8", "surrogateescape")
        self.codes.append(text.encode("utf-8", "surrogateescape"))
        if other_shell:
            text = f". {self._prologue}; " + text
        self._pieces.append((begin, 0, end, shlex.quote(text).encode("utf-8", "surrogateescape")))


def _carried(command: Command, watched: set[int]) -> Iterator[str]:
    """Words that are lines for some shell, and may lose how a part of them ended."""
    for word in carried_texts(command.words):
        if word.begin in watched or (word.value is not None and not loses(parse_line(word.value))):
            continue
        certain = word.value is not None or name_of(command.words[0]) not in CARRIERS - {"eval"}
        if certain or re.search(r"[|;&`]|\$\(", word.text):
            yield command.text
            return
    if reads_its_input(command.words) or command.name == "coproc":
        yield command.text


def _from(source: bytes, begin: int) -> str:
    """A command that nobody came across, as far as its line goes."""
    return source[begin:].decode("utf-8", "replace").split("\n", 1)[0]


def words_about_unwatched(texts: tuple[str, ...]) -> Iterator[str]:
    """What a reader must know about parts that nobody watched."""
    shown = ["`" + text + "`" for text in (" ".join(one.split())[:80] for one in texts[:_LISTED])]
    if shown:
        more = f" and {len(texts) - _LISTED} more" if len(texts) > _LISTED else ""
        yield f"How each part of {', '.join(shown)}{more} ended could not be watched: it may have failed unseen."


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
