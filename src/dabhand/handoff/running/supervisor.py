"""The process between dabhand and a command: it starts it, adopts what it leaves behind, and ends all of it.

Run as a program of its own (`python -I -S supervisor.py CONTROL REPORT OUT ERR DROP -- ARGV...`), so that the program
that uses dabhand keeps its own signals and children. It is a "child subreaper" (prctl(2)): whatever the command starts,
even in another process group or session, stays below it and can be found and ended. It imports nothing of ours.

On CONTROL it takes one letter: `i` interrupt, `t` terminate, `k` kill at once, `l` leave (the reader has seen enough).
When CONTROL closes while the command runs, whoever asked is gone, and everything is killed. On REPORT it writes lines:
`failed ERRNO`, `exited STATUS [PID:COMMAND ...]` with what still runs (its command line in hexadecimal), `ended LEFT`.
Few imports, because every one of them is a wait before every command.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
import time

SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of linux/prctl.h."""
GRACE = {b"i": (signal.SIGINT, 3.0), b"t": (signal.SIGTERM, 2.0), b"k": (signal.SIGKILL, 0.0)}
"""What is sent first, and how many seconds it has before it is killed."""
PATIENCE = 5.0
"""Seconds to go on killing what will not die, such as what waits for a dead disk."""
SHOWN, MOST = 200, 20
"""Bytes of a command line that are told, and how many of them."""


class Supervisor:
    """One command and all that comes of it."""

    def __init__(self, control: int, report: int, pipes: tuple[int, int]) -> None:
        self.control, self.report, self.pipes = control, report, pipes
        self.main = 0
        self.status: int | None = None
        self.wakeup, woken = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(woken, warn_on_full_buffer=False)

    def start(self, argv: list[bytes], environment: dict[bytes, bytes]) -> None:
        """Start the command in a session of its own: no terminal, so nothing can ask there."""
        reader, writer = os.pipe2(os.O_CLOEXEC)
        self.main = os.fork()
        if self.main == 0:
            _become(argv, environment, writer)
        os.close(writer)
        said = os.read(reader, 16)
        os.close(reader)
        silent = os.open(os.devnull, os.O_RDWR)
        os.dup2(silent, 1)  # the ends that are written to belong to the command alone
        os.dup2(silent, 2)
        if said:
            self.say("failed " + said.decode())

    def say(self, words: str) -> None:
        """Write one line to whoever asked, if they still listen."""
        try:
            os.write(self.report, words.encode() + b"\n")
        except OSError:
            self.control = -1

    def serve(self) -> None:
        """Wait for the command and for orders, until there is nothing left to do."""
        while True:
            ready, _, _ = select.select([self.wakeup, self.control], [], [])
            if self.wakeup in ready:
                _drain(self.wakeup)
                self.reap()
            if self.control in ready:
                order = os.read(self.control, 1)
                if order == b"l" or (not order and self.status is not None):
                    return self.linger()
                self.end(order or b"k")
                if not order:
                    return None

    def reap(self) -> None:
        """Take in everything that ended; tell of the command itself."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self.main:
                self.status = status
                lines = [(one, _read(f"/proc/{one}/cmdline")[:SHOWN].hex()) for one in below(os.getpid())[:MOST]]
                left = [f"{one}:{line}" for one, line in lines if line]  # without one it is about to end
                self.say(" ".join(["exited", str(status), *left]))

    def end(self, order: bytes) -> None:
        """End the command and everything below; first politely."""
        first, grace = GRACE[order]
        _signal(below(os.getpid()), first)
        if self.quiet_within(grace, also_hurry=True):
            self.reap()
            return self.say("ended 0")
        until = time.monotonic() + PATIENCE
        while left := below(os.getpid()):
            _signal(left, signal.SIGKILL)
            if self.quiet_within(0.02) or time.monotonic() > until:
                break
        self.reap()  # what ended after it was last looked for is not below any more, and not yet told of
        return self.say(f"ended {len(below(os.getpid()))}")

    def quiet_within(self, seconds: float, also_hurry: bool = False) -> bool:
        """Whether everything below has ended in that time; a further order cuts the time short."""
        until = time.monotonic() + seconds
        while True:
            self.reap()
            if not below(os.getpid()):
                return True
            rest = until - time.monotonic()
            if rest <= 0:
                return False
            ready, _, _ = select.select([self.wakeup, *([self.control] if also_hurry else [])], [], [], min(rest, 0.1))
            _drain(self.wakeup)
            if self.control in ready:
                os.read(self.control, 1)
                return False

    def linger(self) -> None:
        """Let what runs in the background live: read what it still writes, until it is done."""
        os.close(self.control)
        os.close(self.report)
        open_pipes = set(self.pipes)
        while open_pipes:
            ready, _, _ = select.select([self.wakeup, *open_pipes], [], [])
            _drain(self.wakeup)
            self.reap()
            open_pipes -= {pipe for pipe in open_pipes.intersection(ready) if not os.read(pipe, 1 << 16)}


def _become(argv: list[bytes], environment: dict[bytes, bytes], writer: int) -> None:
    """In the child: turn into the command, or say why not."""
    try:
        os.setsid()
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        os.execvpe(argv[0], argv, environment)
    except OSError as error:
        os.write(writer, str(error.errno).encode())
    finally:
        os._exit(127)


def below(top: int) -> list[int]:
    """All processes under `top` that have not ended."""
    children: dict[int, list[int]] = {}
    ended = set()
    for name in os.listdir("/proc"):  # noqa: PTH208  (pathlib would take longer to import than all of this)
        if name.isdigit():
            try:
                state, parent = _read(f"/proc/{name}/stat").rpartition(b")")[2].split()[:2]
            except ValueError:  # it ended meanwhile
                continue
            children.setdefault(int(parent), []).append(int(name))
            if state in b"ZX":
                ended.add(int(name))
    found, waiting = [], [top]
    while waiting:
        new = children.get(waiting.pop(), [])
        found += new
        waiting += new
    return [pid for pid in found if pid not in ended]


def _signal(pids: list[int], number: int) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
            if number != signal.SIGKILL:
                os.kill(pid, signal.SIGCONT)  # what is stopped hears nothing
        except OSError:
            continue


def _read(path: str) -> bytes:
    """What a file of the kernel's says; nothing when its process has ended."""
    try:
        opened = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(opened, 4096)
    except OSError:
        return b""
    finally:
        os.close(opened)


def _drain(pipe: int) -> None:
    try:
        while os.read(pipe, 4096):
            pass
    except BlockingIOError:
        return


def main() -> None:
    """See the module."""
    control, report, out, err = (int(word) for word in sys.argv[1:5])
    for inherited in (control, report, out, err):
        os.set_inheritable(inherited, False)
    ctypes.CDLL(None, use_errno=True).prctl(SUBREAPER, 1, 0, 0, 0)
    environment = dict(os.environb)
    if sys.argv[5] == "drop":  # Python set it for itself (PEP 538), the caller did not
        environment.pop(b"LC_CTYPE", None)
    supervisor = Supervisor(control, report, (out, err))
    supervisor.start([os.fsencode(word) for word in sys.argv[7:]], environment)
    supervisor.serve()


if __name__ == "__main__":
    main()
