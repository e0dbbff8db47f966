"""Kimi Code: a wire log whose loop events hold calls of Bash and their results."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from dabhand.corpus.damage import Tally
from dabhand.corpus.loosely import ABSENT, as_mapping, as_text, as_whole, joined, text, value
from dabhand.corpus.readers.protocol import Head
from dabhand.corpus.records import Records
from dabhand.corpus.triple import Call
from dabhand.corpus.waiting import Waiting

FAILED = re.compile(r"\n?Command failed with exit code: (\d{1,10})\.\s*\Z")
REFUSED = ("The tool call is rejected", "Tool call rejected", "User rejected", "The user rejected")


class Line(msgspec.Struct):
    """The fields of a record that are looked at."""

    type: msgspec.Raw = ABSENT
    event: msgspec.Raw = ABSENT
    time: msgspec.Raw = ABSENT
    protocol_version: msgspec.Raw = ABSENT


LINE = msgspec.json.Decoder(Line)


class Kimi:
    """Reads the wire log of Kimi Code. Its calls are numbered anew in each session, which has no name in the log."""

    name = "kimi"

    def recognises(self, head: Head) -> bool:
        """Loop events, or a first record that states the protocol."""
        return any(
            record.get("type") == "context.append_loop_event"
            or (record.get("type") == "metadata" and "protocol_version" in record)
            for record in head.records
        )

    def read(self, records: Records, tally: Tally) -> Iterator[Call]:
        """Every call of the file once."""
        waiting = Waiting(tally)
        version, said = "unknown", None
        for number, line in records.decoded(LINE):
            version = text(line.protocol_version) or version
            if text(line.type) != "context.append_loop_event":
                continue
            event = as_mapping(value(line.event))
            match event.get("type"):
                case "content.part":
                    part = as_mapping(event.get("part"))
                    said = as_text(part.get("text")) or said
                case "tool.call":
                    key, given = as_text(event.get("toolCallId")), as_mapping(event.get("args"))
                    command = as_text(given.get("command"))
                    if key is None:
                        continue
                    if event.get("name") != "Bash" or not command:
                        waiting.pass_over(key)
                        continue
                    shown = as_mapping(event.get("display"))
                    call = Call(
                        key=key,
                        scope="file",
                        line=number,
                        command=command,
                        format=f"kimi {version}",
                        cwd=as_text(shown.get("cwd")) or as_text(given.get("cwd")),
                        time=str(whole) if (whole := value(line.time)) is not None else None,
                        request=as_text(given.get("description")) or said,
                        request_from="description" if as_text(given.get("description")) else "assistant",
                        shell="bash",
                    )
                    for earlier in waiting.call(call):
                        waiting.done(_filled(call, as_mapping(earlier)))
                case "tool.result":
                    result = as_mapping(event.get("result"))
                    found = waiting.answer(as_text(event.get("toolCallId")), result)
                    if found is not None:
                        waiting.done(_filled(found, result))
            yield from waiting.taken()
        yield from waiting.rest()


def _filled(call: Call, result: object) -> Call:
    beside = as_mapping(result)
    output = joined(beside.get("output")) or ""
    call.status, call.output = "ran", output
    if beside.get("isError") is True:
        if output.startswith(REFUSED):
            call.status, call.output = "did_not_run", None
        elif found := FAILED.search(output):
            call.exit_code, call.output = as_whole(int(found[1])), output[: found.start() + 1]
    return call


READER = Kimi()
