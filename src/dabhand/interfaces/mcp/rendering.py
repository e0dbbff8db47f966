"""The short text beside a structured answer, for hosts that show only text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dabhand.interfaces.mcp import streams
from dabhand.interfaces.mcp.costs import tokens
from dabhand.interfaces.mcp.shortening import clipped, lines_that_fit

MOST = 3_600
"""Tokens of a text."""

WIDEST = 400
"""Tokens of one line where there are several."""


def text_of(answer: Mapping[str, Any]) -> str:
    """The answer of a tool in a few lines: the status first, then what was asked for, then where more is."""
    if answer.get("status") == "running":
        said = f" {answer['note']}" if answer.get("note") else ""
        return f"Still running: ask `artifact` with id {answer['job']} (stop: true ends it).{said}"
    if isinstance(answer.get("result"), Mapping):
        text = text_of(answer["result"])
        return f"stopped: {answer['note']}\n{text}" if answer.get("status") == "stopped" else text
    head, tail = [_head(answer), *_said(answer)], _tail(answer)
    room = MOST - sum(tokens(line) + 1 for line in (*head, *tail)) - 40
    return "\n".join(_cut(head, MOST - 200) + _shown(answer, room) + tail)


def _head(answer: Mapping[str, Any]) -> str:
    head = str(answer.get("status", "ok"))
    if isinstance(answer.get("exit_code"), int):
        head += f", exit code {answer['exit_code']}"
    if answer.get("signal") is not None:
        head += f", signal {answer['signal']}"
    if answer.get("timed_out"):
        head += ", timed out"
    return head


def _said(answer: Mapping[str, Any]) -> list[str]:
    """Why, and what else has to be known; one kind of it never hides another."""
    said = [str(answer[key]) for key in ("reason", "hint", "why", "note") if answer.get(key)]
    error = answer.get("error")
    if isinstance(error, Mapping):
        said += [str(error[key]) for key in ("message", "hint") if error.get(key)]
    said += [str(note) for note in answer.get("notes") or ()]
    if answer.get("answer") is not None:
        given = answer["answer"]
        said.append(f"answer: {given['base64'] + ' (base64)' if isinstance(given, Mapping) else given}")
    stages = answer.get("stages")
    if isinstance(stages, list) and len(stages) > 1:
        said += [f"  {stage.get('command')}: {_ending(stage)}" for stage in stages]
    return said


def _ending(stage: Mapping[str, Any]) -> str:
    if stage.get("signal"):
        return f"signal {stage['signal']}"
    return "exit code unknown" if stage.get("exit_code") is None else f"exit code {stage['exit_code']}"


def _shown(answer: Mapping[str, Any], room: int) -> list[str]:
    """All of a short run; else evidence where there is some, else output, else standard error; else a diff, a table."""
    if every := streams.whole(answer):
        return _lines(answer, {"lines": every}, room)
    for key in ("evidence", "output"):
        part = answer.get(key)
        if isinstance(part, Mapping) and part.get("lines"):
            return _lines(answer, part, room)
    errors = answer.get("stderr")
    if isinstance(errors, Mapping) and (errors.get("text") or errors.get("base64")):
        lines = str(errors.get("text") or errors["base64"] + " (base64)").splitlines()
        shown = _cut(lines, room - 20, from_end=True)
        return ["standard error:", *shown, *_left_out(answer, sum(not _is_mark(line) for line in shown))]
    if isinstance(answer.get("text"), str) or isinstance(answer.get("base64"), str):
        return _cut(str(answer.get("text", answer.get("base64"))).split("\n"), room)
    if answer.get("diff"):
        return _cut(str(answer["diff"]).splitlines(), room)
    if isinstance(answer.get("changes"), list):
        return _cut([f"{each.get('change')}: {_name(each.get('path'))}" for each in answer["changes"]], room)
    if isinstance(answer.get("commands"), list):
        return _cut([f"{each.get('status')}: {each.get('command')}" for each in answer["commands"]], room)
    return []


def _lines(answer: Mapping[str, Any], part: Mapping[str, Any], room: int) -> list[str]:
    """Numbered lines, and how many there are beside them."""
    given: Sequence[Mapping[str, Any]] = part["lines"]
    fitting = lines_that_fit(given, room, both_ends="stages" in answer)
    lines = [_line(line) for line in fitting]
    output = answer.get("output")
    if "stages" in answer:
        return lines + (_left_out(answer, len(lines)) or ["[more was left out]"] * (len(lines) < len(given)))
    total = output.get("total_lines") if isinstance(output, Mapping) else None
    total = answer.get("total_lines", total)
    if isinstance(total, int) and total > len(lines):
        lines.append(f"[{len(lines)} of {total} lines]")
    elif part.get("complete") is False or len(lines) < len(given):
        lines.append("[more was left out]")
    return lines


def _left_out(answer: Mapping[str, Any], shown: int) -> list[str]:
    """How many of a run's lines are shown, where that is not all of what both streams hold."""
    total, is_all = streams.total(answer)
    if total is None or (is_all and total <= shown):
        return []
    return [f"[{shown} of {'' if is_all else 'at least '}{max(total, shown)} lines]"]


def _is_mark(line: str) -> bool:
    return line.startswith("[") and line.endswith("more lines were left out]")


def _line(line: Mapping[str, Any]) -> str:
    text = line["text"] if "text" in line else f"{line.get('base64')} (base64)"
    path = "" if line.get("path") is None else f"{_name(line['path'])}:"
    return f"{path}{line.get('n')}: {text}" + (f" [{line['cut']} more bytes]" if line.get("cut") else "")


def _name(path: object) -> str:
    return f"{path.get('base64')} (base64)" if isinstance(path, Mapping) else str(path)


def _cut(lines: Iterable[str], room: int, *, from_end: bool = False) -> list[str]:
    """As many lines as fit, from the beginning or the end, and a mark where some do not."""
    every = list(lines)
    kept: list[str] = []
    for line in reversed(every) if from_end else every:
        fitting = clipped({"text": line}, min(room, room if len(every) == 1 else WIDEST))
        if fitting is None:
            break
        shown = fitting["text"] + (f" [{fitting['cut']} more bytes]" if fitting.get("cut") else "")
        room -= tokens(shown) + 1
        kept.append(shown)
    mark = [] if len(kept) == len(every) else [f"[{len(every) - len(kept)} more lines were left out]"]
    return mark + kept[::-1] if from_end else kept + mark


def _tail(answer: Mapping[str, Any]) -> list[str]:
    kept = answer.get("artifact")
    told = [f"artifact {kept['id']}"] if isinstance(kept, Mapping) and kept.get("id") else []
    if isinstance(answer.get("next"), Mapping):
        told += [f"go on with {name} {value}" for name, value in answer["next"].items()]
    return told + ([f"run {answer['run_id']}"] if answer.get("run_id") else [])
