"""Running a command line with bash: usually in a waiting child of a bash that is already running, else in a new one.

Starting bash costs as much as most experiments. So one bash, the zygote, keeps a forked child ready that reads a line,
lets go of everything the zygote owns, and evaluates it. Anything out of the ordinary (the zygote is gone, a status that
may mean a signal, a very long line, one that looks at its shell) is answered by running the experiment with a bash of
its own, which is also the definition of the right result.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, Union

from dabhand.sandbox.inside import confine
from dabhand.sandbox.inside.deputy import Deputy
from dabhand.sandbox.inside.output import Standard, high
from dabhand.sandbox.inside.processes import Family
from dabhand.sandbox.inside.protocol import Entry
from dabhand.sandbox.inside.revealing import names_parent, reveals
from dabhand.sandbox.inside.simple import Simple, simple_command
from dabhand.sandbox.inside.storage import Storage

_LONGEST_LINE = 16_384
"""The zygote's child reads byte by byte; beyond this a new bash is cheaper."""
_LONGEST_ARGUMENT = 32 * os.sysconf("SC_PAGE_SIZE") - 1
"""No program can be given a longer one (MAX_ARG_STRLEN, execve(2)), so `bash -c` cannot be given a longer line."""
_OPEN_FILES = 256
_USES = 2000
"""A zygote is replaced after so many experiments, before its own processor time counts."""
_BLINK = 0.002
"""Seconds between looks at a child, while calls may wait for the deputy at the same time."""
_TICK = 0.05
"""Seconds between looks at memory and storage, while an experiment runs."""

_ZYGOTE = (
    'while :; do ( IFS= read -r -u 3 REPLY || exit; exec 3<&- 4>&-; eval "unset REPLY; eval -- $REPLY" ); '
    'echo "$?" >&4 || exit; done'
)
"""On one line, so that bash complains of line 1 as it does with -c."""
_ALONE = 'exec -a bash /usr/bin/bash -c "$1"'
_ALONE_BELOW_ANOTHER = f"(unset SHLVL; {_ALONE}); exit $?"
"""Here the shell's parent is not the worker, whose number never changes."""


class Child(NamedTuple):
    """A process that was started, and the deputy that answers for it, if calls are handed over."""

    pid: int
    deputy: Deputy | None


Argv = Sequence[Union[str, bytes]]  # noqa: UP007  (evaluated, and Python 3.9 may be what runs here)
Spawn = Callable[[Argv, dict[str, str], Sequence[tuple[int, int]]], Child]
"""Start a program with (file descriptor here, descriptor there) pairs."""


class Rules(NamedTuple):
    """The limits of an experiment, as the worker enforces them."""

    seconds: float
    cpu_seconds: int
    memory_bytes: int
    processes: int
    file_bytes: int
    storage_bytes: int
    output_bytes: int
    capture_bytes: int
    entries: int

    def inherited(self) -> tuple[int, int, int]:
        """The limits that a child takes over from its parent."""
        return self.memory_bytes, self.processes, self.file_bytes

    def impose(self, crowd: int) -> None:
        """Put this process, and what it starts, under these limits for good."""
        for kind, value in (
            (resource.RLIMIT_AS, self.memory_bytes),
            (resource.RLIMIT_NPROC, self.processes + crowd),
            (resource.RLIMIT_FSIZE, self.file_bytes),
            (resource.RLIMIT_NOFILE, _OPEN_FILES),
            (resource.RLIMIT_CORE, 0),
        ):
            resource.setrlimit(kind, (value, value))

    def ulimits(self, crowd: int) -> str:
        """As bash commands; hard limits, so that nothing can lift them."""
        return (
            f"ulimit -c 0; ulimit -n {_OPEN_FILES}; ulimit -t {self.cpu_seconds}; ulimit -f {self.file_bytes // 1024}; "
            f"ulimit -v {self.memory_bytes // 1024}; ulimit -u {self.processes + crowd}; "
        )


class Status(NamedTuple):
    """How a command line ended: an exit code, or a signal, or neither when the clock or a watch ended it."""

    exit_code: int | None
    signal: int | None
    timed_out: bool
    survivors: int
    by_watch: bool = False


