"""Changing a real folder as one transaction: all of it or nothing, whenever the power goes.

What is to be done, and what is replaced, is written to the journal and synced first. Then the entries are made: what
is displaced waits under another name in the folder. Then the record is marked "performed", which is the moment that
counts, and what waits is removed. Whoever finds a record that was cut short (`recover`) takes back what was done of
it, or, after that moment, finishes removing.

The caller holds the folder's lock throughout, which is required of it: without it, what looks cut short may be
somebody else's who is still at it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

import msgspec

from dabhand.errors import Conflict, DabhandError, StoreError
from dabhand.workspace.carrying import Carrying, Contents, OnStep
from dabhand.workspace.confined import ConfinedFolder, reason
from dabhand.workspace.difference import Change
from dabhand.workspace.drafting import Drafted, Origin, drafted_changes, drafted_undoing
from dabhand.workspace.journal import Journal, Status
from dabhand.workspace.record import Record
from dabhand.workspace.snapshot import Snapshot, changed_since
from dabhand.workspace.state import File, Node


class ApplyFailed(DabhandError):
    """The changes could not be made; what had been made was taken back."""

    code = "apply_failed"


class NotUndoable(DabhandError):
    """A run that is not in a state in which it can be undone."""

    code = "not_undoable"


class Recovered(msgspec.Struct, frozen=True):
    """What became of a transaction that had been cut short.

    Attributes:
        outcome: "waiting" when its folder is not there now, "refused" when the system did not let it be put right,
            "unreadable" when its record is not to be understood.
        left: paths that somebody else had changed, and so were left alone.
        rescued: where what was at such a path before is now.
        why: what the system said.
    """

    id: str
    root: str
    outcome: Literal["finished", "taken_back", "conflicted", "waiting", "refused", "unreadable"]
    left: tuple[str, ...] = ()
    rescued: dict[str, str] = {}
    why: str = ""

    @property
    def sentence(self) -> str:
        """What became of it, for people."""
        match self.outcome:
            case "finished":
                return f"Run {self.id} in {self.root} was cut short after all its changes were made; it is done now."
            case "taken_back":
                return f"Run {self.id} in {self.root} was cut short; what it had changed was taken back."
            case "conflicted":
                left = _named(self.left, self.rescued)
                return f"Run {self.id} in {self.root} was cut short; taken back but for what was edited since: {left}."
            case "waiting":
                return (
                    f"Run {self.id} was cut short in {self.root}, which is not there now; it is put right once it is."
                )
            case "refused":
                return f"Run {self.id} in {self.root} was cut short, and taking it back is refused: {self.why}."
            case "unreadable":
                return f"Run {self.id} was cut short, and its journal cannot be read by this dabhand."


def apply_to_folder(
    folder: ConfinedFolder,
    snapshot: Snapshot,
    changes: Iterable[Change],
    journal: Journal,
    *,
    record_id: str,
    on_step: OnStep = lambda step: None,
    origins: Mapping[str, Origin] | None = None,
    request: str = "",
) -> None:
    """Make `changes`, worked out on `snapshot`, in the real folder, and keep what undoing needs.

    Paths for which `origins` says what they came from take its mode along. `request` is kept for the history.

    Raises:
        Conflict: when a path they touch is no longer what the snapshot saw; nothing was changed.
        ApplyFailed: when the system refused (no space, not permitted); nothing is left changed.
    """
    folder.require_locked()
    changes = tuple(changes)
    on_step("begin")
    _require_unchanged(folder, snapshot, changes)
    with _keeping(journal), journal.drafting(record_id) as (draft, publish):
        drafted = drafted_changes(folder, snapshot, changes, origins or {}, draft)
        record = _record(record_id, folder, drafted, request=request)
        on_step("publish")
        publish(record)
    news = {
        entry.after.blob: change.after for entry, change in zip(drafted.entries, changes, strict=True) if entry.after
    }
    _carry_out(folder, journal, record, drafted, lambda blob: _data(news[blob]), on_step)


def undo(
    folder: ConfinedFolder, journal: Journal, record_id: str, *, undo_id: str, on_step: OnStep = lambda step: None
) -> None:
    """Put back what the folder held before a transaction, as a transaction of its own.

    Raises:
        NotUndoable: when it is not "done", or worked in another folder.
        Conflict: when a path was changed since (the message names all); nothing was changed.
        NoLongerKept: when what it replaced was dropped.
        ApplyFailed: when the system refused; nothing is left changed.
        UnknownRun, StoreError: when there is no such record, or it is no longer whole.
    """
    folder.require_locked()
    done = journal.record(record_id)
    status = journal.status(record_id)
    if status != "done":
        raise NotUndoable(f"Run {record_id!r} cannot be undone: it {_WHY_NOT[status]}.")
    if not same_folder(done, folder):
        raise NotUndoable(f"{str(folder.path)!r} is not the folder that run {record_id!r} worked in.")
    journal.require_kept(done)
    on_step("begin")
    with _keeping(journal), journal.drafting(undo_id) as (draft, publish):
        drafted = drafted_undoing(folder, done, draft)
        record = _record(undo_id, folder, drafted, undoes=record_id)
        on_step("publish")
        publish(record)
    _carry_out(folder, journal, record, drafted, lambda blob: journal.blob(record_id, blob), on_step)


_WHY_NOT = {
    "applying": "was cut short",
    "performed": "was cut short",
    "rolled_back": "failed and was taken back",
    "undone": "was undone already",
    "conflicted": "was cut short and could not be taken back whole",
}


def recover(journal: Journal, on_step: OnStep = lambda step: None) -> tuple[Recovered, ...]:
    """Finish or take back every transaction that was cut short, except in folders where a live dabhand works."""
    results = []
    for record_id in journal.unfinished():
        root = ""
        try:
            record = journal.record(record_id)
            root = record.root
            with ConfinedFolder(root) as folder:
                if not same_folder(record, folder):
                    results.append(Recovered(record_id, root, "waiting"))
                elif _locked(folder) and record_id in journal.unfinished():
                    results.append(_recover_one(folder, journal, record, on_step))
        except DabhandError:
            # A folder that is not there may be on a disk that is not mounted: what there is to do can wait for it.
            results.append(Recovered(record_id, root, "waiting" if root else "unreadable"))
    return tuple(results)


def recover_folder(
    folder: ConfinedFolder, journal: Journal, on_step: OnStep = lambda step: None
) -> tuple[Recovered, ...]:
    """`recover` for one folder whose lock the caller holds.

    Raises:
        ApplyFailed: when the system refused to take something back; nothing may be built on a folder in between.
    """
    folder.require_locked()  # what is unfinished may otherwise be somebody's who is still at it
    results = []
    for record_id in journal.unfinished():
        try:
            record = journal.record(record_id)
        except StoreError:
            continue  # of one that cannot be read nobody knows which folder it is about; `recover` names it
        if same_folder(record, folder):
            results.append(_recover_one(folder, journal, record, on_step))
    for one in results:
        if one.outcome == "refused":
            raise ApplyFailed(one.sentence, "Make room, or the folder writable; then ask again.")
    return tuple(results)


def same_folder(record: Record, folder: ConfinedFolder) -> bool:
    """Whether a record is about this folder: a device's number may be another after the machine was started anew."""
    device, inode = folder.identity
    if inode != record.inode:
        return False
    return device == record.device or os.path.realpath(record.root) == os.path.realpath(folder.path)


