"""Rules: the smallest set of yes/no questions that says which option holds in which context.

A decision tree in which an observation accepts *any* option consistent with it. Observations and features are bit
sets (Python integers), so that one split is judged in microseconds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import msgspec

Bits = int
"""A set of observation numbers."""


class Leaf(msgspec.Struct, tag="leaf"):
    """A context in which one option holds; grows as observations that agree with it arrive.

    Attributes:
        option: the option believed, as an index.
        rivals: other options that explained every observation here when the tree was fitted, cheapest first.
        members: the observations here.
        right: those of them that the option explains.
        some: features that some member has.
        every: features that every member has.
    """

    option: int
    rivals: tuple[int, ...]
    members: Bits
    right: Bits
    some: Bits = 0
    every: Bits = -1

    def join(self, number: int, features: Bits, *, right: bool) -> None:
        """Count one more observation."""
        self.members |= 1 << number
        self.right |= right << number
        self.some |= features
        self.every &= features


class Split(msgspec.Struct, tag="split"):
    """A question and what follows from either answer.

    Attributes:
        feature: the question, as an index.
        others: questions that would have divided the observations alike; ~n where the answers are swapped.
        yes: what holds where the feature does.
        no: what holds elsewhere.
    """

    feature: int
    others: tuple[int, ...]
    yes: Tree
    no: Tree


Tree = Leaf | Split


class Choice(msgspec.Struct, frozen=True):
    """An option as the tree sees it.

    Attributes:
        index: of the option.
        explains: the observations that do not speak against it.
        cost: how complicated it is.
        silent: those of them that it says nothing about; it needs others to show for itself.
    """

    index: int
    explains: Bits
    cost: float
    silent: Bits = 0

    @property
    def shows(self) -> Bits:
        """The observations that speak for the option."""
        return self.explains & ~self.silent

    def fits(self, members: Bits) -> bool:
        """Whether nothing among the members speaks against it, and half of them for it."""
        return not members & ~self.explains and 2 * (members & self.shows).bit_count() >= members.bit_count()


MAX_RIVALS = 40
MAX_COVER = 10

COST_WEIGHTS = (0.2, 4.0, 15.0)
"""How much an option's cost weighs against what it explains, in greedy cover; the shortest of the trees is taken."""

BITS_PER_QUESTION = 5.0
BITS_PER_COST = 4.0
BITS_PER_ERROR = 30.0

PRICE = 2.5
"""Bits of information that a question must give more, per unit of its cost, than one that costs nothing."""

MAX_DEARER = 0.6
"""A question that divides the observations as the chosen one does is its rival unless it costs so much more."""


def learn(
    everything: Bits,
    choices: Sequence[Choice],
    has: Mapping[int, Bits],
    costs: Mapping[int, float],
    weak: Bits,
    succeeded: Bits = 0,
) -> Tree:
    """Fit a tree to observations.

    Args:
        everything: the observations to explain.
        choices: the options; at least one.
        has: for each feature the observations that have it.
        costs: for each feature how unwelcome it is.
        weak: observations that say little (nearly every option explains them); they join, and never found, a rule.
        succeeded: those in which the command succeeded; of options that explain the same, the one is believed that is
            usual where it fared alike.
    """
    questions = _dividing(everything, has, costs)
    best: tuple[float, Tree] | None = None
    covers: list[list[int]] = []
    for weight in COST_WEIGHTS:
        cover = _cover(everything, choices, weak, weight)
        names = [choice.index for choice in cover]
        if names in covers:
            continue
        covers.append(names)
        tree = _grow(everything, _Cover(cover, everything & succeeded, everything & ~succeeded), choices, questions)
        length = _length(tree, {choice.index: choice.cost for choice in cover}, costs)
        if best is None or length < best[0]:
            best = length, tree
    assert best is not None
    return best[1]


def _length(tree: Tree, option_costs: Mapping[int, float], costs: Mapping[int, float]) -> float:
    """Description length of a tree, in bits: its questions, the different options it uses, and what it gets wrong."""
    used: set[int] = set()
    bits = 0.0
    pending = [tree]
    while pending:
        part = pending.pop()
        if isinstance(part, Leaf):
            used.add(part.option)
            bits += BITS_PER_ERROR * (part.members & ~part.right).bit_count()
        else:
            bits += BITS_PER_QUESTION + PRICE * costs[part.feature]
            pending += [part.yes, part.no]
    return bits + BITS_PER_COST * sum(max(0.0, option_costs.get(option, 0.0)) for option in used)


def leaf_for(tree: Tree, features: Bits) -> Leaf:
    """The leaf that a situation with these features (a set of feature numbers) falls into."""
    while isinstance(tree, Split):
        tree = tree.yes if features >> tree.feature & 1 else tree.no
    return tree


def contested(tree: Tree, features: Bits) -> Iterator[Leaf]:
    """Leaves that the situation would fall into had an equally good question been chosen somewhere on its way."""
    while isinstance(tree, Split):
        answer = features >> tree.feature & 1
        for other in tree.others:
            if (features >> other & 1 if other >= 0 else 1 - (features >> ~other & 1)) != answer:
                yield leaf_for(tree.no if answer else tree.yes, features)
                break
        tree = tree.yes if answer else tree.no


def leaves(tree: Tree) -> Iterator[Leaf]:
    """All leaves, from the yes side."""
    if isinstance(tree, Leaf):
        yield tree
    else:
        yield from leaves(tree.yes)
        yield from leaves(tree.no)


