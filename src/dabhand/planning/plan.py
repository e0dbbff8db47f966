"""What planning hands back: a plan, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from dabhand.commands import Template
from dabhand.goals import Answers, Condition
from dabhand.workspace import File, Folder, State
from dabhand.world import Prediction


class Step(msgspec.Struct, frozen=True):
    """One command of a plan: its template, what fills it, and what is expected of it in the folder before it."""

    template: Template
    slots: Mapping[str, str | int]
    prediction: Prediction


class Plan(msgspec.Struct, frozen=True):
    """Steps that lead to the goal, in imagination.

    Attributes:
        steps: in order; none when the goal holds already.
        imagined: how many outcomes were imagined to find it.
        seconds: how long that took.
        general: it does what was asked; otherwise it only comes out right because of what the files happen to hold, and
            nothing should be concluded from that about other folders.
        cut: the search was ended before it was through, so a shorter plan may exist.
    """

    steps: tuple[Step, ...]
    imagined: int
    seconds: float
    general: bool = True
    cut: bool = False


class Untrusted(msgspec.Struct, frozen=True):
    """A command that is expected to be of use, but not surely enough.

    Attributes:
        template: the command.
        line: how it would be used here.
        reason: why it is not trusted.
    """

    template: str
    line: str
    reason: str


class NoPlan(msgspec.Struct, frozen=True):
    """No trusted commands lead to the goal.

    Attributes:
        unreachable: conditions that the nearest folder found does not meet.
        imagined, seconds, cut: as of a plan.
        why: one sentence for each of them: what cannot be made, and what was reached.
        untrusted: commands that would do if they were trusted: practising them more may help.
    """

    unreachable: tuple[Condition, ...]
    imagined: int
    seconds: float
    cut: bool = False
    why: tuple[str, ...] = ()
    untrusted: tuple[Untrusted, ...] = ()

    @property
    def advice(self) -> str:
        """What to do about it."""
        if self.cut:
            return "The search was ended before it was through; asking for less at once may help."
        if self.untrusted:
            named = " ".join(
                f"--template {_quoted(text)}" for text in dict.fromkeys(o.template for o in self.untrusted)
            )
            return f"Practise more: dabhand learn {named}"
        return ""


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def needed_for(condition: Condition, state: State) -> str:
    """In a few words, what kind of command would be needed for a condition, for growing a tool."""
    match condition:
        case Answers():
            return "a command that prints the answer"
        case _:
            there = condition.path is not None and isinstance(state.get(condition.path), File | Folder)
            return f"a command that {'changes' if there else 'makes'} {condition.path!r}"