def new_record_id(journal: Journal, seconds: float) -> str:
    """An id not in use that sorts by time, reserved for the caller.

    Args:
        journal: where it is to be new.
        seconds: the present, in seconds since the epoch.

    Raises:
        StoreError: when the journal cannot be written to.
    """
    return journal.reserve(seconds)


def _locked(folder: ConfinedFolder) -> bool:
    try:
        folder.lock(patience=0)
    except Conflict:
        return False
    return True


def _record(record_id: str, folder: ConfinedFolder, drafted: Drafted, *, undoes: str = "", request: str = "") -> Record:
    shown = request.encode("utf-8", "backslashreplace").decode()
    root = os.fsencode(folder.path).hex()
    return Record(record_id, root, *folder.identity, drafted.entries, undoes=undoes, request=shown)


def _require_unchanged(folder: ConfinedFolder, snapshot: Snapshot, changes: tuple[Change, ...]) -> None:
    folder.require_in_place()
    for change in changes:
        odd = snapshot.odd_at_or_below(change.path)
        if odd:
            raise Conflict(f"{odd[0].path!r} would be touched, but {odd[0].why}.")
    edited = [change.path for change in changes if changed_since(folder, snapshot, change.path)]
    if edited:
        raise Conflict(
            f"Changed by somebody else meanwhile: {', '.join(map(repr, edited))}.", "Nothing was changed; ask again."
        )


