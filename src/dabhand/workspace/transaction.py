"""Applying changes to a real folder as one transaction: all of them, or none, whenever the power goes.

The record of what is to be done is written and synced first; new contents are staged beside their targets; then each
target is replaced by one rename. Whoever finds a record that was cut short (`recover`) compares every path with what
it was and what it was to be: all as wanted finishes it, anything else takes back what was done.

The caller holds the folder's lock throughout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from dabhand.errors import Conflict, DabhandError
from dabhand.workspace.confined import ConfinedFolder, reason
from dabhand.workspace.difference import Change
from dabhand.workspace.journal import Entry, Image, Journal, Record, image_of
from dabhand.workspace.placing import arrive, discard_staged, dress_folder, holds, remove, replace, stage, sync_folders
from dabhand.workspace.snapshot import Snapshot, changed_since
from dabhand.workspace.state import File, encode_text

OnStep = Callable[[str], None]
"""Called with a word before each thing that is done: the seam at which tests cut a transaction short."""


class ApplyFailed(DabhandError):
    """The changes could not be made; what had been made was taken back."""

    code = "apply_failed"


class Origin(msgspec.Struct, frozen=True):
    """Where an entry comes from; one that `moved` takes its time along too, and its mode over what it replaces."""

    path: str
    moved: bool = False


class Recovered(msgspec.Struct, frozen=True):
    """What became of a transaction that had been cut short; `left` names paths that somebody else had changed."""

    id: str
    root: str
    outcome: Literal["finished", "taken_back", "conflicted"]
    left: tuple[str, ...] = ()


def apply_to_folder(
    folder: ConfinedFolder,
    snapshot: Snapshot,
    changes: Iterable[Change],
    journal: Journal,
    *,
    record_id: str,
    on_step: OnStep = lambda step: None,
    origins: Mapping[str, Origin] | None = None,
) -> None:
    """Make `changes`, worked out on `snapshot`, in the real folder, and keep what undoing needs.

    Paths for which `origins` says what they came from take its mode along.

    Raises:
        Conflict: when a path they touch is no longer what the snapshot saw; nothing was changed.
        ApplyFailed: when the system refused (no space, not permitted); nothing is left changed.
    """
    changes = tuple(changes)
    _require_unchanged(folder, snapshot, changes)
    entries, contents = _entries(folder, snapshot, changes, origins or {})
    record = Record(record_id, str(folder.path), *folder.identity, entries)
    _begin_and_perform(folder, journal, record, contents, on_step)
    journal.mark(record_id, "done")


def undo(
    folder: ConfinedFolder, journal: Journal, record_id: str, *, undo_id: str, on_step: OnStep = lambda step: None
) -> None:
    """Put back what the folder held before a transaction, as a transaction of its own.

    Raises:
        Conflict: when it is not "done", or a path was changed since (the message names all); nothing was changed.
        ApplyFailed: when the system refused; nothing is left changed.
        StoreError: when there is no such record or it is no longer kept whole.
    """
    done = journal.record(record_id)
    status = journal.status(record_id)
    if status != "done":
        raise Conflict(f"Run {record_id!r} cannot be undone: it is {status.replace('_', ' ')}.")
    if (done.device, done.inode) != folder.identity:
        raise Conflict(f"{str(folder.path)!r} is not the folder that run {record_id!r} worked in.")
    edited = [entry.path for entry in done.entries if not holds(folder, entry.path, entry.after)]
    if edited:
        raise Conflict(f"Changed since that run, so it was not undone: {', '.join(map(repr, edited))}.")
    entries = tuple(Entry(entry.path_hex, entry.after, entry.before) for entry in done.entries)
    contents = {blob: journal.blob(record_id, blob) for blob in _blobs(entries)}
    record = Record(undo_id, done.root, done.device, done.inode, entries, undoes=record_id)
    _begin_and_perform(folder, journal, record, contents, on_step)
    _mark_finished(journal, record)


def recover(journal: Journal) -> tuple[Recovered, ...]:
    """Finish or take back every transaction that was cut short, except in folders where a live dabhand works."""
    results = []
    for record in list(journal.unfinished()):
        try:
            with ConfinedFolder(record.root) as folder:
                if folder.identity != (record.device, record.inode):
                    raise Conflict("another folder is in its place")
                if _locked(folder):
                    results.append(_recover_one(folder, journal, record))
        except DabhandError:
            # The folder is gone or another one is in its place: there is nothing left to put right.
            journal.mark(record.id, "conflicted")
            results.append(Recovered(record.id, record.root, "conflicted", (record.root,)))
    return tuple(results)


def recover_folder(folder: ConfinedFolder, journal: Journal) -> tuple[Recovered, ...]:
    """`recover` for one folder whose lock the caller holds."""
    mine = [item for item in journal.unfinished() if (item.device, item.inode) == folder.identity]
    return tuple(_recover_one(folder, journal, record) for record in mine)


def new_record_id(journal: Journal, seconds: float) -> str:
    """An id not in use that sorts by time.

    Args:
        journal: where it is to be new.
        seconds: the present, in seconds since the epoch.
    """
    stem = f"r{int(seconds * 1000):013d}"
    number = 0
    while (journal.folder / f"{stem}-{number}").exists():
        number += 1
    return f"{stem}-{number}"


def _locked(folder: ConfinedFolder) -> bool:
    try:
        folder.lock()
    except Conflict:
        return False
    return True


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


def _entries(
    folder: ConfinedFolder, snapshot: Snapshot, changes: tuple[Change, ...], origins: Mapping[str, Origin]
) -> tuple[tuple[Entry, ...], dict[str, bytes]]:
    contents: dict[str, bytes] = {}
    moved = _moved_from(changes)
    entries = []
    for change in changes:
        before = after = None
        if change.before is not None:
            before, kept = image_of(change.before, snapshot.stamps.get(change.path))
            contents |= kept
        if change.after is not None:
            same_kind = type(change.before) is type(change.after)
            origin = origins.get(change.path)
            if origin is None and not same_kind and change.path in moved:
                origin = Origin(moved[change.path], moved=True)
            if origin is not None and same_kind and not origin.moved:
                origin = None  # what is copied over a file leaves it its mode
            # A file that only moved keeps its time; one whose content changed was modified now.
            timed = change.kind == "mode" if origin is None else origin.moved
            source = origin.path if origin is not None else change.path if same_kind else ""
            after, kept = image_of(change.after, snapshot.stamps.get(source), timed=timed)
            if after.kind == "folder" and origin is not None and origin.moved:
                after = msgspec.structs.replace(after, modified=_time_of(folder, origin.path))
            contents |= kept
        entries.append(Entry(encode_text(change.path).hex(), before, after))
    return tuple(entries), contents


def _time_of(folder: ConfinedFolder, path: str) -> int | None:
    found = folder.stat(path)
    return None if found is None else found.st_mtime_ns


def _moved_from(changes: tuple[Change, ...]) -> dict[str, str]:
    """For each file that appears, the one that vanished with the same content: it was moved."""
    gone: dict[File, list[str]] = {}
    for change in changes:
        if isinstance(change.before, File) and not isinstance(change.after, File):
            gone.setdefault(change.before, []).append(change.path)
    moved = {}
    for change in changes:
        if isinstance(change.after, File) and not isinstance(change.before, File) and gone.get(change.after):
            moved[change.path] = gone[change.after].pop(0)
    return moved


def _blobs(entries: Iterable[Entry]) -> set[str]:
    images = [image for entry in entries for image in (entry.before, entry.after)]
    return {image.blob for image in images if image is not None and image.blob}


def _begin_and_perform(
    folder: ConfinedFolder, journal: Journal, record: Record, contents: dict[str, bytes], on_step: OnStep
) -> None:
    on_step("begin")
    try:
        journal.begin(record, contents)
    except OSError as error:
        journal.forget(record.id)
        raise ApplyFailed(
            f"What undoing needs cannot be kept in {str(journal.folder)!r}: {reason(error)}.", "Nothing was changed."
        ) from error
    try:
        _perform(folder, record, contents, on_step)
        on_step("performed")
    except BaseException as error:
        left = _take_back(folder, journal, record)
        if isinstance(error, Conflict) or not isinstance(error, OSError | DabhandError):
            raise
        hint = "Nothing is left changed." if not left else f"Could not be put back: {', '.join(left)}."
        raise ApplyFailed(f"The changes could not be made: {reason(error)}.", hint) from error


def _perform(folder: ConfinedFolder, record: Record, contents: Mapping[str, bytes], on_step: OnStep) -> None:
    """Make every entry's `after` out of its `before`: stage, remove (deepest first), arrive, replace."""
    entries = sorted(record.entries, key=lambda entry: entry.path)
    anchors = _anchors(entries)
    staged: dict[str, tuple[str, str]] = {}
    for number, entry in enumerate(entries):
        if entry.after is not None and entry.after.kind != "folder" and not _is_mode_change(entry):
            on_step(f"stage {entry.path}")
            staged[entry.path] = (anchors[entry.path], f"{_staged_prefix(record)}{number}")
            stage(folder, staged[entry.path], entry.after, contents.get(entry.after.blob, b""))
    for entry in reversed(entries):
        if entry.before is not None and _leaves(entry):
            on_step(f"remove {entry.path}")
            remove(folder, entry.path, entry.before)
    for entry in entries:
        if entry.after is None:
            continue
        on_step(f"place {entry.path}")
        if entry.before is None or _leaves(entry):
            arrive(folder, entry.path, entry.after, staged.get(entry.path))
        else:
            replace(folder, entry.path, entry.before, entry.after, staged.get(entry.path))
    for entry in reversed(entries):
        if entry.after is not None and entry.after.kind == "folder" and not _stays_folder(entry.before):
            dress_folder(folder, entry.path, entry.after)  # only now: filling it changed its time, and needed rights
    on_step("sync")
    sync_folders(folder, set(anchors.values()) | {entry.path.rpartition("/")[0] for entry in entries})


