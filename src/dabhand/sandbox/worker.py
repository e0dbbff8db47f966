"""The worker from outside: one sandboxed process that runs experiments, one after the other."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections import deque
from typing import Any, NamedTuple

import msgspec

from dabhand.closing import Closing
from dabhand.errors import SandboxFault, SandboxUnavailable, StateError, UsageError
from dabhand.sandbox import wire
from dabhand.sandbox.inside import protocol
from dabhand.sandbox.outcome import Limits, Outcome
from dabhand.sandbox.tier import Started, Tier, canary
from dabhand.workspace.state import State, encode_text

_HELLO_SECONDS = 20.0
_GRACE_SECONDS = 20.0
"""How long a worker may take beyond an experiment's own wall time (twice, when it runs it again) on a busy machine."""
_READ = 1 << 18


class _Job(NamedTuple):
    """An experiment that was asked for."""

    body: bytes
    state: State
    limits: Limits


class Worker(Closing):
    """Runs experiments in a sandbox. Use it as a context manager, from one thread at a time.

    When the process inside breaks, the experiment that was running raises `SandboxFault` and the next one finds a new
    process: faults never pass for outcomes.

    Attributes:
        tier: the name of the isolation in force.
        limits: what an experiment may use unless it says otherwise.
    """

    def __init__(self, tier: Tier, limits: Limits) -> None:
        self.limits = limits
        self._tier = tier
        self._jobs: deque[_Job] = deque()
        self._started: Started | None = None
        self._in_force = limits
        self._received = bytearray()
        self._closed = False
        self._start()

    @property
    def tier(self) -> str:
        """The name of the isolation in force."""
        return self._tier.name

    @property
    def detail(self) -> str:
        """What the isolation consists of, in words."""
        return self._tier.detail

    @property
    def pending(self) -> int:
        """How many submitted experiments were not collected yet."""
        return len(self._jobs)

    def run(self, state: State, line: str, limits: Limits | None = None) -> Outcome:
        """Run one command line in a fresh folder that holds `state`.

        Args:
            state: the scene.
            line: POSIX shell text, for bash; see `commands.render` for how a filling becomes part of it.
            limits: instead of the worker's own; memory, processes and sizes can only be narrower than those.

        Raises:
            SandboxFault: the worker broke during this experiment.
            StateError: the scene cannot be written (a name too long, more than the storage holds).
            UsageError: other experiments were submitted and not collected, or the line holds a NUL.
        """
        if self._jobs:
            raise UsageError("Experiments are still in flight.", "Collect them before running another one.")
        self.submit(state, line, limits)
        return self.collect()

    def run_staged(self, line: str, limits: Limits | None = None) -> bytes:
        """Run one command line in the folder that the tier laid a layer over; returns the answer as it came.

        Raises:
            SandboxFault: the worker broke, and what was done in the folder so far is lost.
        """
        limits = limits or self.limits
        if "\0" in line:
            raise UsageError("A command line cannot hold a NUL character.")
        if self._closed or self._started is None:
            raise SandboxFault("The staged folder is gone.")
        self._send(_Job(protocol.encode_staged(encode_text(line)), State(), limits))
        body = self._answer(limits.seconds * 2 + _GRACE_SECONDS)
        if body is None:
            raise SandboxFault(f"The sandbox's worker broke while it ran a step: {self._discard()}.")
        if body[0] != protocol.DONE:
            raise SandboxFault(f"The sandbox refused a step: {body[1:].decode('utf-8', 'replace')}.")
        return body

    def submit(self, state: State, line: str, limits: Limits | None = None) -> None:
        """Ask for an experiment without waiting; `collect` gives the outcomes in the order of submission."""
        if self._closed:
            raise UsageError("The worker is closed.", "Open another one.")
        if "\0" in line:
            raise UsageError("A command line cannot hold a NUL character.")
        if limits and not limits.fits_in(self.limits):
            raise UsageError("An experiment cannot have more than its worker.", "Open the worker with wider limits.")
        self._require_running()
        job = _Job(wire.request(state, line), state, limits or self.limits)
        self._jobs.append(job)
        self._send(job)

    def collect(self) -> Outcome:
        """The outcome of the earliest experiment that was not collected yet; raises as `run` does."""
        if not self._jobs:
            raise UsageError("No experiment was submitted.", "Submit one before collecting.")
        self._require_running()
        job = self._jobs[0]
        body = self._answer(job.limits.seconds * 2 + _GRACE_SECONDS)
        self._jobs.popleft()
        if body is None:
            raise SandboxFault(f"The sandbox's worker broke while it ran an experiment: {self._discard()}.")
        if body[0] == protocol.REFUSED:
            raise StateError(f"The scene cannot be written: {body[1:].decode('utf-8', 'replace')}.")
        return wire.outcome(body, job.state)

    def close(self) -> None:
        """End the worker and everything in it. Closing twice is harmless."""
        self._closed = True
        self._jobs.clear()
        if self._started:
            self._discard()

    def __del__(self) -> None:
        if getattr(self, "_started", None):
            self.close()

    def _start(self) -> None:
        """Start the process and believe in its isolation only after it was shown."""
        self._received.clear()
        self._in_force = self.limits
        with canary() as path:
            self._started = self._tier.start(self.limits, path)
            os.set_blocking(self._stdin, False)
            body = self._answer(_HELLO_SECONDS)
        if body is None or body[0] != protocol.HELLO:
            raise SandboxUnavailable(f"The {self.tier} sandbox does not start: {self._discard()}.", self._tier.hint)
        facts: dict[str, Any] = msgspec.json.decode(body[1:])
        if objections := self._tier.objections(facts):
            self._discard()
            raise SandboxUnavailable(
                f"The {self.tier} sandbox does not isolate here: {', '.join(objections)}.", self._tier.hint
            )

    def _require_running(self) -> None:
        """Start again after a fault, and send again what was in flight behind the experiment that broke it."""
        if self._started is None:
            self._start()
            for job in self._jobs:
                self._send(job)

    def _send(self, job: _Job) -> None:
        if job.limits != self._in_force:
            self._in_force = job.limits
            self._write(protocol.frame(bytes([protocol.LIMITS]) + msgspec.json.encode(job.limits)))
        self._write(protocol.frame(job.body))

    def _write(self, data: bytes) -> None:
        """Write while taking in answers, so that neither side can wait for the other for ever."""
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(self._stdin, rest) :]
            except BlockingIOError:
                readable, _, _ = select.select([self._stdout], [self._stdin], [], _GRACE_SECONDS)
                if readable and not self._take_in():
                    return
            except BrokenPipeError:
                return  # `collect` will find out, and say for which experiment

    def _answer(self, seconds: float) -> bytes | None:
        """The next frame's body; None when the worker is gone or silent for too long."""
        deadline = time.monotonic() + seconds
        while True:
            if len(self._received) >= protocol.LENGTH.size:
                end = protocol.LENGTH.size + protocol.LENGTH.unpack_from(self._received)[0]
                if len(self._received) >= end:
                    body = bytes(self._received[protocol.LENGTH.size : end])
                    del self._received[:end]
                    return body
            patience = max(0.0, deadline - time.monotonic())
            if not select.select([self._stdout], [], [], patience)[0] or not self._take_in():
                return None

    def _take_in(self) -> bool:
        part = os.read(self._stdout, _READ)
        self._received += part
        return bool(part)

    @property
    def _stdin(self) -> int:
        assert self._started and self._started.process.stdin
        return self._started.process.stdin.fileno()

    @property
    def _stdout(self) -> int:
        assert self._started and self._started.process.stdout
        return self._started.process.stdout.fileno()

    def _discard(self) -> str:
        """End the process, and say what it complained of last."""
        started, self._started = self._started, None
        assert started
        process = started.process
        for pipe in (process.stdin, process.stdout):
            if pipe:
                pipe.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.5)
        if process.poll() is None:
            process.send_signal(self._tier.ending)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(5)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            process.wait()
        started.complaints.seek(0)
        lines = started.complaints.read().decode("utf-8", "replace").strip().splitlines()
        started.complaints.close()
        started.close()
        return lines[-1] if lines else f"it ended with status {process.returncode}"
