"""The hypothesis space: for each signature of slots, the terms that could say what a command writes or prints."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from dabhand.commands import Slot
from dabhand.language import Kind, Pool, enumerate_terms
from dabhand.language.samples import default_panel
from dabhand.world.reading import variables

MAX_COST = 10
MAX_TERMS = 4000
PANEL_SEED = 1


def pool_for(slots: Sequence[Slot]) -> Pool:
    """The terms over these slots, up to a cost; the same for every command with such slots."""
    return _pool(tuple(slots))


@lru_cache(maxsize=64)
def _pool(slots: tuple[Slot, ...]) -> Pool:
    inputs = variables(slots)
    panel = default_panel(inputs, Random(PANEL_SEED))
    return enumerate_terms(inputs, panel, max_cost=MAX_COST, max_terms=MAX_TERMS, kinds=(Kind.TEXT,))
