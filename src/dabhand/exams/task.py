"""A task of an exam, and task files: JSON Lines that are checked whole before anything is run."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import msgspec

from dabhand.errors import UsageError
from dabhand.exams.form import HINT, folder_in

Entry = dict[str, Any]
"""One entry of a folder in the contract's form: `{"text": ...}`, `{"dir": true}` and so on."""


class Expect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What must be so in the end; the agent never sees it.

    Attributes:
        files: entries by path; None: nothing may be there.
        others: whether every other path must be as it was.
        answer: of a task that asks something; compared but for a final newline.
    """

    files: dict[str, Entry | None] = {}
    others: Literal["unchanged", "any"] = "unchanged"
    answer: str | None = None

    @property
    def nothing(self) -> bool:
        """Whether it asks only that the folder be left alone."""
        return not self.files and self.answer is None

    @property
    def present(self) -> dict[str, Entry]:
        """What must be there, by path."""
        return {path: entry for path, entry in self.files.items() if entry is not None}

    @property
    def absent(self) -> tuple[str, ...]:
        """Paths where nothing may be."""
        return tuple(path for path, entry in self.files.items() if entry is None)


class Task(msgspec.Struct, frozen=True):
    """One task: a request on a folder, with what the host expects of it (contracts.md, `dabhand exam`)."""

    id: str
    request: str
    expect: Expect
    kind: str = ""
    files: dict[str, Entry] = {}

    def to_json(self) -> dict[str, Any]:
        """The task line."""
        expect = {"files": self.expect.files, "others": self.expect.others}
        answer = {} if self.expect.answer is None else {"answer": self.expect.answer}
        return {
            "id": self.id, "kind": self.kind, "request": self.request, "files": self.files, "expect": expect | answer,
        }  # fmt: skip


def read_tasks(file: Path) -> tuple[Task, ...]:
    """The tasks of a file.

    Raises:
        UsageError: it cannot be read, or a line is no task; the message names the line.
    """
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"The exam {str(file)!r} cannot be read: {error.strerror}.", _SUITES) from error
    except UnicodeDecodeError as error:
        raise UsageError(f"The exam {str(file)!r} is not UTF-8: {error.reason}.", _FORM) from error
    return tasks_from(text.split("\n"), str(file))


_SUITES = "Name a suite (original, harder) or a file with one task per line."
_FORM = (
    'A task is a line of JSON: {"id", "kind", "request", "files": {...}, "expect": {"files", "others", "answer"}}. '
    + HINT
)


def tasks_from(lines: Iterable[str], name: str) -> tuple[Task, ...]:
    """The tasks of lines; blank ones are skipped.

    Raises:
        UsageError: a line is no task, an id comes twice, or there is none at all.
    """
    found: dict[str, Task] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            task = _task(json.loads(line))
        except (ValueError, RecursionError) as error:  # msgspec's complaint is a ValueError
            raise UsageError(f"Line {number} of {name!r} is no task: {_said(error)}.", _FORM) from error
        if task.id in found:
            raise UsageError(f"Line {number} of {name!r} has the id {task.id!r} of a line before.", "Make ids unique.")
        found[task.id] = task
    if not found:
        raise UsageError(f"There is no task in {name!r}.", _FORM)
    return tuple(found.values())


def _said(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"it is no JSON ({error.msg} at column {error.colno})"
    return str(error).removesuffix(".")


def _task(value: object) -> Task:
    task = msgspec.convert(value, Task)
    if not task.request.strip():
        raise ValueError("its request is empty")
    folder_in(task.files)
    wanted = folder_in(task.expect.present)
    for path in task.expect.absent:
        folder_in({path: {"text": ""}})
        if path in wanted:
            raise ValueError(f"{path!r} is expected to be gone, and to hold something")
    return task
