"""What all parts of an outcome share: options, the observations that each explains, and the rules between them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence

from dabhand.language import Term
from dabhand.world.effects import Keep, Option, Print, SameMode, Unsaid, Write, cost_of
from dabhand.world.observation import Observation
from dabhand.world.rules import Bits, Choice, Leaf, Tree, leaf_for, learn, leaves, numbers

Search = Callable[[Observation, str, "str | None"], Sequence[Term]]
"""Terms whose value for an observation is the given text, cheapest first; the path is one that reads as empty."""

MAX_OPTIONS = 300
MAX_ALIKE = 30
"""Of options that explain the same observations, how many of the cheapest are kept; of the rest, every so many one."""

SPREAD = 9
MAX_SPARE = 3


class Role(ABC):
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
        self._listed: set[Option] | None = None
        self.explains: list[Bits] = [0] * len(self.options)
        self.silent: list[Bits] = [0] * len(self.options)
        self.members: Bits = 0
        self.tree: Tree | None = None
        self.fitted_at = 0

    @abstractmethod
    def defined(self, seen: Observation) -> bool:
        """Whether the part exists in this observation."""

    @abstractmethod
    def consistent(self, option: Option, seen: Observation) -> bool | None:
        """Whether the option would have led to what was seen; None where its term has no value."""

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
        if self._listed is None:
            self._listed = set(self.options)
        if option in self._listed:
            return
        self.options.append(option)
        self._listed.add(option)
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
        succeeded: Bits,
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
        self.tree = learn(self.members, choices, has, costs, self._weak(), succeeded)
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

    def usual(self, among: Bits) -> Option | None:
        """What is seen most among these observations; None where nothing that can be said is."""
        found = [
            ((self.explains[i] & ~self.silent[i] & among).bit_count(), -cost_of(option), -i)
            for i, option in enumerate(self.options)
            if not isinstance(option, Unsaid)
        ]
        best = max(found, default=(0, 0.0, 0))
        return self.options[-best[2]] if best[0] else None

    @property
    def murky(self) -> float:
        """The share of the part's observations in which what happened is not understood."""
        if self.tree is None or not self.members:
            return 0.0
        unsaid = sum(
            leaf.members.bit_count() for leaf in leaves(self.tree) if isinstance(self.options[leaf.option], Unsaid)
        )
        return unsaid / self.members.bit_count()

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
        self._listed = None
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
