"""Answers cut to what a host takes, saying what was left out: never silently, and evidence last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

MAX_BYTES = 14_000
"""Of a structured answer as JSON: with the short text beside it below 10,000 tokens at two bytes a token."""

SMALL = 2_500
"""Bytes of an output that is returned whole beside its evidence."""

_ROOM = {"evidence": 0.6, "output": 0.25, "stderr": 0.1}
"""How the room is shared when not all of it fits; what one does not need the next may have."""


def size(value: Any) -> int:
    """Bytes as JSON."""
    return len(msgspec.json.encode(value))


def shortened(answer: Mapping[str, Any], limit: int = MAX_BYTES) -> dict[str, Any]:
    """An answer that fits.

    Lines go from the end of `output` first (of its middle, where it is of a run: both ends say most), then standard
    error, then evidence; counts of what was left out grow, and `complete` becomes false.
    """
    short = dict(answer)
    if isinstance(short.get("result"), dict):
        short["result"] = shortened(short["result"], limit - 200)
    if size(short) <= limit:
        return short
    fixed = {key: value for key, value in short.items() if key not in _ROOM}
    room, left = limit - min(size(fixed), limit), 0
    for name, share in _ROOM.items():
        if name not in short:
            continue
        allowed = int(room * share) + left
        short[name] = _cut(name, short[name], allowed)
        left = max(0, allowed - size(short[name]))
    return short if size(short) <= limit else _bare(short, limit)


def lean(answer: Mapping[str, Any]) -> dict[str, Any]:
    """An answer of a run without its output where that is long and lines of it were chosen; all of it is kept."""
    evidence, output = answer.get("evidence"), answer.get("output")
    if not (isinstance(evidence, dict) and evidence.get("lines") and isinstance(output, dict)):
        return dict(answer)
    return {**answer, "output": output if size(output) <= SMALL else _cut("output", output, 0)}


def lines_that_fit(lines: list[dict[str, Any]], room: int) -> list[dict[str, Any]]:
    """The first lines that fit; the last of them cut where not even one does (marked so)."""
    kept: list[dict[str, Any]] = []
    for line in lines:
        room -= size(line) + 1
        if room < 0:
            break
        kept.append(line)
    return kept


def _cut(name: str, part: Any, room: int) -> Any:
    if size(part) <= room or not isinstance(part, dict):
        return part
    if name == "stderr":
        text = str(part.get("text", ""))
        return {**part, "text": _tail(text, max(0, room - 60)), "complete": False}
    lines = part.get("lines", [])
    empty = {**part, "lines": [], "complete": False}
    kept = lines_that_fit(lines, room - size(empty) - 20)
    left_out = len(lines) - len(kept)
    cut = {**empty, "lines": kept}
    if "omitted_lines" in part:
        cut["omitted_lines"] = part["omitted_lines"] + left_out
        cut["omitted_bytes"] = part.get("omitted_bytes", 0) + sum(_bytes(line) for line in lines[len(kept) :])
    elif left_out:
        cut["omitted_lines"] = left_out
    return cut


def _bytes(line: Mapping[str, Any]) -> int:
    text = line.get("text")
    return len(text.encode("utf-8", "surrogateescape")) + 1 if isinstance(text, str) else 1


def _tail(text: str, room: int) -> str:
    while size(text) > room and text:
        text = text[-max(1, int(len(text) * 0.8)) :] if len(text) > 1 else ""
    return text


def _bare(answer: dict[str, Any], limit: int) -> dict[str, Any]:
    """Long texts and lists of other kinds (a diff, a plan, a table) cut from their ends, the longest first."""
    while size(answer) > limit:
        name = max(answer, key=lambda key: size(answer[key]))
        value = answer[name]
        if isinstance(value, str) and len(value) > 100:
            answer[name] = value[: int(len(value) * 0.7)] + " [cut]"
        elif isinstance(value, list) and value:
            answer[name] = value[: int(len(value) * 0.7)]
        elif isinstance(value, dict) and any(
            isinstance(each, (str, list)) and len(each) > 1 for each in value.values()
        ):
            answer[name] = _bare(dict(value), int(size(value) * 0.7))
        else:
            answer.pop(name)
        answer["shortened"] = True
    return answer
