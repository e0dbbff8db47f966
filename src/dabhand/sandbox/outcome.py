"""What an experiment may use, and what came of it."""

from __future__ import annotations

import msgspec

from dabhand.workspace.state import State


class Limits(msgspec.Struct, frozen=True):
    """What one experiment may use. Every limit is enforced by the kernel or by the worker, in every tier.

    Attributes:
        seconds: wall time; then everything is killed and the outcome is `timed_out`.
        cpu_seconds: processor time of any one process (RLIMIT_CPU).
        memory_bytes: address space of any one process (RLIMIT_AS), and resident memory of all of them together.
        processes: processes at a time (RLIMIT_NPROC of an account that only this worker has).
        file_bytes: size of any one file, standard output included (RLIMIT_FSIZE).
        storage_bytes: everything stored; fixed when the worker is opened.
        output_bytes: how much of standard output and of standard error is kept.
        capture_bytes: how much of any one file is read back; the rest is reported as an oddity.
        entries: how many files, folders and links are read back.
    """

    seconds: float = 2.0
    cpu_seconds: int = 3
    memory_bytes: int = 1 << 30
    processes: int = 64
    file_bytes: int = 32 << 20
    storage_bytes: int = 128 << 20
    output_bytes: int = 1 << 20
    capture_bytes: int = 4 << 20
    entries: int = 5000

    def fits_in(self, wider: Limits) -> bool:
        """Whether what a worker fixes when it is opened is enough for these limits."""
        return (
            self.memory_bytes <= wider.memory_bytes
            and self.processes <= wider.processes
            and self.file_bytes <= wider.file_bytes
            and self.storage_bytes <= wider.storage_bytes
        )


class Oddity(msgspec.Struct, frozen=True):
    """Something in the folder that a `State` cannot say.

    Attributes:
        path: where it is, relative to the scene.
        what: "fifo", "socket", "device", "long" (only its beginning is in the state), or "more" (too many entries).
    """

    path: str
    what: str


class Outcome(msgspec.Struct, frozen=True):
    """What a command line did.

    Attributes:
        exit_code: the shell's exit status; None when a signal or the clock ended it. A status above 128 may be the
            shell's word for the signal that ended its last command, or just that number.
        signal: the signal that ended the shell itself, or the command that it became; None otherwise.
        timed_out: the wall clock ended it; what it left until then is in `state`.
        stdout: standard output, as far as `stdout_complete` says.
        stdout_complete: whether `stdout` is all of it.
        stderr: standard error.
        stderr_complete: whether `stderr` is all of it.
        state: the folder afterwards.
        survivors: processes that were still alive when the shell had ended; they were killed.
        oddities: what `state` cannot say; empty means that `state` is the whole folder.
        seconds: how long the worker was busy with it, from reading the request to the cleaned-up folder.
        elsewhere: paths that changed in a staged folder although they are no part of what `state` is about.
    """

    exit_code: int | None
    signal: int | None
    timed_out: bool
    stdout: bytes
    stdout_complete: bool
    stderr: bytes
    stderr_complete: bool
    state: State
    survivors: int
    oddities: tuple[Oddity, ...] = ()
    seconds: float = 0.0
    elsewhere: tuple[str, ...] = ()
