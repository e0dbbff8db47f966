"""From a command of the caller's own to a packet: run, judged, its evidence chosen, its raw result kept."""

from __future__ import annotations

import errno
import os
import platform
import re
import shlex
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from dabhand.errors import UsageError
from dabhand.handoff.artifacts import Artifacts, NotKept
from dabhand.handoff.packet import ArtifactRef, Errors, Output, Packet, Timings
from dabhand.handoff.packet import Line as PacketLine
from dabhand.handoff.plan import Run
from dabhand.handoff.raw import Raw
from dabhand.handoff.running.choosing import chosen
from dabhand.handoff.running.judged import Judged, judged_argv, judged_line, why_not_started, words_about
from dabhand.handoff.running.process import Ended, Stream, run_process, signal_name
from dabhand.handoff.running.recording import SHELL, Untraced, as_it_is, is_traced, record
from dabhand.handoff.running.spool import LARGEST, Numbered, Side, Spool, shown

MOST_LINES, MOST_BYTES = 200, 8_000
"""Of either stream, what is shown unless somebody asks for more; the rest is in the artifact."""
LAST_LINES, LAST_BYTES = 20, 4_000
"""Of either stream, what is remembered in any case, to tell from it how things went."""
_LONGEST_ARGUMENT = 120_000
"""Bytes; Linux takes 128 KiB (MAX_ARG_STRLEN)."""
_BY_NAME = re.compile(rb"\b(?:pkill|pgrep|killall|pidof|ps|top)\b")
NO_SUCH_PROGRAM, NOT_A_PROGRAM = 127, 126
"""As every shell has it."""

Watcher = Callable[[Stream, bytes], None]


def _nothing_before(folders: Sequence[str]) -> tuple[str, ...]:
    return ()


class Asked(msgspec.Struct, frozen=True):
    """What is to be run, and how.

    Attributes:
        argv: the argument vector; with `shell`, the one line.
        root: the folder in which it runs. That is all it is: the command is not confined to it.
        shell: it is a line for bash, every stage of which is told.
        wish: which lines are wanted as evidence; None for the failures and the summary, or the summary.
        timeout: seconds.
        before: given folders that must stay writable, what stands before the program, such as a sandbox.
        most_lines: of either stream that are shown.
        most_bytes: of either stream that are shown.
        largest: bytes of raw result that are kept.
    """

    argv: tuple[str, ...]
    root: Path
    shell: bool = False
    wish: str | None = None
    timeout: float | None = None
    before: Callable[[Sequence[str]], tuple[str, ...]] = _nothing_before
    most_lines: int = MOST_LINES
    most_bytes: int = MOST_BYTES
    largest: int = LARGEST


class Ran(msgspec.Struct, frozen=True):
    """A packet, and whether the run was ended by Ctrl-C."""

    packet: Packet
    interrupted: bool = False


def run_command(
    asked: Asked, artifacts: Artifacts, *, watch: Watcher | None = None, over: Callable[[], None] | None = None
) -> Ran:
    """Run a command and say faithfully what came of it.

    Args:
        asked: what to run.
        artifacts: where the raw result is kept.
        watch: is shown all output as it comes.
        over: is called when the command has ended, and what came of it is about to be told.

    Raises:
        UsageError: there is nothing to run, or an argument that no program can be given.
        RunFault: it could not be run for a reason that is not its own.
    """
    _require_runnable(asked)
    with Raw(artifacts.new_file) as raw:
        kept = {"most_lines": max(asked.most_lines, LAST_LINES), "most_bytes": max(asked.most_bytes, LAST_BYTES)}
        spool = Spool(raw, **kept, largest=asked.largest)

        def sink(stream: Stream, piece: bytes) -> None:
            spool.take(stream, piece)
            if watch is not None:
                watch(stream, piece)

        ended, judged = _carried_out(asked, sink, spool)
        if over is not None:
            over()
        return _told(asked, artifacts, spool, ended, judged)


