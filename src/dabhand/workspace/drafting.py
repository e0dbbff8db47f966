"""Working out what a transaction replaces by what, and keeping what undoing it needs, before anything is touched."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Iterable, Mapping

import msgspec

from dabhand.errors import Conflict, NotConfined
from dabhand.workspace.confined import ConfinedFolder
from dabhand.workspace.difference import Change
from dabhand.workspace.journal import Draft
from dabhand.workspace.placing import attributes, content
from dabhand.workspace.record import Entry, Image, Record
from dabhand.workspace.snapshot import Snapshot, Stamp
from dabhand.workspace.state import File, Folder, Link, Node, encode_text


class Origin(msgspec.Struct, frozen=True):
    """Where an entry comes from; one that `moved` takes its time along too, and its mode over what it replaces."""

    path: str
    moved: bool = False


class Drafted(msgspec.Struct, frozen=True):
    """What a transaction does, and the stamp of every entry that it expects to find, by number."""

    entries: tuple[Entry, ...]
    stamps: dict[int, Stamp]


def drafted_changes(
    folder: ConfinedFolder, snapshot: Snapshot, changes: tuple[Change, ...], origins: Mapping[str, Origin], draft: Draft
) -> Drafted:
    """The entries that make `changes`, what they replace kept in `draft`.

    Raises:
        Conflict: when something is no longer what the snapshot saw.
    """
    sources = _sources(folder, snapshot, changes, origins)
    stays = _stays(changes, sources)
    entries = []
    for number, change in enumerate(changes):
        stamp = snapshot.stamps.get(change.path)
        before = None
        if change.before is not None:
            before = _kept(folder, change.path, stamp, draft, keep=number not in stays)
        after = _after(folder, snapshot, change, _origin(change, changes, sources.get(number), origins))
        if after is not None and before is not None and before.kind == after.kind:
            after = msgspec.structs.replace(after, attributes=before.attributes)
        entries.append(Entry(encode_text(change.path).hex(), before, after, sources.get(number)))
    stamps = {
        number: snapshot.stamps[change.path] for number, change in enumerate(changes) if change.path in snapshot.stamps
    }
    return Drafted(tuple(entries), stamps)


def drafted_undoing(folder: ConfinedFolder, done: Record, draft: Draft) -> Drafted:
    """The entries that take `done` back.

    Raises:
        Conflict: naming every path that is no longer as that run left it.
    """
    sources = {
        entry.source: number
        for number, entry in enumerate(done.entries)
        if entry.source is not None and not entry.replaces
    }
    stays = {number for number, entry in enumerate(done.entries) if entry.only_mode} | set(sources.values())
    stamps: dict[int, Stamp] = {}
    entries, edited = [], []
    for number, entry in enumerate(done.entries):
        try:
            stamp = _stamp(folder, entry.path)
            before = _kept(folder, entry.path, stamp, draft, keep=number not in stays)
        except Conflict:
            edited.append(entry.path)
            continue
        if not _same(before, entry.after):
            edited.append(entry.path)
        if stamp is not None:
            stamps[number] = stamp
        entries.append(Entry(entry.path_hex, before, entry.before, sources.get(number)))
    if edited:
        raise Conflict(f"Changed since that run, so it was not undone: {', '.join(map(repr, edited))}.")
    return Drafted(tuple(entries), stamps)


def _stamp(folder: ConfinedFolder, path: str) -> Stamp | None:
    try:
        found = folder.stat(path)
    except NotConfined:
        return None  # a link is where a folder above it would have to be
    return None if found is None else Stamp.of(found)


def _same(one: Image | None, other: Image | None) -> bool:
    if one is None or other is None:
        return one is other
    return (one.kind, one.blob, one.link, one.executable) == (other.kind, other.blob, other.link, other.executable)


def _kept(folder: ConfinedFolder, path: str, stamp: Stamp | None, draft: Draft, *, keep: bool) -> Image | None:
    """The image of what is at a path, read from there; a file's content is kept, or only its digest taken."""
    if stamp is None:
        return None
    dressed = Image("folder", mode=stat.S_IMODE(stamp.mode), owner=stamp.owner)
    if stat.S_ISDIR(stamp.mode):
        return msgspec.structs.replace(dressed, modified=_time_of(folder, path))
    if stat.S_ISLNK(stamp.mode):
        return msgspec.structs.replace(dressed, kind="link", mode=None, link=folder.target(path).hex())
    if not stat.S_ISREG(stamp.mode):
        raise Conflict(f"{path!r} is no file, folder or link by now.")
    blob = draft.keep(content(folder, path)) if keep else _digest(content(folder, path))
    if _stamp(folder, path) != stamp:
        raise Conflict(f"{path!r} was changed by somebody else meanwhile.", "Nothing was changed; ask again.")
    return msgspec.structs.replace(
        dressed,
        kind="file",
        blob=blob,
        modified=stamp.modified,
        executable=bool(stamp.mode & stat.S_IXUSR),
        attributes=attributes(folder, path),
    )


