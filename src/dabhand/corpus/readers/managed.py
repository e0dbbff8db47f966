"""Claude Managed Agents: an export of events, whose calls and results are events of their own."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from dabhand.corpus.damage import Tally
from dabhand.corpus.loosely import ABSENT, as_mapping, as_text, joined, value
from dabhand.corpus.readers.protocol import Head
from dabhand.corpus.records import Records
from dabhand.corpus.triple import Call
from dabhand.corpus.waiting import Waiting


class Event(msgspec.Struct):
    """The fields of an event that are looked at."""

    type: object = None
    id: object = None
    session_id: object = None
    processed_at: object = None
    name: object = None
    input: object = None
    tool_use_id: object = None
    evaluated_permission: object = None
    is_error: object = None
    content: msgspec.Raw = ABSENT


EVENT = msgspec.json.Decoder(Event)


class Managed:
    """Reads the export. It states no exit code."""

    name = "claude-managed"

    def recognises(self, head: Head) -> bool:
        """Events of an agent."""
        return any((as_text(record.get("type")) or "").startswith("agent.") for record in head.records)

    def read(self, records: Records, tally: Tally) -> Iterator[Call]:
        """Every call of the file once."""
        waiting = Waiting(tally)
        said: str | None = None
        for number, event in records.decoded(EVENT):
            match event.type:
                case "agent.message":
                    said = joined(value(event.content)) or said
                case "agent.tool_use":
                    call = _call(event, number, said)
                    if call is None:
                        waiting.pass_over(as_text(event.id) or "")
                        continue
                    for earlier in waiting.call(call):
                        _fill(call, earlier)
                        waiting.done(call)
                case "agent.tool_result":
                    result = joined(value(event.content)) or ""
                    found = waiting.answer(as_text(event.tool_use_id), result)
                    if found is not None:
                        _fill(found, result)
                        waiting.done(found)
            yield from waiting.taken()
        yield from waiting.rest()


def _call(event: Event, number: int, said: str | None) -> Call | None:
    key, command = as_text(event.id), as_text(as_mapping(event.input).get("command"))
    if event.name != "bash" or key is None or not command:
        return None
    call = Call(key=key, line=number, command=command, format="claude-managed events", shell="bash")
    call.session, call.time = as_text(event.session_id), as_text(event.processed_at)
    call.request, call.request_from = said, "assistant"
    if event.evaluated_permission == "deny":
        call.status = "did_not_run"
    return call


def _fill(call: Call, result: object) -> None:
    if call.status != "did_not_run":
        call.status, call.output = "ran", as_text(result)


READER = Managed()