class Shell:
    """Runs command lines, one at a time, in the current directory."""

    def __init__(
        self,
        family: Family,
        spawn: Spawn,
        zygote_bash: str,
        env: dict[str, str],
        storage: Storage,
        crowd: int,
        own_limits: tuple[int, int, int] | None,
        scene: str,
    ) -> None:
        self._family = family
        self._spawn = spawn
        self._zygote_bash = zygote_bash
        self._env = env
        self._storage = storage
        self._crowd = crowd
        self._own_limits = own_limits
        self._program_env: dict[str, str | bytes] = {**env, "PWD": scene, "SHLVL": "0"}
        signal.pthread_sigmask(signal.SIG_BLOCK, _CHILD)
        self.standard = Standard()
        self._zygote: int | None = None
        self._deputy: Deputy | None = None
        self._requests = self._statuses = -1
        self._uses = 0

    def try_quickly(self, line: bytes, scene: Sequence[Entry], rules: Rules) -> Status | None:
        """Run the line in the zygote's child; None when only a bash of its own can say what the line does."""
        if len(line) > _LONGEST_ARGUMENT or reveals(line, scene):
            return None
        if self._may_run_programs(rules) and (simple := simple_command(line)):
            status = self._run_program(simple, rules)
            if status:
                return None if _needs_a_second_look(status) else status
        quoted = _dollar_quoted(line)
        if len(quoted) > _LONGEST_LINE:
            return None
        if self._zygote is None or self._uses >= _USES:
            self.restart(rules)
        self._uses += 1
        try:
            os.write(self._requests, quoted + b"\n")
        except BrokenPipeError:
            self.stop()
            return None
        watch = self._watch(rules)
        while not self._is_ready(self._statuses, watch.patience()):
            if ended := watch.ended():
                self.stop()
                return ended
        said = os.read(self._statuses, 16)
        if not said.endswith(b"\n") or int(said) > 128:
            self.stop()
            return None
        return Status(int(said), None, False, self._survivors())

    def run_alone(self, line: bytes, scene: Sequence[Entry], rules: Rules) -> Status:
        """Run the line in a bash of its own."""
        self.stop()
        if len(line) > _LONGEST_ARGUMENT:
            self.standard.complain(b"bash: /usr/bin/bash: Argument list too long\n")
            return Status(126, None, False, 0)
        start = rules.ulimits(self._crowd) + (_ALONE_BELOW_ANOTHER if names_parent(line, scene) else _ALONE)
        child = self._spawn(["/usr/bin/bash", "-c", start, "bash", line], self._env, self.standard.pairs())
        self._deputy = child.deputy
        status = self._wait(child.pid, rules)
        self._dismiss()
        return status

    def _may_run_programs(self, rules: Rules) -> bool:
        """Whether the worker's own limits, which a program inherits, are those of the rules.

        Processor time is not among them: the worker's grows. It is bounded by the wall time, where that is shorter.
        """
        own = self._own_limits
        return own is not None and rules.cpu_seconds >= rules.seconds and own == rules.inherited()

    def _run_program(self, simple: Simple, rules: Rules) -> Status | None:
        """Run a program without a shell, under the worker's own limits; None when bash has to see to it.

        Whatever was opened until then, bash will open again, with the same effect.
        """
        opened: list[tuple[int, int]] = []
        try:
            for operator, path in simple.redirections:
                file = confine.open_without_links(path, _OPEN[operator])
                opened.append((file, 0 if operator == b"<" else 1))
            pid = os.posix_spawn(
                simple.path,
                simple.argv,
                {**self._program_env, "_": simple.path},
                file_actions=[(os.POSIX_SPAWN_DUP2, *pair) for pair in (*self.standard.pairs(), *opened)],
                setsid=True,
                setsigmask=[],
                setsigdef=[signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT],
            )
        except OSError:
            return None
        finally:
            for file, _ in opened:
                os.close(file)
        return self._wait(pid, rules)

    def _wait(self, pid: int, rules: Rules) -> Status:
        """Wait for a child, looking after it meanwhile; SIGCHLD is always blocked, so none is missed."""
        watch = self._watch(rules)
        while True:
            found, status = os.waitpid(pid, os.WNOHANG)
            if found:
                break
            if self._deputy:
                self._is_ready(None, min(watch.patience(), _BLINK))
            else:
                signal.sigtimedwait(_CHILD, watch.patience())
            if ended := watch.ended():
                self.stop()
                return ended
        survivors = self._survivors()
        code = os.waitstatus_to_exitcode(status)
        return Status(code if code >= 0 else None, -code if code < 0 else None, False, survivors)

    def restart(self, rules: Rules) -> None:
        """Begin with a new zygote."""
        self.stop()
        there, self._requests = (high(end) for end in os.pipe())
        self._statuses, back = (high(end) for end in os.pipe())
        argv = [self._zygote_bash, "-c", rules.ulimits(self._crowd) + _ZYGOTE, "bash"]
        child = self._spawn(argv, self._env, [*self.standard.pairs(), (there, 3), (back, 4)])
        self._zygote, self._deputy = child.pid, child.deputy
        self._uses = 0
        os.close(there)
        os.close(back)

    def stop(self) -> None:
        """End every process of the experiment, and the zygote."""
        self._family.end()
        self._dismiss()
        if self._zygote is not None:
            os.close(self._requests)
            os.close(self._statuses)
            self._zygote = None

    def _dismiss(self) -> None:
        if self._deputy:
            self._deputy.close()
            self._deputy = None

    def _is_ready(self, file: int | None, patience: float) -> bool:
        """Whether the file can be read within that time; calls that wait for the deputy are answered meanwhile."""
        files: list[int | Deputy] = [] if file is None else [file]
        if self._deputy:
            files.append(self._deputy)
        ready = select.select(files, [], [], patience)[0]
        if self._deputy and self._deputy in ready:
            self._deputy.answer()
        return file in ready

    def _survivors(self) -> int:
        """How many processes outlived the shell; they are ended."""
        usual = [] if self._zygote is None else [self._zygote]
        if self._family.children() == usual:
            return 0
        self._family.reap()
        if self._family.children() == usual:
            return 0
        alive = len(self._family.descendants(spare=self._zygote))
        self.stop()
        return alive

    def _watch(self, rules: Rules) -> _Watch:
        return _Watch(rules, self._family, self._storage, self._zygote)


