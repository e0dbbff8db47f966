"""What comes as a whole, and what is said of single things in it: a folder is renamed, and one of its files edited."""

from __future__ import annotations

from collections.abc import Iterator

from dabhand.goals import Condition, Goal, Holds, IsAbsent, IsCopy, IsExecutable, IsFolder
from dabhand.workspace import Folder, State, parent_of


class Trees:
    """The copies that a goal asks for.

    Attributes:
        copied: what is to be at a path, by the path that it was at.
    """

    def __init__(self, goal: Goal, before: State) -> None:
        self.before = before
        self.copied = {one.path: one.source for one in goal.conditions if isinstance(one, IsCopy)}
        self._paths = goal.paths
        self._replaced = {one.path for one in goal.conditions if isinstance(one, Holds | IsAbsent | IsCopy)}

    def is_folder(self, path: str) -> bool:
        """Whether a folder is to come to a path as a whole."""
        return path in self.copied and isinstance(self.before.get(self.copied[path]), Folder)

    def brought(self, path: str) -> str | None:
        """What, of the folder as it was, comes to a path with a folder above it; None where nothing does."""
        for above in all_above(path):
            if above in self.copied:
                found = self.copied[above] + path[len(above) :]
                return found if found in self.before else None
        return None

    def inside(self, path: str) -> list[str]:
        """Paths in a folder that comes as a whole of which something else is said."""
        return [one for one in self._paths if one.startswith(path + "/")] if self.is_folder(path) else []

    def passing(self) -> Iterator[str]:
        """All that is somewhere for a while, or for good, because it comes with a copy."""
        for path, source in self.copied.items():
            yield path
            for inner in self.before.below(source):
                yield path + inner[len(source) :]

    def places_of(self, source: str, state: State) -> Iterator[str]:
        """Where a thing may be by now: in its own place, or in that to which a folder was moved that it is in."""
        moved = (path + source[len(one) :] for path, one in self.copied.items() if source == one or _is_in(source, one))
        for place in dict.fromkeys((source, *moved)):
            if place in state:
                yield place

    def whole(self, path: str, state: State) -> list[str]:
        """Where all that is to come to a path still is, apart from what else is said of things in it."""
        source = self.copied[path]
        inner = [one for one in (source, *self.before.below(source)) if not self._is_replaced(one, source, path)]
        return [
            place
            for place in self.places_of(source, state)
            if place != path and all(state.get(place + one[len(source) :]) == self.before[one] for one in inner)
        ]

    def _is_replaced(self, inner: str, source: str, path: str) -> bool:
        place = path + inner[len(source) :]
        while place != path:
            if place in self._replaced:
                return True
            place = parent_of(place)
        return False


def speaks_of(condition: Condition, path: str) -> bool:
    """Whether a condition says itself what is at a path, so that no copy of a folder around it does."""
    match condition:
        case Holds(own) | IsAbsent(own) | IsCopy(own):
            return path == own or _is_in(path, own)
        case IsFolder(own) | IsExecutable(own):
            return path == own
        case _:
            return False


def all_above(path: str) -> Iterator[str]:
    """The folders that a path is in, the nearest first."""
    above = parent_of(path)
    while above:
        yield above
        above = parent_of(above)


def _is_in(path: str, folder: str) -> bool:
    return path.startswith(folder + "/")
