"""One request on its way: understood, planned, tried on a staged view of the folder, checked, asked about, applied."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from dabhand.agent.applying import listed, losses, origins_of, require_ordinary, require_unread
from dabhand.agent.diffing import unified
from dabhand.agent.document import DoDocument, SelfCheck, Status
from dabhand.agent.experimenting import Experimenter
from dabhand.agent.focus import LiveView, spoken_of, taken
from dabhand.agent.trial import Trial, attempt, self_check
from dabhand.errors import DabhandError
from dabhand.goals import Goal
from dabhand.goals.chain import Only, Remember, translate
from dabhand.goals.memory import GoalMemory
from dabhand.goals.models import Models
from dabhand.language import FolderView
from dabhand.planning import Planner, Target, needed_for
from dabhand.sandbox import Part
from dabhand.store import Run, Store
from dabhand.workspace import (
    Change,
    ConfinedFolder,
    FolderTooLarge,
    Origin,
    Snapshot,
    apply_to_folder,
    difference,
    journal_in,
    new_record_id,
    recover_folder,
)
from dabhand.world import World

_log = logging.getLogger(__name__)

Confirm = Callable[[DoDocument], bool]
"""Shown what would be changed, says whether to."""

Progress = Callable[[str], None]
"""Told in a few words what is being done now."""


class Stop(Exception):
    """The request ends here, with this status and reason."""

    def __init__(self, status: Status, reason: str, hint: str = "") -> None:
        super().__init__(reason)
        self.status: Status = status
        self.reason = reason
        self.hint = hint


class Errand:
    """One request on its way; `document` is what can be said of it so far."""

    def __init__(
        self,
        store: Store,
        request: str,
        recall: Callable[[Store], World],
        clock: Callable[[], float],
        dry_run: bool,
        translator: Only,
        models: Models,
        progress: Progress,
    ) -> None:
        self.store = store
        self.recall = recall
        self.clock = clock
        self.document = DoDocument(status="not_done", request=request, dry_run=dry_run)
        self.timings: dict[str, float] = {}
        self.journal = journal_in(store.file.parent)
        self.translator = translator
        self.models = models
        self.progress = progress
        self._remember: Remember = lambda time: None
        self._applying = ""
        self._began = time.perf_counter()
        self._lap = self._began

    def say(self, **what: object) -> None:
        """Add to the document."""
        self.document = msgspec.structs.replace(self.document, **what)

    def lap(self, name: str) -> None:
        """Note how long the part of the work that ends here took."""
        now = time.perf_counter()
        self.timings[name] = round((now - self._lap) * 1000, 3)
        self._lap = now

    def interrupted(self, folder: ConfinedFolder) -> None:
        """Say what an interrupt left: everything as it was, or changes that had all been made."""
        if folder.locked:  # else what looks cut short is of another dabhand that is still at it
            recover_folder(folder, self.journal)  # for when it came a second time, while changes were being taken back
        if self._applying in self.journal.ids() and self.journal.status(self._applying) in ("performed", "done"):
            reason, hint = "Interrupted after all changes were made.", "Take them back with: dabhand undo"
            self.say(status="not_done", reason=reason, hint=hint, run_id=self._applying)
        else:
            self.say(status="not_done", reason="Interrupted.", hint="Nothing was changed.", changes=(), answer=None)

    def carry_out(
        self, folder: ConfinedFolder, targets: Mapping[str, str], goal: Goal | None, yes: bool, confirm: Confirm | None
    ) -> None:
        """Everything between a locked folder and a changed one."""
        for one in recover_folder(folder, self.journal):
            _log.warning("%s", one.sentence)
        self.progress("reading the request")
        if goal is None:
            goal = self._translated(LiveView(folder), targets)
        self.say(goal=goal.to_json())
        self.lap("understand")
        part = self._taken(folder, goal)
        require_ordinary(part.snapshot, spoken_of(goal))
        target = Target(goal, part.state)
        self.lap("snapshot")
        trial = self._try(folder, part, target)
        self.lap("plan_and_run")
        check = self._checked(target, trial)
        final = trial.final if trial.final is not None else part.state
        changes = difference(part.state, final)
        answer = None if target.answer is None else target.answer.removesuffix("\n")
        self.say(self_check=check, changes=listed(changes), answer=answer)
        if self.document.dry_run:
            self.say(diff=unified(changes))
        else:
            origins = origins_of(goal, part.state, final)
            self._ask(changes, losses(changes, origins), yes, confirm)
            self.progress("changing the folder")
            self._apply(folder, part.snapshot, changes, goal, origins)
        self.say(status="done")
        self.lap("apply")
        if not self.document.dry_run:
            self._remember(self.clock())
            self.lap("remember")

    def _taken(self, folder: ConfinedFolder, goal: Goal) -> Part:
        try:
            return taken(folder, goal)
        except FolderTooLarge as error:
            reason = f"The request is about too much at once. {error.message}"
            raise Stop("refused", reason, "Name fewer or smaller things, or a smaller --root.") from error

    def _translated(self, folder: FolderView, targets: Mapping[str, str]) -> Goal:
        """What the request means."""
        memory = GoalMemory(self.store)
        found = translate(
            self.document.request, folder, targets, memory=memory, models=self.models, only=self.translator
        )
        self.say(goal_from=found.goal_from, lm_calls=found.lm_calls)
        self._remember = found.remember
        return found.goal

    def _try(self, folder: ConfinedFolder, part: Part, target: Target) -> Trial:
        self.progress("recalling what was learned")
        world = self.recall(self.store)
        templates = [model.template for model in world.models.values()]
        if not templates:
            raise Stop(
                "abstained", "No command was practised yet, so nothing can be planned with.", "Run: dabhand learn"
            )
        self.lap("recall")
        self.progress("planning, and trying the plan in the sandbox")
        with Experimenter(folder, part, world, self.store, self.clock) as experimenter:
            trial = attempt(target, Planner(world, templates), experimenter)
        self.timings["plan"] = round(trial.planning_seconds * 1000, 3)
        self.timings["stage"] = round(experimenter.staging_seconds * 1000, 3)
        self.say(plan=trial.steps, attempts=trial.attempts, imagined=trial.imagined, staged=trial.staged)
        return trial

    def _checked(self, target: Target, trial: Trial) -> SelfCheck:
        if trial.no_plan is not None:
            self.say(changes=(), answer=None)
            unreachable = trial.no_plan.unreachable
            needed = ", ".join(needed_for(one, target.before) for one in unreachable)
            raise Stop(
                "needs_tool" if trial.attempts == 0 else "not_done",
                " ".join(trial.no_plan.why),
                trial.no_plan.advice or f"Needed: {needed}. `dabhand learn` may teach it.",
            )
        if trial.peculiar:
            raise Stop(
                "not_done",
                "A command did something else in this folder than it does on a copy of what the request is about.",
                "Nothing was changed. Times, permissions or other files there may be why.",
            )
        if trial.final is None:
            raise Stop(
                "not_done", f"Commands did something unexpected in {trial.attempts} attempts.", "Nothing was changed."
            )
        check = self_check(target, trial.final, trial.printed, trial.elsewhere)
        if not check.ok:
            self.say(self_check=check)
            failed = [one.condition for one in check.conditions if not one.ok] + list(check.unexpected_changes)
            raise Stop("not_done", f"The self-check failed: {'; '.join(failed)}.", "Nothing was changed.")
        return check

    def _ask(self, changes: tuple[Change, ...], lossy: tuple[str, ...], yes: bool, confirm: Confirm | None) -> None:
        if yes or not changes:
            return
        if confirm(self.document) if confirm is not None else not lossy:
            return
        self.say(changes=(), answer=None)
        if confirm is not None:
            raise Stop("refused", "You said no, so nothing was changed.")
        raise Stop(
            "refused",
            f"This deletes or overwrites {', '.join(map(repr, lossy))}, and nobody could be asked.",
            "Allow it with --yes.",
        )

    def _apply(
        self,
        folder: ConfinedFolder,
        snapshot: Snapshot,
        changes: tuple[Change, ...],
        goal: Goal,
        origins: Mapping[str, Origin],
    ) -> None:
        if not changes:
            return
        try:
            require_unread(folder, snapshot, spoken_of(goal))
            run_id = self._applying = new_record_id(self.journal, self.clock())
            apply_to_folder(
                folder,
                snapshot,
                changes,
                self.journal,
                record_id=run_id,
                origins=origins,
                request=self.document.request,
            )
        except DabhandError as error:
            self.say(changes=())
            raise Stop("not_done", error.message, error.hint) from error
        self.say(run_id=run_id)

    def finish(self, root: Path) -> DoDocument:
        """The whole document, recorded in the store."""
        self.timings["total"] = round((time.perf_counter() - self._began) * 1000, 3)
        self.say(timings_ms=self.timings)
        # Lone surrogates (names that are not UTF-8) are no JSON text; the record shows them as escapes.
        text = msgspec.json.encode(_printable(msgspec.to_builtins(self.document))).decode()
        self.store.append_run(Run(self.document.request, str(root.absolute()), text, self.clock()))
        return self.document


def _printable(value: object) -> object:
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode()
        case dict():
            return {_printable(key): _printable(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_printable(inner) for inner in value]
        case _:
            return value
