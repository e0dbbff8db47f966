"""What a run printed, both streams taken together: whole where that is little, else counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MOST_LINES, MOST_CHARACTERS = 40, 2_000
"""Of what is little: whoever asked for a run reads all of it sooner than they ask for the rest."""


def counted(answer: Mapping[str, Any]) -> dict[str, Any]:
    """An answer whose standard error says how many lines it has, where all of it is there to be counted."""
    errors = answer.get("stderr")
    if not isinstance(errors, Mapping) or not errors.get("complete") or "text" not in errors:
        return dict(answer)
    return {**answer, "stderr": {**errors, "total_lines": len(_split(errors["text"]))}}


def total(answer: Mapping[str, Any]) -> tuple[int | None, bool]:
    """How many lines both streams have, or None where an answer is not of a run; and whether that is all of them.

    Of a long standard error only the end is known.
    """
    output, errors = answer.get("output"), answer.get("stderr")
    if not isinstance(output, Mapping) or not isinstance(output.get("total_lines"), int) or "stages" not in answer:
        return None, True
    if not isinstance(errors, Mapping):
        return output["total_lines"], True
    known = errors.get("total_lines")
    if known is None and "text" in errors and errors.get("complete"):
        known = len(_split(errors["text"]))
    if known is None and errors.get("base64"):
        return output["total_lines"], False
    if known is None:
        return output["total_lines"] + len(_split(str(errors.get("text", "")))), bool(errors.get("complete"))
    return output["total_lines"] + known, True


def whole(answer: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Every line of both streams, in the order in which they came; None where that is more than a little.

    Lines of the output are numbered as they came among those of standard error, which have the numbers in between.
    """
    output, errors = answer.get("output"), answer.get("stderr")
    if "stages" not in answer or not isinstance(output, Mapping) or not output.get("complete"):
        return None
    if not isinstance(errors, Mapping) or not errors.get("complete") or "text" not in errors:
        return None
    lines, wrong = [dict(line) for line in output.get("lines", ())], _split(errors["text"])
    if len(lines) + len(wrong) > MOST_LINES or any("text" not in line or "cut" in line for line in lines):
        return None
    if sum(len(line["text"]) + 1 for line in lines) + len(errors["text"]) > MOST_CHARACTERS:
        return None
    taken = {line["n"] for line in lines}
    free = [n for n in range(1, len(lines) + len(wrong) + 1) if n not in taken]
    if len(free) != len(wrong):
        return None
    between = [{"n": n, "text": text} for n, text in zip(free, wrong, strict=True)]
    return sorted([*lines, *between], key=lambda line: int(line["n"]))


def _split(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []
