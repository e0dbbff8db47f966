"""Answers cut to what a host takes, saying what was left out: never silently, and evidence last."""

from __future__ import annotations

import binascii
from collections.abc import Mapping, Sequence
from typing import Any

from dabhand.interfaces.mcp.costs import beginning, size
from dabhand.interfaces.mcp.streams import whole

MOST = 5_600
"""Tokens of a structured answer as JSON: with the short text beside it below 10,000."""

SMALL = 1_200
"""Tokens of an output that is returned whole beside its evidence."""

_ROOM = {"evidence": 0.6, "output": 0.25, "stderr": 0.1}
"""How the room is shared when not all of it fits; what one does not need the next may have."""

_LEAST = 40
"""Tokens below which the beginning of a line says nothing."""


def shortened(answer: Mapping[str, Any], limit: int = MOST) -> dict[str, Any]:
    """An answer that fits.

    Lines go from the end of `output` first (from its middle, where it is of a run: both ends say most), then standard
    error, then evidence; counts of what was left out grow, and `complete` becomes false. A line that is longer than
    what there is room for is cut, with `cut` for the bytes that are missing at its end.
    """
    short = dict(answer)
    if isinstance(short.get("result"), dict):
        short["result"] = shortened(short["result"], limit - 100)
    if size(short) <= limit:
        return short
    fixed = {key: value for key, value in short.items() if key not in _ROOM}
    if size(fixed) > limit // 2:
        fixed = _bare(fixed, limit // 2)
        short = {**fixed, **{key: short[key] for key in _ROOM if key in short}}
    room, left = limit - size(fixed) - 20, 0
    for name, share in _ROOM.items():
        if name not in short:
            continue
        allowed = int(room * share) + left
        short[name] = _cut(name, short[name], allowed, both_ends="stages" in answer)
        left = max(0, allowed - size(short[name]))
    return short


def lean(answer: Mapping[str, Any]) -> dict[str, Any]:
    """An answer of a run without what it printed, where that is long and lines of it were chosen; all of it is kept."""
    evidence, output, errors = (answer.get(name) for name in ("evidence", "output", "stderr"))
    if not (isinstance(evidence, dict) and evidence.get("lines") and isinstance(output, dict)):
        return dict(answer)
    if whole(answer) is not None:
        return dict(answer)
    lean = {**answer, "output": output if size(output) <= SMALL else _cut("output", output, 0)}
    if isinstance(errors, dict) and size(errors) > SMALL:
        lean["stderr"] = _end_of(errors, SMALL // 4)
    return lean


def lines_that_fit(lines: Sequence[Mapping[str, Any]], room: int, *, both_ends: bool = False) -> list[dict[str, Any]]:
    """Lines from the beginning, or a third from the beginning and the rest from the end, as far as they fit.

    A very long one is cut, so that it does not keep the others out.
    """
    longest = room // max(1, min(len(lines), 4))
    if not both_ends:
        return _first(lines, room, longest)
    head = _first(lines, room // 3, longest)
    tail = _first(lines[: len(head) - 1 if head else None : -1], room - sum(size(line) + 1 for line in head), longest)
    return head + tail[::-1]


def _first(lines: Sequence[Mapping[str, Any]], room: int, longest: int) -> list[dict[str, Any]]:
    kept: list[dict[str, Any]] = []
    for line in lines:
        fitting = clipped(line, min(room, longest))
        if fitting is None:
            break
        kept.append(fitting)
        room -= size(fitting) + 1
    return kept


def clipped(line: Mapping[str, Any], room: int) -> dict[str, Any] | None:
    """A line, cut where it is longer than the room; None where not even a beginning of it fits."""
    if len(line.get("text", line.get("base64", ""))) < room * 40 and size(line) <= room:
        return dict(line)
    room -= size({**line, "text": "", "base64": "", "cut": 10**12})
    if room < _LEAST:
        return None
    if "base64" in line:
        text = beginning(line["base64"], room)
        text = text[: len(text) // 4 * 4]
        missing = len(binascii.a2b_base64(line["base64"])) - len(binascii.a2b_base64(text))
        return {**line, "base64": text, "cut": line.get("cut", 0) + missing}
    text = _escaped_beginning(line["text"], room)
    return {**line, "text": text, "cut": line.get("cut", 0) + len(line["text"][len(text) :].encode())}


def _escaped_beginning(text: str, room: int) -> str:
    """The beginning of a text that fits as JSON, where an escape is longer than what it stands for."""
    text = beginning(text, room)
    while text and (over := size(text) - room) > 0:
        text = text[: len(text) - max(1, over // 6)]
    return text


def _cut(name: str, part: Any, room: int, *, both_ends: bool = False) -> Any:
    if not isinstance(part, dict) or size(part) <= room:
        return part
    if name == "stderr":
        return _end_of(part, room)
    lines = part.get("lines", [])
    empty = {**part, "lines": [], "complete": False}
    room -= size({**empty, "omitted_lines": 10**9, "omitted_bytes": 10**12})
    kept = lines_that_fit(lines, room, both_ends=both_ends) if lines else []
    left_out = len(lines) - len(kept)
    cut = {**empty, "lines": kept}
    if left_out or "omitted_lines" in part:
        cut["omitted_lines"] = part.get("omitted_lines", 0) + left_out
    if "omitted_bytes" in part:
        cut["omitted_bytes"] = part["omitted_bytes"] + _bytes(lines) - _bytes(kept)
    return cut


def _bytes(lines: Sequence[Mapping[str, Any]]) -> int:
    """How long lines are, newlines included, without what was cut off them."""
    texts = (len(line["text"].encode()) for line in lines if "text" in line)
    return len(lines) + sum(texts) + sum(len(binascii.a2b_base64(line["base64"])) for line in lines if "base64" in line)


def _end_of(part: Mapping[str, Any], room: int) -> dict[str, Any]:
    """The end of standard error."""
    field = "text" if "text" in part else "base64"
    text = str(part.get(field, ""))[-room * 40 :]
    room -= size({**part, field: "", "complete": False})
    while text and (over := size(text) - room) > 0:
        text = text[max(1, over // 4) :]
    if field == "base64":
        text = text[len(text) % 4 :]
    return {**part, field: text, "complete": False}


def _bare(answer: dict[str, Any], limit: int) -> dict[str, Any]:
    """Long texts and lists of other kinds (a diff, a plan, a table) cut from their ends, the longest first."""
    answer = dict(answer)
    while size(answer) > limit:
        name = max(answer, key=lambda key: size(answer[key]))
        value = answer[name]
        if isinstance(value, str) and len(value) > 100:
            answer[name] = value.removesuffix(" [cut]")[: int(len(value) * 0.7)] + " [cut]"
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
