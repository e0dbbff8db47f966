"""The search for terms that explain what was written or printed: the plain building blocks first, then all."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dabhand.commands import Slot
from dabhand.language import Env, Kind, Pool, Term
from dabhand.world.observation import Observation
from dabhand.world.reading import StateView, values_of

Pools = tuple[Callable[[], Pool], Callable[[], Pool]]
"""The plain hypothesis space and the wide one, made when they are first asked for."""

PATIENCE = 3
"""Successes that the plain hypothesis space does not explain before the wide one is searched."""

MAX_WIDE_SEARCHES = 12


class TermSearch:
    """Finds terms over the slots of one template.

    Args:
        slots: what the terms are over.
        pools: where they are looked for.
    """

    def __init__(self, slots: Sequence[Slot], pools: Pools) -> None:
        self.slots = slots
        self.pools = pools
        self.missed = 0
        self._last: tuple[Observation, str | None, Pool, list[object]] | None = None

    def begin_anew(self) -> None:
        """All is learned again: what the wide space explained is to be found again."""
        self.missed = min(self.missed, PATIENCE)

    def __call__(self, seen: Observation, text: str, emptied: str | None) -> list[Term]:
        """Terms with this value in the folder before, cheapest first; the file at `emptied` reads as empty."""
        found = self._in(self.pools[0](), seen, text, emptied)
        if found or not seen.ok:
            return found
        self.missed += 1
        if PATIENCE <= self.missed < PATIENCE + MAX_WIDE_SEARCHES:
            found = self._in(self.pools[1](), seen, text, emptied)
        return found

    def _in(self, pool: Pool, seen: Observation, text: str, emptied: str | None) -> list[Term]:
        if self._last is None or self._last[0] is not seen or self._last[1:3] != (emptied, pool):
            env = Env(values_of(self.slots, seen.filling), StateView(seen.before, emptied))
            self._last = (seen, emptied, pool, list(pool.evaluate(env)))
        values = self._last[3]
        ids = [i for kind in (Kind.TEXT, Kind.WORD, Kind.PATH) for i in pool.ids(kind) if values[i] == text]
        ids.sort(key=lambda i: (pool.costs[i], i))
        return [pool.terms[i] for i in ids]
