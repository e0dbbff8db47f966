"""The tools, as hosts see them: names, one-sentence descriptions, what they take, what they may change.

All of it together must stay below 1,500 tokens, because an agent reads it in every session.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

Root = Annotated[str | None, Meta(description="Folder to work in; default: the first root")]
Targets = Annotated[dict[str, str], Meta(description="Exact paths by name, used as {{name}} in the request")]
Wish = Annotated[str | None, Meta(description="Lines wanted, in words: every error and the summary")]

TYPED = (
    'Instead of words: {"operation": O, "path": P}, with O first_lines or last_lines (count), line_range (first, last),'
    " whole_file, count_lines, search or count_matches (value; ignore_case, regex, recursive), list_files or find_files"
    " (glob, kind), json_field (key). search: before, after; kind: files, folders, all"
)


class Inspect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `inspect` takes."""

    request: Annotated[str | None, Meta(description="One inspection in plain English")] = None
    plan: Annotated[dict[str, Any] | None, Meta(description=TYPED)] = None
    targets: Targets = {}
    evidence_request: Wish = None
    max_lines: Annotated[int, Meta(ge=1, le=10**5)] | None = None
    root: Root = None


class Run(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `run` takes."""

    argv: Annotated[list[str] | None, Meta(description="Program and arguments")] = None
    shell: Annotated[str | None, Meta(description="Or one bash line, only if it needs a pipeline")] = None
    evidence_request: Wish = None
    timeout: Annotated[float, Meta(gt=0, le=86_400, description="Seconds")] | None = None
    root: Root = None


class Artifact(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `artifact` takes."""

    id: Annotated[str, Meta(description="Artifact or job id")]
    lines: Annotated[str, Meta(pattern=r"^\d{1,15}-\d{0,15}$", description="A-B, from 1")] | None = None
    bytes: Annotated[str, Meta(pattern=r"^\d{1,15}-\d{0,15}$", description="A-B, from 0")] | None = None
    stop: Annotated[bool, Meta(description="End this job")] = False


class Task(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `plan` and `do` take."""

    request: Annotated[str, Meta(description="One file task in plain English")]
    targets: Targets = {}
    root: Root = None


class Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `undo` takes."""

    run_id: Annotated[str | None, Meta(description="Default: the last run in the root")] = None
    root: Root = None


class Commands(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `commands` takes."""

    match: Annotated[str | None, Meta(description="Only templates that contain this")] = None


class Declared(msgspec.Struct, frozen=True):
    """One tool.

    Attributes:
        takes: the type of its arguments.
        answers: the fields of its structured answer, with their JSON types.
        changes: whether it may change anything; destroys: whether what it changes may be lost.
    """

    name: str
    title: str
    description: str
    takes: type[Any]
    answers: dict[str, str]
    changes: bool = False
    destroys: bool = False

    @property
    def input_schema(self) -> dict[str, Any]:
        """JSON schema of the arguments."""
        _, components = msgspec.json.schema_components((self.takes,))
        schema = _plain(components[self.takes.__name__])
        assert isinstance(schema, dict)
        return schema

    @property
    def output_schema(self) -> dict[str, Any]:
        """JSON schema of the structured answer; a long job answers with `job` and `status` alone."""
        fields = {"status": "string", **self.answers}
        return {
            "type": "object",
            "properties": {
                name: {"type": kind.split("|")} if "|" in kind else {"type": kind} for name, kind in fields.items()
            },
            "required": ["status"],
        }


_PACKET = {
    "output": "object|null",
    "evidence": "object|null",
    "exit_code": "integer|null",
    "artifact": "object|null",
    "job": "string",
}
_TASK = {"changes": "array", "plan": "array", "run_id": "string|null", "job": "string"}

TOOLS = (
    Declared(
        "inspect",
        "Inspect files",
        "Read-only look at files: first/last lines, ranges, search, find, list, count, a JSON field. Returns numbered"
        " original lines. For a long log add evidence_request. Not for small files.",
        Inspect,
        {**_PACKET, "answer": "string|number|object|null"},
    ),
    Declared(
        "run",
        "Run a command",
        "Run an exact command, best for builds, tests, long scripts: every exit code, failing lines, summary; the rest"
        " is kept. After 45 s answers with a job id for `artifact`. Never pipe into head, tail or grep.",
        Run,
        {**_PACKET, "stages": "array"},
        changes=True,
        destroys=True,
    ),
    Declared(
        "artifact",
        "Read a kept result",
        "Read more of a kept result by lines or bytes; get or stop a running job.",
        Artifact,
        {"output": "object", "text": "string", "next": "object", "result": "object", "job": "string"},
    ),
    Declared(
        "plan",
        "Preview a file task",
        "Show what `do` would change, with a diff; changes nothing.",
        Task,
        _TASK,
    ),
    Declared(
        "do",
        "Carry out a file task",
        "Sort, filter, count into, move, copy, rename, delete files as asked in English: rehearsed, checked, undoable."
        " Not for editing code.",
        Task,
        {**_TASK, "answer": "string|object|null"},
        changes=True,
        destroys=True,
    ),
    Declared(
        "undo",
        "Undo a task",
        "Put back what a `do` changed; refuses if edited since.",
        Undo,
        {"changes": "array", "job": "string"},
        True,
        True,
    ),
    Declared(
        "commands",
        "Known commands",
        "Which command templates `do` can plan with.",
        Commands,
        {"commands": "array"},
    ),
)
BY_NAME = {tool.name: tool for tool in TOOLS}


def _plain(schema: Any) -> Any:
    """A schema without what only costs room: titles, defaults, descriptions of types, alternatives of null."""
    if isinstance(schema, list):
        return [_plain(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: _plain(value) for key, value in schema.items() if key not in ("title", "default") and value != []}
    if isinstance(kept.get("properties"), dict):
        kept.pop("description", None)
    kinds = kept.get("anyOf")
    if isinstance(kinds, list):
        others = [each for each in kinds if each != {"type": "null"}]
        if len(others) == 1:
            return {**others[0], **{key: value for key, value in kept.items() if key != "anyOf"}}
    return kept