def _recover_one(folder: ConfinedFolder, journal: Journal, record: Record) -> Recovered:
    if all(holds(folder, entry.path, entry.after) for entry in record.entries):
        _discard_all_staged(folder, record)
        _mark_finished(journal, record)
        return Recovered(record.id, record.root, "finished")
    left = _take_back(folder, journal, record)
    return Recovered(record.id, record.root, "conflicted" if left else "taken_back", left)


def _take_back(folder: ConfinedFolder, journal: Journal, record: Record) -> tuple[str, ...]:
    """Put every path that this transaction changed back; returns those that hold something else by now."""
    _discard_all_staged(folder, record)
    undone: list[Entry] = []
    left: list[str] = []
    for entry in record.entries:
        if holds(folder, entry.path, entry.before):
            continue
        if holds(folder, entry.path, entry.after):
            undone.append(Entry(entry.path_hex, entry.after, entry.before))
        elif _leaves(entry) and holds(folder, entry.path, None):
            undone.append(Entry(entry.path_hex, None, entry.before))
        else:
            left.append(entry.path)
    contents = {blob: journal.blob(record.id, blob) for blob in _blobs(undone)}
    _perform(folder, Record(record.id, record.root, 0, 0, tuple(undone)), contents, lambda step: None)
    journal.mark(record.id, "conflicted" if left else "rolled_back")
    return tuple(left)


