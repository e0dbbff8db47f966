"""A line of a shell carried out: run from a script file, on what was opened and checked, not on what a name leads to.

A file is handed over as an open descriptor (`/dev/fd/N`), a folder as the working folder, so a name that is swapped
meanwhile leads nowhere. What comes out is read back into the same raw result that the native backend writes.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from dabhand.errors import UsageError
from dabhand.handoff.blocks import Failed, Source, decoded
from dabhand.handoff.outcome import Done
from dabhand.handoff.packet import Errors, Searched
from dabhand.handoff.places import Opened
from dabhand.handoff.plan import LastLines, LineRange, Plan, WholeFile
from dabhand.handoff.raw import Raw
from dabhand.handoff.running.process import Ended, Stream, run_process, signal_name
from dabhand.handoff.shells.lines import Rendered, Shell
from dabhand.handoff.shells.reading_back import taking_of
from dabhand.handoff.shells.rendering import render
from dabhand.handoff.shells.taking import Taking
from dabhand.workspace.confined import ConfinedFolder
from dabhand.workspace.state import encode_text

_PROGRAMS: dict[Shell, tuple[str, ...]] = {"bash": ("bash",), "powershell": ("pwsh", "powershell")}
_KEPT_ERRORS = 8 << 10
_NO_MATCH: dict[str, tuple[int, ...]] = {"grep": (0, 1), "xargs": (0, 1, 123)}
"""With what these end although nothing is wrong."""


def carried_out(
    shell: Shell,
    plan: Plan,
    folder: ConfinedFolder,
    opened: Opened,
    raw: Raw,
    new_file: Callable[[], int],
    now: float,
    timeout: float | None,
) -> Done:
    """See `backends.carry_out`."""
    program = _program(shell)
    shown = render(plan, shell, opened.path or ".", folder=opened.kind == "folder", now=now)
    if opened.kind == "folder":
        line = render(plan, shell, ".", folder=True, now=now)
        taking = taking_of(shell, plan, folder, opened.path, raw, None)
        ended, errors = _run(shell, program, line, f"/proc/self/fd/{opened.fd}", taking, (), timeout)
        return _done(plan, shown, ended, errors, taking, raw, None)
    with decoded(opened.taken(), opened.path, new_file) as source:
        line = render(plan, shell, f"/dev/fd/{source.fd}", folder=False, now=now)
        taking = taking_of(shell, plan, folder, opened.path, raw, source)
        os.lseek(source.fd, 0, os.SEEK_SET)
        ended, errors = _run(shell, program, line, "/", taking, (source.fd,), timeout)
        return _done(plan, shown, ended, errors, taking, raw, source)


def _program(shell: Shell) -> str:
    for name in _PROGRAMS[shell]:
        if found := shutil.which(name):
            return found
    raise UsageError(f"There is no {_PROGRAMS[shell][0]} on this machine.", "Use --backend native.")


def _run(
    shell: Shell,
    program: str,
    line: Rendered,
    place: str,
    taking: Taking,
    descriptors: Sequence[int],
    timeout: float | None,
) -> tuple[Ended, bytes]:
    errors = bytearray()

    def sink(stream: Stream, piece: bytes) -> None:
        if stream == "stdout":
            taking.take(piece)
        else:
            errors.extend(piece[: max(_KEPT_ERRORS - len(errors), 0)])

    with tempfile.TemporaryDirectory(prefix="dabhand-") as made:
        script = Path(made) / ("line.sh" if shell == "bash" else "line.ps1")
        mark = b"" if shell == "bash" else b"\xef\xbb\xbf"  # or Windows PowerShell takes it for the machine's code page
        script.write_bytes(mark + encode_text(line.line) + b"\n")
        ended = run_process(
            [program, *_options(shell), str(script)],
            Path(place),
            sink,
            timeout=timeout,
            environment={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", "HOME": made},
            descriptors=descriptors,
        )
    if not ended.timed_out:
        taking.finish()
    return ended, bytes(errors)


def _options(shell: Shell) -> tuple[str, ...]:
    if shell == "bash":
        return ("--noprofile", "--norc")
    return ("-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-File")


def _done(
    plan: Plan, line: Rendered, ended: Ended, errors: bytes, taking: Taking, raw: Raw, source: Source | None
) -> Done:
    if ended.interrupted:
        raise KeyboardInterrupt
    text = errors.decode("utf-8", "surrogateescape")
    failure = _failure(line, ended, text)
    if failure or text:
        raw.complete = False
    told = taking.told()
    if source is not None:
        told = _about_file(plan, source, raw, told)
    failure = failure or told.failure
    found = told.found and not failure
    return msgspec.structs.replace(
        told,
        found=found,
        command=line.line,
        exit_code=ended.exit_code if failure else int(not found),
        signal=None if ended.signal is None else signal_name(ended.signal),
        timed_out=ended.timed_out,
        stderr=Errors(text, len(errors) < _KEPT_ERRORS),
        failure=failure,
    )


def _about_file(plan: Plan, source: Source, raw: Raw, told: Done) -> Done:
    """What the native backend says of a file, said here too."""
    notes = told.notes
    if source.encoding:
        notes = (*notes, f"{source.path!r} is {source.encoding}, given here as UTF-8.")
    searched = Searched((source.path,), source.size, files=1)
    if not taking_lines(plan):
        return msgspec.structs.replace(told, searched=searched, notes=notes)
    found = raw.lines > 0 or not isinstance(plan, LineRange)
    if isinstance(plan, LineRange) and not found:
        notes = (*notes, f"{source.path!r} has no line {plan.first}.")
    total = raw.lines if isinstance(plan, WholeFile) else source.line_total()
    return Done(found, None, total, source.size, True, searched, notes)


def taking_lines(plan: Plan) -> bool:
    """Whether the plan gives a part of a file as it is."""
    from dabhand.handoff.plan import FirstLines

    return isinstance(plan, FirstLines | LastLines | LineRange | WholeFile)


def _failure(line: Rendered, ended: Ended, errors: str) -> str:
    if ended.timed_out:
        return "Its time was up."
    if ended.signal is not None:
        return f"It was ended by {signal_name(ended.signal)}."
    last = line.words[-1][0]
    if ended.exit_code in _NO_MATCH.get(last, (0,)):
        return ""
    said = errors.strip().rpartition("\n")[2]
    if ended.exit_code == 127:
        return f"A program that it needs is not on this machine: {said}."
    return f"It failed with {ended.exit_code}" + (f": {said}." if said else ".")


__all__ = ["Failed", "carried_out"]
