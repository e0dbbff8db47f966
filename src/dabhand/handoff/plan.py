"""Typed plans: the ten things that an inspection can be, and nothing else.

One frozen tagged union (tag field `operation`). A path is relative to the root, "/"-separated, "" or "." for the root
itself; text that is not UTF-8 is `str` decoded with `surrogateescape`, in JSON `{"base64": "..."}`.
"""

from __future__ import annotations

import binascii
import json
import math
from typing import Annotated, Literal

import msgspec

from dabhand.errors import UsageError

Kind = Literal["files", "folders", "all"]
Count = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
Some = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=1e12)]
"""A longer time than there are files; NaN is within no limits, so it is refused apart."""


class PlanError(UsageError):
    """A plan that is none: an unknown operation or field, a value of the wrong kind, two that contradict each other."""

    code = "plan"


class _Operation(msgspec.Struct, frozen=True, kw_only=True, tag_field="operation", forbid_unknown_fields=True):
    """What every operation has.

    Attributes:
        path: the file or folder that it is about.
    """

    path: str


class FirstLines(_Operation, frozen=True, kw_only=True, tag="first_lines", forbid_unknown_fields=True):
    """The first `count` lines of a file."""

    count: Count


class LastLines(_Operation, frozen=True, kw_only=True, tag="last_lines", forbid_unknown_fields=True):
    """The last `count` lines of a file."""

    count: Count


class LineRange(_Operation, frozen=True, kw_only=True, tag="line_range", forbid_unknown_fields=True):
    """Lines `first` to `last` of a file, both counted from 1 and both included; without `last`, to the end."""

    first: Count
    last: Count | None = None


class WholeFile(_Operation, frozen=True, kw_only=True, tag="whole_file", forbid_unknown_fields=True):
    """All of a file."""


