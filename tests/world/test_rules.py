"""The rule learner: the smallest set of questions, any consistent option accepted."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from dabhand.world.rules import Choice, Leaf, Split, contested, leaf_for, learn, leaves, numbers, used_features


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
    tree = fit(rows, {0: 0.5, 1: 0.2})
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


def test_a_leaf_takes_in_what_arrives_later() -> None:
    tree = fit([({0, 1}, {0}), ({0}, {0})])
    assert isinstance(tree, Leaf)
    tree.some, tree.every = 0b011, 0b001
    tree.join(2, 0b101, right=True)
    tree.join(4, 0b001, right=False)
    assert tree.members == 0b10111
    assert tree.right == 0b00111
    assert (tree.some, tree.every) == (0b111, 0b001)


def test_a_question_with_swapped_answers_is_a_rival_of_the_other_polarity() -> None:
    """Feature 0 holds where feature 1 does not: a question as good, but for its answers."""
    rows = [({0, 2}, {0})] * 3 + [({1}, {1})] * 3
    tree = fit(rows, {0: 0.0, 1: 0.1, 2: 0.1})
    assert isinstance(tree, Split)
    assert tree.feature == 0
    assert sorted(tree.others) == [~1, 2]


def bits(*features: int) -> int:
    return sum(1 << feature for feature in features)


def test_a_situation_is_contested_when_an_equally_good_question_answers_otherwise() -> None:
    rows = [({0, 2}, {0})] * 3 + [({1}, {1})] * 3
    tree = fit(rows, {0: 0.0, 1: 0.1, 2: 0.1})
    for agreed in (bits(0, 2), bits(1)):
        assert list(contested(tree, agreed)) == []
    for doubtful in (bits(0, 1, 2), bits(0), bits(0, 1), bits(), bits(1, 2)):
        assert [leaf.option for leaf in contested(tree, doubtful)] == [1 - leaf_for(tree, doubtful).option]


def test_a_much_dearer_question_is_no_rival() -> None:
    rows = [({0, 1}, {0})] * 3 + [(set(), {1})] * 3
    tree = fit(rows, {0: 0.0, 1: 5.0})
    assert isinstance(tree, Split)
    assert tree.others == ()
    assert list(contested(tree, bits(0))) == []


def test_only_the_questions_on_the_way_are_contested() -> None:
    rows = [({0, 1}, {0})] * 8 + [({0}, {1})] * 8 + [({5}, {2})] * 9 + [(set(), {2})] * 9
    tree = fit(rows)
    assert isinstance(tree, Split)
    for has, explained in rows:
        assert leaf_for(tree, bits(*has)).option in explained
        assert list(contested(tree, bits(*has))) == []
    assert set(used_features(tree)) == {0, 1}


tables = st.lists(
    st.tuples(st.frozensets(st.integers(0, 5), max_size=4), st.frozensets(st.integers(0, 3), min_size=1, max_size=3)),
    min_size=1,
    max_size=30,
)


@given(tables)
def test_every_observation_is_in_one_leaf_and_counted_there(rows: list[tuple[frozenset[int], frozenset[int]]]) -> None:
    tree = fit([(set(has), set(explained)) for has, explained in rows], dict.fromkeys(range(6), 0.0))
    found = list(leaves(tree))
    everything = 0
    for leaf in found:
        assert leaf.members and not leaf.members & everything
        everything |= leaf.members
        for number in numbers(leaf.members):
            has, explained = rows[number]
            assert leaf_for(tree, bits(*has)) is leaf
            assert bool(leaf.right >> number & 1) == (leaf.option in explained)
            assert all(rival in explained for rival in leaf.rivals)
            for other in contested(tree, bits(*has)):
                assert other is leaf, "a rival question divides the observations as the chosen one does"
    assert everything == (1 << len(rows)) - 1


@given(tables)
def test_what_some_question_separates_is_explained(rows: list[tuple[frozenset[int], frozenset[int]]]) -> None:
    """One option for each set of features: then nothing that the tree believes is wrong."""
    chosen = {has: {min(explained)} for has, explained in rows}
    tree = fit([(set(has), chosen[has]) for has, _ in rows], dict.fromkeys(range(6), 0.0))
    for leaf in leaves(tree):
        assert leaf.right == leaf.members


def test_where_options_say_the_same_the_one_is_believed_that_is_usual_where_it_fared_alike() -> None:
    stays, written = 0, 1
    explained = [{stays}] * 6 + [{written}] * 4 + [{stays, written}]
    has = {0: 0b00000111111, 1: 0b10000000000}
    choices = [Choice(o, sum(1 << i for i, mine in enumerate(explained) if o in mine), 0.0) for o in (stays, written)]
    succeeded = 0b11111000000
    tree = learn((1 << len(explained)) - 1, choices, has, {0: 0.5, 1: 0.0}, 0, succeeded)
    assert leaf_for(tree, 0b10).option == written
