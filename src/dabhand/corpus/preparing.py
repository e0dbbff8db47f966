"""Training cases from what agents really asked for: single successful looks at files, with made-up folders around them.

Conservative: a case is made only of a call that ran, did not fail, and is one typed operation without a known
difference (but for how JSON is written). Its request is what the agent said (`description`, `assistant`), or is made
from the command, and then that is said. Paths become made-up ones, in the request as in the plan.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec

from dabhand.corpus.facts import dialect_of
from dabhand.corpus.fixtures import fixture
from dabhand.corpus.powershell import read_powershell
from dabhand.corpus.redacting import Redaction, texts_of
from dabhand.corpus.triple import Triple
from dabhand.handoff.plan import (
    CountLines,
    CountMatches,
    FindFiles,
    FirstLines,
    JsonField,
    LastLines,
    LineRange,
    ListFiles,
    Plan,
    Search,
    WholeFile,
    plan_to_value,
)
from dabhand.handoff.shells.reading import read_line
from dabhand.handoff.shells.readings import Reading, Unreadable
from dabhand.handoff.shells.syntax import parse_line
from dabhand.handoff.words import read

RequestFrom = Literal["description", "assistant", "generated"]
_FOLDERS = ("src", "docs", "data", "logs", "lib", "tools")
_STEMS = ("notes", "build", "report", "main", "records", "summary", "index", "server")
_LOOK = re.compile(
    r"(?i)\b(?:read|show|look|view|print|display|list|find|search|count|check|see|get|cat|head|tail|grep)\b"
)


class Case(msgspec.Struct, frozen=True):
    """One case.

    Attributes:
        id: of the triple that it was made of.
        request: what is asked for; request_from: who said so: never presented as recovered when it was generated.
        plan: the typed plan that answers it.
        files: a folder, as JSON state, in which both can be carried out.
    """

    id: str
    request: str
    request_from: RequestFrom
    plan: dict[str, Any]
    files: dict[str, Any]


def prepare(triples: Iterable[Triple], *, keep_private: bool = False) -> Iterator[Case]:
    """The cases of a corpus.

    Args:
        triples: of it.
        keep_private: leave secrets, addresses and names as they are.
    """
    for number, triple in enumerate(triples):
        reading = _reading(triple)
        if (
            not isinstance(reading, Reading)
            or set(reading.differs) - {"how the value is written"}
            or triple.status != "ran"
            or triple.exit_code not in (0, None)
        ):
            continue
        is_folder = isinstance(reading.plan, ListFiles | FindFiles) or getattr(reading.plan, "recursive", False)
        path = _made_up(reading.plan.path, number, is_folder=is_folder)
        plan = msgspec.structs.replace(reading.plan, path=path)
        known = None if keep_private else Redaction(texts_of(triple))
        if known is not None and isinstance(plan, Search | CountMatches):
            plan = msgspec.structs.replace(plan, value=known.text(plan.value))
        said, origin = _request(triple, reading.plan.path, path)
        request, source = (said, origin) if said and origin else (in_words(plan), "generated")
        if source == "generated" and read(request, {}) != plan:
            continue  # its words would say less than it does
        value = {name: field for name, field in plan_to_value(plan).items() if field not in (None, False)}
        output = triple.output or ""
        files = fixture(plan, path, output if known is None else known.text(output), 0).to_json()
        if known is None:
            yield Case(triple.id, request, source, value, files)
        else:
            kept_files, kept_plan = known.value(files), known.value(value)
            assert isinstance(kept_files, dict) and isinstance(kept_plan, dict)
            yield Case(triple.id, known.text(request), source, kept_plan, kept_files)


def _reading(triple: Triple) -> Reading | Unreadable:
    """What a command looks at, in the language that it was written in."""
    dialect = dialect_of(triple, parse_line(triple.command))
    if dialect is not None and dialect.value == "powershell":
        return read_powershell(triple.command)
    if dialect is not None and dialect.value == "cmd":
        return Unreadable("lines of cmd are not read")
    return read_line(triple.command)


def _request(triple: Triple, old: str, new: str) -> tuple[str, RequestFrom | None]:
    """What the agent said, with the made-up path; nothing where it says less than the command."""
    said = triple.request or ""
    name = old.rstrip("/").rpartition("/")[2]
    if not said or not _LOOK.search(said) or len(said) > 300:
        return "", None
    for written in (old, name):
        if written and written not in (".", "..") and written in said:
            return said.replace(written, f'"{new}"'), triple.request_from
    return "", None


def _made_up(path: str, number: int, *, is_folder: bool) -> str:
    """A path of the same kind that never was anybody's."""
    folder = _FOLDERS[number % len(_FOLDERS)]
    if is_folder:
        return folder
    ending = re.search(r"\.[A-Za-z0-9]{1,5}\Z", path)
    stem = _STEMS[(number // len(_FOLDERS)) % len(_STEMS)]
    return f"{folder}/{stem}{ending.group() if ending else '.txt'}"


def in_words(plan: Plan) -> str:
    """A request that says what a plan does; made, never recovered."""
    where = f'"{plan.path}"'
    match plan:
        case FirstLines(count=count):
            return f"Read the first {count} lines of {where}."
        case LastLines(count=count):
            return f"Read the last {count} lines of {where}."
        case LineRange(first=first, last=last):
            return (
                f"Read lines {first} to {last} of {where}." if last else f"Read {where} from line {first} to its end."
            )
        case WholeFile():
            return f"Read the whole of {where}."
        case JsonField(key=key):
            return f'Read the field "{key}" of {where}.'
        case CountLines():
            return f"Count the lines of {where}."
        case CountMatches(value=value):
            return f'Count the lines of {where} that match "{value}".'
        case Search(value=value, regex=regex, recursive=recursive):
            what = f'the pattern "{value}"' if regex else f'"{value}"'
            return f"Search for {what} {'everywhere below' if recursive else 'in'} {where}."
        case ListFiles():
            return f"List what is in {where}."
        case _:
            return f"Find the files below {where}."