def _require_runnable(asked: Asked) -> None:
    if not asked.argv or not asked.argv[0]:
        raise UsageError("There is no command.", "Give it after --, such as: dabhand run -- make test")
    if any("\0" in word for word in asked.argv):
        raise UsageError("An argument holds a NUL character, which no program can be given.", "Leave it out.")
    if asked.shell and len(asked.argv) != 1:
        raise UsageError(
            f"With --shell the line is one argument, and there are {len(asked.argv)}.",
            "Quote the line as a whole: dabhand run --shell -- 'make test | tail -5'",
        )


def _carried_out(asked: Asked, sink: Callable[[Stream, bytes], None], spool: Spool) -> tuple[Ended, Judged]:
    if not asked.shell:
        ended = run_process([*asked.before([]), *asked.argv], asked.root, sink, timeout=asked.timeout)
        spool.finish()
        return ended, judged_argv(asked.argv, ended, _text(spool.sides["stderr"]))
    with tempfile.TemporaryDirectory(prefix="dabhand-") as made:
        folder = Path(made).resolve()
        notes, prologue = folder / "notes", folder / "begin"
        recorded = record(asked.argv[0], notes, prologue)
        if not all(map(_is_a_line, recorded.lines)):  # its own message about that is to be about what it says
            recorded = as_it_is(recorded.script)
        prologue.write_text(recorded.prologue, "utf-8")
        notes.touch()
        program = [*asked.before([str(folder)]), SHELL, *_given(recorded.text, folder)]
        if not is_traced(asked.argv[0]):
            ended = run_process(program, asked.root, sink, timeout=asked.timeout)
        else:
            ended = _untraced(program, asked, sink)
        spool.finish()
        return ended, judged_line(recorded, notes.read_bytes(), ended, _text(spool.sides["stderr"]))


