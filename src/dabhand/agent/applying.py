"""From a checked outcome to the real folder: what would be lost, what changed meanwhile, where things come from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dabhand.agent.document import PathChange
from dabhand.errors import Conflict
from dabhand.goals import Goal, IsCopy, Refused
from dabhand.workspace import Change, ConfinedFolder, File, Node, Origin, Snapshot, State, changed_since


def losses(changes: Iterable[Change], origins: Mapping[str, Origin]) -> tuple[str, ...]:
    """Paths whose content would be deleted or overwritten; what moved is still there, under another name."""
    moved = {origin.path for origin in origins.values() if origin.moved}
    lossy = [one for one in changes if one.kind == "modified" or (one.kind == "deleted" and one.path not in moved)]
    return tuple(change.path for change in lossy)


def listed(changes: Iterable[Change]) -> tuple[PathChange, ...]:
    """Changes as the document has them."""
    return tuple(PathChange(change.path, change.kind) for change in changes)


def origins_of(goal: Goal, before: State, final: State) -> dict[str, Origin]:
    """For each path that becomes, by the goal, what another was: which, and whether that is there now instead."""
    found: dict[str, Origin] = {}
    for one in goal.conditions:
        if isinstance(one, IsCopy):
            for source in (one.source, *before.below(one.source)):
                target = one.path + source[len(one.source) :]
                if target in final:
                    moved = source not in final and _holds_the_same(before.get(source), final.get(target))
                    found[target] = Origin(source, moved=moved)
    return found


def _holds_the_same(one: Node | None, other: Node | None) -> bool:
    """Whether nothing is lost where one becomes the other; whether a file may be run is none of its content."""
    if isinstance(one, File) and isinstance(other, File):
        return one.data == other.data
    return one == other


def require_ordinary(snapshot: Snapshot, paths: Iterable[str]) -> None:
    """Refuse a goal that speaks of something that could not be taken in, or of something in it.

    Raises:
        Refused: naming it.
    """
    for path in paths:
        odd = (*snapshot.odd_at_or_below(path), *snapshot.odd_above(path))
        if odd:
            raise Refused(f"{odd[0].path!r} cannot be worked with: {odd[0].why}.")


def require_unread(folder: ConfinedFolder, snapshot: Snapshot, paths: Iterable[str]) -> None:
    """Make sure that what a goal speaks of, and all below it, is still what was read.

    Raises:
        Conflict: naming what is not.
    """
    every = dict.fromkeys(one for path in paths if path for one in (path, *snapshot.state.below(path)))
    edited = [path for path in every if changed_since(folder, snapshot, path)]
    if edited:
        named = ", ".join(map(repr, edited[:5])) + (", ..." if len(edited) > 5 else "")
        raise Conflict(f"Changed by somebody else meanwhile: {named}.", "Nothing was changed; ask again.")
