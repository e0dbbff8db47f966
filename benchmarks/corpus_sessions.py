"""Sessions of agents made up for measuring: lines in the shapes and sizes of real ones, of words drawn by a seed."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

WORDS = (
    "mast",
    "keel",
    "hull",
    "oar",
    "sail",
    "rope",
    "knot",
    "tide",
    "reef",
    "bow",
    "stern",
    "deck",
    "anchor",
    "buoy",
)
FILE_BYTES = 16 << 20


def write_corpus(folder: Path, size: int, seed: int) -> int:
    """Write sessions until they are that many bytes together; give how many bytes they are."""
    folder.mkdir(parents=True)
    draw, written, number = random.Random(seed), 0, 0
    while written < size:
        name = f"{'claude' if number % 2 else 'rollout'}-{number:05}.jsonl"
        lines = _claude(draw, number) if number % 2 else _codex(draw, number)
        with (folder / name).open("w", encoding="utf-8") as stream:
            left = min(FILE_BYTES, size - written)
            while left > 0:
                line = json.dumps(next(lines), separators=(",", ":")) + "\n"
                stream.write(line)
                left -= len(line)
                written += len(line)
        number += 1
    return written


def _prose(draw: random.Random, letters: int) -> str:
    block = " ".join(draw.choices(WORDS, k=60)) + '\n\tif x == "y": # é\n'
    return (block * (letters // len(block) + 1))[:letters]


def _claude(draw: random.Random, session: int) -> Iterator[dict[str, object]]:
    about = {"sessionId": f"bench-{session}", "version": "2.1.30", "cwd": "/home/ida/boats", "isSidechain": False}
    number = 0
    while True:
        number += 1
        stamp = {"uuid": f"u{session}-{number}", "timestamp": "2026-02-01T08:00:00.000Z"}
        key, is_shell = f"toolu_{session}_{number}", number % 3 == 0
        given: dict[str, object] = {"file_path": f"/home/ida/boats/{draw.choice(WORDS)}.py"}
        if is_shell:
            given = {"command": f"grep -n {draw.choice(WORDS)} src/{number}.py", "description": "Find a word"}
        used = {"type": "tool_use", "id": key, "name": "Bash" if is_shell else "Read", "input": given}
        thought = {"type": "text", "text": _prose(draw, 300)}
        usage = {"input_tokens": number, "output_tokens": 7, "service_tier": "standard"}
        yield {
            **about,
            **stamp,
            "type": "assistant",
            "message": {"role": "assistant", "content": [thought, used], "usage": usage},
        }
        text = _prose(draw, int(draw.lognormvariate(6, 1.3)) + 20 if is_shell else draw.randint(1000, 12000))
        block = {"type": "tool_result", "tool_use_id": key, "content": text, "is_error": False}
        beside: dict[str, object] = {"type": "text", "file": {"filePath": "x", "content": text, "numLines": 3}}
        if is_shell:
            beside = {"stdout": text, "stderr": "", "interrupted": False, "isImage": False}
        yield {
            **about,
            **stamp,
            "type": "user",
            "message": {"role": "user", "content": [block]},
            "toolUseResult": beside,
        }
        if number % 5 == 0:
            yield {
                "type": "file-history-snapshot",
                "messageId": key,
                "snapshot": {"tracked": {str(each): each for each in range(60)}},
            }


def _codex(draw: random.Random, session: int) -> Iterator[dict[str, object]]:
    stamp = {"timestamp": "2026-02-01T08:00:00.000Z"}
    about = {
        "id": f"bench-{session}",
        "cwd": "/home/ida/boats",
        "cli_version": "0.125.0",
        "instructions": _prose(draw, 20000),
    }
    yield {**stamp, "type": "session_meta", "payload": about}
    number = 0
    while True:
        number += 1
        key = f"call_{session}_{number}"
        said = json.dumps({"cmd": f"sed -n 1,{number}p src/{draw.choice(WORDS)}.py", "yield_time_ms": 1000})
        yield {**stamp, "type": "event_msg", "payload": {"type": "agent_message", "message": _prose(draw, 200)}}
        reasoning = {"type": "reasoning", "summary": [], "encrypted_content": f"{draw.getrandbits(8000):x}"}
        yield {**stamp, "type": "response_item", "payload": reasoning}
        call = {"type": "function_call", "name": "exec_command", "arguments": said, "call_id": key}
        yield {**stamp, "type": "response_item", "payload": call}
        text = _prose(draw, int(draw.lognormvariate(6.5, 1.3)) + 20)
        header = (
            "Chunk ID: 0a1b2c\nWall time: 0.05 seconds\nProcess exited with code 0\nOriginal token count: 9\nOutput:\n"
        )
        answer = {"type": "function_call_output", "call_id": key, "output": header + text}
        yield {**stamp, "type": "response_item", "payload": answer}
        counted = {"type": "token_count", "info": {"total": dict.fromkeys(WORDS, number)}}
        yield {**stamp, "type": "event_msg", "payload": counted}
