"""The backends that are shells: a plan as a line, and the line run. What is heavy is imported when something is run."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dabhand.handoff.plan import Plan
from dabhand.handoff.shells.lines import Shell
from dabhand.handoff.shells.rendering import render, rendered

if TYPE_CHECKING:
    from dabhand.handoff.outcome import Done
    from dabhand.handoff.places import Opened
    from dabhand.handoff.raw import Raw
    from dabhand.workspace.confined import ConfinedFolder


def carry_out(
    backend: Shell,
    plan: Plan,
    folder: ConfinedFolder,
    opened: Opened,
    raw: Raw,
    new_file: Callable[[], int],
    now: float,
    timeout: float | None,
) -> Done:
    """Carry out a plan by a line of a shell and write its whole result. See `native.carry_out`.

    Raises:
        UsageError: that shell is not on this machine, or the plan cannot be said in it.
        Failed: it could not be carried out.
    """
    from dabhand.handoff.shells.carrying import carried_out

    return carried_out(backend, plan, folder, opened, raw, new_file, now, timeout)


__all__ = ["carry_out", "render", "rendered"]