class _Searching(_Operation, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is looked for, and in which files.

    Attributes:
        value: taken literally, inside words too, unless `regex` (the syntax of RE2).
        ignore_case: letters match in either case.
        regex: the value is a regular expression.
        recursive: `path` is a folder, and everything below it is searched; without it, of a folder only its own files.
        glob: only files whose *name* matches are searched, where `path` is a folder.
        hidden: files and folders whose name begins with a point are searched too, where `path` is a folder.
    """

    value: str
    ignore_case: bool = False
    regex: bool = False
    recursive: bool = False
    glob: str | None = None
    hidden: bool = True


class Search(_Searching, frozen=True, kw_only=True, tag="search", forbid_unknown_fields=True):
    """The lines that hold a text.

    Attributes:
        before: how many lines before each match come along.
        after: how many lines after each match come along.
        max_count: how many matching lines there may be in all; the rest is neither looked for nor counted.
    """

    before: Some = 0
    after: Some = 0
    max_count: Count | None = None


class ListFiles(_Operation, frozen=True, kw_only=True, tag="list_files", forbid_unknown_fields=True):
    """The names in one folder, sorted by code point.

    Attributes:
        glob: only names that match this as a whole (`*`, `?`, `[...]`, `[!...]`).
        value: only names that hold this text.
        ignore_case: for `glob` and `value`.
        kind: files (links to files too), folders, or all (whatever else there is too).
        hidden: names that begin with a point too.
    """

    glob: str | None = None
    value: str | None = None
    ignore_case: bool = False
    kind: Kind = "files"
    hidden: bool = False


class FindFiles(_Operation, frozen=True, kw_only=True, tag="find_files", forbid_unknown_fields=True):
    """Paths below a folder, at any depth, sorted by code point; links are not followed.

    Attributes:
        glob, value, ignore_case: about the last name of the path, as in a listing.
        kind: files (regular ones only), folders, or all.
        hidden: what has a name that begins with a point anywhere below `path` too.
        min_bytes: only what has at least so many bytes; with it or `max_bytes` only regular files are found.
        max_bytes: only what has at most so many bytes.
        min_age: only what was last changed at least so many seconds ago.
        max_age: only what was last changed at most so many seconds ago.
        max_depth: how many levels below `path` are looked at; 1 is the folder itself.
    """

    glob: str | None = None
    value: str | None = None
    ignore_case: bool = False
    kind: Kind = "files"
    hidden: bool = True
    min_bytes: Some | None = None
    max_bytes: Some | None = None
    min_age: Seconds | None = None
    max_age: Seconds | None = None
    max_depth: Count | None = None


class JsonField(_Operation, frozen=True, kw_only=True, tag="json_field", forbid_unknown_fields=True):
    """One top-level field of a file that holds a JSON object, as it is written there."""

    key: str


class CountLines(_Operation, frozen=True, kw_only=True, tag="count_lines", forbid_unknown_fields=True):
    """How many lines a file has; a last one without a newline is one."""


class CountMatches(_Searching, frozen=True, kw_only=True, tag="count_matches", forbid_unknown_fields=True):
    """How many lines hold a text."""


Plan = (
    FirstLines
    | LastLines
    | LineRange
    | WholeFile
    | Search
    | ListFiles
    | FindFiles
    | JsonField
    | CountLines
    | CountMatches
)


class Run(msgspec.Struct, frozen=True, kw_only=True, tag_field="operation", tag="run"):
    """A command of the caller's own, run as it is; no inspection, and never made from words.

    Attributes:
        argv: the argument vector; with `shell`, the one line.
        shell: the line is a pipeline for the shell.
    """

    argv: tuple[str, ...]
    shell: bool = False


def operation_of(plan: Plan | Run) -> str:
    """The name of the operation."""
    return str(plan.__struct_config__.tag)


def plan_from_json(text: str | bytes) -> Plan:
    """The plan that a JSON text says.

    Raises:
        PlanError: it is none; the sentence says which field and why.
    """
    try:
        value = json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        said = str(error) if isinstance(error, ValueError) else "it is nested too deeply"
        raise PlanError(f"The plan is no JSON: {said}.", _HINT) from error
    return plan_from_value(value)


def _refused(name: str) -> None:
    raise ValueError(f"{name} is no number")


def plan_from_value(value: object) -> Plan:
    """The plan in a decoded JSON value.

    Raises:
        PlanError: it is none.
    """
    if not isinstance(value, dict):
        raise PlanError("The plan is no JSON object.", _HINT)
    try:
        made: Plan = msgspec.convert({key: carried(inner) for key, inner in value.items()}, Plan)
    except msgspec.ValidationError as error:
        raise PlanError(f"The plan cannot be used: {_plain(error)}.", _HINT) from error
    except OverflowError as error:
        raise PlanError("The plan cannot be used: a number in it is larger than any that counts.", _HINT) from error
    for field in made.__struct_fields__:
        _require_sound(field, getattr(made, field))
    return _sensible(made)


def plan_to_value(plan: Plan | Run) -> dict[str, object]:
    """The plan as a JSON object, every field said; text that is not UTF-8 is left to the writer."""
    value: dict[str, object] = msgspec.to_builtins(plan)
    return value


def validated(plan: Plan) -> Plan:
    """The same plan, when its fields make sense together.

    Raises:
        PlanError: they do not.
    """
    return plan_from_value(msgspec.to_builtins(plan))


def _sensible(plan: Plan) -> Plan:
    match plan:
        case LineRange(first=first, last=int(last)) if last < first:
            raise PlanError(f"The range {first}-{last} ends before it begins.", "Give the smaller number first.")
        case Search(value=value) | CountMatches(value=value):
            _require_text("value", value)
        case FindFiles(min_bytes=int(least), max_bytes=int(most)) if least > most:
            raise PlanError(f"No file has at least {least} and at most {most} bytes.")
        case FindFiles(min_age=float(least), max_age=float(most)) if least > most:
            raise PlanError(f"Nothing is at least {least} and at most {most} seconds old.")
        case ListFiles(value=str(value)) | FindFiles(value=str(value)):
            _require_text("value", value)
    glob = getattr(plan, "glob", None)
    if glob is not None:
        _require_text("glob", glob)
        if "/" in glob:
            raise PlanError(f"The glob {glob!r} holds a '/', and only names are matched.", "Name the folder in path.")
    return plan


def _require_sound(field: str, value: object) -> None:
    """No text that stands for no bytes, and no number that is none."""
    if isinstance(value, str):
        try:
            value.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError as error:
            raise PlanError(f"The {field} holds half a pair of surrogates, which is no text.", _HINT) from error
        if "\0" in value and field in ("path", "glob"):
            raise PlanError(f"The {field} holds a NUL character, which no name does.", _HINT)
    if isinstance(value, float) and not math.isfinite(value):
        raise PlanError(f"The {field} is no number.", _HINT)


def _require_text(field: str, value: str) -> None:
    if not value:
        raise PlanError(f"The {field} is empty, and would match everything.", "Say what is looked for.")
    if "\n" in value:
        raise PlanError(f"The {field} holds a newline, which no line does.", "Look for a part that is in one line.")


def carried(value: object) -> object:
    """A JSON value with `{"base64": "..."}` and `{"text": "..."}` as the text that they carry.

    Raises:
        PlanError: the base64 is none.
    """
    match value:
        case {"base64": str(data), **rest} if not rest:
            try:
                return binascii.a2b_base64(data, strict_mode=True).decode("utf-8", "surrogateescape")
            except (binascii.Error, ValueError) as error:
                raise PlanError(f"{data!r} is not base64.") from error
        case {"text": str(text), **rest} if not rest:
            return text
    return value


_HINT = "See docs/inspecting.md for the ten operations and their fields."


def _plain(error: msgspec.ValidationError) -> str:
    text = str(error)
    return text[:1].lower() + text[1:]
