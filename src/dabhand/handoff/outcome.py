"""How a plan was carried out, whichever backend did it; the result itself is in the `Raw` that it wrote to."""

from __future__ import annotations

import msgspec

from dabhand.handoff.packet import Errors, Searched


class Done(msgspec.Struct, frozen=True):
    """How it went.

    Attributes:
        found: whether there is an answer, as opposed to nothing that matches.
        answer: a number, or the text of a field.
        total_lines: of the file, where a part of one was asked for and it is known.
        total_bytes: likewise.
        of_file: the totals are those of the file, and not of the raw result.
        searched: what was read.
        notes: what else a reader must know.
        command: the command line that ran; None for the native backend.
        exit_code: 0 when something was found, 1 when nothing was, whichever backend looked; its own where a command
            failed; None when a signal or the time-out ended it.
        signal: by name.
        timed_out: it was ended because it took too long.
        stderr: what it wrote to standard error.
        failure: what went wrong, in a sentence; empty when nothing did.
    """

    found: bool
    answer: int | str | None = None
    total_lines: int | None = None
    total_bytes: int | None = None
    of_file: bool = False
    searched: Searched = Searched()
    notes: tuple[str, ...] = ()
    command: str | None = None
    exit_code: int | None = 0
    signal: str | None = None
    timed_out: bool = False
    stderr: Errors = Errors()
    failure: str = ""
