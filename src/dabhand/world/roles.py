"""Roles: the parts that an outcome factors into, each with its options, its evidence and its rules.

Whether a command succeeds, what it prints, and what becomes of each place are learned apart, because they depend on
different things: `cat {A} {B} > {C}` writes C by one rule whatever happens, and fails by another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from dabhand.language import FAILED, Const, Kind, Term
from dabhand.workspace import File, Link
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
    cost_of,
    term_cost,
    tree_after,
    value_of,
    without_mode,
)  # fmt: skip
from dabhand.world.observation import Observation, Sighting
from dabhand.world.places import At, Place
from dabhand.world.rules import Bits, Choice, Leaf, Tree, leaf_for, learn, leaves, numbers

Search = Callable[[Observation, str, "str | None"], Sequence[Term]]
"""Terms whose value for an observation is the given text, cheapest first; the path is one that reads as empty."""

NOTHING = Print(Const("", Kind.TEXT))
EMPTIED = Write(Const("", Kind.TEXT))
MAX_PROPOSED = 300
MAX_OPTIONS = 300
MAX_ALIKE = 70
"""Of options that explain the same observations, how many of the cheapest are kept; of the rest, every so many one."""

SPREAD = 9
MAX_ALIVE = 150
FEW_ALIVE = 8
MAX_AUDITS = 16
MAX_MISSES = 3
MAX_SPARE = 3


class Role:
    """One part of a command's outcome.

    Attributes:
        key: stable name.
        options: what may hold, in order of appearance.
        explains: for each option the observations it explains, those in `silent` among them.
        silent: for each option the failures in which its term has no value: it says nothing about them, so they do
            not speak against it; what happens there is said by another option (`otherwise`).
        members: the observations in which the part exists at all.
        tree: which option holds in which context; None before the first observation.
    """

    def __init__(self, key: str, options: Iterable[Option]) -> None:
        self.key = key
        self.options: list[Option] = list(options)
        self.explains: list[Bits] = [0] * len(self.options)
        self.silent: list[Bits] = [0] * len(self.options)
        self.members: Bits = 0
        self.tree: Tree | None = None
        self.fitted_at = 0

    def defined(self, seen: Observation) -> bool:
        """Whether the part exists in this observation."""
        raise NotImplementedError

    def consistent(self, option: Option, seen: Observation) -> bool | None:
        """Whether the option would have led to what was seen; None where its term has no value."""
        raise NotImplementedError

    def propose(self, seen: Observation, search: Search) -> Iterable[Option]:
        """Options that explain an observation that none so far does."""
        return ()

    def add(self, number: int, seen: Observation, past: Sequence[Observation], search: Search) -> bool:
        """Take in one observation.

        Returns:
            Whether what was believed in its context explains it (True where the part does not exist).
        """
        if not self.defined(seen):
            return True
        self.members |= 1 << number
        explained = False
        for index, option in enumerate(self.options):
            fits = self.consistent(option, seen)
            if fits or (fits is None and not seen.ok):
                self.explains[index] |= 1 << number
            if fits is None:
                self.silent[index] |= 1 << number
            explained = explained or (bool(fits) and not isinstance(option, Unsaid))
        if not explained:
            for option in self.propose(seen, search):
                self._append(option, past)
        return explained

    def _append(self, option: Option, past: Sequence[Observation]) -> None:
        if option in self.options:
            return
        self.options.append(option)
        bits = silent = 0
        for number in numbers(self.members):
            fits = self.consistent(option, past[number])
            if fits or (fits is None and not past[number].ok):
                bits |= 1 << number
            if fits is None:
                silent |= 1 << number
        self.explains.append(bits)
        self.silent.append(silent)

    def fit(
        self,
        has: Mapping[int, Bits],
        costs: Mapping[int, float],
        features: Sequence[Bits],
        familiar: Callable[[Term], float],
    ) -> None:
        """Learn the rules anew from all observations; `familiar` says how much a term's cost is lowered."""
        if not self.members:
            return
        self._prune()
        said = 0
        for option, bits in zip(self.options, self.explains, strict=True):
            said |= 0 if isinstance(option, Unsaid) else bits
        choices = [
            Choice(
                i,
                bits & ~said if isinstance(option, Unsaid) else bits,
                cost_of(option) - (familiar(option.term) if isinstance(option, Write | Print) else 0.0),
                self.silent[i],
            )
            for i, (option, bits) in enumerate(zip(self.options, self.explains, strict=True))
        ]
        self.tree = learn(self.members, choices, has, costs, self._weak())
        for leaf in leaves(self.tree):
            for number in numbers(leaf.members):
                leaf.some |= features[number]
                leaf.every &= features[number]
        self.fitted_at = self.members.bit_count()

    def leaf(self, features: Bits) -> Leaf | None:
        """The context that a situation falls into."""
        return None if self.tree is None else leaf_for(self.tree, features)

    def rivals(self, leaf: Leaf) -> list[Option]:
        """Options that still explain everything in the leaf, besides the one believed."""
        return [self.options[i] for i in leaf.rivals if not leaf.members & ~self.explains[i]]

    def otherwise(self, leaf: Leaf, option: Option) -> tuple[Option, int] | None:
        """What holds in the leaf where the option's term has no value, and how often that was seen."""
        silent = leaf.members & self.silent[self.options.index(option)]
        if not silent:
            return None
        found = [i for i, bits in enumerate(self.explains) if not silent & ~bits and not silent & self.silent[i]]
        if not found:
            return None
        return self.options[min(found, key=lambda i: (cost_of(self.options[i]), i))], silent.bit_count()

    def closest(self, leaf: Leaf) -> tuple[Option, int] | None:
        """The best of the options that do not explain everything in the leaf, and how much they do."""
        best = max(
            (i for i in range(len(self.options)) if i != leaf.option and leaf.members & ~self.explains[i]),
            key=lambda i: ((leaf.members & self.explains[i]).bit_count(), -cost_of(self.options[i])),
            default=None,
        )
        return None if best is None else (self.options[best], (leaf.members & self.explains[best]).bit_count())

    def _weak(self) -> Bits:
        """Observations that most options explain: they say little."""
        if len(self.options) < 3:
            return 0
        weak = 0
        for number in numbers(self.members):
            if sum(bits >> number & 1 for bits in self.explains) * 2 > len(self.options):
                weak |= 1 << number
        return weak

    def _prune(self) -> None:
        """Forget options that another, no more complicated, explains more than, and most of those that are alike."""
        if len(self.options) <= 8:
            return
        order = sorted(
            range(len(self.options)), key=lambda i: (-self.explains[i].bit_count(), cost_of(self.options[i]), i)
        )
        alike: dict[Bits, int] = {}
        kept: list[int] = []
        spare = MAX_SPARE
        for index in order:
            bits, cost = self.explains[index], cost_of(self.options[index])
            if isinstance(self.options[index], Keep | SameMode | Unsaid):
                kept.append(index)
                continue
            alike[bits] = alike.get(bits, 0) + 1
            if not _is_kept(alike[bits]):
                continue
            beaten = any(
                bits & more == bits and bits != more and cost_of(self.options[k]) <= cost
                for k, more in ((k, self.explains[k]) for k in kept)
            )
            if not beaten or spare > 0:
                spare -= beaten
                kept.append(index)
            if len(kept) >= MAX_OPTIONS:
                kept += [i for i in order if i not in kept and isinstance(self.options[i], Keep | SameMode | Unsaid)]
                break
        kept.sort()
        self.options = [self.options[i] for i in kept]
        self.explains = [self.explains[i] for i in kept]
        self.silent = [self.silent[i] for i in kept]


