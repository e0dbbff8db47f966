"""The rule learner: the smallest set of questions, any consistent option accepted."""

from __future__ import annotations

from random import Random

from dabhand.world.rules import Choice, Leaf, Split, leaf_for, learn, leaves, numbers


def fit(rows: list[tuple[set[int], set[int]]], costs: dict[int, float] | None = None) -> Leaf | Split:
    """Rows of (features it has, options that explain it)."""
    features = {f for has, _ in rows for f in has}
    options = sorted({o for _, explained in rows for o in explained})
    has = {f: sum(1 << i for i, (mine, _) in enumerate(rows) if f in mine) for f in features}
    choices = [Choice(o, sum(1 << i for i, (_, mine) in enumerate(rows) if o in mine), float(o)) for o in options]
    prices = {f: (costs or {}).get(f, 0.0) for f in features}
    return learn((1 << len(rows)) - 1, choices, has, prices, 0)


def test_one_option_that_explains_everything_needs_no_question() -> None:
    tree = fit([({0}, {0, 1}), (set(), {1}), ({1}, {1, 2})])
    assert isinstance(tree, Leaf)
    assert tree.option == 1
    assert tree.right == tree.members == 0b111


def test_the_cheaper_of_two_equal_questions_is_asked() -> None:
    rows = [({0, 1}, {0})] * 3 + [(set(), {1})] * 3
    tree = fit(rows, {0: 1.0, 1: 0.2})
    assert isinstance(tree, Split)
    assert tree.feature == 1
    assert tree.others == (0,)


def test_options_that_explain_all_members_are_rivals() -> None:
    tree = fit([(set(), {0, 1}), ({3}, {0, 1, 2})])
    assert isinstance(tree, Leaf)
    assert tree.option == 0
    assert tree.rivals == (1,)


def test_a_conjunction_is_found() -> None:
    rng = Random(3)
    rows = []
    for _ in range(40):
        mine = {f for f in range(6) if rng.random() < 0.5}
        rows.append((mine, {1 if {2, 4} <= mine else 0}))
    tree = fit(rows)
    for has, explained in rows:
        assert leaf_for(tree, sum(1 << f for f in has)).option in explained
    assert {leaf.option for leaf in leaves(tree)} == {0, 1}
    assert len(list(leaves(tree))) == 3


def test_what_no_question_separates_keeps_the_most_frequent_option_and_says_so() -> None:
    tree = fit([({0}, {0}), ({0}, {0}), ({0}, {1})])
    assert isinstance(tree, Leaf)
    assert tree.option == 0
    assert (tree.right.bit_count(), tree.members.bit_count()) == (2, 3)


def test_numbers_of_a_bit_set() -> None:
    assert list(numbers(0b1010010)) == [1, 4, 6]
