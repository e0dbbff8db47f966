"""Claude Code: sessions, files of sub-agents, and the stream of `claude -p --output-format stream-json`."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from dabhand.corpus.damage import Tally
from dabhand.corpus.loosely import ABSENT, as_mapping, as_text, items, joined, shaped, text, value
from dabhand.corpus.readers.claude_results import background_report, fill, fill_typed
from dabhand.corpus.readers.protocol import Head
from dabhand.corpus.records import Records
from dabhand.corpus.triple import Call
from dabhand.corpus.waiting import Waiting

KNOWN = frozenset(
    [
        "user",
        "assistant",
        "system",
        "progress",
        "file-history-snapshot",
        "queue-operation",
        "summary",
        "pr-link",
        "attachment",
        "mode",
        "permission-mode",
        "ai-title",
        "custom-title",
        "last-prompt",
        "bridge-session",
        "result",
        "rate_limit_event",
        "stream_event",
        "tool_progress",
        "agent-name",
        "agent-color",
        "agent-setting",
        "task-summary",
        "tag",
        "content-replacement",
        "worktree-state",
        "file-history-delta",
        "control_request",
        "control_response",
        "speculation-accept",
        "marble-origami-commit",
        "started",
    ]
)
SHELLS = {"bash": "bash", "powershell": "powershell"}
ASKING = frozenset(("BashOutput", "TaskOutput", "BashOutputTool", "AgentOutputTool"))
"""Tools that look at what runs in the background."""

TYPED = re.compile(r"\s*<bash-input>(.*)</bash-input>\s*", re.DOTALL)
ANSWER = re.compile(r"\s*<bash-stdout>(.*?)</bash-stdout>\s*(?:<bash-stderr>(.*)</bash-stderr>)?\s*", re.DOTALL)


class Line(msgspec.Struct):
    """The fields of a record that are looked at."""

    type: msgspec.Raw = ABSENT
    subtype: msgspec.Raw = ABSENT
    uuid: msgspec.Raw = ABSENT
    parentUuid: msgspec.Raw = ABSENT
    sourceToolAssistantUUID: msgspec.Raw = ABSENT
    sessionId: msgspec.Raw = ABSENT
    session_id: msgspec.Raw = ABSENT
    version: msgspec.Raw = ABSENT
    claude_code_version: msgspec.Raw = ABSENT
    cwd: msgspec.Raw = ABSENT
    timestamp: msgspec.Raw = ABSENT
    message: msgspec.Raw = ABSENT
    toolUseResult: msgspec.Raw = ABSENT
    data: msgspec.Raw = ABSENT


class Message(msgspec.Struct):
    """What was said."""

    content: msgspec.Raw = ABSENT


class Block(msgspec.Struct):
    """A part of what was said."""

    type: msgspec.Raw = ABSENT
    id: msgspec.Raw = ABSENT
    tool_use_id: msgspec.Raw = ABSENT
    name: msgspec.Raw = ABSENT
    input: msgspec.Raw = ABSENT
    content: msgspec.Raw = ABSENT
    text: msgspec.Raw = ABSENT
    is_error: msgspec.Raw = ABSENT


LINE = msgspec.json.Decoder(Line)
MESSAGE = msgspec.json.Decoder(Message)
BLOCK = msgspec.json.Decoder(Block)


class ClaudeCode:
    """Reads the records that the host writes, whichever way they were saved."""

    name = "claude-code"

    def recognises(self, head: Head) -> bool:
        """Records with a session and a message, or the first record of a stream."""
        return any(_is_ours(record) for record in head.records)

    def read(self, records: Records, tally: Tally) -> Iterator[Call]:
        """Every call of the file once."""
        session = _Session(tally)
        for number, line in records.decoded(LINE):
            yield from session.take(number, line)
        yield from session.waiting.rest()


def _is_ours(record: object) -> bool:
    found = as_mapping(record)
    if found.get("type") == "system" and found.get("subtype") == "init" and "session_id" in found:
        return True
    if found.get("type") not in ("user", "assistant") or not isinstance(found.get("message"), dict):
        return False
    return ("sessionId" in found and "uuid" in found and "parts" not in as_mapping(found["message"])) or (
        "session_id" in found
    )


class _Session:
    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._version = "unknown"
        self._stream = False
        self._cwd: str | None = None
        self._name: str | None = None
        self._said: str | None = None
        self._typed: str | None = None
        self._asking: dict[str, str | None] = {}
        self.waiting = Waiting(tally)

    def take(self, number: int, line: Line) -> Iterator[Call]:
        kind = text(line.type)
        if kind not in KNOWN:
            self._tally.not_known(kind)
            return
        self._context(line)
        if kind == "assistant":
            yield from self._assistant(number, line, line)
        elif kind == "user":
            yield from self._user(number, line, line)
        elif kind == "progress":
            yield from self._progress(number, line)

    def _context(self, line: Line) -> None:
        self._cwd = text(line.cwd) or self._cwd
        version = text(line.version) or text(line.claude_code_version)
        self._version = version or self._version
        name = text(line.sessionId)
        if name is None and (streamed := text(line.session_id)):
            name, self._stream = streamed, True
        self._name = name or self._name
        self._tally.of_session(name)

    def _progress(self, number: int, line: Line) -> Iterator[Call]:
        """The calls of a sub-agent, which its parent's file repeats."""
        data = as_mapping(value(line.data)) if b"agent_progress" in memoryview(line.data).tobytes() else {}
        if data.get("type") != "agent_progress":
            return
        inner = shaped(msgspec.Raw(msgspec.json.encode(data.get("message"))), LINE)
        if inner is None:
            return
        if text(inner.type) == "assistant":
            yield from self._assistant(number, inner, line)
        elif text(inner.type) == "user":
            yield from self._user(number, inner, line)

    def _assistant(self, number: int, line: Line, outer: Line) -> Iterator[Call]:
        message = shaped(line.message, MESSAGE)
        for place, raw in enumerate(items(message.content) if message else ()):
            block = shaped(raw, BLOCK)
            kind = text(block.type) if block else None
            if block is None:
                continue
            if kind == "text":
                self._said = text(block.text) or self._said
            elif kind == "tool_use":
                yield from self._called(number, place, block, line, outer)

    def _called(self, number: int, place: int, block: Block, line: Line, outer: Line) -> Iterator[Call]:
        name, uuid = text(block.name) or "", text(line.uuid)
        key = text(block.id) or (f"uuid:{uuid}" if uuid else f"line:{number}.{place}")
        shell = SHELLS.get(name.lower())
        given = as_mapping(value(block.input)) if shell or name in ASKING else {}
        if shell is None:
            if name in ASKING:
                self._asking[key] = as_text(given.get("bash_id")) or as_text(given.get("task_id"))
            self.waiting.pass_over(key)
            return
        command = as_text(given.get("command"))
        if not command or not command.strip():
            self._tally.leave_out("a call without a command")
            return
        description = as_text(given.get("description")) or None
        call = Call(
            key=key,
            scope="" if text(block.id) or uuid else "file",
            line=number,
            command=command,
            format=self._format(),
            session=self._name,
            cwd=text(line.cwd) or self._cwd,
            time=text(line.timestamp) or text(outer.timestamp),
            request=description or self._said,
            request_from="description" if description else "assistant",
            shell=shell,
        )
        for earlier in self.waiting.call(call):
            yield from self._answered(call, earlier)

    def _user(self, number: int, line: Line, outer: Line) -> Iterator[Call]:
        message = shaped(line.message, MESSAGE)
        if message is None:
            return
        blocks = [block for raw in items(message.content) if (block := shaped(raw, BLOCK)) is not None]
        results = [block for block in blocks if text(block.type) == "tool_result"]
        if not results:
            yield from self._person(number, line, message, blocks)
            return
        for block in results:
            yield from self._result(block, line)

    def _result(self, block: Block, line: Line) -> Iterator[Call]:
        key = text(block.tool_use_id)
        if key is None:
            beside = text(line.sourceToolAssistantUUID) or text(line.parentUuid)
            key = f"uuid:{beside}"
        if key in self._asking:
            yield from self._looked(self._asking.pop(key), block, line)
        record = (block.content, line.toolUseResult, block.is_error)
        call = self.waiting.answer(key, record)
        if call is not None:
            yield from self._answered(call, record)

    def _answered(self, call: Call, record: object) -> Iterator[Call]:
        assert isinstance(record, tuple)
        content, structured, is_error = record
        background = fill(call, joined(value(content)), value(structured), value(is_error) is True)
        if background is None:
            yield self.waiting.done(call)
        else:
            self.waiting.in_background(call, background)

    def _looked(self, task: str | None, block: Block, line: Line) -> Iterator[Call]:
        """What a look at something in the background says of it."""
        call = self.waiting.of_background(task)
        if call is not None and background_report(call, joined(value(block.content)), value(line.toolUseResult)):
            yield self.waiting.done(call)

    def _person(self, number: int, line: Line, message: Message, blocks: list[Block]) -> Iterator[Call]:
        """A message that is as a whole a command typed with `!`, or what such a command printed."""
        said = text(message.content)
        if said is None:
            said = text(blocks[0].text) if len(blocks) == 1 else None
        if said is None:
            return
        if typed := TYPED.fullmatch(said):
            uuid = text(line.uuid) or f"line:{number}"
            call = Call(
                key=uuid,
                line=number,
                command=typed[1].strip(),
                format=self._format(),
                session=self._name,
                cwd=text(line.cwd) or self._cwd,
                time=text(line.timestamp),
                shell="bash",
            )
            self.waiting.call(call)
            self._typed = uuid
        elif printed := ANSWER.fullmatch(said):
            call_or_none = self.waiting.answer(text(line.parentUuid), None) or self.waiting.answer(self._typed, None)
            if call_or_none is not None:
                fill_typed(call_or_none, printed[1], printed[2] or "")
                yield self.waiting.done(call_or_none)
        self._said = None

    def _format(self) -> str:
        return f"claude-{'stream' if self._stream else 'code'} {self._version}"


READER = ClaudeCode()
