"""One request on its way: understood, planned, tried on a staged view of the folder, checked, asked about, applied."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from dabhand.agent.applying import listed, losses, origins_of, require_ordinary, require_unread
from dabhand.agent.diffing import unified
from dabhand.agent.document import DoDocument, SelfCheck, Status
from dabhand.agent.experimenting import Experimenter
from dabhand.agent.focus import LiveView, spoken_of, taken
from dabhand.agent.growing import Growing
from dabhand.agent.guards import nothing_to_do, protected, require_single, why_protected
from dabhand.agent.trial import Trial, attempt, self_check
from dabhand.errors import DabhandError, StoreError
from dabhand.goals import Answers, Condition, Goal, Holds
from dabhand.goals.chain import Only, Remember, translate
from dabhand.goals.memory import GoalMemory
from dabhand.goals.models import Models
from dabhand.language import FolderView
from dabhand.planning import NoPlan, Planner, Target, needed_for
from dabhand.sandbox import Part
from dabhand.store import Run, Store
from dabhand.toolmaking.registry import Registry
from dabhand.toolmaking.workshop import Workshop
from dabhand.workspace import (
    Change,
    ConfinedFolder,
    FolderTooLarge,
    Origin,
    Snapshot,
    UnknownRun,
    apply_to_folder,
    difference,
    journal_in,
    new_record_id,
    recover_folder,
)
from dabhand.workspace.difference import digest
from dabhand.world import World

_log = logging.getLogger(__name__)

Confirm = Callable[[DoDocument], bool]
"""Shown what would be changed, says whether to."""

RECENT = 10
"""Of so many of the newest runs one may be this request's."""

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
        self.growing: Growing | None = None
        self.agreed: str | None = None
        self._hint = ""
        self._planner: Planner | None = None
        self._remember: Remember = lambda time: None
        self._applying = ""
        self._record: str | None = None
        self._is_interrupt_told = False
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
        hint = "What is left of it is put right by the next dabhand in this folder."
        if self._applying and folder.locked:
            try:
                recover_folder(folder, self.journal)  # for when one came while changes were being taken back
            except DabhandError as error:
                hint = error.message
        match self._stands():
            case "performed" | "done":
                hint = f"Take them back with: dabhand undo {self._applying}"
                self._say_cut_short("Interrupted after all changes were made.", hint)
            case "applying":
                self._say_cut_short("Interrupted while the folder was being changed.", hint)
            case "conflicted":
                hint = "What was edited meanwhile was left so. See: dabhand history"
                self._say_cut_short("Interrupted, and all but what was edited meanwhile was taken back.", hint)
            case _:
                self._unchanged()
                self.say(status="not_done", reason="Interrupted.", hint="Nothing was changed.")
        self._is_interrupt_told = True

    def cut_short(self) -> DoDocument:
        """What can be said at once; that nothing was changed only where changing was not begun."""
        if self._is_interrupt_told:
            return self.document
        if self._applying:
            self._say_cut_short("Interrupted while the folder was being changed.", "See: dabhand history")
        else:
            self._unchanged()
            self.say(status="not_done", reason="Interrupted.", hint="Nothing was changed.")
        return self.document

    def _say_cut_short(self, reason: str, hint: str) -> None:
        self.say(status="not_done", reason=reason, hint=hint, run_id=self._applying)

    def _unchanged(self) -> None:
        self.say(changes=(), digest=None, loses=(), answer=None, run_id=None)

    def _stands(self) -> str:
        """Where the journal says that changing the folder stands; "" when it was not begun."""
        try:
            return self.journal.status(self._applying) if self._applying else ""
        except UnknownRun:
            return ""

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
        if self._grown(self._lacking(trial, target), target):
            trial = self._try(folder, part, target)
        self.lap("plan_and_run")
        check = self._checked(target, trial)
        final = trial.final if trial.final is not None else part.state
        changes = difference(part.state, final)
        require_single(folder, changes)
        answer = None if target.answer is None else target.answer.removesuffix("\n")
        origins = origins_of(goal, part.state, final)
        self.say(self_check=check, changes=listed(changes), loses=losses(changes, origins), answer=answer)
        self.say(digest=digest(changes))
        if not changes:
            reason, hint = nothing_to_do(goal, part.state)
            self.say(reason=reason, hint=hint)
        if self.document.dry_run:
            self.say(diff=unified(changes))
        else:
            self.say(reason=why_protected(protected(folder, changes)) or self.document.reason)
            self._ask(yes, confirm)
            self.progress("changing the folder")
            self._apply(folder, part.snapshot, changes, goal, origins)
        self.say(status="done")
        self.lap("apply")
        if not self.document.dry_run:
            try:
                self._remember(self.clock())
            except StoreError as error:
                self._not_kept("remembered", error)
            self.lap("remember")

    def _taken(self, folder: ConfinedFolder, goal: Goal) -> Part:
        try:
            return taken(folder, goal)
        except FolderTooLarge as error:
            reason = f"The request is about too much at once. {error.message}"
            raise Stop("refused", reason, "Name fewer or smaller things, or a smaller --root.") from error
        except PermissionError as error:
            name = os.fsdecode(error.filename or "")
            raise Stop("refused", f"{name!r} cannot be looked into: permission denied.", "Ask its owner.") from error

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
        world = Workshop(self.recall(self.store), Registry.of(self.store).all())
        templates = world.templates
        if not world.world.models:
            raise Stop(
                "abstained", "No command was practised yet, so nothing can be planned with.", "Run: dabhand learn"
            )
        self.lap("recall")
        self.progress("planning, and trying the plan in the sandbox")
        with Experimenter(folder, part, world, self.store, self.clock) as experimenter:
            self._planner = Planner(world, templates)
            trial = attempt(target, self._planner, experimenter)
        self.timings["plan"] = round(trial.planning_seconds * 1000, 3)
        self.timings["stage"] = round(experimenter.staging_seconds * 1000, 3)
        self.say(plan=trial.steps, attempts=trial.attempts, imagined=trial.imagined)
        self.say(staged=trial.staged, general=trial.general)
        return trial

    def _lacking(self, trial: Trial, target: Target) -> tuple[Condition, ...]:
        """What no plan leads to, or only one that comes out right by accident."""
        if self.growing is None or (trial.no_plan is not None and trial.attempts):
            return ()
        if trial.no_plan is not None:
            return trial.no_plan.unreachable
        if trial.general or self._planner is None:
            return ()
        texts = tuple(one for one in target.goal.conditions if isinstance(one, Holds | Answers))
        return tuple(one for one in texts if len(texts) == 1 or self._is_accident(one, target, self._planner))

    def _is_accident(self, condition: Condition, target: Target, planner: Planner) -> bool:
        """Whether there is no plan for a condition alone that does what is asked whatever the files hold."""
        try:
            plan = planner.plan(Target(Goal((condition,), target.goal.reads), target.before))
        except DabhandError:
            return False  # it has no meaning without the others
        return isinstance(plan, NoPlan) or not plan.general

    def _grown(self, lacking: tuple[Condition, ...], target: Target) -> bool:
        """Make the tools that are missing, if somebody agrees; whether there are new ones."""
        if self.growing is None or not lacking:
            return False
        self.progress("looking for a tool that would do")
        made = self.growing.grow(lacking, target.before)
        self.say(tools_made=(*self.document.tools_made, *made.names))
        self.lap("make_tools")
        if made.reason:
            raise Stop("not_done", made.reason, "Nothing was changed.")
        self._hint = made.hint
        return bool(made.names)

    def _checked(self, target: Target, trial: Trial) -> SelfCheck:
        if trial.no_plan is not None:
            self._unchanged()
            unreachable = trial.no_plan.unreachable
            needed = ", ".join(needed_for(one, target.before) for one in unreachable)
            raise Stop(
                "needs_tool" if trial.attempts == 0 else "not_done",
                " ".join(trial.no_plan.why),
                self._hint or trial.no_plan.advice or f"Needed: {needed}. `dabhand learn` may teach it.",
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

    def _ask(self, yes: bool, confirm: Confirm | None) -> None:
        loses = self.document.loses
        if self.agreed not in (None, self.document.digest):
            self._unchanged()
            reason = "What would change is not what was agreed to, so nothing was changed."
            raise Stop("refused", reason, "Look at it again: the folder changed meanwhile.")
        if yes or self.agreed is not None or not self.document.changes:
            return
        if confirm(self.document) if confirm is not None else not loses:
            return
        self._unchanged()
        if confirm is not None:
            raise Stop("refused", "You said no, so nothing was changed.")
        reason = f"This deletes or overwrites {', '.join(map(repr, loses))}, and nobody could be asked."
        raise Stop("refused", f"{reason} {self.document.reason}".strip(), "Allow it with --yes.")

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
            self._unchanged()
            if self._stands() in ("applying", "conflicted"):
                self.say(run_id=self._applying)  # what is left of it is found under that
            raise Stop("not_done", error.message, error.hint) from error
        self.say(run_id=run_id)

    def finish(self, root: Path) -> DoDocument:
        """The whole document, recorded in the store."""
        self.timings["total"] = round((time.perf_counter() - self._began) * 1000, 3)
        self.say(timings_ms=self.timings)
        try:
            if not self._is_recorded():
                # Lone surrogates (names that are not UTF-8) are no JSON text; the record shows them as escapes.
                self._record = msgspec.json.encode(_printable(msgspec.to_builtins(self.document))).decode()
                self.store.append_run(Run(self.document.request, str(root.absolute()), self._record, self.clock()))
        except StoreError as error:
            self._not_kept("recorded in the history", error)
        return self.document

    def _is_recorded(self) -> bool:
        """Whether recording was interrupted only once it was done."""
        return self._record is not None and any(run.document == self._record for run in self.store.runs(RECENT))

    def _not_kept(self, what: str, error: StoreError) -> None:
        """Say that the store failed; what became of the request is no other for it."""
        said = f"This could not be {what}: {error.message}"
        if self.document.status != "done":
            self.say(hint=f"{self.document.hint} {said}".lstrip())
            return
        undoing = f"It can be undone all the same: dabhand undo {self.document.run_id}"
        hint = undoing if self.document.run_id is not None else error.hint
        self.say(reason=f"{self.document.reason} {said}".lstrip(), hint=hint)


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
