"""Carrying out one request on a real folder, and what every way of ending it becomes: a document."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

from dabhand.agent.document import DoDocument
from dabhand.agent.errand import Confirm, Errand, Progress, Stop
from dabhand.agent.growing import Growing, Offering
from dabhand.agent.phrasing import ways_to_take_it
from dabhand.errors import Conflict, NotUnderstood
from dabhand.goals import Goal, Refused
from dabhand.goals.chain import Only
from dabhand.goals.finding import every_model
from dabhand.goals.models import Models
from dabhand.store import Store
from dabhand.workspace import ConfinedFolder
from dabhand.world import World

__all__ = ["Confirm", "Interrupted", "Progress", "carry_out"]


class Interrupted(KeyboardInterrupt):
    """Raised when somebody interrupts, with what can be said of the request by then."""

    def __init__(self, document: DoDocument) -> None:
        super().__init__()
        self.document = document


def carry_out(
    store: Store,
    request: str,
    root: Path,
    *,
    targets: Mapping[str, str] | None = None,
    goal: Goal | None = None,
    yes: bool = False,
    agreed: str | None = None,
    confirm: Confirm | None = None,
    dry_run: bool = False,
    translator: Only = "auto",
    models: Models = every_model,
    recall: Callable[[Store], World] = World.load,
    clock: Callable[[], float] = time.time,
    progress: Progress = lambda what: None,
    tools: bool = True,
    offer: Offering | None = None,
) -> DoDocument:
    """Carry out a request on a folder.

    Args:
        store: what was learned, and where this run is recorded.
        request: plain English.
        root: the folder.
        targets: paths by name, for `{{name}}` in the request.
        goal: what the request was already taken to mean, where somebody was asked; it is not read again.
        yes: do not ask before changing anything.
        agreed: the digest of the changes that somebody agreed to; if others would be made, nothing is.
        confirm: whom to ask; without, what deletes or overwrites is refused, and what does not is done.
        dry_run: plan, try on a staged view and check; change nothing, and say what would.
        translator: the one that is to say what the request means; by default each is asked until one is sure.
        models: language models to ask what the grammar cannot read.
        recall: how what was learned is taken out of the store.
        clock: seconds since the epoch.
        progress: told what is being done now.
        tools: whether a tool may be made for what no command does.
        offer: whom to ask before one is made; without, it is made only where `yes` says so.

    Raises:
        UsageError: the folder cannot be used.
        SandboxUnavailable: there is no safe place to run commands.
        Interrupted: by the user.
    """
    errand = Errand(store, request, recall, clock, dry_run, translator, models, progress)
    errand.agreed = agreed
    if tools:
        errand.growing = Growing(store, (lambda offered: True) if yes and not dry_run else None if dry_run else offer)
    try:
        with ConfinedFolder(root) as folder:
            try:
                _carry(errand, folder, targets or {}, goal, yes, confirm)
                return errand.finish(root)
            except KeyboardInterrupt as error:
                errand.interrupted(folder)
                raise Interrupted(errand.finish(root)) from error
    except Interrupted:
        raise
    except KeyboardInterrupt as error:  # again, while it was worked out what the first one had left
        raise Interrupted(errand.cut_short()) from error


def _carry(
    errand: Errand,
    folder: ConfinedFolder,
    targets: Mapping[str, str],
    goal: Goal | None,
    yes: bool,
    confirm: Confirm | None,
) -> None:
    """Carry the request out, or note why it ends before that."""
    try:
        folder.lock()
        errand.carry_out(folder, targets, goal, yes, confirm)
    except Stop as stop:
        errand.say(status=stop.status, reason=stop.reason, hint=stop.hint)
    except NotUnderstood as error:
        reason = ways_to_take_it(error.readings) if error.readings else error.message
        errand.say(status="abstained", reason=reason, hint=error.hint, lm_calls=error.lm_calls)
    except Refused as error:
        errand.say(status="refused", reason=error.message, hint=error.hint)
    except Conflict as error:
        errand.say(status="not_done", reason=error.message, hint=error.hint)
