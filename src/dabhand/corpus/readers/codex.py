"""Codex CLI rollouts: bare items, `response_item` with `event_msg`, ordinals with `item_completed`."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from dabhand.corpus.damage import Tally
from dabhand.corpus.loosely import ABSENT, as_mapping, as_text, items, joined, shaped, text, value
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
FOLDER = re.compile(r"<cwd>([^<>]+)</cwd>")
TYPED = re.compile(
    r"\s*<user_shell_command>\s*<command>(.*?)</command>\s*<result>(.*)</result>\s*</user_shell_command>\s*", re.DOTALL
)


class Item(msgspec.Struct):
    """The fields of an item, of an event and of the header that are looked at."""

    type: msgspec.Raw = ABSENT
    id: msgspec.Raw = ABSENT
    role: msgspec.Raw = ABSENT
    content: msgspec.Raw = ABSENT
    call_id: msgspec.Raw = ABSENT
    name: msgspec.Raw = ABSENT
    arguments: msgspec.Raw = ABSENT
    input: msgspec.Raw = ABSENT
    action: msgspec.Raw = ABSENT
    output: msgspec.Raw = ABSENT
    item: msgspec.Raw = ABSENT
    message: msgspec.Raw = ABSENT
    cwd: msgspec.Raw = ABSENT
    cli_version: msgspec.Raw = ABSENT
    source: msgspec.Raw = ABSENT
    thread_source: msgspec.Raw = ABSENT
    forked_from_id: msgspec.Raw = ABSENT
    parent_thread_id: msgspec.Raw = ABSENT


class Line(msgspec.Struct):
    """A line: an envelope with its payload, or a bare item (whose fields stand in the line itself)."""

    type: msgspec.Raw = ABSENT
    timestamp: msgspec.Raw = ABSENT
    payload: msgspec.Raw = ABSENT
    record_type: msgspec.Raw = ABSENT
    instructions: msgspec.Raw = ABSENT
    session: msgspec.Raw = ABSENT
    items: msgspec.Raw = ABSENT
    id: msgspec.Raw = ABSENT
    role: msgspec.Raw = ABSENT
    content: msgspec.Raw = ABSENT
    call_id: msgspec.Raw = ABSENT
    name: msgspec.Raw = ABSENT
    arguments: msgspec.Raw = ABSENT
    input: msgspec.Raw = ABSENT
    action: msgspec.Raw = ABSENT
    output: msgspec.Raw = ABSENT


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
        if _is_document(records):
            document = records.document(LINE) or Line()
            rollout.header(shaped(document.session, ITEM) or Item())
            for place, raw in enumerate(items(document.items)):
                if (item := shaped(raw, ITEM)) is not None:
                    tally.records += 1
                    yield from rollout.item(place, item, None)
        else:
            for number, line in records.decoded(LINE):
                yield from rollout.line(number, line)
        yield from rollout.session.rest()


def _is_document(records: Records) -> bool:
    first = next(Records(records.path, Tally()).lines(), (0, b""))[1]
    try:
        return bool(items(LINE.decode(first).items))
    except (msgspec.DecodeError, RecursionError):
        return first.strip() == b"{"


def _is_ours(record: object) -> bool:
    found = as_mapping(record)
    if found.get("type") in ENVELOPES and isinstance(found.get("payload"), dict):
        return True
    if "record_type" in found or ("id" in found and "instructions" in found and "timestamp" in found):
        return True
    return found.get("type") in CALLS and "call_id" in found


class _Rollout:
    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self.session = Session(tally)

    def line(self, number: int, line: Line) -> Iterator[Call]:
        kind, time = text(line.type), text(line.timestamp)
        payload = shaped(line.payload, ITEM)
        if payload is None:
            yield from self._bare(number, line, kind)
        elif kind == "response_item":
            yield from self.item(number, payload, time)
        elif kind == "event_msg":
            yield from self._event(number, payload, time)
        elif kind == "session_meta":
            self.header(payload)
        elif kind == "turn_context":
            self.session.folder(text(payload.cwd))
        elif kind not in ENVELOPES:
            self._tally.not_known(kind)

    def _bare(self, number: int, line: Line, kind: str | None) -> Iterator[Call]:
        if kind is None:
            if bytes(line.instructions) != b"null" or bytes(line.id) != b"null":
                self.session.of(text(line.id), None, None, bare=True)
            elif bytes(line.record_type) == b"null":
                self._tally.not_known(None)
            return
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
        yield from self.item(number, bare, None)

    def header(self, meta: Item) -> None:
        """The first header says whose session it is; a further one, whose history is repeated."""
        source, thread = value(meta.source), text(meta.thread_source) or ""
        beside = as_mapping(as_mapping(source).get("subagent"))
        if "guardian" in thread or "guardian" in (as_text(beside.get("other")) or "") or source == "guardian":
            self._tally.withdrawn = "a session that reviews the commands of another"
        self.session.of(text(meta.id), text(meta.cli_version), text(meta.cwd), bare=False)
        for name in (text(meta.forked_from_id), text(meta.parent_thread_id)):
            self._tally.of_session(name)
        self._tally.of_session(as_text(as_mapping(beside.get("thread_spawn")).get("parent_thread_id")))

    def item(self, number: int, item: Item, time: str | None) -> Iterator[Call]:
        """One item of the conversation."""
        kind = text(item.type)
        match kind:
            case "function_call" | "custom_tool_call" | "local_shell_call":
                key = text(item.call_id) or text(item.id)
                name = text(item.name) or ("local_shell" if kind == "local_shell_call" else "")
                given = item.action if kind == "local_shell_call" else item.arguments
                given = item.input if kind == "custom_tool_call" else given
                if key is not None:
                    yield from self.session.called(number, key, name, value(given), time)
            case "function_call_output" | "custom_tool_call_output":
                key = text(item.call_id)
                if key is not None:
                    yield from self.session.answered(key, joined(value(item.output)))
            case "message":
                yield from self._message(number, text(item.role), joined(value(item.content)) or "", time)
            case _ if kind not in ITEMS:
                self._tally.not_known(kind)

    def _message(self, number: int, role: str | None, said: str, time: str | None) -> Iterator[Call]:
        if role == "assistant":
            self.session.said = said
        elif role == "user":
            if said.lstrip().startswith("<environment_context>") and (found := FOLDER.search(said)):
                self.session.folder(found[1], weakly=True)
            elif typed := TYPED.fullmatch(said):
                yield from self.session.typed(number, typed[1].strip("\n"), typed[2].strip("\n"), time)

    def _event(self, number: int, event: Item, time: str | None) -> Iterator[Call]:
        match text(event.type):
            case "item_completed":
                item = as_mapping(value(event.item))
                if item.get("type") == "CommandExecution":
                    yield from self.session.executed(number, item, time)
            case "exec_command_end" | "exec_command_begin":
                pass  # their call and its output stand beside them; nothing is added by an event alone
            case "agent_message":
                self.session.said = text(event.message) or self.session.said


READER = Codex()
