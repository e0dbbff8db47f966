"""Gemini CLI: a session as one JSON document (to 0.39), and as lines with patches (from 0.40)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import msgspec

from dabhand.corpus.damage import Tally
from dabhand.corpus.loosely import ABSENT, as_mapping, as_text, as_whole, items, joined, text, value
from dabhand.corpus.readers.protocol import Head
from dabhand.corpus.records import Records
from dabhand.corpus.triple import Call
from dabhand.corpus.waiting import Waiting

SHELL = "run_shell_command"

HEAD = re.compile(
    r"(?P<old>Command: .*?\n(?=Directory: |Output: |Stdout: )|)(?:Directory: [^\n]*\n)?(?P<first>Stdout|Output): ",
    re.DOTALL,
)
TAIL = re.compile(r"(Exit Code|Signal|Background PIDs|Process Group PGID): (.*)")
"""The form that a result is written in; the version of January 2026 leaves out what is empty (FORMATS, 3)."""

TIMED_OUT = re.compile(r"Command (?:timed out|was automatically cancelled because it exceeded the timeout)")
CANCELLED = re.compile(r"\[Operation Cancelled\]|Command was cancelled by user|User (?:denied|cancelled|rejected)")
NEVER_RAN = re.compile(
    r"(?:Error: )?(?:Command (?:is )?(?:not allowed|rejected|cannot be empty|substitution using)|Tool |[Pp]arams? "
    r"|Invalid |Directory |Could not identify|Blocked|Missing )"
)
BACKGROUND = re.compile(r"Command (?:moved to|is running in|started in) (?:the )?background")
CUT = re.compile(
    r"\A(?:\.\.\. \[\d[\d,]* characters truncated\] \.\.\.|Tool output was too large and has been truncated)"
)


class Line(msgspec.Struct):
    """A document, or a record of the later form."""

    messages: msgspec.Raw = ABSENT
    toolCalls: msgspec.Raw = ABSENT
    sessionId: msgspec.Raw = ABSENT
    timestamp: msgspec.Raw = ABSENT
    type: msgspec.Raw = ABSENT
    content: msgspec.Raw = ABSENT
    patch: msgspec.Raw = msgspec.field(name="$set", default=ABSENT)


LINE = msgspec.json.Decoder(Line)


class Gemini:
    """Reads both forms; a document may have the name of the other."""

    name = "gemini"

    def recognises(self, head: Head) -> bool:
        """A header with the session and the project's hash."""
        first = head.records[0] if head.records else {}
        if "sessionId" in first and "projectHash" in first:
            return True
        return head.is_document and {"sessionId", "projectHash", "messages"} <= head.keys

    def read(self, records: Records, tally: Tally) -> Iterator[Call]:
        """Every call of the file once."""
        session = _Session(tally)
        if _is_document(records):
            document = records.document(LINE) or Line()
            session.header(document)
            for place, raw in enumerate(items(document.messages)):
                session.message(place, raw, "document")
                yield from session.waiting.taken()
        else:
            for number, line in records.decoded(LINE):
                session.header(line)
                session.line(number, line)
                yield from session.waiting.taken()
        yield from session.waiting.rest()


def _is_document(records: Records) -> bool:
    """Whether the file is one document and not lines: its first line is no record, or is all there is."""
    first, is_all = records.first_line()
    try:
        return bool(items(LINE.decode(first).messages))
    except (msgspec.DecodeError, RecursionError):
        return first.strip() in (b"{", b"[") or is_all


class _Session:
    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._name: str | None = None
        self._said: str | None = None
        self.waiting = Waiting(tally)

    def header(self, line: Line) -> None:
        self._name = text(line.sessionId) or self._name
        self._tally.of_session(self._name)

    def line(self, number: int, line: Line) -> None:
        self._calls(number, line, "lines")
        patch = as_mapping(value(line.patch))
        messages = patch.get("messages")
        for message in messages if isinstance(messages, list) else ():
            self.message(number, msgspec.Raw(msgspec.json.encode(message)), "lines")

    def message(self, place: int, raw: msgspec.Raw, form: str) -> None:
        try:
            self._calls(place, LINE.decode(raw), form)
        except (msgspec.DecodeError, RecursionError):
            self._tally.damaged(place, "odd_value")

    def _calls(self, place: int, line: Line, form: str) -> None:
        if text(line.type) in ("gemini", "assistant"):
            self._said = text(line.content) or self._said
        for raw in items(line.toolCalls):
            made = as_mapping(value(raw))
            key, given = as_text(made.get("id")), as_mapping(made.get("args"))
            command = as_text(given.get("command"))
            if made.get("name") != SHELL or key is None or not command:
                continue
            description = as_text(given.get("description")) or None
            call = Call(
                key=key,
                scope=self._name or "file",
                line=place,
                command=command,
                format=f"gemini {form}",
                session=self._name,
                cwd=next((said for field in FOLDERS if (said := as_text(given.get(field)))), None),
                time=as_text(made.get("timestamp")) or text(line.timestamp),
                request=description or self._said,
                request_from="description" if description else "assistant",
                shell="bash",
            )
            held = self.waiting.held(key)
            if held is None or held.command != command:  # else the message is written anew, with its result
                self.waiting.call(call)
                held = self.waiting.held(key)
            if held is not None and _fill(held, made):
                self.waiting.done(held)


FOLDERS = ("directory", "dir_path", "cwd")


def _fill(call: Call, made: Mapping[str, object]) -> bool:
    """Put what is known of the result into the call; whether there is a result."""
    status, output = as_text(made.get("status")), _output(made.get("result"))
    if status == "cancelled" and (output is None or CANCELLED.search(output)):
        call.status = "did_not_run"
        return True
    if output is None:
        return False
    call.status, call.output = "ran", output
    if TIMED_OUT.match(output):
        call.status = "timed_out"
    elif BACKGROUND.match(output):
        call.status = "running"
    elif CANCELLED.match(output):
        call.status = "interrupted"
    if (form := _form(output)) is not None:
        call.output, call.exit_code = form
    elif status == "error" and call.status == "ran":
        call.status = "did_not_run" if NEVER_RAN.match(output) else "unknown"
    call.truncated = CUT.match(call.output) is not None
    return True


def _form(output: str) -> tuple[str, int | None] | None:
    """What was printed and the exit code, of a result in the host's form."""
    if "\n" not in output and "\\nExit Code: " in output:  # a form whose newlines were escaped once too often
        output = output.replace("\\n", "\n")
    head = HEAD.match(output)
    if head is None:
        return None
    rest, code = output[head.end() :].rstrip("\n"), None
    while found := TAIL.fullmatch(rest, rest.rfind("\n") + 1):
        if found[1] == "Exit Code" and re.fullmatch(r"-?\d{1,10}", found[2]):
            code = as_whole(int(found[2]))
        rest = rest[: max(found.start() - 1, 0)]
    parts: list[str] = []
    for name in ("\nError: ", "\nStderr: ") if head["old"] else ():
        at = rest.rfind(name)
        if at >= 0 and (name == "\nError: " or head["first"] == "Stdout"):
            parts.insert(0, rest[at + len(name) :])
            rest = rest[:at]
    parts.insert(0, rest)
    return "\n".join(part for part in parts if part not in ("", "(none)", "(empty)")), code


def _output(result: object) -> str | None:
    for each in result if isinstance(result, list) else ():
        response = as_mapping(as_mapping(as_mapping(each).get("functionResponse")).get("response"))
        for field in ("output", "error"):
            if (said := joined(response.get(field))) is not None:
                return said
    return None


READER = Gemini()
