"""A plan as a line of a shell."""

from __future__ import annotations

import msgspec

from dabhand.errors import UsageError
from dabhand.handoff.plan import Plan, Search
from dabhand.handoff.shells.lines import Rendered


def render(plan: Plan, shell: str, path: str, *, folder: bool, now: float = 0.0) -> Rendered:
    """A plan as a line.

    Raises:
        UsageError: there is no such shell, or the plan cannot be said in it.
    """
    if shell == "bash":
        from dabhand.handoff.shells.bash import render_bash

        return render_bash(plan, path, folder=folder, now=now)
    if shell == "powershell":
        from dabhand.handoff.shells.powershell import render_powershell

        return render_powershell(plan, path, folder=folder)
    raise UsageError(f"There is no backend {shell!r}.", "Use native, bash or powershell.")


def rendered(plan: Plan, dialect: str, *, folder: bool | None = None, now: float = 0.0) -> str:
    """The line that does what a plan says, for people to read.

    Args:
        plan: what is said.
        dialect: bash or powershell.
        folder: whether its path is a folder; None where that is only to be told from the plan.
        now: what ages are told from, in seconds since 1970.
    """
    if folder is None:
        folder = bool(getattr(plan, "recursive", False)) or getattr(plan, "glob", None) is not None
    line = render(plan, dialect, plan.path, folder=folder, now=now)
    if dialect == "bash" and folder and isinstance(plan, Search) and plan.max_count is not None:
        # where it is run, all matches are taken in and counted here: behind `head` nobody would see that grep failed
        line = msgspec.structs.replace(line, stages=(*line.stages, ("head", "-n", str(plan.max_count))))
    return line.line