def _mark_finished(journal: Journal, record: Record) -> None:
    if record.undoes:
        journal.mark(record.undoes, "undone")
    journal.mark(record.id, "done")


def _leaves(entry: Entry) -> bool:
    """Whether what is there has to go before anything can be put in its place (it is of another kind, or nothing)."""
    return entry.before is not None and (entry.after is None or entry.after.kind != entry.before.kind)


def _is_mode_change(entry: Entry) -> bool:
    before, after = entry.before, entry.after
    return before is not None and after is not None and before.kind == after.kind and before.blob == after.blob != ""


def _anchors(entries: list[Entry]) -> dict[str, str]:
    """For each path, the nearest folder above it that is there before and after: where its content is staged."""
    unsteady = {entry.path for entry in entries if not _stays_folder(entry.before) or not _stays_folder(entry.after)}
    anchors = {}
    for entry in entries:
        above = entry.path.rpartition("/")[0]
        while above in unsteady:
            above = above.rpartition("/")[0]
        anchors[entry.path] = above
    return anchors


def _stays_folder(image: Image | None) -> bool:
    return image is not None and image.kind == "folder"


def _staged_prefix(record: Record) -> str:
    return f".dabhand-{record.id}-"


def _discard_all_staged(folder: ConfinedFolder, record: Record) -> None:
    for above in {above for entry in record.entries for above in _all_above(entry.path)}:
        discard_staged(folder, above, _staged_prefix(record))


def _all_above(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[:count]) for count in range(len(parts) + 1)]


def journal_in(store: Path) -> Journal:
    """The journal that a store keeps."""
    return Journal(store / "journal")
