"""What a small model is asked: a short head that is always the same, then what is asked, then where the answer begins.

The head is read once and kept by the model's cache; only what follows it costs time. A prompt ends with a line feed, so
prompt and answer are cut into tokens apart: training has to do the same, and end an answer with the end-of-text token.
Nothing that is put into a prompt can begin a line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

Task = Literal["plan", "goal", "evidence"]

HEADS: dict[Task, str] = {
    "plan": "Say as a plan what is asked for, or abstain.\n",
    "goal": "Say as conditions what is to be true in the end, or abstain.\n",
    "evidence": "Say the numbers of the lines that are asked for, or none.\n",
}
WINDOW = 60
"""How many lines of output one prompt shows, at most."""

LETTERS = 160
"""How much of a line is shown, in characters."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]+")


def plan_prompt(request: str, references: Mapping[str, str]) -> str:
    """Ask for a plan.

    Args:
        request: with references where targets are meant.
        references: what each reference is: "file", "folder", or "json" for a file that its name says is JSON.
    """
    known = ", ".join(f"{name} {kind}" for name, kind in references.items())
    return f"{HEADS['plan']}{_line(request)}\n{known}\nplan:\n"


def goal_prompt(request: str, things: Mapping[str, str]) -> str:
    """Ask for a goal.

    Args:
        request: plain English.
        things: what is at each name in the request: "file", "folder" or "missing".
    """
    known = ", ".join(f"{_line(name)} {kind}" for name, kind in things.items())
    return f"{HEADS['goal']}{_line(request)}\n{known}\ngoal:\n"


def evidence_prompt(lines: Sequence[str], wish: str) -> str:
    """Ask for lines of a window, which are numbered from 1 there.

    Args:
        lines: at most `WINDOW`.
        wish: what is wanted of them.
    """
    shown = "\n".join(f"{number}|{_line(line)[:LETTERS]}" for number, line in enumerate(lines, 1))
    return f"{HEADS['evidence']}{shown}\n{_line(wish)}\nlines:\n"


def _line(text: str) -> str:
    return _CONTROL.sub(" ", text).strip()
