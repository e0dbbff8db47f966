"""The calls of one Codex session: shells by many names, sessions that run on, scripts, and events that say more."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import PurePosixPath, PureWindowsPath
from urllib.parse import unquote

from dabhand.corpus.damage import Tally
from dabhand.corpus.extras import MissingExtra
from dabhand.corpus.loosely import as_mapping, as_number, as_text, as_whole, as_words
from dabhand.corpus.readers.argument_vectors import unwrapped
from dabhand.corpus.readers.codex_results import EVENT_BYTES, Result, is_patch, result_of
from dabhand.corpus.readers.codex_scripts import arguments, read_script, script_ended
from dabhand.corpus.triple import Call, Status
from dabhand.corpus.waiting import Waiting

SHELLS = frozenset(("shell", "container.exec", "shell_command", "exec_command", "unified_exec", "local_shell"))
SCRIPT = "exec"
WARNING = "Warning: truncated output (original token count"
TYPED_RESULT = re.compile(r"Exit code: (-?\d{1,10})\n(?:Duration: ([\d.]+) seconds?\n)?Output:\n?", re.DOTALL)
SHELL_COMMAND_MS = 10_000
"""Milliseconds that `shell_command` has, where it is not told otherwise."""

EVENTS_HELD = 256
"""Commands of one script that wait for its end."""

STATUSES: Mapping[str, Status] = {
    "ran": "ran",
    "did_not_run": "did_not_run",
    "timed_out": "timed_out",
    "interrupted": "interrupted",
    "running": "running",
}


class Session:
    """Takes in what happens in a session, in the order of its file, and gives each call when it is complete."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._name: str | None = None
        self._version = "unknown"
        self.has_header = False
        self._bare = False
        self._cwd: str | None = None
        self._surely = False
        self.said: str | None = None
        self.waiting = Waiting(tally)
        self._limits: dict[str, float] = {}
        self._events: dict[str, Mapping[str, object]] = {}
        self._running: dict[int, Call] = {}
        self._inputs: dict[str, int] = {}
        self._scripts: dict[str, tuple[int, str, str | None]] = {}
        self._by_script: list[Call] = []
        self._guessed: list[Call] = []
        self._has_events = False
        self._last = ""
        self._typed: dict[str, int] = {}

    def of(self, name: str | None, version: str | None, cwd: str | None, *, bare: bool) -> None:
        """Take in a header; the first one names the session."""
        if not self.has_header:
            self.has_header, self._name, self._bare = True, name, bare
        self._tally.of_session(name)
        self._version = version or ("before 0.34" if bare and self._version == "unknown" else self._version)
        self.folder(cwd)

    def folder(self, cwd: str | None, *, weakly: bool = False) -> None:
        """Note where commands start from now on; weakly if only the conversation says so."""
        if cwd and not (weakly and self._surely):
            self._cwd, self._surely = cwd, not weakly

    def called(self, number: int, key: str, name: str, given: object, time: str | None) -> None:
        """Take in a call."""
        self._last = key
        if isinstance(given, str) and name != SCRIPT:
            given = arguments(given)
        said = as_mapping(given)
        if name == SCRIPT and isinstance(given, str):
            self._scripts[key] = (number, given, time)
            return
        if name == "write_stdin" or (name == "unified_exec" and said.get("session_id") is not None):
            session = as_whole(_number(said.get("session_id")))
            if session is not None:
                self._inputs[key] = session
            return
        argv, command, shell = _command(said) if name in SHELLS else (None, None, None)
        if name not in SHELLS or command is None or not command.strip():
            if name in SHELLS:
                self._tally.leave_out("a call without a command")
            elif name == "apply_patch":
                self._tally.leave_out("apply_patch, which the host carries out itself")
            self.waiting.pass_over(key)
            return
        if is_patch(command):
            self._tally.leave_out("apply_patch, which the host carries out itself")
            self.waiting.pass_over(key)
            return
        call = self._call(key, number, command, time)
        call.argv, call.shell = argv, shell
        if "workdir" in said or "working_directory" in said:
            call.cwd = _resolved(self._cwd, as_text(said.get("workdir")) or as_text(said.get("working_directory")))
        if name == "shell_command":
            self._limits[key] = as_number(said.get("timeout_ms")) or SHELL_COMMAND_MS
        if justification := as_text(said.get("justification")):
            call.request, call.request_from = self.said or justification, "assistant"
        for earlier in self.waiting.call(call):
            self.answered(key, as_text(earlier))

    def _call(self, key: str, number: int, command: str, time: str | None) -> Call:
        return Call(
            key=key,
            scope=self._name or "file",
            line=number,
            command=command,
            format=f"codex {self._version}",
            session=self._name,
            cwd=self._cwd,
            time=time,
            request=self.said,
            request_from="assistant",
        )

    def answered(self, key: str, said: str | None) -> None:
        """Take in the output of a call."""
        if key in self._inputs:
            self._went_on(self._inputs.pop(key), said or "")
            return
        if key in self._scripts:
            self._script_ended(key, said or "")
            return
        call = self.waiting.answer(key, said)
        if call is None or said is None or call.status == "running":
            return
        result = result_of(said, limit_ms=self._limits.pop(key, None), bare=self._bare)
        _fill(call, result)
        if result.status == "running" and result.session is not None:
            self._running[result.session] = call
            return
        self._done(call)

    def _went_on(self, session: int, said: str) -> None:
        """Take in a further part of the output of what runs on; the exit code is in the last one."""
        call = self._running.get(session)
        if call is None:
            return
        result = result_of(said)
        if result.status == "did_not_run":
            return
        call.output = (call.output or "") + (result.output or "")
        call.truncated = call.truncated or result.truncated
        if result.seconds is not None:
            call.duration_ms = (call.duration_ms or 0.0) + result.seconds * 1000
        if result.status == "running":
            return
        call.exit_code, call.status = result.exit_code, STATUSES.get(result.status, "unknown")
        del self._running[session]
        self._done(call)

    def _done(self, call: Call) -> None:
        event = self._events.pop(call.key, None)
        if event is not None:
            _complete(call, event)
        self.waiting.done(call)

    def executed(self, number: int, item: Mapping[str, object], time: str | None) -> None:
        """Take in the host's own record of an execution: it says more of a call, or is one of a script's commands."""
        key, argv = as_text(item.get("id")), as_words(item.get("command"))
        if key is None or item.get("source") in ("user_shell", "unified_exec_interaction"):
            return
        if not key.startswith("exec-"):
            if self.waiting.held(key) is not None:
                self._events[key] = item
            elif len(self._events) < EVENTS_HELD:
                self._events.setdefault(key, item)
            return
        self._has_events = True
        if argv is None:
            return
        command, shell = unwrapped(argv)
        if is_patch(command):
            self._tally.leave_out("apply_patch, which the host carries out itself")
            return
        call = self._call(key, number, command, time)
        call.argv, call.shell, call.status = argv, shell, "ran"
        _complete(call, item)
        if self.waiting.held(key) is None and not any(each.key == key for each in self._by_script):
            self.waiting.call(call)
            if self.waiting.held(key) is call:
                self._by_script.append(call)
        if not self._scripts or len(self._by_script) > EVENTS_HELD:
            self._flushed()

    def _flushed(self) -> None:
        for call in self._by_script:
            self.waiting.done(call)
        self._by_script.clear()

    def _script_ended(self, key: str, said: str) -> None:
        """What its script printed tells whether the host cut the output of a command."""
        number, script, time = self._scripts.pop(key)
        if WARNING in said:
            for call in self._by_script:
                shown = (call.output or "")[:40]
                call.truncated = call.truncated or len(self._by_script) == 1 or bool(shown and shown in said)
        held = bool(self._by_script)
        self._flushed()
        if held or self._has_events:
            return
        try:
            read = read_script(script)
        except MissingExtra as missing:
            self._tally.leave_out(f"a script. {missing.message} {missing.hint}")
            return
        if read.commands is None or not script_ended(said):
            self._tally.leave_out("a script whose commands no record states")
            return
        for place, planned in enumerate(read.commands):
            call = self._call(key if len(read.commands) == 1 else f"{key}#{place}", number, planned.command, time)
            call.status = "ran"
            if not planned.folder_known or planned.folder is not None:
                call.cwd = _resolved(self._cwd, planned.folder) if planned.folder_known else None
            if len(read.commands) == 1:
                call.output = said.partition("Output:\n")[2] if read.shows_output else None
                call.truncated = WARNING in said
            self._guessed.append(call)

    def typed(self, number: int, command: str, said: str, time: str | None) -> None:
        """Take in a command that the person at the keyboard ran."""
        # A fork repeats what was typed with new times: behind which call it stood, and which such one it was, stays.
        mark = hashlib.sha256("\0".join((self._last, command, said)).encode("utf-8", "surrogateescape")).hexdigest()[
            :16
        ]
        self._typed[mark] = self._typed.get(mark, 0) + 1
        call = self._call(f"typed {mark}#{self._typed[mark]}", number, command, time)
        call.request = call.request_from = None
        if (found := TYPED_RESULT.match(said)) is not None:
            call.exit_code, call.output, call.status = as_whole(int(found[1])), said[found.end() :], "ran"
        if not self.waiting.call(call) and self.waiting.held(call.key) is call:
            self.waiting.done(call)

    def end(self) -> None:
        """Take in that the file ends here."""
        self._flushed()
        for call in list(self._running.values()):
            if call.key in self._events:
                self._done(call)
        for call in self._guessed if not self._has_events else ():
            self.waiting.call(call)
            if self.waiting.held(call.key) is call:
                self.waiting.done(call)
        for call in self.waiting.left():
            if (event := self._events.pop(call.key, None)) is not None:
                call.status = "ran"
                _complete(call, event)


