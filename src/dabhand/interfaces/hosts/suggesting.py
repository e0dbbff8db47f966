"""A hint before a shell command runs in a host: its exit code would be lost, or its output was long before.

It suggests and nothing else. What it cannot read it passes over in silence: a hook that fails stands in the way.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec

FILTERS = frozenset(("awk", "cat", "cut", "grep", "egrep", "fgrep", "head", "jq", "less", "more")).union(
    ("rg", "sed", "sort", "tail", "tee", "tr", "uniq", "wc")
)
"""Programs that pass on what a command said: as the last of a pipeline their exit code stands for the whole."""

READERS = FILTERS.union(
    ("basename", "date", "df", "diff", "dirname", "du", "echo", "env", "fd", "file", "find", "git", "history", "ls"),
    ("nl", "printf", "ps", "pwd", "readlink", "realpath", "stat", "strings", "tac", "tree", "which", "xxd", "yes"),
)
"""Programs of which nobody wants to know whether they succeeded, as what they print says it."""

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
    for *before, last in _pipelines(command):
        matters = next((program for program in before if program not in READERS), None)
        if last in FILTERS and matters is not None:
            return (
                f"The exit code of `{matters}` is lost here: the pipeline reports that of `{last}`. The dabhand tool"
                " `run` runs the command alone and returns its exit code, the failing lines and the summary."
            )
    return ""


def _pipelines(command: str) -> list[list[str]]:
    """The programs of every pipeline of a command line, unless it asks for the exit codes itself."""
    if "|" not in command or "pipefail" in command or "PIPESTATUS" in command:
        return []
    import tree_sitter
    import tree_sitter_bash

    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))
    found, waiting = [], [parser.parse(command.encode("utf-8", "surrogateescape")).root_node]
    while waiting:
        node = waiting.pop()
        waiting.extend(reversed(node.children))
        if node.type == "pipeline":
            stages = [_program(stage) for stage in node.named_children if stage.type != "comment"]
            if len(stages) > 1:
                found.append(stages)
    return found


def _program(stage: Any) -> str:
    """The name of the program that a stage runs, or the kind of what stands there."""
    if stage.type == "redirected_statement" and stage.child_by_field_name("body") is not None:
        return _program(stage.child_by_field_name("body"))
    if stage.type in ("list", "subshell", "compound_statement", "negated_command") and stage.named_children:
        return _program(stage.named_children[-1])  # `a && b | c`: of the list, b is what the pipeline reads
    name = stage.child_by_field_name("name") if stage.type == "command" else None
    if name is None or name.text is None:
        return str(stage.type)
    return str(name.text.decode("utf-8", "replace")).rpartition("/")[2]


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
