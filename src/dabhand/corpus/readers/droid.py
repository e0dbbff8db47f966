"""Factory Droid: a session of messages whose calls are named Execute."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from dabhand.corpus.damage import Tally
from dabhand.corpus.loosely import as_mapping, as_text, joined, value
from dabhand.corpus.readers.claude import Block, Message
from dabhand.corpus.readers.protocol import Head
from dabhand.corpus.records import Records
from dabhand.corpus.triple import Call
from dabhand.corpus.waiting import Waiting

KNOWN = frozenset(("session_start", "message", "todo_state", "session_end", "compaction_state"))


class Line(msgspec.Struct):
    """The fields of a record that are looked at."""

    type: object = None
    id: object = None
    cwd: object = None
    version: object = None
    timestamp: object = None
    message: Message | str | float | bool | list[object] | None = None


LINE = msgspec.json.Decoder(Line)


class Droid:
    """Reads the session store of Droid."""

    name = "droid"

    def recognises(self, head: Head) -> bool:
        """The first record starts a session."""
        return any(record.get("type") == "session_start" and "id" in record for record in head.records[:3])

    def read(self, records: Records, tally: Tally) -> Iterator[Call]:
        """Every call of the file once."""
        waiting = Waiting(tally)
        session, cwd, version, said = None, None, "unknown", None
        for number, line in records.decoded(LINE):
            kind = as_text(line.type)
            if kind not in KNOWN:
                tally.not_known(kind)
            if kind == "session_start":
                session, cwd = as_text(line.id), as_text(line.cwd)
                version = as_text(line.version) or version
                tally.of_session(session)
            blocks = line.message.content if isinstance(line.message, Message) else None
            for block in blocks if isinstance(blocks, list) else ():
                if not isinstance(block, Block):
                    continue
                match block.type:
                    case "text":
                        said = as_text(block.text)
                    case "tool_use":
                        call = _call(block, number, said)
                        if call is not None:
                            call.session, call.cwd, call.scope = session, cwd, session or "file"
                            call.time, call.format = as_text(line.timestamp), f"droid {version}"
                            for earlier in waiting.call(call):
                                waiting.done(_filled(call, earlier))
                    case "tool_result":
                        result = joined(value(block.content))
                        found = waiting.answer(as_text(block.tool_use_id), result)
                        if found is not None:
                            waiting.done(_filled(found, result))
            yield from waiting.taken()
        yield from waiting.rest()


def _call(block: Block, number: int, said: str | None) -> Call | None:
    key, command = as_text(block.id), as_text(as_mapping(value(block.input)).get("command"))
    if as_text(block.name) != "Execute" or key is None or not command:
        return None
    return Call(key=key, line=number, command=command, format="", request=said, request_from="assistant", shell="bash")


def _filled(call: Call, result: object) -> Call:
    call.status, call.output = "ran", as_text(result)
    return call


READER = Droid()
