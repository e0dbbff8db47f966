"""A hint before a shell command runs in a host: its exit code would be lost, or its output was long before.

It suggests and nothing else. What it cannot read it passes over in silence: a hook that fails stands in the way.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec

LONG = 10_000
"""Characters of output from which an earlier run counts as long."""

LOOKED_AT = 16_000_000
"""How many bytes at the end of a transcript are looked at for earlier runs."""


def answer(data: bytes) -> str:
    """What the hook prints for what the host told it (JSON): a hint as additional context, or nothing."""
    try:
        told = msgspec.json.decode(data)
    except msgspec.DecodeError:
        return ""
    if not isinstance(told, dict) or told.get("tool_name") != "Bash":
        return ""
    given = told.get("tool_input")
    command = given.get("command") if isinstance(given, dict) else None
    if not isinstance(command, str):
        return ""
    hint = lost_exit(command) or _was_long(command, told.get("transcript_path"))
    if not hint:
        return ""
    document = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": hint}}
    return msgspec.json.encode(document).decode() + "\n"


def lost_exit(command: str) -> str:
    """A hint where the exit code of something that matters is lost in a pipeline, or nothing."""
    if "|" not in command:
        return ""
    from dabhand.corpus.programs import FILTERS, lost_exits
    from dabhand.handoff.shells.syntax import parse_line

    script = parse_line(command)
    for matters, last in lost_exits(script) if script.understood else ():
        if last not in FILTERS:
            continue
        return (
            f"The exit code of `{matters}` is lost here: the pipeline reports that of `{last}`. The dabhand tool"
            " `run` runs the command alone and returns its exit code, the failing lines and the summary."
        )
    return ""


def _was_long(command: str, transcript: object) -> str:
    """A hint where the same command printed much before in this session, or nothing."""
    if not isinstance(transcript, str):
        return ""
    longest = max(_lengths(command, Path(transcript)), default=0)
    if longest < LONG:
        return ""
    return (
        f"This command printed {longest:,} characters before. The dabhand tool `run` returns only the lines that are"
        " asked for (`evidence_request`), and keeps all of it for `artifact`."
    )


def _lengths(command: str, transcript: Path) -> list[int]:
    """How long the outputs of the same command were that the transcript holds."""
    needle, calls, lengths = msgspec.json.encode(command), set(), []
    try:
        with transcript.open("rb") as stream:
            stream.seek(max(0, stream.seek(0, os.SEEK_END) - LOOKED_AT))
            for line in stream:
                if needle in line:
                    calls |= {block.get("id") for block in _blocks(line, "tool_use")}
                elif calls and b"tool_result" in line:
                    results = [block for block in _blocks(line, "tool_result") if block.get("tool_use_id") in calls]
                    lengths += [_length(block.get("content")) for block in results]
    except (OSError, ValueError):
        return lengths
    return lengths


def _blocks(line: bytes, kind: str) -> list[dict[str, Any]]:
    try:
        record = msgspec.json.decode(line)
    except msgspec.DecodeError:
        return []
    message = record.get("message") if isinstance(record, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    blocks = content if isinstance(content, list) else []
    return [block for block in blocks if isinstance(block, dict) and block.get("type") == kind]


def _length(content: object) -> int:
    if isinstance(content, str):
        return len(content)
    texts = [block.get("text") for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    return sum(len(text) for text in texts if isinstance(text, str))
