"""Factory Droid: a session of messages whose calls are named Execute."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from dabhand.corpus.damage import Tally
from dabhand.corpus.loosely import ABSENT, as_mapping, as_text, items, joined, shaped, text, value
from dabhand.corpus.readers.claude import BLOCK, MESSAGE, Block
from dabhand.corpus.readers.protocol import Head
from dabhand.corpus.records import Records
from dabhand.corpus.triple import Call
from dabhand.corpus.waiting import Waiting

KNOWN = frozenset(("session_start", "message", "todo_state", "session_end", "compaction_state"))


class Line(msgspec.Struct):
    """The fields of a record that are looked at."""

    type: msgspec.Raw = ABSENT
    id: msgspec.Raw = ABSENT
    cwd: msgspec.Raw = ABSENT
    version: msgspec.Raw = ABSENT
    timestamp: msgspec.Raw = ABSENT
    message: msgspec.Raw = ABSENT


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
            kind = text(line.type)
            if kind not in KNOWN:
                tally.not_known(kind)
            if kind == "session_start":
                session, cwd = text(line.id), text(line.cwd)
                version = text(line.version) or version
                tally.of_session(session)
            message = shaped(line.message, MESSAGE)
            for raw in items(message.content) if message else ():
                block = shaped(raw, BLOCK)
                if block is None:
                    continue
                match text(block.type):
                    case "text":
                        said = text(block.text)
                    case "tool_use":
                        call = _call(block, number, said)
                        if call is not None:
                            call.session, call.cwd, call.scope = session, cwd, session or "file"
                            call.time, call.format = text(line.timestamp), f"droid {version}"
                            for earlier in waiting.call(call):
                                yield waiting.done(_filled(call, earlier))
                    case "tool_result":
                        result = joined(value(block.content))
                        found = waiting.answer(text(block.tool_use_id), result)
                        if found is not None:
                            yield waiting.done(_filled(found, result))
        yield from waiting.rest()


def _call(block: Block, number: int, said: str | None) -> Call | None:
    key, command = text(block.id), as_text(as_mapping(value(block.input)).get("command"))
    if text(block.name) != "Execute" or key is None or not command:
        return None
    return Call(key=key, line=number, command=command, format="", request=said, request_from="assistant", shell="bash")


def _filled(call: Call, result: object) -> Call:
    call.status, call.output = "ran", as_text(result)
    return call


READER = Droid()