def _command(said: Mapping[str, object]) -> tuple[list[str] | None, str | None, str | None]:
    """The argument vector, the command and its shell of a call's arguments."""
    for field in ("command", "cmd", "input"):
        found = said.get(field)
        if (argv := as_words(found)) is not None:
            return (argv, *unwrapped(argv))
        if isinstance(found, str):
            return None, found, _shell(as_text(said.get("shell")))
    return None, None, None


def _digest(*said: str) -> str:
    return hashlib.sha256("\0".join(said).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _shell(program: str | None) -> str | None:
    if not program:
        return None
    return re.split(r"[/\\]", program)[-1].lower().removesuffix(".exe") or None


def _number(found: object) -> object:
    return int(found) if isinstance(found, str) and re.fullmatch(r"\d{1,9}", found) else found


def _resolved(cwd: str | None, folder: str | None) -> str | None:
    """The folder that a call names, seen from that of its session."""
    if not folder:
        return cwd
    if folder.startswith(("/", "~")) or PureWindowsPath(folder).drive:
        return folder
    if cwd is None:
        return None
    return str((PureWindowsPath if PureWindowsPath(cwd).drive else PurePosixPath)(cwd) / folder)


def _fill(call: Call, result: Result) -> None:
    call.status = STATUSES.get(result.status, "unknown")
    call.exit_code, call.output = result.exit_code, result.output
    call.stdout, call.stderr, call.truncated = result.stdout, result.stderr, result.truncated
    call.duration_ms = result.seconds * 1000 if result.seconds is not None else None


def _complete(call: Call, event: Mapping[str, object]) -> None:
    """Add what only the host's record of the execution says; a refusal or a timeout stays what it is."""
    whole = as_text(event.get("aggregated_output"))
    stdout, stderr = as_text(event.get("stdout")), as_text(event.get("stderr"))
    if stdout is not None and stderr is not None and not str(event.get("source")).startswith("unified_exec"):
        call.stdout, call.stderr = stdout, stderr  # through a terminal both are one stream, and `stderr` is empty
    if whole is None and stdout is not None:
        whole = stdout + (stderr or "")
    if whole is not None and len(whole.encode("utf-8", "replace")) == EVENT_BYTES:
        call.truncated = True
    if whole is not None and (call.truncated or len(whole) >= len(call.output or "")):
        call.output = whole
    code = as_whole(event.get("exit_code"))
    if event.get("status") == "declined":
        call.status = "did_not_run"
    elif call.status in ("ran", "running", "unknown") and code is not None:
        call.exit_code, call.status = code, "ran"
    if (cwd := as_text(event.get("cwd"))) is not None:
        call.cwd = _path(cwd)
    took = as_mapping(event.get("duration"))
    seconds, nanos = as_number(took.get("secs")), as_number(took.get("nanos"))
    if seconds is not None:
        call.duration_ms = seconds * 1000 + (nanos or 0.0) / 1e6


def _path(cwd: str) -> str:
    if not cwd.startswith("file://"):
        return cwd
    path = unquote(cwd.removeprefix("file://"), errors="replace")
    return path[1:] if re.match(r"/[A-Za-z]:", path) else path
