"""What Codex says of a command's result, in each of its versions' words (FORMATS, 1.4)."""

from __future__ import annotations

import re

import msgspec

from dabhand.corpus.loosely import as_mapping, as_number, as_text, as_whole
from dabhand.corpus.readers.codex_scripts import arguments

EXECUTED = re.compile(
    r"(?:Command: .*?\n(?=Chunk ID: ))?(?:Chunk ID: \S+\n)?Wall time: (?P<seconds>\d+(?:\.\d+)?) seconds\n"
    r"(?:Process exited with code (?P<code>-?\d{1,10})\n|Process running with session ID (?P<session>\d{1,18})\n)?"
    r"(?:Original token count: (?P<tokens>\d{1,18})\n)?Output:\n",
    re.DOTALL,
)
COMMANDED = re.compile(
    r"Exit code: (?P<code>-?\d{1,10})\nWall time: (?P<seconds>\d+(?:\.\d+)?) seconds?\n"
    r"(?P<total>Total output lines: \d+\n)?Output:\n"
)
HOST_HEADER = re.compile(
    r"(?P<warning>Warning: truncated output \(original token count: \d+\)\n)?(?P<total>Total output lines: \d+\n\n?)?"
)
MIDDLE = re.compile(r"…\d+ (?:tokens|chars) truncated…")
OMITTED = re.compile(r"\n\[\.\.\. omitted (\d{1,15}) of (\d{1,15}) lines \.\.\.\]\n\n")
TIMEOUT = re.compile(r"command timed out after \d+ milliseconds(?:\n|$)")
SANDBOX = re.compile(r"failed in sandbox \S+ with execution error: ", re.DOTALL)
DENIED = re.compile(r"sandbox denied exec error, exit code: (-?\d{1,10}), stdout: (.*?), stderr: (.*)", re.DOTALL)
ABORTED = re.compile(r"(?:Wall time: [\d.]+ seconds\n)?aborted by user|aborted\s*\Z")
NEVER_RAN = re.compile(
    r"exec_command failed|exec command rejected|rejected by user|failed to parse (?:function )?arguments"
    r"|patch rejected|unsupported (?:call|custom tool call)|execution error: |command rejected|Rejected\("
    r"|failed to spawn|write_stdin failed|(?:exec|shell) (?:tool )?(?:is )?(?:disabled|denied)"
)
PATCH = re.compile(r"\s*(?:cd\s+\S+\s*&&\s*)?(?:apply_patch|applypatch)\b.*\*\*\* Begin Patch", re.DOTALL)
"""A command that the host carries out itself, without a shell."""

SILENT_LINES = 256
"""Lines after which version 0.20 cut without saying so."""

EVENT_BYTES = 65_536
"""Bytes after which version 0.171 cuts the output of an event without saying so."""


class Result(msgspec.Struct, gc=False):
    """A result, or a part of one."""

    status: str = "ran"
    exit_code: int | None = None
    output: str | None = None
    stdout: str | None = None
    stderr: str | None = None
    truncated: bool = False
    seconds: float | None = None
    session: int | None = None


def result_of(text: str, *, limit_ms: float | None = None, bare: bool = False) -> Result:
    """Read a result.

    Args:
        text: what the record holds.
        limit_ms: the time that the call was given, where its tool does not say that it ran out.
        bare: the file is of a version that cut without saying so.
    """
    if text.startswith("{") and (found := _as_json(text, bare)) is not None:
        return found
    if ABORTED.match(text):
        return Result("interrupted", output=None)
    if executed := EXECUTED.match(text):
        return _executed(text, executed)
    if commanded := COMMANDED.match(text):
        return _commanded(text, commanded, limit_ms)
    if sandbox := SANDBOX.match(text):
        return _sandboxed(text[sandbox.end() :])
    if NEVER_RAN.match(text):
        return Result("did_not_run")
    return Result(output=text)


def _as_json(text: str, bare: bool) -> Result | None:
    found = as_mapping(arguments(text))
    output = as_text(found.get("output"))
    if output is None:
        return None
    if "metadata" in found:
        about = as_mapping(found["metadata"])
        code, seconds = as_whole(about.get("exit_code")), as_number(about.get("duration_seconds"))
        result = Result(exit_code=code, output=output, seconds=seconds)
        result.truncated = _host_cut(result) or (bare and output.rstrip("\n").count("\n") + 1 == SILENT_LINES)
        return _timed(result)
    if "wall_time_seconds" in found or "chunk_id" in found:
        cut = as_whole(found.get("original_token_count")) is not None
        session = as_whole(found.get("session_id"))
        code, seconds = as_whole(found.get("exit_code")), as_number(found.get("wall_time_seconds"))
        status = "running" if code is None and session is not None else "ran"
        return Result(status, code, output, truncated=cut, seconds=seconds, session=session)
    return None


def _timed(result: Result) -> Result:
    """Take the host's own sentence and code of a timeout for what they are."""
    if result.exit_code == 124 and result.output is not None and (found := TIMEOUT.match(result.output)):
        result.status, result.exit_code = "timed_out", None
        result.output = result.output[found.end() :]
    return result


def _executed(text: str, found: re.Match[str]) -> Result:
    code, session = found["code"], found["session"]
    result = Result(
        exit_code=int(code) if code else None,
        output=text[found.end() :],
        seconds=float(found["seconds"]),
        session=int(session) if session else None,
    )
    if session:
        result.status = "running"
    if not code and result.output is not None and ABORTED.match(result.output):
        return Result("interrupted")
    result.truncated = _host_cut(result, tokens=int(found["tokens"]) if found["tokens"] else None)
    return result


def _commanded(text: str, found: re.Match[str], limit_ms: float | None) -> Result:
    seconds = float(found["seconds"])
    result = Result(exit_code=as_whole(int(found["code"])), output=text[found.end() :], seconds=seconds)
    result.truncated = found["total"] is not None or _host_cut(result)
    late = limit_ms is not None and seconds * 1000 >= 0.95 * limit_ms
    if result.exit_code == 124 and late and not TIMEOUT.match(result.output or ""):
        result.status, result.exit_code = "timed_out", None
        return result
    return _timed(result)


def _sandboxed(said: str) -> Result:
    if said.startswith("command timed out"):
        return Result("timed_out")
    if denied := DENIED.fullmatch(said):
        stdout, stderr = denied[2], denied[3]
        whole = "\n".join(part for part in (stdout, stderr) if part)
        return Result("ran", as_whole(int(denied[1])), whole, stdout, stderr)
    return Result("did_not_run")


def _host_cut(result: Result, tokens: int | None = None) -> bool:
    """Whether the host cut the output: by its header, or by a mark in the middle that the numbers bear out."""
    output = result.output or ""
    if "…" not in output and "[... omitted" not in output and not output.startswith("Warning: "):
        return False  # nearly always so, and much the cheapest to find out
    header = HOST_HEADER.match(output)
    middle = MIDDLE.search(output)
    if header and header["warning"]:
        result.output = output[header.end() :]
        return True
    if header and header["total"] and (middle or OMITTED.search(output)):
        result.output = output[header.end() :]
        return True
    if middle and tokens is not None:
        return tokens * 4 > len(output) * 1.05
    if omitted := OMITTED.search(output):
        missing, whole = int(omitted[1]), int(omitted[2])
        kept = output[: omitted.start()].count("\n") + 1 + len(output[omitted.end() :].split("\n"))
        return missing == 0 or abs(kept - (whole - missing)) <= 3
    return False


def is_patch(command: str) -> bool:
    """Whether the host carries the command out itself, without a shell."""
    return "*** Begin Patch" in command and PATCH.match(command) is not None
