"""`dabhand inspect`: hand over an inspection of files, and get back original lines and where the rest is."""

from __future__ import annotations

import gc
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dabhand.errors import UsageError
from dabhand.interfaces.cli.options import common, store_directory, translator_option

if TYPE_CHECKING:
    from dabhand.handoff.inspecting import Wish

LARGEST_TASK = 4 << 20
"""Bytes of a task file."""
_TASK_HINT = 'It is one JSON object: {"request": ..., "targets": {NAME: PATH}, "evidence_request": ...}.'
_TASK_FIELDS = ("request", "targets", "evidence_request")


@click.command("inspect")
@click.option("--root", metavar="DIR", required=True, type=click.Path(path_type=Path), help="Nothing outside is read.")
@click.option("--request", metavar="TEXT", help="What is wanted, in words, with {{NAME}} for each target.")
@click.option("--task-file", metavar="FILE", type=click.Path(path_type=Path), help="The request as a JSON file.")
@click.option("--target", "targets", metavar="NAME=PATH", multiple=True, help="A file or folder inside the root.")
@click.option("--evidence-request", metavar="TEXT", help="Which lines of the result are wanted, in words.")
@click.option("--plan", metavar="JSON", help="A ready typed plan instead of words.")
@click.option("--backend", default="native", type=click.Choice(("native", "bash", "powershell")))
@translator_option
@click.option("--max-lines", metavar="N", type=click.IntRange(0), help="Lines that are shown at most.")
@click.option("--max-bytes", metavar="N", type=click.IntRange(0), help="Bytes that are shown at most.")
@click.option("--timeout", metavar="SECONDS", type=click.FloatRange(0, min_open=True), help="For a shell's command.")
@common
def command(root: Path, as_json: bool, store: Path | None, **given: Any) -> int:
    r"""Look at files in a folder: a request in words, or a ready plan.

    What comes back are original lines with their numbers, what was left out, and an id under which the whole result is
    kept (dabhand artifact show ID). Nothing is ever changed.

    \b
    dabhand inspect --root . --request 'Read the last 5 lines of {{log}}.' --target log=build.log
    dabhand inspect --root . --plan '{"operation": "last_lines", "path": "build.log", "count": 5}'
    """
    gc.disable()  # an inspection is over before there is garbage worth looking for
    from dabhand.handoff.inspecting import artifacts_of, inspect

    packet = inspect(root, _wish(given), artifacts_of(store_directory(store)))
    if as_json:
        from dabhand.interfaces.cli.output import write_document

        write_document(packet.to_json())
    else:
        from dabhand.interfaces.cli.packets import show

        show(packet)
    return packet.exit_status


def _wish(given: dict[str, Any]) -> Wish:
    from dabhand.handoff.inspecting import Wish
    from dabhand.handoff.limits import MAX_BYTES, MAX_LINES, Limits

    task = _task(given["task_file"]) if given["task_file"] is not None else {}
    for field in ("request", "evidence_request"):
        if given[field] is not None and task.get(field) is not None:
            raise UsageError(f"The {field} is given twice, by an option and in the task file.", "Give it once.")
    lines, size = given["max_lines"], given["max_bytes"]
    return Wish(
        request=task.get("request", given["request"]),
        targets=[*task.get("targets", {}).items(), *_targets(given["targets"])],
        evidence=task.get("evidence_request") or given["evidence_request"],
        plan=given["plan"],
        backend=given["backend"],
        translator=given["translator"],
        limits=Limits(MAX_LINES if lines is None else lines, MAX_BYTES if size is None else size),
        timeout=given["timeout"],
    )


def _targets(given: Sequence[str]) -> list[tuple[str, str]]:
    pairs = []
    for each in given:
        name, equals, path = each.partition("=")
        if not equals:
            raise UsageError(f"The target {each!r} has no '='.", "Write --target NAME=PATH.")
        pairs.append((name, _as_utf8(path)))
    return pairs


def _as_utf8(argument: str) -> str:
    """An argument with its bytes read as UTF-8, whatever the locale of this process says."""
    return os.fsencode(argument).decode("utf-8", "surrogateescape")


def _task(file: Path) -> dict[str, Any]:
    """The content of a task file.

    Raises:
        UsageError: it cannot be read, or is no task.
    """
    import json

    from dabhand.handoff.plan import carried

    try:
        with file.open("rb") as opened:
            text = opened.read(LARGEST_TASK + 1)
        if len(text) > LARGEST_TASK:
            raise ValueError(f"it has more than {LARGEST_TASK} bytes")
        task = json.loads(text.decode("utf-8-sig"))
    except OSError as error:
        raise UsageError(f"The task file {str(file)!r} cannot be read: {error.strerror}.", _TASK_HINT) from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"The task file {str(file)!r} is no JSON in UTF-8: {error}.", _TASK_HINT) from error
    if not isinstance(task, dict):
        raise UsageError(f"The task file {str(file)!r} holds no JSON object.", _TASK_HINT)
    for field in task:
        if field not in _TASK_FIELDS:
            raise UsageError(f"The task file {str(file)!r} has an unknown field {field!r}.", _TASK_HINT)
    for field in ("request", "evidence_request"):
        if task.get(field) is not None and not isinstance(task[field], str):
            raise UsageError(f"The {field} in the task file is no text.", _TASK_HINT)
    targets = task.get("targets")
    if targets is not None and not isinstance(targets, dict):
        raise UsageError("The targets in the task file are no object of names and paths.", _TASK_HINT)
    task["targets"] = {name: carried(path) for name, path in (targets or {}).items()}
    return {field: value for field, value in task.items() if value is not None}
