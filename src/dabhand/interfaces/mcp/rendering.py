"""The short text beside a structured answer, for hosts that show only text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dabhand.interfaces.mcp.shortening import lines_that_fit

MAX_CHARACTERS = 5_000


def text_of(name: str, answer: Mapping[str, Any]) -> str:
    """The answer of a tool in a few lines: the status first, then what was asked for."""
    if answer.get("status") == "running":
        return f"Still running: ask `artifact` with id {answer['job']}."
    if isinstance(answer.get("result"), Mapping):
        return text_of(name, answer["result"])
    parts = [_head(answer), *_said(answer), *_shown(answer), *_tail(answer)]
    text = "\n".join(part for part in parts if part)
    return text if len(text) <= MAX_CHARACTERS else text[:MAX_CHARACTERS] + "\n[cut; see the structured answer]"


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
    said = [str(answer[key]) for key in ("reason", "hint", "why", "note") if isinstance(answer.get(key), str)]
    if answer.get("answer") is not None:
        said.append(f"answer: {answer['answer']}")
    stages = answer.get("stages")
    if isinstance(stages, list) and len(stages) > 1:
        said += [f"  {stage.get('command')}: exit code {stage.get('exit_code')}" for stage in stages]
    return said


def _shown(answer: Mapping[str, Any]) -> list[str]:
    """Evidence where some was chosen, else output; else a diff, changes, a table."""
    for key in ("evidence", "output"):
        part = answer.get(key)
        if isinstance(part, Mapping) and part.get("lines"):
            lines = lines_that_fit(list(part["lines"]), MAX_CHARACTERS)
            more = part.get("complete") is False or len(lines) < len(part["lines"])
            return [_line(line) for line in lines] + (["[more was left out]"] if more else [])
    if isinstance(answer.get("lines"), list):
        return [_line(line) for line in answer["lines"]]
    if isinstance(answer.get("diff"), str):
        return [answer["diff"]]
    if isinstance(answer.get("changes"), list):
        return [f"{each.get('change')}: {each.get('path')}" for each in answer["changes"]]
    if isinstance(answer.get("commands"), list):
        return [f"{each.get('status')}: {each.get('command')}" for each in answer["commands"]]
    return []


def _line(line: Mapping[str, Any]) -> str:
    text = line.get("text")
    return f"{line.get('n')}: {text if isinstance(text, str) else '[bytes that are not UTF-8]'}"


def _tail(answer: Mapping[str, Any]) -> list[str]:
    kept = answer.get("artifact")
    told = [f"artifact {kept['id']}"] if isinstance(kept, Mapping) and kept.get("id") else []
    return told + ([f"run {answer['run_id']}"] if answer.get("run_id") else [])
