"""The worker's main loop: confine oneself, say hello, then answer requests until the other side closes."""

# ruff: noqa: PTH101, PTH123, PTH208
# Paths are bytes here, and every microsecond counts.
from __future__ import annotations

import base64
import contextlib
import functools
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

from dabhand.sandbox.inside import confine, protocol, scene
from dabhand.sandbox.inside.deputy import Deputy
from dabhand.sandbox.inside.layer import Layer
from dabhand.sandbox.inside.processes import Family
from dabhand.sandbox.inside.shell import Child, Rules, Shell, Spawn, Status
from dabhand.sandbox.inside.storage import Storage


def main(settings: dict[str, Any]) -> None:
    """Work until the requests end.

    Args:
        settings: what `Tier.start` on the other side wrote: scene, tmp, bash, env, and how to confine oneself; where
            the scene is a folder with a layer over it, also `upper`, the layer's descriptor.
    """
    requests, answers = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.umask(0o022)
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):  # ignored by what is started with nohup or `&`
        signal.signal(number, signal.SIG_DFL)
    if settings["landlock"] is not None:
        _leave_a_guard(settings["base"])
    _confine(settings)
    os.chdir(settings["scene"])
    send(answers, bytes([protocol.HELLO]) + json.dumps(_facts(settings)).encode())
    worker = _Worker(settings)
    gc.freeze()
    while body := receive(requests):
        if answer := worker.answer(body):
            send(answers, answer)


class _Worker:
    def __init__(self, settings: dict[str, Any]) -> None:
        self._tmp_path = os.fsencode(settings["tmp"])
        self._scene, self._tmp = (os.open(settings[name], os.O_RDONLY | os.O_DIRECTORY) for name in ("scene", "tmp"))
        self._upper: int | None = settings["upper"]
        if self._upper is not None:
            os.set_inheritable(self._upper, False)
        self._rules = Rules(**settings["limits"])
        below, crowd = settings["below"], settings["crowd"]
        own_limits = None
        if below is None:  # what the worker starts needs nothing but its limits
            self._rules.impose(crowd)
            own_limits = self._rules.inherited()
        places = [os.path.realpath(os.fsencode(settings[name])) for name in ("scene", "tmp")]
        spawn: Spawn = _spawn
        storage = Storage([])
        if below is not None:
            rules = confine.ruleset_below(**settings["landlock_below"])
            spawn = functools.partial(_spawn_below, places, rules, base64.b64decode(below))
            storage = Storage(places)
        place = settings["scene"]
        self._shell = Shell(Family(), spawn, settings["bash"], settings["env"], storage, crowd, own_limits, place)
        confine.seccomp(base64.b64decode(settings["closing"]))

    def answer(self, body: bytes) -> bytes:
        """The answer to one request; empty when it needs none."""
        if body[0] == protocol.LIMITS:
            self._rules = Rules(**json.loads(body[1:]))
            self._shell.stop()
            return b""
        started = time.perf_counter()
        if body[0] == protocol.STAGED:
            return self._run_staged(body[1:], started)
        line, entries = protocol.decode_request(body)
        try:
            scene.materialise(entries)
        except OSError as error:
            self._shell.stop()
            scene.empty_by_force(b".")
            return bytes([protocol.REFUSED]) + f"{os.strerror(error.errno or 0)}: {error.filename!r}".encode()
        return self._run(line, entries, started)

    def _run(self, line: bytes, entries: Sequence[protocol.Entry], started: float) -> bytes:
        status = self._shell.try_quickly(line, entries, self._rules)
        scene.reset_folder(self._scene, 0o755)
        if status is None:
            self._readback(entries)
            scene.materialise(entries)
            status = self._shell.run_alone(line, entries, self._rules)
            scene.reset_folder(self._scene, 0o755)
        printed = self._shell.standard.printed(self._rules.output_bytes)
        return _answer(status, printed, self._readback(entries), started)

    def _run_staged(self, line: bytes, started: float) -> bytes:
        """Run a line in the folder as it is by now; nothing of it is put back, and the layer says what it changed."""
        if self._upper is None:
            return bytes([protocol.REFUSED]) + b"there is no folder here"
        status = self._shell.run_alone(line, (), self._rules)
        self._shell.stop()
        scene.reset_folder(self._scene, 0o755)
        printed = self._shell.standard.printed(self._rules.output_bytes)
        found = Layer(self._upper, self._rules.capture_bytes, self._rules.entries).read()
        self._renew()
        return _answer(status, printed, found, started)

    def _readback(self, before: Sequence[protocol.Entry]) -> Sequence[protocol.Entry]:
        """What the scene holds now; then put back everything that an experiment can have touched."""
        readback = scene.Readback(before, self._rules.capture_bytes, self._rules.entries)
        readback.run()
        scene.empty(readback)
        self._renew()
        return readback.entries

    def _renew(self) -> None:
        """Put back what an experiment can have touched outside the scene."""
        scene.reset_folder(self._tmp, 0o700)
        if os.listdir(self._tmp):
            scene.empty_by_force(self._tmp_path)
        scene.reset_times(self._tmp)
        self._shell.standard.renew()


def _answer(
    status: Status, printed: tuple[bytes, bool, bytes, bool], found: Sequence[protocol.Entry], started: float
) -> bytes:
    out, out_complete, err, err_complete = printed
    code, by_signal, seconds = _number(status.exit_code), _number(status.signal), time.perf_counter() - started
    return protocol.encode_answer(
        protocol.Answer(
            status.timed_out, out_complete, err_complete, code, by_signal, status.survivors, seconds, out, err, found
        )
    )


