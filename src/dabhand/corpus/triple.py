"""A triple: one command that an agent really called, what it was called for, and what came of it."""

from __future__ import annotations

import hashlib
from typing import Literal

import msgspec

CAP = 200_000
"""Characters of one text that a triple keeps; the pointer in its source leads to the rest."""

SENTENCE = 600
"""Characters of the longest line that is taken for what an agent said of its next command."""

ID_LENGTH = 160
"""Identities of calls that are longer (a fixture's prose, an attack) are hashed."""

Status = Literal["ran", "did_not_run", "timed_out", "interrupted", "running", "unknown"]
"""What became of a call: `running` was left in the background, `unknown` is all that its records let anybody say."""

Origin = Literal["description", "assistant"]
"""Where a request comes from: the call's own description, or the sentence that the agent said before it."""


class Source(msgspec.Struct, frozen=True, gc=False):
    """Where a triple was found.

    Attributes:
        file: path below the source that was given, with `/`.
        line: line of the call (1-based) in a file of lines, else the index (0-based) of its message or step.
        format: host and version, such as `claude-code 2.1.30`.
        session: the host's own name of the session; None where the format has none.
        cwd: folder that the command started in; None where no record says it.
        time: moment of the call as the host wrote it.
    """

    file: str
    line: int
    format: str
    session: str | None = None
    cwd: str | None = None
    time: str | None = None


class Triple(msgspec.Struct, frozen=True, gc=False):
    """Request, command, result (contracts.md). What no record states is None, never guessed.

    Attributes:
        request_from: what the request is; None where there is no request.
        output: standard output and error as the host joined them, in full where any record has them in full.
        stdout: standard output alone, where the host keeps the two apart.
        truncated: the host cut what the agent saw.
        capped: we cut one of the texts at `CAP` characters.
    """

    id: str
    source: Source
    request: str | None
    request_from: Origin | None
    command: str
    argv: list[str] | None
    shell: str | None
    exit_code: int | None
    output: str | None
    stdout: str | None
    stderr: str | None
    truncated: bool
    capped: bool
    duration_ms: float | None
    status: Status


class Call(msgspec.Struct, kw_only=True, gc=False):
    """A call while its reader still gathers what belongs to it.

    Attributes:
        key: the host's own identity of the call; two records with one key are one call.
        scope: what the key is unique in: "" everywhere, else a session.
    """

    key: str
    line: int
    command: str
    format: str
    scope: str = ""
    session: str | None = None
    cwd: str | None = None
    time: str | None = None
    request: str | None = None
    request_from: Origin | None = None
    argv: list[str] | None = None
    shell: str | None = None
    exit_code: int | None = None
    output: str | None = None
    stdout: str | None = None
    stderr: str | None = None
    truncated: bool = False
    duration_ms: float | None = None
    status: Status = "unknown"


def to_triple(call: Call, file: str, host: str) -> Triple:
    """The finished triple of a call in a file of a host (the reader's name)."""
    request = _sentence(call.request) if call.request_from == "assistant" else call.request
    output, stdout, stderr = call.output, call.stdout, call.stderr
    is_capped = len(output or "") > CAP or len(stdout or "") > CAP or len(stderr or "") > CAP
    if is_capped:
        output, stdout, stderr = (text[:CAP] if text is not None else None for text in (output, stdout, stderr))
    return Triple(
        id=_identity(host, call),
        source=Source(file, call.line, call.format, call.session, call.cwd, call.time),
        request=request,
        request_from=call.request_from if request else None,
        command=call.command,
        argv=call.argv,
        shell=call.shell,
        exit_code=call.exit_code,
        output=output,
        stdout=stdout,
        stderr=stderr,
        truncated=call.truncated,
        capped=is_capped,
        duration_ms=call.duration_ms,
        status=call.status,
    )


def _sentence(said: str | None) -> str | None:
    """What was said last: the last line that says something, if it is short enough to be a sentence."""
    last = (said or "").rstrip().rpartition("\n")[2].strip()
    return last if last and len(last) <= SENTENCE else None


def _identity(host: str, call: Call) -> str:
    said = f"{host}:{call.scope}:{call.key}" if call.scope else f"{host}:{call.key}"
    return said if len(said) <= ID_LENGTH else f"{host}:{hashlib.sha256(said.encode()).hexdigest()}"


def fingerprint(host: str, call: Call) -> bytes:
    """Sixteen bytes that two calls share only if they are one, given that their sessions are of one lineage."""
    said = f"{host}\0{call.key}\0{call.command}".encode()
    return hashlib.blake2b(said, digest_size=16).digest()