def _is_kept(rank: int) -> bool:
    """Whether the option of this rank among those alike is kept: the cheapest, and a sample of the others.

    A leaf whose evidence is weak has many; the sample makes sure that some of them disagree where the truth might.
    """
    return rank <= MAX_ALIKE or (rank % SPREAD == 0 and rank < MAX_ALIKE + 16 * SPREAD)


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


class Alive:
    """The terms that explain all telling observations so far: an exact version space, narrowed a few times.

    Options that were only proposed to explain one observation are the cheapest; a dearer term may be the true one as
    long as nothing told the two apart. What is alive says so, and is made a rival once it is few enough.

    Attributes:
        terms: those left; None before the first observation.
        audits: observations looked at.
        misses: of the last ones, those that nothing alive explains; after a few the space is begun anew.
    """

    def __init__(self) -> None:
        self.terms: set[Term] | None = None
        self.audits = 0
        self.misses = 0

    @property
    def vague(self) -> bool:
        """Whether so many are left that agreement among the options means little."""
        return self.terms is not None and len(self.terms) > MAX_ALIVE

    def narrow(self, found: Iterable[Term]) -> list[Term]:
        """Take in the terms that explain one more observation, and give those left if they are few."""
        self.audits += 1
        terms = set(found)
        left = terms if self.terms is None else self.terms & terms
        if left or self.misses >= MAX_MISSES:
            self.terms, self.misses = left or terms, 0
        else:
            self.misses += 1
        return (
            []
            if self.vague or self.terms is None
            else sorted(self.terms, key=lambda term: (term_cost(term), str(term)))
        )

    def sift(self, holds: Callable[[Term], bool]) -> None:
        """Drop the terms that do not explain one more observation, unless none of them does."""
        if self.terms is not None and len(self.terms) > 1 and not self.vague:
            self.terms = {term for term in self.terms if holds(term)} or self.terms

    @property
    def wanted(self) -> bool:
        """Whether another observation should be looked at."""
        return self.audits < MAX_AUDITS and (self.terms is None or len(self.terms) > FEW_ALIVE)


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
        sight = self.sighting(seen)
        match option:
            case Keep():
                return not sight.altered or sight.shared
            case Unsaid():
                return sight.altered
            case Absent():
                return sight.new is None
            case MakeFolder():
                return sight.made_folder
            case Write(_, emptied):
                new = sight.new
                value = value_of(option, seen.reader, sight.spot.real if emptied else None)
                if value is FAILED:
                    return None
                return isinstance(new, File) and bool(value == new.text)
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
        others = [source for source in sources if source != place]
        super().__init__(
            f"mode {place}",
            place,
            (SAME_MODE, YES, NO, *(ModeOf(source, new) for source in others for new in (True, False))),
        )

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