def used_features(tree: Tree) -> Iterator[int]:
    """The features that the tree asks for."""
    if isinstance(tree, Split):
        yield tree.feature
        yield from used_features(tree.yes)
        yield from used_features(tree.no)


def numbers(bits: Bits) -> Iterator[int]:
    """The numbers in a bit set, ascending."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _cover(everything: Bits, choices: Sequence[Choice], weak: Bits, weight: float) -> list[Choice]:
    """Few options that together explain all that can be explained, by greedy set cover, the best first."""
    left = everything
    found: list[Choice] = []
    while left and len(found) < MAX_COVER:
        strong = left & ~weak
        best = max(
            choices,
            key=lambda choice: (
                10 * (choice.shows & strong).bit_count()
                + (choice.shows & left).bit_count()
                + 0.02 * (choice.shows & everything).bit_count()
                - weight * choice.cost
            ),
        )
        if not best.shows & left:
            break
        found.append(best)
        left &= ~best.shows
    return found or [choices[0]]


Question = tuple[int, Bits, float]


def _dividing(everything: Bits, has: Mapping[int, Bits], costs: Mapping[int, float]) -> list[Question]:
    """The questions that divide the observations, the cheapest first."""
    found = [(feature, bits & everything, costs[feature]) for feature, bits in has.items()]
    found = [question for question in found if question[1] and question[1] != everything]
    found.sort(key=lambda question: (question[2], question[0]))
    return found


class _Cover:
    """The covering options, in the order in which they are usual among successes, and among failures."""

    def __init__(self, cover: Sequence[Choice], succeeded: Bits, failed: Bits) -> None:
        self.all = cover
        self.succeeded = succeeded
        self.failed = failed
        self._usual = {
            fared: sorted(cover, key=lambda one: -(one.shows & fared).bit_count()) for fared in (succeeded, failed)
        }

    def fitting(self, members: Bits) -> Choice | None:
        """The option that explains all members; of several the one that is usual where the command fared like there."""
        mixed = members & self.succeeded and members & self.failed
        order = self.all if mixed else self._usual[self.succeeded if members & self.succeeded else self.failed]
        return next((choice for choice in order if choice.fits(members)), None)

    def labels(self, members: Bits) -> list[Bits]:
        """Which of the options each member counts for; undecided members left out."""
        common = members
        for choice in self.all:
            shows = choice.shows & members
            common &= shows or members
        left = members & ~common
        found = dict.fromkeys(range(len(self.all)), 0)
        for fared in (left & self.succeeded, left & self.failed):
            explained = sorted(
                ((choice.shows & fared, number) for number, choice in enumerate(self.all)),
                key=lambda pair: -pair[0].bit_count(),
            )
            for bits, number in explained:
                found[number] |= bits & fared
                fared &= ~bits
                if not fared:
                    break
        return [bits for bits in found.values() if bits]


def _grow(members: Bits, cover: _Cover, choices: Sequence[Choice], questions: Sequence[Question]) -> Tree:
    fitting = cover.fitting(members)
    if fitting is not None:
        return _leaf(members, fitting, choices)
    best = _best_question(members, cover, questions)
    if best is None:
        return _leaf(members, max(cover.all, key=lambda c: ((members & c.shows).bit_count(), -c.cost)), choices)
    feature, has, cost = best
    yes, no = members & has, members & ~has
    alike = [
        other if bits & members == yes else ~other
        for other, bits, price in questions
        if other != feature and bits & members in (yes, no) and price <= cost + MAX_DEARER
    ]
    return Split(
        feature,
        tuple(alike),
        _grow(yes, cover, choices, questions),
        _grow(no, cover, choices, questions),
    )


def _leaf(members: Bits, chosen: Choice, choices: Sequence[Choice]) -> Leaf:
    rivals = sorted(
        (choice for choice in choices if choice.index != chosen.index and choice.fits(members)),
        key=lambda choice: (choice.cost, choice.index),
    )
    some = rivals[:MAX_RIVALS] + rivals[MAX_RIVALS :: max(1, len(rivals) // MAX_RIVALS)]
    return Leaf(chosen.index, tuple(rival.index for rival in some), members, members & chosen.explains)


def _best_question(members: Bits, cover: _Cover, questions: Sequence[Question]) -> Question | None:
    """The question that tells most about which option holds, for what it costs.

    The measure is information gain in bits over all members (Quinlan, Induction of decision trees, 1986), less a price
    per unit of the question's cost. An observation that every option explains takes no part; one that several explain
    counts for the most frequent of them.
    """
    labels = cover.labels(members)
    if not labels:
        return None
    total = [each.bit_count() for each in labels]
    whole = _disorder(total)
    scored: list[tuple[float, Question]] = []
    for question in questions:
        inside = [(each & question[1]).bit_count() for each in labels]
        size = sum(inside)
        if (not size or size == sum(total)) and (not members & question[1] or not members & ~question[1]):
            continue
        outside = [count - part for count, part in zip(total, inside, strict=True)]
        gain = whole - _disorder(inside) - _disorder(outside)
        scored.append((gain - PRICE * question[2], question))
    if not scored:
        return None
    best = max(scored, key=lambda pair: pair[0])
    return best[1]


_LOGS = [0.0] + [n * math.log2(n) for n in range(1, 4096)]


def _disorder(counts: Sequence[int]) -> float:
    """Entropy of a division into these counts, times their sum, in bits."""
    total = sum(counts)
    if total >= len(_LOGS):
        return total * math.log2(total) - sum(n * math.log2(n) for n in counts if n)
    return _LOGS[total] - sum(_LOGS[n] for n in counts)
