"""Running one command to its end: what it wrote, as it came; how it ended; what it left running."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Literal

import msgspec

from dabhand.errors import DabhandError

Stream = Literal["stdout", "stderr"]
Sink = Callable[[Stream, bytes], None]

_CHUNK = 1 << 16
_AFTERWARDS = 1.0
"""Seconds to go on reading after the command has ended, while something it left running holds its output open."""
_NO_LONGER = 3600.0
"""Seconds to wait at once: more than that the system may not take."""
_LETTING_GO = 12.0
"""Seconds within which the supervisor says how the ending went: longer than all its own patience."""


class RunFault(DabhandError):
    """What starts and ends commands broke; says nothing about the command."""

    code = "run_fault"


class Left(msgspec.Struct, frozen=True):
    """A process that was still running when the command had ended."""

    pid: int
    command: str


class Ended(msgspec.Struct, frozen=True):
    """How a command ended.

    Attributes:
        exit_code: what it exited with; None where a signal ended it or it could not be started.
        signal: the number of that signal.
        timed_out: it was ended because its time was up.
        interrupted: it was ended because somebody asked for that (Ctrl-C).
        failed_to_start: the system's error number, when there was nothing to run.
        background: what it left running; empty where that was ended too.
        unkillable: how many processes could not be ended.
        held_open: its output was still held open by something when we stopped reading.
        seconds: from start to end.
    """

    exit_code: int | None = None
    signal: int | None = None
    timed_out: bool = False
    interrupted: bool = False
    failed_to_start: int | None = None
    background: tuple[Left, ...] = ()
    unkillable: int = 0
    held_open: bool = False
    seconds: float = 0.0


def run_process(
    argv: Sequence[str],
    folder: Path,
    sink: Sink,
    *,
    timeout: float | None = None,
    environment: Mapping[str, str] | None = None,
    descriptors: Sequence[int] = (),
) -> Ended:
    """Run a command in a folder with the caller's own permissions and environment, and no input.

    Args:
        argv: the program and its arguments; nothing is read into them.
        folder: where it runs.
        sink: is given every piece of output, in order of arrival.
        timeout: seconds after which it is ended, with everything that it started.
        environment: all of its variables; None for the caller's.
        descriptors: what it inherits besides, under the same numbers.

    Raises:
        RunFault: the supervisor could not be started, or died.
    """
    return _Running(argv, folder, sink, timeout, environment, descriptors).to_its_end()


class _Running:
    """The reader's side of a supervisor."""

    def __init__(
        self,
        argv: Sequence[str],
        folder: Path,
        sink: Sink,
        timeout: float | None,
        environment: Mapping[str, str] | None,
        descriptors: Sequence[int],
    ) -> None:
        self.sink = sink
        self.begun = time.monotonic()
        self.deadline = None if timeout is None else self.begun + timeout
        self.selector = selectors.DefaultSelector()
        self.said = b""
        self.open_outputs: set[IO[bytes]] = set()
        self.told: dict[str, list[str]] = {}
        self.asked_at: float | None = None
        self.exited_at: float | None = None
        self.timed_out = self.interrupted = False
        self._start(argv, folder, environment, descriptors)

    def _start(
        self, argv: Sequence[str], folder: Path, environment: Mapping[str, str] | None, descriptors: Sequence[int]
    ) -> None:
        control_end, self.control = os.pipe2(os.O_CLOEXEC)
        report, report_end = os.pipe2(os.O_CLOEXEC)
        out, out_end = os.pipe2(os.O_CLOEXEC)
        err, err_end = os.pipe2(os.O_CLOEXEC)
        numbers = [str(number) for number in (control_end, report_end, out, err)]
        program = [sys.executable, "-I", "-S", str(Path(__file__).with_name("supervisor.py"))]
        drop = "drop" if environment is not None or _set_by_python("LC_CTYPE") else "keep"
        try:
            self.supervisor = subprocess.Popen(
                [*program, *numbers, drop, "--", *argv],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=out_end,
                stderr=err_end,
                pass_fds=(control_end, report_end, out, err, *descriptors),
                env=environment,
                start_new_session=True,  # Ctrl-C comes to us, and we pass it on
            )
        except (OSError, ValueError) as error:
            for number in (self.control, report, out, err):
                os.close(number)
            raise RunFault(f"The command cannot be started: {error}.", "Check its arguments.") from error
        finally:
            for number in (control_end, report_end, out_end, err_end):
                os.close(number)
        self.report = os.fdopen(report, "rb", buffering=0)
        for number, stream in ((out, "stdout"), (err, "stderr")):
            opened = os.fdopen(number, "rb", buffering=0)
            self.open_outputs.add(opened)
            self.selector.register(opened, selectors.EVENT_READ, stream)
        self.selector.register(self.report, selectors.EVENT_READ, None)

    def to_its_end(self) -> Ended:
        """Read until it is over."""
        try:
            while not self._over():
                try:
                    self._turn()
                except KeyboardInterrupt:
                    self.interrupted = True
                    self._order(b"i")
            return self._ended()
        finally:
            self._let_go()

    def _over(self) -> bool:
        now = time.monotonic()
        if self.asked_at is not None:
            return ("ended" in self.told and not self.open_outputs) or now > self.asked_at + _LETTING_GO
        if self.exited_at is None:
            return False
        return not self.open_outputs or now > self.exited_at + _AFTERWARDS

    def _turn(self) -> None:
        """Take in what has come; end it when its time is up."""
        for key, _ in self.selector.select(self._patience()):
            if key.data is None:
                self._hear()
            elif piece := os.read(key.fd, _CHUNK):
                self.sink(key.data, piece)
            else:
                self.selector.unregister(key.fileobj)
                self.open_outputs.discard(key.fileobj)
        if self.deadline is not None and self.exited_at is None and time.monotonic() > self.deadline:
            self.timed_out = True
            self.deadline = None
            self._order(b"t")

    def _patience(self) -> float | None:
        now = time.monotonic()
        if self.asked_at is not None:
            return max(self.asked_at + _LETTING_GO - now, 0.01)
        if self.exited_at is not None:
            return max(self.exited_at + _AFTERWARDS - now, 0.01)
        return None if self.deadline is None else min(max(self.deadline - now, 0.01), _NO_LONGER)

    def _hear(self) -> None:
        """Take in what the supervisor says."""
        piece = os.read(self.report.fileno(), _CHUNK)
        if not piece and self.exited_at is None:
            raise RunFault("What was watching over the command died.", "Run it again.")
        if not piece:
            self.selector.unregister(self.report)
        *lines, self.said = (self.said + piece).split(b"\n")
        for line in lines:
            word, *rest = line.decode().split(" ")
            self.told[word] = rest
            if word == "exited":
                self.exited_at = time.monotonic()

    def _order(self, letter: bytes) -> None:
        self.asked_at = self.asked_at or time.monotonic()
        try:
            os.write(self.control, letter)
        except OSError as error:
            raise RunFault("What was watching over the command died.", "Run it again.") from error

    def _ended(self) -> Ended:
        status, *left = self.told.get("exited", ["", *()])
        code = signal_number = None
        if status and "failed" not in self.told:
            code, signal_number = _reading(int(status))
        ended = self.told.get("ended")
        return Ended(
            exit_code=code,
            signal=signal_number,
            timed_out=self.timed_out,
            interrupted=self.interrupted,
            failed_to_start=int(self.told["failed"][0]) if "failed" in self.told else None,
            background=() if ended == ["0"] else tuple(_left(one) for one in left),
            unkillable=int(ended[0]) if ended else 0,
            held_open=bool(self.open_outputs),
            seconds=(self.exited_at or time.monotonic()) - self.begun,
        )

    def _let_go(self) -> None:
        """Leave what runs in the background to the supervisor; without this order, closing ends everything."""
        if self.exited_at is not None and self.asked_at is None:
            try:
                os.write(self.control, b"l")
            except OSError:  # it has nothing left to watch over
                self.exited_at = None
        self.selector.close()
        os.close(self.control)
        self.report.close()
        for opened in self.open_outputs:
            opened.close()
        if not self.open_outputs:
            self.supervisor.wait()
        else:
            _forget(self.supervisor)


def _forget(supervisor: subprocess.Popen[bytes]) -> None:
    """Let it live on without a warning that nobody waited for it."""
    supervisor.returncode = 0


def _reading(status: int) -> tuple[int | None, int | None]:
    code = os.waitstatus_to_exitcode(status)
    return (code, None) if code >= 0 else (None, -code)


def _left(told: str) -> Left:
    pid, _, command = told.partition(":")
    words = bytes.fromhex(command).rstrip(b"\0").replace(b"\0", b" ")
    return Left(int(pid), words.decode("utf-8", "surrogateescape"))


def signal_name(number: int) -> str:
    """SIGKILL for 9; its number where it has no name."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _set_by_python(name: str) -> bool:
    """Whether an environment variable is one that Python set in itself (PEP 538) and whoever started us did not."""
    if name not in os.environ:
        return False
    try:
        given = Path("/proc/self/environ").read_bytes().split(b"\0")
    except OSError:
        return False
    return not any(one.startswith(name.encode() + b"=") for one in given)
