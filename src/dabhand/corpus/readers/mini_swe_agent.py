"""mini-swe-agent: a list of messages, with commands in fenced blocks, or (format 1.1) as calls of a tool."""

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

FENCED = re.compile(r"```(?:mswea_bash_command|bash)\s*\n(.*?)\n```", re.DOTALL)
RESULT = re.compile(r"\s*<returncode>(-?\d{1,10})</returncode>")
OUTPUT = re.compile(r"<(output|output_head)>\n?(.*?)\n?</\1>", re.DOTALL)
TIMED_OUT = re.compile(r"\s*The last command <command>.*</command> timed out", re.DOTALL)
MARKS = (b"mswea_bash_command", b"<returncode>", b"mini_version", b"mini-swe-agent")
"""What tells its documents from any other conversation, whose fenced commands nobody ran."""

LATE = ("timed out", "TimeoutExpired")


class Trajectory(msgspec.Struct):
    """The document of format 1.1."""

    messages: msgspec.Raw = ABSENT
    info: msgspec.Raw = ABSENT
    trajectory_format: msgspec.Raw = ABSENT
    instance_id: msgspec.Raw = ABSENT


DOCUMENT = msgspec.json.Decoder(Trajectory | list[msgspec.Raw])


class MiniSweAgent:
    """Reads both shapes; example commands in the system prompt are not looked at."""

    name = "mini-swe-agent"

    def recognises(self, head: Head) -> bool:
        """A document with its format, or a bare list of messages."""
        if not head.is_document:
            return False
        own = any(mark in head.start for mark in MARKS)
        if head.opens == "[":
            return own and {"role", "content"} <= head.keys
        return "messages" in head.keys and (own or "trajectory_format" in head.keys)

    def read(self, records: Records, tally: Tally) -> Iterator[Call]:
        """Every call of the file once."""
        found = records.document(DOCUMENT)
        if found is None:
            return
        run = _Run(tally, found if isinstance(found, Trajectory) else Trajectory())
        for place, raw in enumerate(found if isinstance(found, list) else items(found.messages)):
            run.take(place, as_mapping(value(raw)))
            yield from run.waiting.taken()
        yield from run.waiting.rest()


class _Run:
    def __init__(self, tally: Tally, document: Trajectory) -> None:
        self._tally = tally
        self.waiting = Waiting(tally)
        info = as_mapping(value(document.info))
        config = as_mapping(as_mapping(as_mapping(info.get("config")).get("environment")))
        self._cwd = as_text(config.get("cwd")) or None
        self._format = text(document.trajectory_format) or "mini-swe-agent messages"
        version = as_text(info.get("mini_version"))
        self._format += f" {version}" if version else ""
        self._name = text(document.instance_id)
        self._fenced: str | None = None
        tally.of_session(self._name)

    def take(self, place: int, message: Mapping[str, object]) -> None:
        self._tally.records += 1
        content = joined(message.get("content")) or ""
        match message.get("role"):
            case "assistant":
                if not self._tool_calls(place, message, content):
                    self._in_prose(place, content)
            case "tool":
                extra = as_mapping(message.get("extra"))
                call = self.waiting.answer(as_text(message.get("tool_call_id")), message)
                if call is not None:
                    self.waiting.done(_filled(call, content, extra))
            case "user" if self._fenced is not None:
                call, self._fenced = self.waiting.held(self._fenced), None
                if call is not None and _is_result(content, message):
                    self.waiting.done(_filled(call, content, as_mapping(message.get("extra"))))

    def _tool_calls(self, place: int, message: Mapping[str, object], said: str) -> bool:
        made = message.get("tool_calls")
        calls = made if isinstance(made, list) else []
        for each in calls:
            call, function = as_mapping(each), as_mapping(as_mapping(each).get("function"))
            arguments = as_text(function.get("arguments")) or ""
            given = as_mapping(value(msgspec.Raw(arguments.encode("utf-8", "replace"))))
            key, command = as_text(call.get("id")), as_text(given.get("command"))
            if function.get("name") == "bash" and key and command:
                self.waiting.call(self._call(key, place, command, said))
        return bool(calls)

    def _in_prose(self, place: int, content: str) -> None:
        """A fenced block is a command only where the message holds exactly one: the host refuses all else."""
        blocks = FENCED.findall(content)
        if len(blocks) != 1:
            if blocks:
                self._tally.leave_out("several fenced commands in one message, which the host refuses")
            return
        said = content.partition("```")[0].removesuffix("\n").rpartition("THOUGHT:")[2]
        self._fenced = f"message {place}"
        self.waiting.call(self._call(self._fenced, place, blocks[0].strip(), said))

    def _call(self, key: str, place: int, command: str, said: str) -> Call:
        return Call(
            key=key,
            scope="file",
            line=place,
            command=command,
            format=self._format,
            session=self._name,
            cwd=self._cwd,
            request=said,
            request_from="assistant",
            shell="bash",
        )


def _is_result(content: str, message: Mapping[str, object]) -> bool:
    if RESULT.match(content) or TIMED_OUT.match(content):
        return True
    return "returncode" in as_mapping(message.get("extra"))


def _filled(call: Call, content: str, extra: Mapping[str, object]) -> Call:
    call.status = "ran"
    found = RESULT.match(content)
    call.exit_code = as_whole(extra.get("returncode"))
    if call.exit_code is None and found:
        call.exit_code = as_whole(int(found[1]))
    shown = OUTPUT.search(content)
    call.output = as_text(extra.get("raw_output"))
    if call.output is None:
        call.output = shown[2] if shown else ""
    call.truncated = shown is not None and shown[1] == "output_head"
    trouble = as_text(extra.get("exception_info")) or ""
    if TIMED_OUT.match(content) or any(word in trouble for word in LATE):
        call.status, call.exit_code = "timed_out", None
    elif trouble and call.exit_code == -1:
        call.status, call.exit_code = "unknown", None
    return call


READER = MiniSweAgent()