@contextlib.contextmanager
def _keeping(journal: Journal) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ApplyFailed(
            f"What undoing needs cannot be kept in {str(journal.folder)!r}: {reason(error)}.", "Nothing was changed."
        ) from error


def _carry_out(
    folder: ConfinedFolder, journal: Journal, record: Record, drafted: Drafted, contents: Contents, on_step: OnStep
) -> None:
    """Carry a published record out: to "done", or back to where it began."""
    carrying = Carrying(folder, record, on_step)
    try:
        on_step("published")
        folder.require_in_place()
        carrying.perform(contents, drafted.stamps)
        on_step("performed")
        journal.mark(record.id, "performed")
        on_step("marked")
    except BaseException as error:
        ours = isinstance(error, OSError | DabhandError)
        # It may have come after the record was marked, which is the moment that counts: then there is no way back.
        if not journal.is_performed(record.id):
            hint = _taken_back(Carrying(folder, record, on_step), journal)
            if isinstance(error, Conflict) or not ours:
                raise
            raise ApplyFailed(f"The changes could not be made: {reason(error)}.", hint) from error
        _finish_if_possible(carrying, journal, record, on_step)
        if not ours:
            raise
    else:
        _finish_if_possible(carrying, journal, record, on_step)


def _finish_if_possible(carrying: Carrying, journal: Journal, record: Record, on_step: OnStep) -> None:
    """Finish a run that counts by now; where that is cut short or refused, the next start does it."""
    with contextlib.suppress(OSError, DabhandError):
        on_step("clean")
        _finish(carrying, journal, record, on_step)
        on_step("tidy")
        journal.tidy()


def _finish(carrying: Carrying, journal: Journal, record: Record, on_step: OnStep) -> None:
    # Synced again, for when that was cut short: the disk must not say "applying" once nothing waits any more.
    journal.mark(record.id, "performed")
    carrying.clean_up()
    on_step("mark undone")
    _turn(journal, record)
    on_step("done")
    journal.mark(record.id, "done")


def _turn(journal: Journal, record: Record) -> None:
    """Mark what a record takes back as undone, hence what that took back as done again, and so on."""
    status: Status = "undone"
    while record.undoes:
        try:
            journal.mark(record.undoes, status)
            record, status = journal.record(record.undoes), "undone" if status == "done" else "done"
        except DabhandError:
            return  # its own record is gone or cannot be read, so nobody can ask for it either


def _taken_back(carrying: Carrying, journal: Journal) -> str:
    """Take a record back; say in a hint how that went."""
    try:
        left = carrying.take_back(lambda blob: journal.blob(carrying.id, blob))
        journal.mark(carrying.id, "conflicted" if left else "rolled_back")
    except (OSError, DabhandError) as error:
        return f"Putting back failed too ({reason(error)}); the next dabhand in this folder tries again."
    if left:
        return f"Changed by somebody else meanwhile, and left so: {_named(left, carrying.rescued)}."
    return "Nothing is left changed."


def _named(left: tuple[str, ...], rescued: Mapping[str, str]) -> str:
    return ", ".join(f"{path!r} (before: {rescued[path]!r})" if path in rescued else repr(path) for path in left)


def _recover_one(folder: ConfinedFolder, journal: Journal, record: Record, on_step: OnStep) -> Recovered:
    carrying = Carrying(folder, record, on_step)
    try:
        if journal.status(record.id) == "performed":
            _finish(carrying, journal, record, on_step)
            return Recovered(record.id, record.root, "finished")
        left = carrying.take_back(lambda blob: journal.blob(record.id, blob))
        on_step("mark taken back")
        journal.mark(record.id, "conflicted" if left else "rolled_back")
    except (OSError, DabhandError) as error:
        return Recovered(record.id, record.root, "refused", why=reason(error))
    return Recovered(record.id, record.root, "conflicted" if left else "taken_back", left, carrying.rescued)


def _data(node: Node | None) -> tuple[bytes, ...]:
    return (node.data,) if isinstance(node, File) else ()
