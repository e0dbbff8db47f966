"""Codex CLI rollouts: bare items, `response_item` with `event_msg`, ordinals with `item_completed`."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from dabhand.corpus.damage import Tally
from dabhand.corpus.loosely import ABSENT, as_mapping, as_text, items, joined, shaped
from dabhand.corpus.readers.codex_session import Session
from dabhand.corpus.readers.protocol import Head
from dabhand.corpus.records import Records
from dabhand.corpus.triple import Call

ENVELOPES = frozenset(
    ["session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state", "token_usage_record"]
)
ITEMS = frozenset(
    [
        "message",
        "reasoning",
        "function_call",
        "function_call_output",
        "custom_tool_call",
        "custom_tool_call_output",
        "local_shell_call",
        "web_search_call",
        "ghost_snapshot",
        "tool_search_call",
        "tool_search_output",
        "image_generation_call",
        "compaction",
        "compaction_trigger",
        "context_compaction",
        "agent_message",
        "additional_tools",
        "other",
    ]
)
CALLS = frozenset(kind for kind in ITEMS if kind.endswith(("_call", "_output")))
CALLED = frozenset(("function_call", "custom_tool_call", "local_shell_call"))
ANSWERED = frozenset(("function_call_output", "custom_tool_call_output"))
IDLE: frozenset[object] = frozenset(
    ("token_count", "reasoning", "agent_reasoning", "task_started", "task_complete", "user_message", "web_search_call")
)
EVENTS = frozenset(("item_completed", "agent_message", "exec_command_end"))
REVIEW = "a session that reviews the commands of another"
REVIEWED = (">>> TRANSCRIPT START", ">>> APPROVAL REQUEST START")
"""How a reviewer is asked; what tells it where the header, which says it, was lost."""

FOLDER = re.compile(r"<cwd>([^<>]+)</cwd>")
TYPED = re.compile(
    r"\s*<user_shell_command>\s*<command>(.*?)</command>\s*<result>(.*)</result>\s*</user_shell_command>\s*", re.DOTALL
)


class Item(msgspec.Struct, gc=False):
    """The fields of an item, of an event and of the header that are looked at, of whatever type they are."""

    type: object = None
    id: object = None
    role: object = None
    content: object = None
    call_id: object = None
    name: object = None
    arguments: object = None
    input: object = None
    action: object = None
    output: object = None
    item: object = None
    message: object = None
    stdout: object = None
    stderr: object = None
    aggregated_output: object = None
    exit_code: object = None
    duration: object = None
    cwd: object = None
    cli_version: object = None
    source: object = None
    thread_source: object = None
    forked_from_id: object = None
    parent_thread_id: object = None


class Line(msgspec.Struct, gc=False):
    """A line: an envelope with its payload, or a bare item, which is decoded once more."""

    type: object = None
    timestamp: object = None
    payload: Item | None = None
    record_type: object = None
    instructions: msgspec.Raw = ABSENT
    session: msgspec.Raw = ABSENT
    items: msgspec.Raw = ABSENT
    id: object = None
    role: object = None
    content: object = None
    call_id: object = None
    name: object = None
    arguments: object = None
    input: object = None
    action: object = None
    output: object = None


LINE = msgspec.json.Decoder(Line)
ITEM = msgspec.json.Decoder(Item)


class Codex:
    """Reads rollouts of every version, and the single document of the first, TypeScript one."""

    name = "codex"

    def recognises(self, head: Head) -> bool:
        """An envelope with a payload, a bare header or item, or the document of the TypeScript version."""
        if any(_is_ours(record) for record in head.records):
            return True
        return head.is_document and {"session", "items", "instructions"} <= head.keys and "call_id" in head.keys

    def read(self, records: Records, tally: Tally) -> Iterator[Call]:
        """Every call of the file once; none at all of a session that reviews the commands of another."""
        rollout = _Rollout(tally)
        waiting = rollout.session.waiting
        if _is_document(records):
            document = records.document(LINE) or Line()
            rollout.header(shaped(document.session, ITEM) or Item())
            for place, raw in enumerate(items(document.items)):
                if (item := shaped(raw, ITEM)) is not None:
                    tally.records += 1
                    rollout.item(place, item, None)
                    yield from waiting.taken()
        else:
            for number, line in records.decoded(LINE):
                payload = line.payload
                if payload is not None and payload.type.__class__ is str and payload.type in IDLE:
                    continue  # nearly half of all lines; for the sake of speed they are passed over here
                rollout.line(number, line)
                if waiting.finished:
                    yield from waiting.taken()
        rollout.session.end()
        yield from waiting.rest()


def _is_document(records: Records) -> bool:
    first, _ = records.first_line()
    try:
        return bool(items(LINE.decode(first).items))
    except (msgspec.DecodeError, RecursionError):
        return first.strip() == b"{"


def _is_ours(record: object) -> bool:
    found = as_mapping(record)
    kind = as_text(found.get("type"))
    if kind in ENVELOPES and isinstance(found.get("payload"), dict):
        return True
    if "record_type" in found or ("id" in found and "instructions" in found and "timestamp" in found):
        return True
    return kind in CALLS and "call_id" in found


class _Rollout:
    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self.session = Session(tally)

    def line(self, number: int, line: Line) -> None:
        kind, payload = as_text(line.type), line.payload
        if payload is None:
            self._bare(number, line)
        elif kind == "response_item":
            self.item(number, payload, line.timestamp)
        elif kind == "event_msg":
            if as_text(payload.type) in EVENTS:
                self._event(number, payload, line.timestamp)
        elif kind == "session_meta":
            self.header(payload)
        elif kind == "turn_context":
            self.session.folder(as_text(payload.cwd))
        elif kind not in ENVELOPES:
            self._tally.not_known(kind)

    def _bare(self, number: int, line: Line) -> None:
        if line.type is not None:
            bare = Item(
                type=line.type,
                role=line.role,
                content=line.content,
                call_id=line.call_id,
                name=line.name,
                arguments=line.arguments,
                input=line.input,
                action=line.action,
                output=line.output,
            )
            self.item(number, bare, None)
        elif isinstance(line.id, str):
            self.session.of(line.id, None, None, bare=True)
        elif line.record_type is None:
            self._tally.not_known(None)

    def header(self, meta: Item) -> None:
        """The first header says whose session it is; a further one, whose history is repeated."""
        source, thread = meta.source, as_text(meta.thread_source) or ""
        beside = as_mapping(as_mapping(source).get("subagent"))
        if "guardian" in thread or "guardian" in (as_text(beside.get("other")) or "") or source == "guardian":
            self._tally.withdrawn = REVIEW
        self.session.of(as_text(meta.id), as_text(meta.cli_version), as_text(meta.cwd), bare=False)
        spawned = as_mapping(beside.get("thread_spawn")).get("parent_thread_id")
        for name in (meta.forked_from_id, meta.parent_thread_id, spawned):
            self._tally.of_session(as_text(name))

    def item(self, number: int, item: Item, time: object) -> None:
        """One item of the conversation."""
        kind = as_text(item.type)
        if kind in CALLED:
            key = as_text(item.call_id) or as_text(item.id)
            name, given = as_text(item.name) or "", item.arguments
            if kind == "local_shell_call":
                name, given = name or "local_shell", item.action
            elif kind == "custom_tool_call":
                given = item.input
            if key is not None:
                self.session.called(number, key, name, given, as_text(time))
        elif kind in ANSWERED:
            key = as_text(item.call_id)
            if key is not None:
                self.session.answered(key, joined(item.output))
        elif kind == "message":
            self._message(number, item.role, joined(item.content) or "", as_text(time))
        elif kind not in ITEMS:
            self._tally.not_known(kind)

    def _message(self, number: int, role: object, said: str, time: str | None) -> None:
        if role == "assistant":
            self.session.said = said
        elif role == "user":
            if not self.session.has_header and said.startswith(REVIEWED):
                self._tally.withdrawn = REVIEW
            if said.lstrip().startswith("<environment_context>") and (found := FOLDER.search(said)):
                self.session.folder(found[1], weakly=True)
            elif typed := TYPED.fullmatch(said):
                self.session.typed(number, typed[1].strip("\n"), typed[2].strip("\n"), time)

    def _event(self, number: int, event: Item, time: object) -> None:
        """An event adds no command by itself (what begins and ends a command stands beside its call and output)."""
        if event.type == "agent_message":
            self.session.said = as_text(event.message) or self.session.said
        elif event.type == "exec_command_end":
            self.session.executed(number, _execution(event), as_text(time))
        elif (item := as_mapping(event.item)).get("type") == "CommandExecution":
            self.session.executed(number, item, as_text(time))


def _execution(event: Item) -> dict[str, object]:
    """What older files, and those of an extended history, record of an execution, in the form of the later ones."""
    return {
        "id": event.call_id,
        "source": event.source,
        "stdout": event.stdout,
        "stderr": event.stderr,
        "aggregated_output": event.aggregated_output,
        "exit_code": event.exit_code,
        "duration": event.duration,
        "cwd": event.cwd,
    }


READER = Codex()
