"""The version space of a role: every term that explains all telling observations so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dabhand.language import Term
from dabhand.world.effects import term_cost

MAX_ALIVE = 150
FEW_ALIVE = 8
MAX_AUDITS = 16
MAX_MISSES = 3


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
