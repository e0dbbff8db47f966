"""The guide: learned from runs of blocks, it orders the search and never removes a program."""

from __future__ import annotations

import pytest

from dabhand.toolmaking.examples import Example
from dabhand.toolmaking.guide import GuideError, guide_from_json, guide_to_json, rows_of, shipped_guide
from dabhand.toolmaking.guide_training import train_guide
from dabhand.toolmaking.search import solve, task_of

EVEN = (Example("1\n2\n3\n4\n", "2\n4\n"), Example("10\n11\n-6\n", "10\n-6\n"), Example("7\n8\n0\n", "8\n0\n"))


def test_what_was_learned_depends_on_the_seed_alone_and_can_be_kept() -> None:
    guide = train_guide(3, scenes=8)
    assert guide == train_guide(3, scenes=8)
    assert guide.runs > 1000
    assert guide_from_json(guide_to_json(guide)) == guide
    with pytest.raises(GuideError):
        guide_from_json(b"[]")


def test_the_shipped_guide_makes_blocks_dearer_or_cheaper_but_leaves_none_out() -> None:
    costs = shipped_guide().costs(task_of(EVEN))
    assert shipped_guide().runs > 80_000
    assert min(costs.values()) == 1
    assert max(costs.values()) < 12
    assert costs["even"] < costs["joined"]
    assert any(row.speaks_for for row in rows_of(shipped_guide()))


def test_fewer_terms_are_tried_with_it() -> None:
    with_it, without = solve(task_of(EVEN), guide=shipped_guide()), solve(task_of(EVEN))
    assert with_it.term == without.term
    assert with_it.tried < without.tried
