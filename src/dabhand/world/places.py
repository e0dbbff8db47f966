"""Places: the spots in a folder that a command can change, said in terms of its slots.

`B` is the place a filling names, `B/name of A` the one inside it, `A.gz` the one beside it. A command's effect is
said per place, so that what was learned with one filling carries over to every other.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from dabhand.workspace import Folder, Link, Node, Resolution, State, encode_text, resolve

Filling = Mapping[str, str | int]


class At(msgspec.Struct, frozen=True, tag="at"):
    """What the slot's path names."""

    slot: str


class Inside(msgspec.Struct, frozen=True, tag="inside"):
    """Below the folder that `slot` names, under the last name of `named`'s path."""

    slot: str
    named: str


class Beside(msgspec.Struct, frozen=True, tag="beside"):
    """Next to what the slot names: its path with a fixed ending."""

    slot: str
    ending: str


class Fixed(msgspec.Struct, frozen=True, tag="fixed"):
    """A path that the template itself names."""

    path: str


Place = At | Inside | Beside | Fixed


class Spot(msgspec.Struct, frozen=True):
    """Where a place is in one folder.

    Attributes:
        entry: physical path of the entry, as it would be once missing parents exist; None where nothing could be.
        real: the same with links followed to the end; None where that leads nowhere.
        node: what is at the entry.
        target: what is at `real`.
        parent: what the folder that should hold it is.
    """

    entry: str | None
    real: str | None
    node: Node | None
    target: Node | None
    parent: str
    missing_parents: tuple[str, ...] = ()
    real_parent: str = "folder"


NOWHERE = Spot(None, None, None, None, "none")


def locate(place: Place, filling: Filling, state: State) -> Spot:
    """Find the place in a folder; `NOWHERE` when the filling gives it no path."""
    path = _path_of(place, filling, state)
    return NOWHERE if path is None or is_too_long(path) else spot(path, state)


def is_too_long(path: str) -> bool:
    """Whether no entry can have this path (limits of Linux: NAME_MAX 255 and PATH_MAX 4096 bytes)."""
    if len(path) < 64:
        return False
    return len(encode_text(path)) > 4095 or any(len(encode_text(part)) > 255 for part in path.split("/"))


def spot(path: str, state: State) -> Spot:
    """Where a path leads, missing parents counted as folders to come."""
    found = resolve(state, path)
    if found.entry is not None:
        return Spot(found.entry, found.real, found.node, found.target, found.parent, (), found.real_parent)
    if found.parent == "missing":
        return _wanted(path, state)
    return Spot(None, None, None, None, found.parent)


def _wanted(path: str, state: State) -> Spot:
    """The spot of a path some of whose parents do not exist yet."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    here = ""
    for index, part in enumerate(parts):
        found = resolve(state, f"{here}/{part}" if here else part)
        if found.real is None or part == "..":
            return Spot(None, None, None, None, "missing")
        here = found.real
        if found.target is None:
            rest = parts[index + 1 :]
            if ".." in rest or found.node is not None:
                return Spot(None, None, None, None, "missing")
            steps = [here]
            for lower in rest:
                steps.append(f"{steps[-1]}/{lower}")
            return Spot(steps[-1], steps[-1], None, None, "missing", tuple(steps[:-1]))
    return Spot(None, None, None, None, "missing")


def _path_of(place: Place, filling: Filling, state: State) -> str | None:
    match place:
        case At(slot):
            return str(filling[slot]) or None
        case Inside(slot, named):
            name = last_name(str(filling[named]))
            holder = resolve(state, str(filling[slot]))
            if name is None or holder.real is None or not isinstance(holder.target, Folder):
                return None
            return f"{holder.real}/{name}" if holder.real else name
        case Beside(slot, ending):
            return str(filling[slot]).rstrip("/") + ending
        case Fixed(path):
            return path


@lru_cache(maxsize=4096)
def last_name(path: str) -> str | None:
    """The last name of a path; None for one that has none, such as "." or "a/.."."""
    name = path.rstrip("/").rpartition("/")[2]
    return None if name in ("", ".", "..") else name


def standing(place: Spot) -> str:
    """What a path slot points at, in one word; the contexts that people name."""
    if place.entry is None:
        return f"beyond a {place.parent}" if place.parent in ("file", "loop") else "nowhere"
    if place.parent == "missing":
        return "without parent"
    match place.node, place.target:
        case None, _:
            return "missing"
        case Link(), None:
            return "dangling link" if place.real is not None and place.real_parent == "folder" else "dead link"
        case Link(), Folder():
            return "link to a folder"
        case Link(), _:
            return "link to a file"
        case Folder(), _:
            return "folder"
    return "file"


def spoken(place: Place) -> str:
    """The place in words."""
    match place:
        case At(slot):
            return slot
        case Inside(slot, named):
            return f"{slot}/name of {named}"
        case Beside(slot, ending):
            return f"{slot}{ending}"
        case Fixed(path):
            return path


__all__ = [
    "NOWHERE", "At", "Beside", "Filling", "Fixed", "Inside", "Place", "Resolution", "Spot", "last_name", "locate",
    "spoken", "spot", "standing",
]  # fmt: skip
