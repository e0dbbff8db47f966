"""One experiment as evidence: what changed where, said per place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from dabhand.language import Value
from dabhand.workspace import File, Folder, Link, Node, State
from dabhand.world.effects import subtree, without_mode
from dabhand.world.places import NOWHERE, Filling, Place, Spot, locate
from dabhand.world.reading import Reader

Nodes: TypeAlias = Mapping[str, Node]


class Observation:
    """What happened when a filling was tried in a folder.

    Attributes:
        filling: the slots' values.
        before, after: the folder.
        ok: whether the exit status was 0.
        stdout: what was printed, as text.
        changed: paths at which something else is there afterwards.
        reader: values of terms in the folder before.
    """

    def __init__(
        self, filling: Filling, slots: Mapping[str, Value], before: State, ok: bool, stdout: str, after: State
    ) -> None:
        self.filling = filling
        self.before = before
        self.after = after
        self.ok = ok
        self.stdout = stdout
        self.changed = changed_paths(before, after)
        self.reader = Reader(slots, before)
        self.sightings: dict[Place, Sighting] = {}

    def look(self, places: Sequence[Place]) -> None:
        """Say for each place what became of it; every change belongs to the deepest place that holds it."""
        spots = {place: locate(place, self.filling, self.before) for place in places}
        owned, self.strays = assign(self.changed, spots)
        owners: dict[str | None, Place] = {
            found.real: place for place, found in spots.items() if found.real is not None
        }
        self.sightings = {
            place: Sighting(self, found, owned[place], owners.get(found.real, place) != place)
            for place, found in spots.items()
        }


def changed_paths(before: Nodes, after: Nodes) -> tuple[str, ...]:
    """Paths whose entry differs."""
    changed = [path for path, node in before.items() if after.get(path) != node]
    changed += [path for path in after if path not in before]
    return tuple(changed)


def assign(changed: Sequence[str], spots: Mapping[Place, Spot]) -> tuple[dict[Place, list[str]], list[str]]:
    """Give each changed path to the places nearest above it; parents that were made go to the place they are for.

    Returns:
        The changed paths of each place, and those that belong to none.
    """
    owned: dict[Place, list[str]] = {place: [] for place in spots}
    strays = []
    for path in changed:
        best, owners = -1, []
        for place, found in spots.items():
            for root in {found.entry, found.real}:
                if root is not None and (path == root or path.startswith(root + "/") or root == ""):
                    length = len(root) if root else 0
                    if length > best:
                        best, owners = length, [place]
                    elif length == best and place not in owners:
                        owners.append(place)
        if owners and best > 0:
            for place in owners:
                owned[place].append(path)
        elif not any(path in found.missing_parents for found in spots.values()):
            strays.append(path)
    return owned, strays


class Sighting:
    """What became of one place.

    Attributes:
        spot: where it was.
        path: the physical path that changed, or would: that of the link itself or of what it leads to.
        replaced: of a link that changed: whether the link itself did (None: no link, or nothing changed).
        altered: whether anything but its executable bit is different there.
        shared: a later place has the same path, and answers for what changes there.
        old, new: what was and is there.
    """

    __slots__ = ("altered", "observation", "owned", "path", "replaced", "shared", "spot")

    def __init__(self, observation: Observation, spot: Spot, owned: list[str], shared: bool) -> None:
        self.observation = observation
        self.spot = spot
        self.owned = owned
        self.shared = shared
        self.path, self.replaced = self._judged()
        self.altered = self._is_altered()

    def _judged(self) -> tuple[str | None, bool | None]:
        entry, real = self.spot.entry, self.spot.real
        if entry is None or not isinstance(self.spot.node, Link):
            return entry, None
        if entry in self.observation.changed:
            return entry, True
        if real is not None and any(path == real or path.startswith(real + "/") for path in self.owned):
            return real, False
        return entry, None

    def _is_altered(self) -> bool:
        before, after = self.observation.before, self.observation.after
        for path in self.owned:
            old, new = before.get(path), after.get(path)
            if path != self.path or not isinstance(old, File) or not isinstance(new, File) or old.data != new.data:
                return True
        return False

    @property
    def exists(self) -> bool:
        """Whether the place has a path in this folder at all."""
        return self.spot is not NOWHERE and self.spot.entry is not None

    @property
    def old(self) -> Node | None:
        """What was at the judged path."""
        return None if self.path is None else self.observation.before.get(self.path)

    @property
    def new(self) -> Node | None:
        """What is at the judged path."""
        return None if self.path is None else self.observation.after.get(self.path)

    @property
    def held(self) -> Node | None:
        """What is there to be read afterwards: behind a link that stays as it was, what it leads to."""
        new = self.new
        real = self.spot.real
        if isinstance(new, Link) and new == self.old and real is not None and self.replaced is None:
            behind: Node | None = self.observation.after.get(real)
            return behind
        return new

    def tree(self) -> dict[str, Node]:
        """The tree at the path afterwards, as far as this place's own changes go, its top's mode left open."""
        path = self.path or ""
        tree = subtree(self.observation.before, path)
        start = len(path) + 1
        for changed in self.owned:
            if changed == path or changed.startswith(path + "/"):
                relative, node = changed[start:], self.observation.after.get(changed)
                if node is None:
                    tree.pop(relative, None)
                else:
                    tree[relative] = node
        return without_mode(tree)

    @property
    def made_folder(self) -> bool:
        """Whether a folder is there, and nothing below it changed."""
        return isinstance(self.new, Folder) and all(path == self.path for path in self.owned)