class _Watch:
    """Looks after an experiment that takes its time."""

    def __init__(self, rules: Rules, family: Family, storage: Storage, zygote: int | None) -> None:
        self._rules = rules
        self._family = family
        self._storage = storage
        self._zygote = zygote
        storage.begin()
        now = time.monotonic()
        self._deadline = now + rules.seconds
        self._next_look = now + _TICK

    def patience(self) -> float:
        """Seconds until the next look."""
        return max(0.0, min(self._next_look, self._deadline) - time.monotonic())

    def ended(self) -> Status | None:
        """A status when the experiment has to end now."""
        now = time.monotonic()
        if now >= self._deadline:
            return Status(None, None, True, 0, True)
        if now < self._next_look:
            return None
        self._next_look = now + _TICK
        pids = [pid for pid in self._family.descendants() if pid != self._zygote]
        memory, stored = self._family.memory(), self._storage.used(pids)
        if memory > self._rules.memory_bytes or stored > self._rules.storage_bytes:
            return Status(None, signal.SIGKILL, False, 0, True)
        return None


_OPEN = {
    b"<": os.O_RDONLY,
    b">": os.O_WRONLY | os.O_CREAT | os.O_TRUNC,
    b">>": os.O_WRONLY | os.O_CREAT | os.O_APPEND,
}
_CHILD = {signal.SIGCHLD}


def _needs_a_second_look(status: Status) -> bool:
    """Whether the status may speak of a signal, which a shell has its own way to report."""
    return not status.by_watch and (status.signal is not None or (status.exit_code or 0) > 128)


def _dollar_quoted(line: bytes) -> bytes:
    r"""The line as one ASCII word of bash, `$'...'`, with everything but plain characters as \ooo."""
    return b"$'" + b"".join(_QUOTED[byte] for byte in line) + b"'"


_QUOTED = [bytes([c]) if 32 <= c < 127 and c not in b"'\\" else b"\\%03o" % c for c in range(256)]