def _number(value: int | None) -> int:
    return protocol.NO_STATUS if value is None else value


def _leave_a_guard(base: str) -> None:
    """Go on in a child; the parent only waits for it, and then removes whatever it left: processes, and its folder.

    Elsewhere the end of PID 1 and of the mounts does that. It works even when dabhand itself was killed.
    """
    confine.adopt_orphans()
    child = os.fork()
    if child == 0:
        return
    os.closerange(0, 2)  # or the requests would not end, nor the answers
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    status = 1
    try:
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    finally:
        Family().end_one_by_one()
        subprocess.run(["/usr/bin/rm", "-rf", "--", base], stderr=subprocess.DEVNULL, check=False)
        os._exit(abs(status))


def _confine(settings: dict[str, Any]) -> None:
    """Give up everything that the work does not need, in the order in which each step is still allowed."""
    uid = settings["uid"]
    if uid is not None:
        for folder in (settings["scene"], settings["tmp"]):
            os.chmod(folder, 0o755 if folder == settings["scene"] else 0o700)
            os.chown(folder, uid, uid)
        confine.account(uid)
    confine.no_new_privileges()
    if settings["landlock"] is not None:
        confine.adopt_orphans()
        confine.landlock(**settings["landlock"])
    if settings["seccomp"]:
        confine.seccomp(base64.b64decode(settings["seccomp"]))
    confine.end_with_parent()
    confine.hide()
    if os.getpid() != 1 and uid is None and not confine.signals_are_scoped():
        raise SystemExit("signals could reach other programs of this user (this needs Landlock ABI 6, Linux 6.12)")


def _facts(settings: dict[str, Any]) -> dict[str, Any]:
    """What is really in force, found out by trying."""
    with open("/proc/self/status") as file:
        status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
    return {
        "pid": os.getpid(),
        "uid": os.getuid(),
        "no_new_privileges": status["NoNewPrivs"] == "1",
        "seccomp": status["Seccomp"] == "2",
        "capabilities": int(status["CapEff"], 16),
        "hidden": confine.is_hidden(),
        "canary": _can_read(settings["canary"]),
        "internet": _can_reach_out(),
        "families": [family for family in range(1, 64) if family not in _FAMILIES and _can_make(family)],
        "landlock": confine.landlock_abi(),
        "layered": _is_layered(settings["scene"]),
        "python": sys.version.split()[0],
    }


def _is_layered(scene_path: str) -> bool:
    """Whether the scene is a folder with a layer over it, by mountinfo (proc(5)), whose fifth field is the place."""
    with open("/proc/self/mountinfo") as file:
        mounts = [line.split(" - ") for line in file]
    return any(mount.split(" ")[4] == scene_path and kind.startswith("overlay ") for mount, kind in mounts)


def _can_read(path: str) -> bool:
    try:
        with open(path, "rb"):
            return True
    except OSError:
        return False


def _can_reach_out() -> bool:
    """Whether a datagram socket can be connected to an outside address; nothing is sent."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as attempt:
            attempt.connect(("192.0.2.1", 9))
            return True
    except OSError:
        return False


def _can_make(family: int) -> bool:
    """Whether there can be a socket of this family, of any kind."""
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        with contextlib.suppress(OSError), socket.socket(family, kind):
            return True
    return False


_FAMILIES = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6)
"""What may be made: it leads nowhere."""


def _spawn(argv: Sequence[str | bytes], env: dict[str, str], files: Sequence[tuple[int, int]]) -> Child:
    actions = [(os.POSIX_SPAWN_DUP2, source, target) for source, target in files]
    reset = [signal.SIGPIPE, signal.SIGXFSZ]
    argv, path = ["bash", *argv[1:]], argv[0]
    return Child(
        os.posix_spawn(path, argv, env, file_actions=actions, setsid=True, setsigmask=[], setsigdef=reset), None
    )


def _spawn_below(
    places: Sequence[bytes],
    rules: int,
    further: bytes,
    argv: Sequence[str | bytes],
    env: dict[str, str],
    files: Sequence[tuple[int, int]],
) -> Child:
    """Like `_spawn`, in a Landlock domain of its own and with a further filter, which can only be done after a fork."""
    here, there = socket.socketpair()
    pid = os.fork()
    if pid:
        there.close()
        with here:
            listeners = socket.recv_fds(here, 1, 1)[1]
        return Child(pid, Deputy(listeners[0], places) if listeners else None)
    try:
        os.setsid()
        confine.landlock_below(rules)
        for source, target in files:
            os.dup2(source, target)
        confine.default_signals()
        socket.send_fds(there, [b"."], [confine.seccomp_with_listener(further)])
        os.execve(argv[0], ["bash", *argv[1:]], env)
    finally:
        os._exit(126)


def receive(file: int) -> bytes:
    """The next frame's body; empty at the end."""
    head = _exactly(file, protocol.LENGTH.size)
    return _exactly(file, protocol.LENGTH.unpack(head)[0]) if head else b""


def _exactly(file: int, size: int) -> bytes:
    parts: list[bytes] = []
    while size:
        part = os.read(file, min(size, 1 << 20))
        if not part:
            return b""
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def send(file: int, body: bytes) -> None:
    """Write one frame whole."""
    rest = memoryview(protocol.frame(body))
    while rest:
        rest = rest[os.write(file, rest) :]
