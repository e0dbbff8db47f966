"""What was asked for so far and what became of it: the store's runs, with what the journal knows of each; undoing one.

The store says what was asked and answered, the journal what was changed and whether that still stands. A run that was
killed is in the journal alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from dabhand.agent.document import PathChange
from dabhand.errors import Conflict, DabhandError, StoreError
from dabhand.store import Run, Store
from dabhand.workspace import (
    ConfinedFolder,
    Recovered,
    UnknownRun,
    journal_in,
    new_record_id,
    recover,
    recover_folder,
    undo,
)

EVERY = -1
"""As a limit: all there are."""

_STATES = {
    "applying": "cut short",
    "performed": "done",
    "done": "done",
    "undone": "undone",
    "rolled_back": "taken back",
    "conflicted": "conflict",
}
_STANDS_BY = {
    "cut short": "it was cut short",
    "undone": "it was undone already",
    "taken back": "it failed and was taken back",
    "conflict": "it was cut short, and files were changed before it could be taken back",
}


class NothingToUndo(DabhandError):
    """There is no run that could be undone, or the one that was named changed nothing."""

    code = "nothing_to_undo"


class PastRun(msgspec.Struct, frozen=True, kw_only=True):
    """One run.

    Attributes:
        number: the store's, by which people name a run; None for one that was killed before it could report.
        run_id: the journal's; None for a run that changed nothing.
        time: seconds since the epoch.
        status: as the run itself reported it ("" when it could not).
        state: where it stands now: done, nothing changed, undone, not done, abstained, refused, needs tool, dry run,
            cut short, taken back, conflict.
        undoes: the run that this one took back.
        undone_by: the run that took this one back, and that can be undone in turn.
        undoable: whether it can be undone, as far as the journal alone can tell.
        why_not: why it cannot.
    """

    number: int | None
    run_id: str | None
    time: float
    request: str
    root: str
    status: str
    state: str
    changes: tuple[PathChange, ...] = ()
    undoes: str | None = None
    undone_by: str | None = None
    undoable: bool = False
    why_not: str = ""


class Undone(msgspec.Struct, frozen=True, kw_only=True):
    """What undoing a run put back.

    Attributes:
        run_id: the run that was undone.
        undo_id: the undoing, which can be undone in turn; None with `dry_run`.
        number: the undoing's in the history.
        changes: those that were made, or with `dry_run` would be.
        reason: what went wrong once it was undone, with what to do about that in `hint`.
    """

    status: str
    run_id: str
    undo_id: str | None
    number: int | None = None
    request: str
    root: str
    changes: tuple[PathChange, ...]
    dry_run: bool = False
    reason: str = ""
    hint: str = ""


class History:
    """The runs of a store.

    Args:
        store: where they are kept.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.journal = journal_in(store.file.parent)

    def recover(self) -> tuple[Recovered, ...]:
        """Finish or take back what was cut short, wherever it was."""
        return recover(self.journal)

    def runs(self, root: Path | None = None, limit: int = EVERY) -> list[PastRun]:
        """The newest runs, oldest of them first; of one folder if `root` is given."""
        found: list[PastRun] = []
        wanted = None if root is None else _real(str(root))
        for run in self._newest_first():
            if wanted is None or _real(run.root) == wanted:
                if len(found) == limit:
                    break
                found.append(run)
        return found[::-1]

    def undoable(self, root: Path | None = None) -> list[PastRun]:
        """The runs that can be undone, oldest first; undoings come along, as undoing one is doing it again."""
        return [run for run in self.runs(root) if run.undoable]

    def find(self, name: str, root: Path | None = None) -> PastRun:
        """The run of that number or id.

        Raises:
            UnknownRun: when there is none, or it was in another folder than `root`.
        """
        wanted = name.removeprefix("#")
        for run in self._newest_first():
            if wanted == run.run_id or (run.number is not None and wanted == str(run.number)):
                if root is not None and _real(run.root) != _real(str(root)):
                    raise UnknownRun(f"Run {name!r} was in {run.root!r}, not in {str(root)!r}.", "See: dabhand history")
                return run
        raise UnknownRun(f"There is no run {name!r}.", "See: dabhand history")

    def last_undoable(self, root: Path | None = None) -> PastRun:
        """The newest run that can be undone and is no undoing itself, so that asking again goes further back.

        Raises:
            NothingToUndo: when there is none.
        """
        for run in self._newest_first():
            ours = root is None or _real(run.root) == _real(str(root))
            if ours and run.undoable and run.undoes is None and (root is not None or Path(run.root).is_dir()):
                return run
        where = "" if root is None else f" in {str(root)!r}"
        raise NothingToUndo(f"There is no run{where} that could be undone.", "See: dabhand history")

    def undo(self, run: PastRun, *, time: float, dry_run: bool = False) -> Undone:
        """Take a run back, and note that in the history.

        Args:
            run: which.
            time: seconds since the epoch.
            dry_run: only say what would be put back.

        Raises:
            NothingToUndo, NoLongerKept, Conflict, ApplyFailed, UsageError: it was not; nothing is changed, then.
        """
        if run.run_id is None or not run.undoable:
            raise self._not_undoable(run)
        changes = tuple(_turned(change) for change in run.changes)
        made = Undone(
            status="would_undo" if dry_run else "undone", run_id=run.run_id, undo_id=None, request=run.request,
            root=run.root, changes=changes, dry_run=dry_run,
        )  # fmt: skip
        if dry_run:
            return made
        with ConfinedFolder(run.root) as folder:
            folder.lock()
            recover_folder(folder, self.journal)
            undo_id = new_record_id(self.journal, time)
            try:
                undo(folder, self.journal, run.run_id, undo_id=undo_id)
            except Conflict as error:
                raise self._explained(error, run) from error
        made = msgspec.structs.replace(made, undo_id=undo_id)
        document = json.dumps({**msgspec.to_builtins(made), "run_id": undo_id, "undoes": run.run_id}, ensure_ascii=True)
        try:
            number = self.store.append_run(Run(_undo_request(run), run.root, document, time))
        except StoreError as error:
            reason = f"This could not be recorded in the history: {error.message}"
            return msgspec.structs.replace(made, reason=reason, hint=f"Do it again with: dabhand undo {undo_id}")
        return msgspec.structs.replace(made, number=number)

    def _not_undoable(self, run: PastRun) -> DabhandError:
        if run.run_id is not None and run.state == "done":
            try:
                self.journal.require_kept(self.journal.record(run.run_id))
            except DabhandError as error:
                return error
        hint = "See: dabhand undo --list"
        if run.undone_by is not None:
            hint = f"Do it again with: dabhand undo {self.find(run.undone_by).number or run.undone_by}"
        return NothingToUndo(f"Run {run.number or run.run_id} cannot be undone: {run.why_not}.", hint)

    def _explained(self, error: Conflict, run: PastRun) -> Conflict:
        """Say which later runs changed the same paths, where there are any: those can be undone first."""
        ours = {change.path for change in run.changes}
        later = [
            other
            for other in self.undoable(Path(run.root))
            if other.run_id is not None
            and run.run_id is not None
            and other.run_id > run.run_id
            and ours & {change.path for change in other.changes}
        ]
        if not later:
            return Conflict(error.message, "Nothing was changed. Put them back by hand, or keep them as they are.")
        named = ", ".join(str(other.number or other.run_id) for other in reversed(later))
        return Conflict(error.message, f"Nothing was changed. Later runs changed them too; undo those first: {named}.")

    def _newest_first(self) -> Iterator[PastRun]:
        """All runs, those that are in the journal alone among the others by time."""
        journalled = set(self.journal.ids())
        undone_by = self.journal.undone()
        rows = [(row, _document(row)) for row in self.store.runs(EVERY)]
        unreported = journalled - {document.get("run_id") for _, document in rows}
        alone = sorted(unreported, reverse=True)
        for row, document in rows:
            while alone and _time_of(alone[0]) > row.time:
                yield from self._journalled_only(alone.pop(0), undone_by)
            yield self._reported(row, document, journalled, undone_by)
        for record_id in alone:
            yield from self._journalled_only(record_id, undone_by)

    def _reported(
        self, row: Run, document: Mapping[str, Any], journalled: set[str], undone_by: Mapping[str, str]
    ) -> PastRun:
        run_id = document.get("run_id")
        status = str(document.get("status", ""))
        run = PastRun(
            number=row.id, run_id=run_id, time=row.time, request=row.request, root=row.root, status=status, state=""
        )
        if isinstance(run_id, str) and run_id in journalled:
            return self._judged(run, undone_by)
        if run_id is not None:
            return msgspec.structs.replace(run, state="done", why_not="its journal is no longer there")
        state = status.replace("_", " ")
        if document.get("dry_run"):
            state = "dry run"
        elif status == "done":
            state = "nothing changed"
        return msgspec.structs.replace(run, state=state, why_not="it changed nothing")

    def _journalled_only(self, record_id: str, undone_by: Mapping[str, str]) -> Iterator[PastRun]:
        """A run that was killed before it could report; nothing when its record cannot be read."""
        try:
            record = self.journal.record(record_id)
        except DabhandError:
            return
        run = PastRun(
            number=None, run_id=record_id, time=_time_of(record_id), request=record.request, root=record.root,
            status="", state="",
        )  # fmt: skip
        yield self._judged(run, undone_by)

    def _judged(self, run: PastRun, undone_by: Mapping[str, str]) -> PastRun:
        """A run with what its record says of it."""
        assert run.run_id is not None
        state, why_not, undoes = "done", "", None
        changes: tuple[PathChange, ...] = ()
        try:
            record = self.journal.record(run.run_id)
            state = _STATES[self.journal.status(run.run_id)]
            changes = tuple(PathChange(entry.path, entry.change) for entry in record.entries)
            undoes = record.undoes or None
            why_not = _STANDS_BY.get(state, "")
            if not why_not:
                self.journal.require_kept(record)
        except DabhandError as error:
            why_not = why_not or _clause(error.message)
        return msgspec.structs.replace(
            run, state=state, changes=changes, undoes=undoes, undone_by=undone_by.get(run.run_id),
            undoable=not why_not, why_not=why_not,
        )  # fmt: skip


def _turned(change: PathChange) -> PathChange:
    match change.change:
        case "created":
            return PathChange(change.path, "deleted")
        case "deleted":
            return PathChange(change.path, "created")
        case same:
            return PathChange(change.path, same)


def _undo_request(run: PastRun) -> str:
    return f"undo {run.number or run.run_id}"


def _document(row: Run) -> dict[str, Any]:
    try:
        document = json.loads(row.document)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def _time_of(record_id: str) -> float:
    digits = record_id[1:].partition("-")[0]
    return int(digits) / 1000 if digits.isdigit() else 0.0


def _clause(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:].rstrip(".")


def _real(root: str) -> str:
    return os.path.realpath(root)
