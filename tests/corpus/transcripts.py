"""Transcripts made up for tests: sessions of the kinds that hosts write, as lines."""

from __future__ import annotations

import json
from collections.abc import Sequence

SESSION = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee"


def lines(*records: object) -> bytes:
    """Records as a file of lines."""
    return b"".join(json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in records)


def claude_call(key: str, command: str, *, session: str = SESSION, number: int = 0) -> dict[str, object]:
    """A call of Claude Code."""
    block = {"type": "tool_use", "id": key, "name": "Bash", "input": {"command": command, "description": f"Do {key}"}}
    return _claude("assistant", key, session, number) | {"message": {"role": "assistant", "content": [block]}}


def claude_result(key: str, output: str, *, code: int = 0, session: str = SESSION) -> dict[str, object]:
    """Its result."""
    said = f"Exit code {code}\n{output}" if code else output
    block = {"type": "tool_result", "tool_use_id": key, "content": said, "is_error": code != 0}
    beside: object = f"Error: {said}" if code else {"stdout": output, "stderr": "", "interrupted": False}
    record = _claude("user", f"r{key}", session, 0) | {"message": {"role": "user", "content": [block]}}
    return record | {"toolUseResult": beside}


def _claude(kind: str, uuid: str, session: str, number: int) -> dict[str, object]:
    time = f"2026-03-01T10:00:{number % 60:02}Z"
    about = {"parentUuid": None, "sessionId": session, "version": "2.1.40", "cwd": "/home/ida/shop", "timestamp": time}
    return about | {"type": kind, "uuid": uuid}


def claude_session(pairs: Sequence[tuple[str, str, str]], *, session: str = SESSION) -> bytes:
    """A session of calls (key, command, output), each with its result."""
    records = []
    for number, (key, command, output) in enumerate(pairs):
        records += [claude_call(key, command, session=session, number=number), claude_result(key, output)]
    return lines(*records)


def codex_meta(session: str, version: str = "0.125.0", **more: object) -> dict[str, object]:
    """The header of a rollout."""
    about = {"id": session, "cwd": "/home/ida/shop", "cli_version": version, "source": "cli"} | more
    return {"timestamp": "2026-03-01T10:00:00Z", "type": "session_meta", "payload": about}


def codex_call(key: str, command: str, **arguments: object) -> dict[str, object]:
    """A call of `exec_command`."""
    said = json.dumps({"cmd": command} | arguments)
    return codex_item(type="function_call", name="exec_command", arguments=said, call_id=key)


def codex_result(key: str, output: str, code: int = 0) -> dict[str, object]:
    """Its output."""
    said = f"Chunk ID: 0a1b2c\nWall time: 0.1 seconds\nProcess exited with code {code}\nOutput:\n{output}"
    return codex_item(type="function_call_output", call_id=key, output=said)


def codex_item(**payload: object) -> dict[str, object]:
    """An item of the conversation."""
    return {"timestamp": "2026-03-01T10:00:01Z", "type": "response_item", "payload": payload}