def _after(folder: ConfinedFolder, snapshot: Snapshot, change: Change, origin: Origin | None) -> Image | None:
    if change.after is None:
        return None
    # A file that only moved keeps its time; one whose content changed was modified now.
    timed = change.kind == "mode" if origin is None else origin.moved
    same_kind = type(change.before) is type(change.after)
    source = origin.path if origin is not None else change.path if same_kind else ""
    after = image_of(change.after, snapshot.stamps.get(source), timed=timed)
    if after.kind == "folder" and origin is not None and origin.moved:
        return msgspec.structs.replace(after, modified=_time_of(folder, origin.path))
    return after


def image_of(node: Node, stamp: Stamp | None = None, *, timed: bool = True) -> Image:
    """The image of a node with the mode, owner and (if `timed`) time of a stamp."""
    mode = None if stamp is None else stat.S_IMODE(stamp.mode)
    modified = stamp.modified if stamp is not None and timed and stamp.modified else None
    owner = None if stamp is None else stamp.owner
    match node:
        case Folder():
            return Image("folder", mode=mode, owner=owner)
        case Link(target):
            return Image("link", link=encode_text(target).hex(), owner=owner)
        case File(data, executable):
            if mode is not None and bool(mode & stat.S_IXUSR) != executable:
                mode = mode | (0o111 & (mode >> 2 | 0o100)) if executable else mode & ~0o111
            blob = hashlib.sha256(data).hexdigest()
            return Image("file", blob, mode=mode, modified=modified, executable=executable, owner=owner)


def _origin(
    change: Change, changes: tuple[Change, ...], source: int | None, origins: Mapping[str, Origin]
) -> Origin | None:
    origin = origins.get(change.path)
    if origin is None and source is not None:
        return Origin(changes[source].path, moved=True)
    if origin is not None and type(change.before) is type(change.after) and not origin.moved:
        return None  # what is copied over a file leaves it its mode
    return origin


def _sources(
    folder: ConfinedFolder, snapshot: Snapshot, changes: tuple[Change, ...], origins: Mapping[str, Origin]
) -> dict[int, int]:
    """For each file or link that only moves: the number of the change by which it vanishes from where it was."""
    gone: dict[Node, list[int]] = {}
    for number, change in enumerate(changes):
        vanishes = change.after is None or isinstance(change.after, Folder)
        if vanishes and isinstance(change.before, File | Link):
            gone.setdefault(change.before, []).append(number)
    found: dict[int, int] = {}
    for named in (True, False):  # first those of which it is known where they come from
        for number, change in enumerate(changes):
            if number in found or not isinstance(change.after, File | Link) or change.kind == "mode":
                continue
            origin = origins.get(change.path)
            candidates = gone.get(change.after, [])
            if named and origin is not None and origin.moved:
                candidates = [one for one in candidates if changes[one].path == origin.path]
            elif named or origin is not None or isinstance(change.before, File | Link):
                continue
            near = [one for one in candidates if _on_one_device(folder, snapshot, changes[one].path, change.path)]
            if near:
                found[number] = near[0]
                gone[change.after].remove(near[0])
    return found


def _on_one_device(folder: ConfinedFolder, snapshot: Snapshot, source: str, target: str) -> bool:
    """Whether a file can be renamed from one path to the other: no mount lies between."""
    above = target.rpartition("/")[0]
    while above and (found := _stamp(folder, above)) is None:
        above = above.rpartition("/")[0]
    device = found.device if above and found is not None else folder.identity[0]
    return snapshot.stamps[source].device == device


def _stays(changes: tuple[Change, ...], sources: Mapping[int, int]) -> set[int]:
    """Numbers of those whose content is still in the folder afterwards, so that it need not be kept."""
    moved = {source for number, source in sources.items() if not isinstance(changes[number].before, File | Link)}
    return moved | {number for number, change in enumerate(changes) if change.kind == "mode"}


def _digest(chunks: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for chunk in chunks:
        digest.update(chunk)
    return digest.hexdigest()


def _time_of(folder: ConfinedFolder, path: str) -> int | None:
    found = folder.stat(path)
    return None if found is None else found.st_mtime_ns
