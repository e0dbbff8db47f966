"""Roles: the parts that an outcome factors into, each with its options, its evidence and its rules.

Whether a command succeeds, what it prints, and what becomes of each place are learned apart, because they depend on
different things: `cat {A} {B} > {C}` writes C by one rule whatever happens, and fails by another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dabhand.language import FAILED, Const, Kind
from dabhand.workspace import File, Link
from dabhand.world.alive import Alive
from dabhand.world.effects import (
    ABSENT,
    KEEP,
    MAKE_FOLDER,
    NO,
    SAME_MODE,
    UNSAID,
    YES,
    Absent,
    CopyTree,
    Keep,
    MakeFolder,
    MakeLink,
    ModeOf,
    No,
    Option,
    Print,
    SameMode,
    Unsaid,
    Write,
    Yes,
    tree_after,
    value_of,
    without_mode,
)
from dabhand.world.observation import Observation, Sighting
from dabhand.world.places import At, Place
from dabhand.world.role import Role, Search

NOTHING = Print(Const("", Kind.TEXT))
EMPTIED = Write(Const("", Kind.TEXT))
MAX_PROPOSED = 300


class SuccessRole(Role):
    """Whether the exit status is 0."""

    def __init__(self) -> None:
        super().__init__("ok", (YES, NO))

    def defined(self, seen: Observation) -> bool:  # noqa: D102
        return True

    def consistent(self, option: Option, seen: Observation) -> bool:  # noqa: D102
        return seen.ok == isinstance(option, Yes)


class StrayRole(Role):
    """Whether something changes at a place that the slots do not lead to."""

    def __init__(self) -> None:
        super().__init__("strays", (NO, YES))

    def defined(self, seen: Observation) -> bool:  # noqa: D102
        return True

    def consistent(self, option: Option, seen: Observation) -> bool:  # noqa: D102
        return bool(seen.strays) == isinstance(option, Yes)


class PrintRole(Role):
    """What is printed."""

    def __init__(self) -> None:
        super().__init__("printed", (NOTHING,))
        self.alive = Alive()

    def add(self, number: int, seen: Observation, past: Sequence[Observation], search: Search) -> bool:  # noqa: D102
        explained = super().add(number, seen, past, search)
        if seen.stdout and self.alive.wanted:
            for term in self.alive.narrow(search(seen, seen.stdout, None)):
                self._append(Print(term), past)
        elif seen.stdout:
            self.alive.sift(lambda term: bool(seen.reader.value(term) == seen.stdout))
        return explained

    def defined(self, seen: Observation) -> bool:  # noqa: D102
        return True

    def consistent(self, option: Option, seen: Observation) -> bool | None:  # noqa: D102
        if isinstance(option, Unsaid):
            return seen.stdout != ""
        value = value_of(option, seen.reader, None)
        return None if value is FAILED else bool(value == seen.stdout)

    def propose(self, seen: Observation, search: Search) -> Iterable[Option]:  # noqa: D102
        found = [Print(term) for term in search(seen, seen.stdout, None)[:MAX_PROPOSED]]
        return found or [UNSAID]


class PlaceRole(Role):
    """A role of one place."""

    def __init__(self, key: str, place: Place, options: Iterable[Option]) -> None:
        super().__init__(key, options)
        self.place = place

    def sighting(self, seen: Observation) -> Sighting:
        """What became of the place."""
        return seen.sightings[self.place]

    def defined(self, seen: Observation) -> bool:
        return self.sighting(seen).exists


class NodeRole(PlaceRole):
    """What is at the place afterwards (but for the executable bit)."""

    def __init__(self, place: Place, sources: Sequence[Place]) -> None:
        super().__init__(f"node {place}", place, (KEEP,))
        self.sources = sources
        self.alive = Alive()

    def add(self, number: int, seen: Observation, past: Sequence[Observation], search: Search) -> bool:  # noqa: D102
        explained = super().add(number, seen, past, search)
        sight = self.sighting(seen)
        if sight.altered and isinstance(sight.new, File) and not sight.new.data:
            self._append(EMPTIED, past)
        if sight.altered and not sight.shared and isinstance(sight.new, File) and sight.new.data:
            text = sight.new.text
            if self.alive.wanted:
                for term in self.alive.narrow(search(seen, text, None)):
                    self._append(Write(term), past)
            else:
                self.alive.sift(lambda term: bool(seen.reader.value(term) == text))
        if self.defined(seen) and self._read_as_well(seen):
            for index in range(len(self.options)):
                option = self.options[index]
                if isinstance(option, Write) and (index < 40 or self.explains[index] >> number & 1):
                    self._append(Write(option.term, not option.emptied), past)
        return explained

    def _read_as_well(self, seen: Observation) -> bool:
        """Whether another slot leads to the same file, so that it matters when the file is emptied."""
        real = self.sighting(seen).spot.real
        return any(other.spot.real == real for place, other in seen.sightings.items() if place != self.place)

    def consistent(self, option: Option, seen: Observation) -> bool | None:  # noqa: D102
        sight = seen.sightings[self.place]
        if type(option) is Write:  # nearly all are, and this is asked of each of them in every experiment
            value = seen.reader.value(option.term, sight.spot.real if option.emptied else None)
            if value is FAILED:
                return None
            held = sight.held
            return isinstance(held, File) and bool(value == held.text)
        match option:
            case Keep():
                return not sight.altered or sight.shared
            case Unsaid():
                return sight.altered
            case Absent():
                return sight.new is None
            case MakeFolder():
                return sight.made_folder
            case MakeLink():
                new = sight.new
                return isinstance(new, Link) and value_of(option, seen.reader, None) == new.target
            case CopyTree(source, _):
                return self._is_copy(option, sight, seen.sightings[source].spot.entry)
        return False

    def _is_copy(self, option: CopyTree, sight: Sighting, source: str | None) -> bool:
        path = sight.path
        if source is None or path is None or source == path or source not in sight.observation.before:
            return False
        return without_mode(tree_after(option, sight.observation.before, path, source)) == sight.tree()

    def propose(self, seen: Observation, search: Search) -> Iterable[Option]:  # noqa: D102
        sight = self.sighting(seen)
        options: list[Option] = [ABSENT, MAKE_FOLDER]
        for source in self.sources:
            if source != self.place:
                options += [CopyTree(source), CopyTree(source, merge=True)]
        found = [option for option in options if self.consistent(option, seen)]
        if isinstance(sight.new, File):
            text = sight.new.text
            terms = search(seen, text, None)[:MAX_PROPOSED]
            found += [Write(term) for term in terms]
            if self._read_as_well(seen):
                known = set(terms)
                found += [
                    Write(term, emptied=True)
                    for term in search(seen, text, sight.spot.real)[:MAX_PROPOSED]
                    if term not in known
                ]
        elif isinstance(sight.new, Link):
            found += [MakeLink(term) for term in search(seen, sight.new.target, None)[:20]]
        return found or [UNSAID]


class ModeRole(PlaceRole):
    """The executable bit of the file at the place, where anything about it changed."""

    def __init__(self, place: Place, sources: Sequence[Place]) -> None:
        given = [ModeOf(source, new) for source in sources for new in (True, False) if source != place or not new]
        super().__init__(f"mode {place}", place, (SAME_MODE, YES, NO, *given))

    def defined(self, seen: Observation) -> bool:  # noqa: D102
        sight = self.sighting(seen)
        return sight.exists and isinstance(sight.new, File) and bool(sight.owned)

    def consistent(self, option: Option, seen: Observation) -> bool:  # noqa: D102
        sight = self.sighting(seen)
        new, old = sight.new, sight.old
        was = isinstance(old, File) and old.executable
        now = isinstance(new, File) and new.executable
        match option:
            case SameMode():
                return now == was or sight.shared
            case Yes():
                return now
            case No():
                return not now
            case Unsaid():
                return now != was
            case ModeOf(source, only_new):
                target = seen.sightings[source].spot.target
                if only_new and isinstance(old, File):
                    return now == was
                return isinstance(target, File) and target.executable == now
        return False

    def propose(self, seen: Observation, search: Search) -> Iterable[Option]:  # noqa: D102
        return [UNSAID]


class ThroughRole(PlaceRole):
    """Where a link stands at the place: whether what it leads to changes (and not the link itself)."""

    def __init__(self, place: Place) -> None:
        super().__init__(f"through {place}", place, (YES, NO))

    def defined(self, seen: Observation) -> bool:  # noqa: D102
        return self.sighting(seen).replaced is not None

    def consistent(self, option: Option, seen: Observation) -> bool:  # noqa: D102
        return self.sighting(seen).replaced != isinstance(option, Yes)


class ParentsRole(PlaceRole):
    """Whether the missing folders above the place are made."""

    def __init__(self, place: Place) -> None:
        super().__init__(f"parents {place}", place, (NO, YES))

    def defined(self, seen: Observation) -> bool:  # noqa: D102
        return bool(self.sighting(seen).spot.missing_parents)

    def consistent(self, option: Option, seen: Observation) -> bool:  # noqa: D102
        made = all(path in seen.after for path in self.sighting(seen).spot.missing_parents)
        return made == isinstance(option, Yes)


def roles_for(places: Sequence[Place]) -> list[Role]:
    """The roles of a command that may change these places."""
    found: list[Role] = []
    sources = [place for place in places if isinstance(place, At)]
    for place in places:
        found += [NodeRole(place, sources), ModeRole(place, sources), ThroughRole(place), ParentsRole(place)]
    return [*found, PrintRole(), StrayRole(), SuccessRole()]


__all__ = ["MakeFolder", "ModeRole", "NodeRole", "ParentsRole", "PrintRole", "Role", "Search", "StrayRole",
           "SuccessRole", "ThroughRole", "roles_for"]  # fmt: skip
