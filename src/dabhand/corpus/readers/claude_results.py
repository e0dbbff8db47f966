"""What Claude Code says of a command's result: refusals, exit codes, background, and each way in which it cuts."""

from __future__ import annotations

import re
from collections.abc import Mapping

from dabhand.corpus.loosely import as_mapping, as_text, as_whole
from dabhand.corpus.triple import Call

NEVER_RAN = (
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "<tool_use_error>",
    "Error: <tool_use_error>",
    "Permission to use ",
    "Permission for this tool use was denied",
    "Permission for this action",
    "This command requires approval",
    "Claude requested permissions to ",
    "PreToolUse:",
    "Hook PreToolUse:",
    "InputValidationError",
    "Cancelled: parallel tool call",
    "This Bash command contains multiple operations",
)
"""How a result begins that is no result (FORMATS, 2.3): it was refused, or stopped by another's failure."""

INTERRUPTED = "[Request interrupted by user"
EXIT = re.compile(r"(?:Error: )?Exit code (\d{1,10})(?:\n|$)")
TIMED_OUT = re.compile(r"(?:<error>)?Command timed out after \d")
BACKGROUND = re.compile(
    r"Command (?:is )?(?:running|was manually backgrounded|did not complete)[^\n]{0,200}? with ID: ([\w-]+)"
)
RESET = re.compile(r"\n?Shell cwd was reset to [^\n]*\s*\Z")
CUT = re.compile(r"\n\n?\.\.\. \[(\d+) (lines|characters) truncated\] \.\.\.\n")
PERSISTED = "<persisted-output>\nOutput too large"

REPORT = re.compile(r"<(status|exit_code|stdout|stderr|output|task_id)>(.*?)</\1>", re.DOTALL)


def fill(call: Call, said: str | None, structured: object, is_error: bool) -> str | None:
    """Put a result into its call; the name of what runs on in the background, if it does."""
    text = said if said is not None else as_text(structured) or ""
    beside = as_mapping(structured)
    call.status = "ran"
    call.truncated = text.startswith(PERSISTED) or _is_cut(text)
    background = as_text(beside.get("backgroundTaskId"))
    if background is None and not is_error and (found := BACKGROUND.match(text)):
        background = found[1]
    if background is not None:
        call.status = "running"
        call.output = ""
        return background
    if is_error or text.startswith("<tool_use_error>"):
        _fill_failure(call, text)
    else:
        _fill_success(call, text, beside)
    return None


def _fill_failure(call: Call, text: str) -> None:
    if text.startswith(NEVER_RAN):
        call.status = "did_not_run"
        return
    if found := EXIT.match(text):
        call.exit_code = as_whole(int(found[1]))
        text = text[found.end() :]
    text = text.removeprefix("Error: ")
    if text.startswith(INTERRUPTED):
        call.status = "interrupted"
    elif TIMED_OUT.match(text):
        call.status = "timed_out"
    call.output = RESET.sub("", text)


def _fill_success(call: Call, text: str, beside: Mapping[str, object]) -> None:
    stdout, stderr = as_text(beside.get("stdout")), as_text(beside.get("stderr"))
    if stderr is not None:
        stderr = RESET.sub("", stderr)
    call.stdout, call.stderr = stdout, stderr
    apart = "\n".join(part for part in (stdout, stderr) if part) if stdout is not None else None
    call.output = apart if apart is not None else RESET.sub("", text)
    if beside.get("interrupted") is True:
        timed_out = TIMED_OUT.search((stderr or text)[-400:])
        call.status = "timed_out" if timed_out else "interrupted"


def _is_cut(text: str) -> bool:
    """Whether the host cut it: its mark stands between two long parts of about one length, not just anywhere."""
    found = CUT.search(text)
    if found is None:
        return False
    before, behind = found.start(), len(text) - found.end()
    return min(before, behind) > 1000 and max(before, behind) < 2 * min(before, behind) + 2000


def fill_typed(call: Call, stdout: str, stderr: str) -> None:
    """Put what a typed command printed into its call; no record states its exit code."""
    call.status = "ran"
    call.stdout, call.stderr = stdout, stderr
    call.output = "\n".join(part for part in (stdout, stderr) if part)
    call.truncated = _is_cut(stdout) or _is_cut(stderr)


def background_report(call: Call, said: str | None, structured: object) -> bool:
    """Put what a look at a background command says into its call; whether the command has ended."""
    beside = as_mapping(structured)
    beside = as_mapping(beside.get("task")) or beside
    parts = {found[1]: found[2].strip("\n") for found in REPORT.finditer(said or "")}
    status = as_text(beside.get("status")) or parts.get("status", "")
    stdout = (
        as_text(beside.get("stdout")) or as_text(beside.get("output")) or parts.get("stdout") or parts.get("output")
    )
    stderr = as_text(beside.get("stderr")) or parts.get("stderr")
    call.output = (call.output or "") + "\n".join(part for part in (stdout, stderr) if part)
    if status not in ("completed", "failed", "killed"):
        return False
    code = as_whole(beside.get("exitCode"))
    if code is None and re.fullmatch(r"\d{1,10}", parts.get("exit_code", "")):
        code = as_whole(int(parts["exit_code"]))
    call.exit_code = code
    call.status = "interrupted" if status == "killed" else "ran"
    return True
