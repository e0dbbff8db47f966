"""Claude Code: sessions, files of sub-agents, and the stream of `claude -p --output-format stream-json`."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from dabhand.corpus.damage import Tally
from dabhand.corpus.loosely import ABSENT, as_mapping, as_text, joined, mended, shaped, value
from dabhand.corpus.readers.claude_results import background_report, fill, fill_typed
from dabhand.corpus.readers.protocol import Head
from dabhand.corpus.records import Records
from dabhand.corpus.triple import Call
from dabhand.corpus.waiting import Waiting

KNOWN_KINDS = frozenset(
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
ANSWER = re.compile(r"\s*<bash-stdout>(.*)</bash-stdout>\s*(?:<bash-stderr>(.*)</bash-stderr>)?\s*", re.DOTALL)


class Block(msgspec.Struct, gc=False):
    """A part of what was said. What a result holds is looked at only if its call is a command."""

    type: object = None
    id: object = None
    tool_use_id: object = None
    name: object = None
    input: msgspec.Raw = ABSENT
    content: msgspec.Raw = ABSENT
    text: object = None
    is_error: object = None


class Message(msgspec.Struct, gc=False):
    """What was said."""

    content: list[Block | str | float | bool | list[object] | None] | str | float | bool | None = None


class Line(msgspec.Struct, gc=False):
    """The fields of a record that are looked at, of whatever type they are."""

    type: object = None
    uuid: object = None
    parentUuid: object = None
    sourceToolAssistantUUID: object = None
    sessionId: object = None
    session_id: object = None
    version: object = None
    claude_code_version: object = None
    cwd: object = None
    timestamp: object = None
    isMeta: object = None
    isCompactSummary: object = None
    message: Message | str | float | bool | list[object] | None = None
    toolUseResult: msgspec.Raw = ABSENT
    data: msgspec.Raw = ABSENT


LINE = msgspec.json.Decoder(Line)


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
            session.take(number, line)
            if session.waiting.finished:
                yield from session.waiting.taken()
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

    def take(self, number: int, line: Line) -> None:
        kind = line.type
        if kind == "assistant":
            self._context(line)
            self._assistant(number, line)
        elif kind == "user":
            self._context(line)
            self._user(number, line)
        elif kind == "progress":
            self._context(line)
            self._progress(number, line)
        elif kind == "system":
            self._context(line)
        elif (named := as_text(kind)) not in KNOWN_KINDS:
            self._tally.not_known(named)

    def _context(self, line: Line) -> None:
        if isinstance(line.cwd, str) and line.cwd:
            self._cwd = line.cwd
        version = line.version or line.claude_code_version
        if isinstance(version, str):
            self._version = version
        name = as_text(line.sessionId)
        if name is None and (streamed := as_text(line.session_id)):
            name, self._stream = streamed, True
        if name is not None and name != self._name:
            self._name = name
            self._tally.of_session(name)

    def _progress(self, number: int, line: Line) -> None:
        """The calls of a sub-agent, which its parent's file repeats."""
        if b"agent_progress" not in bytes(line.data):
            return
        data = shaped(line.data, PROGRESS)
        if data is None or data.type != "agent_progress" or not isinstance(data.message, Line):
            return
        inner = data.message
        if inner.timestamp is None:
            inner.timestamp = line.timestamp
        if inner.type == "assistant":
            self._assistant(number, inner)
        elif inner.type == "user":
            self._user(number, inner)

    def _assistant(self, number: int, line: Line) -> None:
        blocks = line.message.content if isinstance(line.message, Message) else None
        if not isinstance(blocks, list):
            return
        for place, block in enumerate(blocks):
            if not isinstance(block, Block):
                continue
            if block.type == "text":
                self._said = as_text(block.text) or self._said
            elif block.type == "tool_use":
                self._called(number, place, block, line)

    def _called(self, number: int, place: int, block: Block, line: Line) -> None:
        name, uuid, own = as_text(block.name) or "", as_text(line.uuid), as_text(block.id)
        key = own or (f"uuid:{uuid}" if uuid else f"line:{number}.{place}")
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
            scope="" if own or uuid else "file",
            line=number,
            command=command,
            format=self._format(),
            session=self._name,
            cwd=as_text(line.cwd) or self._cwd,
            time=as_text(line.timestamp),
            request=description or self._said,
            request_from="description" if description else "assistant",
            shell=shell,
        )
        for earlier in self.waiting.call(call):
            self._answered(call, earlier)

    def _user(self, number: int, line: Line) -> None:
        content = line.message.content if isinstance(line.message, Message) else None
        blocks = [block for block in content if isinstance(block, Block)] if isinstance(content, list) else []
        results = [block for block in blocks if block.type == "tool_result"]
        for block in results:
            self._result(number, block, line)
        if not results:
            only = as_text(blocks[0].text) if len(blocks) == 1 else None
            self._person(number, line, content if isinstance(content, str) else only)

    def _result(self, number: int, block: Block, line: Line) -> None:
        key = as_text(block.tool_use_id)
        if key is None:
            key = f"uuid:{as_text(line.sourceToolAssistantUUID) or as_text(line.parentUuid)}"
        if key in self._asking:
            self._looked(self._asking.pop(key), block, line)
        record = (number, block.content, line.toolUseResult, block.is_error is True)
        call = self.waiting.answer(key, record)
        if call is not None:
            self._answered(call, record)

    def _answered(self, call: Call, record: object) -> None:
        assert isinstance(record, tuple)
        number, content, structured, is_error = record
        if call.status == "running":
            return  # a copy of what was said when it was put into the background
        said, is_odd = mended(content)
        beside, is_odd_too = mended(structured)
        if is_odd or is_odd_too:
            self._tally.damaged(number, "not_unicode")
        background = fill(call, joined(said), beside, is_error)
        if background is None:
            self.waiting.done(call)
        else:
            self.waiting.in_background(call, background)

    def _looked(self, task: str | None, block: Block, line: Line) -> None:
        """What a look at something in the background says of it."""
        call = self.waiting.of_background(task)
        if call is not None and background_report(call, joined(value(block.content)), value(line.toolUseResult)):
            self.waiting.done(call)

    def _person(self, number: int, line: Line, said: str | None) -> None:
        """A message that is as a whole a command typed with `!`, or what such a command printed."""
        if said is None or line.isMeta is True or line.isCompactSummary is True:
            return  # what the host says in the person's place is no person's
        if typed := TYPED.fullmatch(said):
            uuid = as_text(line.uuid) or f"line:{number}"
            call = Call(
                key=uuid,
                line=number,
                command=typed[1].strip(),
                format=self._format(),
                session=self._name,
                cwd=as_text(line.cwd) or self._cwd,
                time=as_text(line.timestamp),
                shell="bash",
            )
            self.waiting.call(call)
            self._typed = uuid
        elif printed := ANSWER.fullmatch(said):
            call_or_none = self.waiting.answer(as_text(line.parentUuid), None) or self.waiting.answer(self._typed, None)
            if call_or_none is not None:
                fill_typed(call_or_none, printed[1], printed[2] or "")
                self.waiting.done(call_or_none)
        self._said = None

    def _format(self) -> str:
        return f"claude-{'stream' if self._stream else 'code'} {self._version}"


class Progress(msgspec.Struct):
    """What is going on: of an agent, the messages that it takes part in."""

    type: object = None
    message: Line | str | float | bool | list[object] | None = None


PROGRESS = msgspec.json.Decoder(Progress)

READER = ClaudeCode()
