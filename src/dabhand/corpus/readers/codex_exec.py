"""The stream of `codex exec --json`: events with messages (to 0.42), then items that start and complete."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from dabhand.corpus.damage import Tally
from dabhand.corpus.loosely import ABSENT, as_mapping, as_number, as_text, as_whole, as_words, text, value
from dabhand.corpus.readers.argument_vectors import unwrapped, unwrapped_line
from dabhand.corpus.readers.codex_results import HOST_HEADER, MIDDLE, OMITTED, SILENT_LINES, is_patch
from dabhand.corpus.readers.protocol import Head
from dabhand.corpus.records import Records
from dabhand.corpus.triple import Call
from dabhand.corpus.waiting import Waiting

KNOWN = frozenset(
    [
        "thread.started",
        "turn.started",
        "turn.completed",
        "turn.failed",
        "item.started",
        "item.updated",
        "item.completed",
        "error",
    ]
)


class Line(msgspec.Struct):
    """The fields of an event that are looked at."""

    type: msgspec.Raw = ABSENT
    thread_id: msgspec.Raw = ABSENT
    item: msgspec.Raw = ABSENT
    msg: msgspec.Raw = ABSENT


LINE = msgspec.json.Decoder(Line)


class CodexExec:
    """Reads both shapes of the stream. Items are numbered anew in each run, so a run is part of their identity."""

    name = "codex-exec"

    def recognises(self, head: Head) -> bool:
        """Items of a thread, or messages in an event."""
        return any(
            as_text(record.get("type")) in KNOWN - {"error"}
            or (isinstance(record.get("msg"), dict) and "type" in as_mapping(record.get("msg")))
            for record in head.records
        )

    def read(self, records: Records, tally: Tally) -> Iterator[Call]:
        """Every call of the file once."""
        stream = _Stream(tally)
        for number, line in records.decoded(LINE):
            stream.take(number, line)
            if stream.waiting.finished:
                yield from stream.waiting.taken()
        yield from stream.waiting.rest()


class _Stream:
    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._thread: str | None = None
        self._runs: dict[str, int] = {}
        self._done: set[tuple[str, str, int | None, int]] = set()
        self._said: str | None = None
        self.waiting = Waiting(tally)

    def take(self, number: int, line: Line) -> None:
        kind = text(line.type)
        if kind == "thread.started":
            self._thread = text(line.thread_id) or f"line {number}"
            self._runs[self._thread] = self._runs.get(self._thread, 0) + 1
            self._tally.of_session(self._thread)
        elif kind in ("item.started", "item.updated", "item.completed"):
            self._item(number, as_mapping(value(line.item)), kind == "item.completed")
        elif kind is None:
            message = as_mapping(value(line.msg))
            self._message(number, message)
        elif kind not in KNOWN:
            self._tally.not_known(kind)

    def _item(self, number: int, item: Mapping[str, object], is_complete: bool) -> None:
        kind, key, line = item.get("type"), as_text(item.get("id")), as_text(item.get("command"))
        if kind == "agent_message":
            self._said = as_text(item.get("text")) or self._said
        if kind != "command_execution" or key is None or not line:
            return
        command, shell, argv = unwrapped_line(line)
        if is_patch(command):
            self._tally.leave_out("apply_patch, which the host carries out itself")
            return
        run = self._runs.get(self._thread or "", 1)
        key = f"{self._thread}/{key}" if run == 1 else f"{self._thread}/run {run}/{key}"
        call = self.waiting.held(key)
        if call is None and is_complete and run > 1:  # it may have begun before what only looks like a further run
            begun = self.waiting.held(f"{self._thread}/{item['id']}")
            call, key = (begun, begun.key) if begun is not None and begun.command == command else (None, key)
        if call is None or call.command != command:
            call = self._call(key, number, command)
            call.argv, call.shell = argv, shell
            self.waiting.call(call)
        if is_complete and self.waiting.held(key) is call:
            self._complete(_filled(call, item), f"{self._thread}/{item['id']}")

    def _complete(self, call: Call, name: str) -> None:
        """A call of a further run that is in all like that of an earlier one is a copy."""
        mark = (name, call.command, call.exit_code, hash(call.output))
        if mark in self._done:
            self.waiting.drop(call)
        else:
            self._done.add(mark)
            self.waiting.done(call)

    def _call(self, key: str, number: int, command: str) -> Call:
        return Call(
            key=key,
            scope="" if self._thread else "file",
            line=number,
            command=command,
            format="codex-exec items" if self._thread else "codex-exec messages",
            session=self._thread,
            request=self._said,
            request_from="assistant",
        )

    def _message(self, number: int, message: Mapping[str, object]) -> None:
        key = as_text(message.get("call_id"))
        match message.get("type"):
            case "agent_message":
                self._said = as_text(message.get("message")) or self._said
            case "session_configured":
                self._thread_of_messages(as_text(message.get("session_id")))
            case "exec_command_begin" if key is not None:
                argv = as_words(message.get("command"))
                if argv is None:
                    return
                command, shell = unwrapped(argv)
                if is_patch(command):
                    self._tally.leave_out("apply_patch, which the host carries out itself")
                    return
                call = self._call(key, number, command)
                call.scope, call.cwd, call.argv, call.shell = "file", as_text(message.get("cwd")), argv, shell
                for earlier in self.waiting.call(call):
                    self.waiting.done(_filled(call, as_mapping(earlier)))
            case "exec_command_end" if key is not None:
                found = self.waiting.answer(key, message)
                if found is not None:
                    self.waiting.done(_filled(found, message))

    def _thread_of_messages(self, name: str | None) -> None:
        self._tally.of_session(name)


def _filled(call: Call, found: Mapping[str, object]) -> Call:
    stdout, stderr = as_text(found.get("stdout")), as_text(found.get("stderr"))
    whole = as_text(found.get("aggregated_output"))
    if whole is None and stdout is not None:
        whole = stdout + (stderr or "")
    call.status, call.exit_code, call.output = "ran", as_whole(found.get("exit_code")), whole or ""
    call.stdout, call.stderr = stdout, stderr
    if found.get("status") == "declined":
        call.status, call.output = "did_not_run", None
    elif found.get("status") == "in_progress":
        call.status = "running"
    elif call.exit_code == -1 and "command timed out" in (whole or ""):
        call.status, call.exit_code = "timed_out", None
    header = HOST_HEADER.match(call.output or "")
    cut = MIDDLE.search(call.output or "") or OMITTED.search(call.output or "")
    silently = stdout is not None and stdout.rstrip("\n").count("\n") + 1 == SILENT_LINES
    call.truncated = bool(header and (header["warning"] or (header["total"] and cut))) or silently
    took = as_mapping(found.get("duration"))
    seconds, nanos = as_number(took.get("secs")), as_number(took.get("nanos"))
    call.duration_ms = seconds * 1000 + (nanos or 0.0) / 1e6 if seconds is not None else None
    return call


READER = CodexExec()
