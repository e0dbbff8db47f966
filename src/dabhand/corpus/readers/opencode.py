"""opencode: parts of messages, one to a file (`storage/part`), or all of a session in one exported document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from dabhand.corpus.damage import Tally
from dabhand.corpus.loosely import as_mapping, as_number, as_text, as_whole, joined
from dabhand.corpus.readers.protocol import Head
from dabhand.corpus.records import Records
from dabhand.corpus.triple import Call

SHELLS = frozenset(("bash", "shell"))
REFUSED = ("The user rejected permission", "The user has specified a rule which prevents")
DOCUMENT = msgspec.json.Decoder(dict[str, object])


class Opencode:
    """Reads parts. "completed" is not "succeeded": the exit code is in the metadata, or nowhere."""

    name = "opencode"

    def recognises(self, head: Head) -> bool:
        """A part that is a tool's, or a document with parts."""
        return head.is_document and {"callID", "tool", "state"} <= head.keys

    def read(self, records: Records, tally: Tally) -> Iterator[Call]:
        """Every call of the file once."""
        document = records.document(DOCUMENT) or {}
        for place, part in enumerate(_parts(document)):
            tally.records += 1
            call = _call(part, place)
            if call is not None:
                yield call


def _parts(document: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    if "callID" in document:
        yield document
    messages = document.get("messages")
    for message in messages if isinstance(messages, list) else ():
        parts = as_mapping(message).get("parts")
        for part in parts if isinstance(parts, list) else ():
            yield as_mapping(part)


def _call(part: Mapping[str, object], place: int) -> Call | None:
    state, key = as_mapping(part.get("state")), as_text(part.get("callID"))
    given, about = as_mapping(state.get("input")), as_mapping(state.get("metadata"))
    command, status = as_text(given.get("command")), as_text(state.get("status"))
    if as_text(part.get("tool")) not in SHELLS or not command or key is None:
        return None
    description = as_text(given.get("description")) or None
    call = Call(key=key, line=place, command=command, format="opencode parts", shell="bash")
    call.session = as_text(part.get("sessionID"))
    call.scope = call.session or "file"
    call.request, call.request_from = description, "description"
    call.cwd = as_text(given.get("workdir"))
    call.exit_code = as_whole(about.get("exit"))
    call.output = joined(state.get("output")) if "output" in state else joined(state.get("content"))
    call.truncated = about.get("truncated") is True
    took = as_mapping(state.get("time"))
    begun, ended = as_number(took.get("start")), as_number(took.get("end"))
    call.duration_ms = ended - begun if begun is not None and ended is not None else None
    if status == "completed":
        call.status = "ran"
    elif status == "running":
        call.status = "running"
    elif status == "error":
        refused = (as_text(state.get("error")) or "").startswith(REFUSED)
        call.status = "did_not_run" if refused else "unknown"
    return call


READER = Opencode()