def _is_a_line(text: bytes) -> bool:
    """Whether bash can read a line; nothing of it is carried out."""
    done = subprocess.run([SHELL, "-n"], input=text, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return done.returncode == 0


def _given(text: bytes, folder: Path) -> list[str]:
    """How bash is given a line: as every caller would, so that its messages are the usual ones.

    In a file go a very long one, and one that goes by what processes are called: it would find itself.
    """
    if len(text) < _LONGEST_ARGUMENT and not _BY_NAME.search(text):
        return ["-c", os.fsdecode(text)]
    line = folder / "line"
    line.write_bytes(text + b"\n")
    return [str(line)]


def _untraced(program: Sequence[str], asked: Asked, sink: Callable[[Stream, bytes], None]) -> Ended:
    """Run a line that asks to be traced; what we put into it is not shown."""
    errors = Untraced(lambda piece: sink("stderr", piece))

    def apart(stream: Stream, piece: bytes) -> None:
        if stream == "stderr":
            errors.take(piece)
        else:
            sink(stream, piece)

    ended = run_process(program, asked.root, apart, timeout=asked.timeout)
    errors.finish()
    return ended


def _told(asked: Asked, artifacts: Artifacts, spool: Spool, ended: Ended, judged: Judged) -> Ran:
    """The packet."""
    raw = spool.raw
    status = judged.status
    begun = time.perf_counter()
    evidence, reason = chosen(raw, asked.wish, failed=status == "failed")
    selecting = (time.perf_counter() - begun) * 1000
    notes = [*words_about(ended, judged, [_last_words(side) for side in spool.sides.values()])]
    notes += [reason] if reason else []
    notes += _words_about_spool(spool)
    if not asked.shell and _is_a_shell_line(asked.argv):
        notes.append("The stages inside this line were not watched; with --shell each of them is told.")
    out, err = spool.sides["stdout"], spool.sides["stderr"]
    code, signal = _code(ended)
    timings = Timings(run=ended.seconds * 1000, select=selecting, total=ended.seconds * 1000 + selecting)
    packet = Packet(
        status=status,
        plan=Run(argv=asked.argv, shell=asked.shell),
        command=asked.argv[0] if asked.shell else shlex.join(asked.argv),
        exit_code=code,
        signal=signal,
        timed_out=ended.timed_out,
        output=_output(out, asked),
        evidence=evidence,
        stderr=_errors(err, asked),
        timings_ms=timings,
        error=why_not_started([SHELL] if asked.shell else asked.argv, ended),
        stages=judged.stages,
    )
    packet = _kept(asked, artifacts, spool, packet, notes)
    return Ran(packet, ended.interrupted)


def _kept(asked: Asked, artifacts: Artifacts, spool: Spool, packet: Packet, notes: list[str]) -> Packet:
    """The packet with its artifact; what cannot be kept is said, and loses nothing else."""
    try:
        kept = artifacts.keep(spool.raw, _record(asked, spool, packet), time.time())
    except NotKept as error:
        return msgspec.structs.replace(packet, notes=(*notes, error.message))
    reference = ArtifactRef(kept.id, str(artifacts.raw_path(kept)), kept.bytes)
    return msgspec.structs.replace(packet, artifact=reference, notes=tuple(notes))


def _record(asked: Asked, spool: Spool, packet: Packet) -> dict[str, Any]:
    """What is kept beside the raw result. Of the environment only what machine it is, none of the caller's values."""
    told = packet.to_json()
    runs = spool.runs.tolist()
    return {name: told[name] for name in ("status", "plan", "command", "exit_code", "signal", "timed_out")} | {
        "stages": told["stages"],
        "timings_ms": told["timings_ms"],
        "root": os.fsencode(asked.root.resolve()).decode("utf-8", "backslashreplace"),
        "environment": {"system": platform.system(), "release": platform.release(), "machine": platform.machine()},
        "standard_error_lines": [[first, flag] for first, flag in zip(runs[::2], runs[1::2], strict=True)],
        "dropped_bytes": spool.dropped,
    }


def _output(side: Side, asked: Asked) -> Output:
    lines = shown(side, most_lines=asked.most_lines, most_bytes=asked.most_bytes)
    size = min(sum(line.size for line in lines), side.bytes)
    whole = len(lines) == side.lines and not any(line.cut for line in lines)
    return Output(
        lines=tuple(_line(line) for line in lines),
        total_lines=side.lines,
        total_bytes=side.bytes,
        complete=whole,
        omitted_lines=max(side.lines - len(lines), 0),
        omitted_bytes=0 if whole else side.bytes - size,
    )


def _errors(side: Side, asked: Asked) -> Errors:
    lines = shown(side, most_lines=asked.most_lines, most_bytes=asked.most_bytes)
    whole = len(lines) == side.lines and not any(line.cut for line in lines)
    text = b"".join(line.text + b"\n" for line in lines)
    if whole:
        text = text[: side.bytes]  # without a newline at the end, if there was none
    return Errors(text.decode("utf-8", "surrogateescape"), whole)


def _line(line: Numbered) -> PacketLine:
    return PacketLine(line.n, line.text.decode("utf-8", "surrogateescape"), cut=line.cut)


def _text(side: Side) -> str:
    """The end of what a stream said."""
    return b"\n".join(line.text for line in side.ends.last).decode("utf-8", "surrogateescape")


def _last_words(side: Side) -> str:
    """The last lines of a stream."""
    return b"\n".join(line.text[-300:] for line in list(side.ends.last)[-3:]).decode("utf-8", "replace")


def _code(ended: Ended) -> tuple[int | None, str | None]:
    if ended.failed_to_start is not None:
        return (NO_SUCH_PROGRAM if ended.failed_to_start == errno.ENOENT else NOT_A_PROGRAM), None
    return ended.exit_code, None if ended.signal is None else signal_name(ended.signal)


def _words_about_spool(spool: Spool) -> list[str]:
    notes = []
    if spool.dropped:
        notes.append(
            f"The raw result is not complete: {spool.dropped} bytes beyond the first {spool.raw.size} were read and "
            "counted, not kept."
        )
    if spool.broken_lines:
        notes.append(
            f"{spool.broken_lines} newline(s) in the raw result are ours: one stream wrote in the middle of a line of "
            "the other."
        )
    return notes


def _is_a_shell_line(argv: Sequence[str]) -> bool:
    """`bash -c 'make test | tail'`: a pipeline whose stages nobody sees."""
    shell = len(argv) >= 3 and re.fullmatch(r"(?:.*/)?(?:ba|da|z|k)?sh", argv[0])
    return bool(shell) and re.fullmatch(r"-[a-z]*c", argv[-2]) is not None and "|" in argv[-1]


__all__ = ["Asked", "Ran", "run_command"]
