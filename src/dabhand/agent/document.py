"""What `dabhand do` hands back: the contract's document, field by field."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Status = Literal["done", "not_done", "abstained", "needs_tool", "refused"]


class StepReport(msgspec.Struct, frozen=True, kw_only=True):
    """One command of the plan: what was expected of it, and what it did. None: it was not run."""

    command: str
    slots: dict[str, str | int]
    line: str
    confidence: float
    predicted: str
    exit_code: int | None = None
    surprise: bool = False


class ConditionCheck(msgspec.Struct, frozen=True):
    """Whether one condition was true in the end."""

    condition: str
    ok: bool


class SelfCheck(msgspec.Struct, frozen=True):
    """The agent's own check of what came of its plan, before anything was applied."""

    ok: bool
    conditions: tuple[ConditionCheck, ...] = ()
    unexpected_changes: tuple[str, ...] = ()


class PathChange(msgspec.Struct, frozen=True):
    """One path of the folder that changed."""

    path: str
    change: Literal["created", "modified", "deleted", "mode"]

    @property
    def put_back(self) -> str:
        """What such a change does where it undoes another."""
        return _PUTS_BACK[self.change]


_PUTS_BACK = {"created": "brings back", "modified": "restores", "deleted": "removes", "mode": "sets the mode of"}


class DoDocument(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one request.

    Attributes:
        changes: what was changed in the real folder (with `dry_run`: what would be).
        digest: of those changes, contents before and after included; two requests that say the same do the same.
        loses: those of the changed paths whose content is deleted or overwritten, and nowhere else afterwards.
        reason: why it is not done; of what is done, what went wrong after that.
        hint: what to do about that.
        imagined: how many outcomes were imagined while planning.
        diff: with `dry_run`, what would change, as a unified diff.
        staged: how the folder was staged: "overlay", "copy", or "" when nothing was run.
        general: the plan does what was asked; otherwise it is only right for what the files hold now.
    """

    status: Status
    request: str
    goal: dict[str, Any] | None = None
    goal_from: str = "grammar"
    lm_calls: int = 0
    attempts: int = 0
    plan: tuple[StepReport, ...] = ()
    self_check: SelfCheck | None = None
    changes: tuple[PathChange, ...] = ()
    digest: str | None = None
    loses: tuple[str, ...] = ()
    answer: str | None = None
    tools_made: tuple[str, ...] = ()
    run_id: str | None = None
    timings_ms: dict[str, float] = {}
    reason: str = ""
    hint: str = ""
    dry_run: bool = False
    imagined: int = 0
    diff: str | None = None
    staged: str = ""
    general: bool = True
