"""What an inspection, or a command that was run, gives back: typed status, original lines, and where the rest is."""

from __future__ import annotations

import binascii
from typing import Any, Literal

import msgspec

from dabhand.handoff.plan import Plan, Run, plan_to_value

Status = Literal["ok", "no_match", "failed", "abstained", "rejected"]
EXIT_CODES: dict[Status, int] = {"ok": 0, "no_match": 1, "failed": 1, "abstained": 3, "rejected": 2}
"""What the command line ends with."""

SelectionKind = Literal["not_requested", "rules", "model", "bounded", "rejected"]
Translator = Literal["memory", "grammar", "local", "remote"]


class Line(msgspec.Struct, frozen=True, gc=False):
    """An original line, without the newline that ends it.

    Attributes:
        n: its number in its file, or in the raw output; below zero when it was counted from the end (-1 is the last),
            because counting the lines before it would have meant reading a very large file.
        text: as it is.
        path: the file that it is in, where several were searched.
        cut: how many bytes at its end are left out, because it alone is longer than the limit.
        matched: False for a line that is only there as context of a match.
    """

    n: int
    text: str
    path: str | None = None
    cut: int = 0
    matched: bool = True


class Output(msgspec.Struct, frozen=True):
    """The result, within the limits.

    Attributes:
        lines: what is shown.
        total_lines: of the file, where a part of one file was asked for; else of the raw result. None: not counted.
        total_bytes: likewise, newlines included.
        complete: nothing of the raw result is left out.
        omitted_lines: of the raw result, not shown at all.
        omitted_bytes: of the raw result, not shown.
    """

    lines: tuple[Line, ...] = ()
    total_lines: int | None = 0
    total_bytes: int | None = 0
    complete: bool = True
    omitted_lines: int = 0
    omitted_bytes: int = 0


class Evidence(msgspec.Struct, frozen=True):
    """The lines that were wished for, chosen from the whole raw result."""

    lines: tuple[Line, ...] = ()
    selection: SelectionKind = "not_requested"
    complete: bool = True


class Errors(msgspec.Struct, frozen=True):
    """Standard error, within the limits."""

    text: str = ""
    complete: bool = True


class Skipped(msgspec.Struct, frozen=True):
    """What a search did not look into, and why."""

    path: str
    reason: str


class Searched(msgspec.Struct, frozen=True):
    """What was read.

    Attributes:
        paths: which files, as many as are listed.
        bytes: how many bytes of them.
        skipped: which were not, and why, as many as are listed.
        files: how many files in all.
        unlisted: how many paths, read or skipped, are not listed.
    """

    paths: tuple[str, ...] = ()
    bytes: int = 0
    skipped: tuple[Skipped, ...] = ()
    files: int = 0
    unlisted: int = 0


class ArtifactRef(msgspec.Struct, frozen=True):
    """Where the full raw result is kept.

    Attributes:
        id: what `dabhand artifact show` takes.
        path: the file that holds it.
        bytes: its size.
    """

    id: str
    path: str
    bytes: int


class Stage(msgspec.Struct, frozen=True):
    """How one command of a pipeline ended."""

    command: str
    exit_code: int | None
    signal: str | None = None


class Timings(msgspec.Struct, frozen=True):
    """Milliseconds."""

    translate: float = 0.0
    run: float = 0.0
    select: float = 0.0
    total: float = 0.0


class Problem(msgspec.Struct, frozen=True):
    """Why there is no result."""

    code: str
    message: str
    hint: str = ""


class Packet(msgspec.Struct, frozen=True, kw_only=True):
    """See the contract for the shape; `to_json` gives it.

    Attributes:
        error: why it was rejected, abstained from, or failed.
        notes: what else a reader must know (a result that could not be kept, an encoding that was recognised).
        stages: of a command that was run; not there for inspections.
    """

    status: Status
    request: str = ""
    plan: Plan | Run | None = None
    answer: int | str | None = None
    translator: Translator | None = None
    lm_calls: int = 0
    command: str | None = None
    exit_code: int | None = None
    signal: str | None = None
    timed_out: bool = False
    output: Output = Output()
    evidence: Evidence = Evidence()
    stderr: Errors = Errors()
    searched: Searched = Searched()
    artifact: ArtifactRef | None = None
    timings_ms: Timings = Timings()
    error: Problem | None = None
    notes: tuple[str, ...] = ()
    stages: tuple[Stage, ...] | None = None

    @property
    def exit_status(self) -> int:
        """What the command line ends with."""
        return EXIT_CODES[self.status]

    def to_json(self) -> dict[str, Any]:
        """The packet as a JSON value; a line that is not UTF-8 is carried as base64."""
        value = {name: getattr(self, name) for name in ("status", "request")}
        value["plan"] = None if self.plan is None else plan_to_value(self.plan)
        for name in ("answer", "translator", "lm_calls", "command", "exit_code", "signal", "timed_out"):
            value[name] = getattr(self, name)
        value["output"] = _with_lines(self.output)
        value["evidence"] = _with_lines(self.evidence)
        value["stderr"] = text_field(self.stderr.text) | {"complete": self.stderr.complete}
        value["searched"] = msgspec.to_builtins(self.searched)
        value["artifact"] = msgspec.to_builtins(self.artifact)
        value["timings_ms"] = {name: round(took, 3) for name, took in msgspec.structs.asdict(self.timings_ms).items()}
        if self.error is not None:
            value["error"] = msgspec.to_builtins(self.error)
        if self.notes:
            value["notes"] = list(self.notes)
        if self.stages is not None:
            value["stages"] = msgspec.to_builtins(self.stages)
        return value


def _with_lines(part: Output | Evidence) -> dict[str, Any]:
    value = msgspec.structs.asdict(part)
    value["lines"] = [line_to_json(line) for line in part.lines]
    return value


def line_to_json(line: Line) -> dict[str, Any]:
    """A line as JSON; what is usual is not said."""
    value: dict[str, Any] = {"n": line.n} | text_field(line.text)
    if line.path is not None:
        value["path"] = line.path
    if line.cut:
        value["cut"] = line.cut
    if not line.matched:
        value["matched"] = False
    return value


def text_field(text: str) -> dict[str, str]:
    """`{"text": ...}`, or `{"base64": ...}` for text that is not UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return {"base64": binascii.b2a_base64(text.encode("utf-8", "surrogateescape"), newline=False).decode("ascii")}
    return {"text": text}
