"""What a recorded line, or one of its statements, is to dabhand: a typed operation, a term, or a change of a folder."""

from __future__ import annotations

from collections.abc import Iterator

from dabhand.corpus.changing import Change, change_of
from dabhand.corpus.saying import Saying, saying_of
from dabhand.handoff.plan import operation_of
from dabhand.handoff.shells.reading import read_line
from dabhand.handoff.shells.readings import Reading
from dabhand.handoff.shells.syntax import parse_line

Meaning = Reading | Saying | Change


def meanings(line: str) -> Iterator[tuple[str, Meaning]]:
    """What a line says as a whole, or else its statements, as far as each says something by itself."""
    whole = meaning_of(line)
    if whole is not None:
        yield line, whole
        return
    script = parse_line(line)
    for one in script.lists if script.understood else ():
        spans = [(each.begin, each.end) for each in one.pipelines]
        if one.here_document:
            spans = [(one.begin, one.end)] if len(spans) == 1 else []
        for begin, end in spans:
            text = script.source[begin:end].decode("utf-8", "surrogateescape")
            if (meaning := meaning_of(text)) is not None:
                yield text, meaning


def meaning_of(text: str) -> Meaning | None:
    """The typed operation, else the term, else the change that a statement says."""
    reading = read_line(text)
    if isinstance(reading, Reading):
        return reading
    return saying_of(text) or change_of(text)


def name_of(meaning: Meaning) -> str:
    """What labels call it."""
    match meaning:
        case Reading(plan=plan):
            return operation_of(plan)
        case Saying(reading=Reading(plan=plan)):
            return f"{operation_of(plan)}+term"
        case Saying(files=files):
            return "term" if files else "text"
        case Change():
            return meaning.operation
