"""Requests that people wrote: with the plan that the grammar reads, where it reads one, or to be given back.

They are no part of the package: whoever has such rows names their folder. Rows that begin with the same words are
wholly on one side. The labels are the grammar's: `benchmarks/inspections.py` holds its plans against
the rows' own commands.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dabhand.handoff.plan import Plan, plan_to_value
from dabhand.handoff.words import Abstained, read
from dabhand.training.example import Example
from dabhand.training.wording import Side

TRAINING = ("inspect_nl2bash", "nearmiss_nl2bash", "alfa_fs")
"""Sets whose licence lets a model learn from them."""

CHOOSING = ("wild_requests",)
"""Sets that are for choosing alone."""

_FOLDERS = ("list_files", "find_files")


def people_requests(folder: Path, twin: str = "dev") -> Iterator[tuple[Side, Example]]:
    """The rows of a folder, each with its side."""
    for name in (*TRAINING, *CHOOSING):
        file = folder / f"{name}.{twin}.jsonl"
        if not file.exists():
            continue
        for line in file.read_text("utf-8").splitlines():
            row = json.loads(line)
            example = _example(row)
            if example is not None:
                yield ("validation" if name in CHOOSING else _side(row)), example


def _side(row: dict[str, Any]) -> Side:
    """By the request without its names and numbers, roughly: the first words, so that near wordings stay together."""
    words = [word for word in str(row["request"]).lower().split() if word.isalpha()][:5]
    return "train" if hashlib.sha256(" ".join(words).encode()).digest()[0] < 128 else "validation"


def _example(row: dict[str, Any]) -> Example | None:
    request = str(row["request"])
    plan = read(request, {})
    given = {"id": f"people-{row['id']}", "task": "plan", "family": f"people/{row['id']}", "source": "people"}
    if isinstance(plan, Abstained):
        if plan.reason == "ambiguous":
            return None
        return Example(**given, request=request, references={".": "folder"}, why=plan.reason)  # type: ignore[arg-type]
    said, references = masked(request, plan)
    if references is None:
        return None
    value = {key: one for key, one in plan_to_value(plan).items() if one not in (None, False)}
    value["path"] = next(iter(references))
    return Example(**given, request=said, references=references, answer=value)  # type: ignore[arg-type]


def masked(request: str, plan: Plan) -> tuple[str, dict[str, str] | None]:
    """A request with what stands for its path, and what that is; None where the path is not in the words."""
    if plan.path in (".", ""):
        return request, {".": "folder"}
    operation = str(plan_to_value(plan)["operation"])
    is_folder = operation in _FOLDERS or getattr(plan, "recursive", False)
    kind = "folder" if is_folder else "json" if plan.path.endswith(".json") else "file"
    for written in (plan.path, plan.path.rstrip("/")):
        if written and request.count(written) == 1:
            return request.replace(written, "file_1"), {"file_1": kind}
    return request, None
