"""Carrying out one request on a real folder: understand, plan, try on a copy, check, and only then apply."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from dabhand.agent.document import DoDocument, PathChange, SelfCheck, Status
from dabhand.agent.focus import focused, restored
from dabhand.agent.trial import LIMITS, Experimenter, Trial, attempt, self_check
from dabhand.errors import Conflict, DabhandError, NotUnderstood
from dabhand.goals import Goal, IsCopy, Refused, condition_sentence
from dabhand.goals.chain import Only, Remember, translate
from dabhand.goals.memory import GoalMemory
from dabhand.goals.models import Models, registered_models
from dabhand.language import FolderView
from dabhand.planning import Planner, Target, needed_for
from dabhand.sandbox import open_worker
from dabhand.store import Run, Store
from dabhand.workspace import (
    Change,
    ConfinedFolder,
    Origin,
    Snapshot,
    State,
    apply_to_folder,
    difference,
    journal_in,
    new_record_id,
    recover_folder,
    take_snapshot,
)
from dabhand.world import World
from dabhand.world.reading import StateView

_log = logging.getLogger(__name__)

Confirm = Callable[[DoDocument], bool]
"""Shown what would be changed, says whether to."""


class _Stop(Exception):
    """The request ends here, with this status and reason."""

    def __init__(self, status: Status, reason: str, hint: str = "") -> None:
        super().__init__(reason)
        self.status: Status = status
        self.reason = reason
        self.hint = hint


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
    confirm: Confirm | None = None,
    dry_run: bool = False,
    translator: Only = "auto",
    models: Models = registered_models,
    recall: Callable[[Store], World] = World.load,
    clock: Callable[[], float] = time.time,
) -> DoDocument:
    """Carry out a request on a folder.

    Args:
        store: what was learned, and where this run is recorded.
        request: plain English.
        root: the folder.
        targets: paths by name, for `{{name}}` in the request.
        goal: what the request was already taken to mean, where somebody was asked; it is not read again.
        yes: do not ask before deleting or overwriting.
        confirm: whom to ask; without, what would have to be asked is refused.
        dry_run: plan, try on a copy and check; change nothing.
        translator: the one that is to say what the request means; by default each is asked until one is sure.
        models: language models to ask what the grammar cannot read.
        recall: how what was learned is taken out of the store.
        clock: seconds since the epoch.

    Raises:
        UsageError: the folder cannot be used.
        SandboxUnavailable: there is no safe place to run commands.
        Interrupted: by the user.
    """
    errand = _Errand(store, request, recall, clock, dry_run, translator, models)
    with ConfinedFolder(root) as folder:
        try:
            folder.lock()
            errand.carry_out(folder, targets or {}, goal, yes, confirm)
        except _Stop as stop:
            errand.say(status=stop.status, reason=stop.reason, hint=stop.hint)
        except NotUnderstood as error:
            errand.say(status="abstained", reason=error.message, hint=error.hint, lm_calls=error.lm_calls)
        except Refused as error:
            errand.say(status="refused", reason=error.message, hint=error.hint)
        except Conflict as error:
            errand.say(status="not_done", reason=error.message, hint=error.hint)
        except KeyboardInterrupt as error:
            errand.interrupted()
            raise Interrupted(errand.finish(root)) from error
    return errand.finish(root)


class _Errand:
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
    ) -> None:
        self.store = store
        self.recall = recall
        self.clock = clock
        self.document = DoDocument(status="not_done", request=request, dry_run=dry_run)
        self.timings: dict[str, float] = {}
        self.journal = journal_in(store.file.parent)
        self.translator = translator
        self.models = models
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

    def interrupted(self) -> None:
        """Say what an interrupt left: everything as it was, or changes that had all been made."""
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
        snapshot = take_snapshot(folder)
        self.lap("snapshot")
        if goal is None:
            goal = self._translated(StateView(snapshot.state), targets)
        self.say(goal=goal.to_json())
        _require_ordinary(snapshot, goal)
        target = Target(goal, focused(snapshot.state, goal))
        self.lap("understand")
        trial = self._try(target)
        self.lap("plan_and_run")
        check = self._checked(target, trial)
        final = restored(snapshot.state, target.before, trial.final or target.before)
        changes = difference(snapshot.state, final)
        answer = None if target.answer is None else target.answer.removesuffix("\n")
        self.say(self_check=check, changes=_listed(changes), answer=answer)
        if not self.document.dry_run:
            self._ask(changes, yes, confirm)
            self._apply(folder, snapshot, changes, origins_of(goal, snapshot.state, final))
        self.say(status="done")
        self.lap("apply")
        if not self.document.dry_run:
            self._remember(self.clock())
            self.lap("remember")

    def _translated(self, folder: FolderView, targets: Mapping[str, str]) -> Goal:
        """What the request means."""
        memory = GoalMemory(self.store)
        found = translate(
            self.document.request, folder, targets, memory=memory, models=self.models, only=self.translator
        )
        self.say(goal_from=found.goal_from, lm_calls=found.lm_calls)
        self._remember = found.remember
        return found.goal

    def _try(self, target: Target) -> Trial:
        world = self.recall(self.store)
        templates = [model.template for model in world.models.values()]
        if not templates:
            raise _Stop(
                "abstained", "No command was practised yet, so nothing can be planned with.", "Run: dabhand learn"
            )
        self.lap("recall")
        with open_worker("auto", LIMITS) as worker:
            trial = attempt(target, Planner(world, templates), Experimenter(worker, world, self.store, self.clock))
        self.timings["plan"] = round(trial.planning_seconds * 1000, 3)
        self.say(plan=trial.steps, attempts=trial.attempts, imagined=trial.imagined)
        return trial

    def _checked(self, target: Target, trial: Trial) -> SelfCheck:
        if trial.no_plan is not None:
            self.say(changes=(), answer=None)
            unreachable = trial.no_plan.unreachable
            needed = ", ".join(needed_for(one, target.before) for one in unreachable)
            raise _Stop(
                "needs_tool" if trial.attempts == 0 else "not_done",
                f"No trusted command leads to: {'; '.join(map(condition_sentence, unreachable))}.",
                f"Needed: {needed}. `dabhand learn` may teach it.",
            )
        if trial.final is None:
            raise _Stop(
                "not_done", f"Commands did something unexpected in {trial.attempts} attempts.", "Nothing was changed."
            )
        check = self_check(target, trial.final, trial.printed)
        if not check.ok:
            self.say(self_check=check)
            failed = [one.condition for one in check.conditions if not one.ok] + list(check.unexpected_changes)
            raise _Stop("not_done", f"The self-check failed: {'; '.join(failed)}.", "Nothing was changed.")
        return check

    def _ask(self, changes: tuple[Change, ...], yes: bool, confirm: Confirm | None) -> None:
        lossy = [change.path for change in changes if change.kind in ("deleted", "modified")]
        if yes or not lossy or (confirm is not None and confirm(self.document)):
            return
        self.say(changes=(), answer=None)
        if confirm is not None:
            raise _Stop("refused", "You said no, so nothing was changed.")
        raise _Stop(
            "refused",
            f"This deletes or overwrites {', '.join(map(repr, lossy))}, and nobody could be asked.",
            "Allow it with --yes.",
        )

    def _apply(
        self, folder: ConfinedFolder, snapshot: Snapshot, changes: tuple[Change, ...], origins: Mapping[str, Origin]
    ) -> None:
        if not changes:
            return
        try:
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
            raise _Stop("not_done", error.message, error.hint) from error
        self.say(run_id=run_id)

    def finish(self, root: Path) -> DoDocument:
        """The whole document, recorded in the store."""
        self.timings["total"] = round((time.perf_counter() - self._began) * 1000, 3)
        self.say(timings_ms=self.timings)
        # Lone surrogates (names that are not UTF-8) are no JSON text; the record shows them as escapes.
        text = msgspec.json.encode(_printable(msgspec.to_builtins(self.document))).decode()
        self.store.append_run(Run(self.document.request, str(root.absolute()), text, self.clock()))
        return self.document


def origins_of(goal: Goal, before: State, final: State) -> dict[str, Origin]:
    """For each path that becomes, by the goal, what another was: which, and whether that is gone."""
    found: dict[str, Origin] = {}
    for one in goal.conditions:
        if isinstance(one, IsCopy):
            for source in (one.source, *before.below(one.source)):
                found[one.path + source[len(one.source) :]] = Origin(source, moved=source not in final)
    return found


def _require_ordinary(snapshot: Snapshot, goal: Goal) -> None:
    """Refuse a goal that speaks of something that could not be taken in."""
    for path in (*goal.paths, *goal.reads):
        odd = snapshot.odd_at_or_below(path)
        if odd:
            raise Refused(f"{odd[0].path!r} cannot be worked with: {odd[0].why}.")


def _listed(changes: tuple[Change, ...]) -> tuple[PathChange, ...]:
    return tuple(PathChange(change.path, change.kind) for change in changes)


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
