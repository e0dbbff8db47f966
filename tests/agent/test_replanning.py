"""After a surprise: it is learned from, and the rest is planned anew, from where it stands or from the start."""

from __future__ import annotations

from pathlib import Path

import pytest

from dabhand.agent.do import carry_out
from dabhand.agent.document import DoDocument
from dabhand.commands import parse_template
from dabhand.practice import practise
from dabhand.sandbox import probe
from dabhand.store import Store

pytestmark = pytest.mark.skipif(not any(tier.available for tier in probe()), reason="no isolation on this machine")
LONG_WAY = ("cp {A} {B}", "sort -o {A} {A}")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    (root / "piano.txt").write_text("b\na\nb\n")
    (root / "trap").write_text("precious\n")
    return root


def sorted_by(short: str, home: Path, root: Path) -> DoDocument:
    with Store.open(home) as store:
        texts = (short, *LONG_WAY)
        practise(store, [parse_template(text) for text in texts], until_understood=True, experiments=300, seed=1)
        return carry_out(store, "Sort piano.txt into sorted.txt", root)


def test_a_step_that_failed_and_changed_nothing_is_gone_on_from(tmp_path: Path, root: Path) -> None:
    document = sorted_by("test ! -e trap && sort {A} > {B}", tmp_path / "store", root)
    assert document.status == "done" and document.attempts > 1, document
    surprises = [step.surprise for step in document.plan]
    assert surprises[0] and surprises[-2:] == [False, False], "the failed step stays in the plan, and two others follow"
    assert (root / "sorted.txt").read_text() == "a\nb\nb\n"
    assert (root / "trap").read_text() == "precious\n"


def test_a_step_that_did_harm_is_begun_anew_from_a_fresh_stage(tmp_path: Path, root: Path) -> None:
    document = sorted_by("sort {A} > {B}; if test -e trap; then rm trap; fi", tmp_path / "store", root)
    assert document.status == "done" and document.attempts > 1, document
    assert [step.surprise for step in document.plan] == [False, False]
    assert [change.path for change in document.changes] == ["sorted.txt"]
    assert (root / "trap").read_text() == "precious\n"
