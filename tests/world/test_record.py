"""Which doubts are worth having is learned from how predictions fared that were made in spite of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dabhand.world.prediction import TRUSTED
from dabhand.world.record import DISMISSED, SPOTLESS, Basis, Count, TrackRecord

COMMAND = "sort {A} > {B}"
TABS, NUL = "new: something has tabs", "new: something has NUL bytes"


def noted(right: int, wrong: int, *doubts: str, tries: int = 9) -> TrackRecord:
    record = TrackRecord()
    for number in range(right + wrong):
        record.note(COMMAND, Basis(doubts, firm=True, tries=tries), right=number >= wrong)
    return record


def test_nothing_is_dismissed_unheard() -> None:
    assert not TrackRecord().dismisses(TABS)
    assert TrackRecord().standing([TABS, NUL]) == [TABS, NUL]


def test_a_doubt_that_never_came_true_is_dismissed_in_the_end() -> None:
    dismissed = [noted(times, 0, TABS).dismisses(TABS) for times in range(40)]
    assert not any(dismissed[:10])
    assert all(dismissed[-10:])
    assert dismissed == sorted(dismissed)


def test_a_doubt_that_came_true_now_and_then_stays() -> None:
    assert not noted(45, 5, TABS).dismisses(TABS)


def test_a_wrong_prediction_speaks_against_the_doubt_that_was_still_there() -> None:
    record = noted(40, 0, TABS)
    before = record.counts[TABS]
    record.note(COMMAND, Basis((TABS, NUL), firm=True, tries=9), right=False)
    assert record.counts[TABS] == before
    assert record.counts[NUL] == (0, 1)


def test_without_another_doubt_it_speaks_against_the_dismissed_one() -> None:
    record = noted(40, 0, TABS)
    record.note(COMMAND, Basis((TABS,), firm=True, tries=9), right=False)
    assert record.counts[TABS] == (40, 41)


def test_one_of_a_kind_that_nearly_never_mattered_is_dismissed_sooner() -> None:
    kind = noted(60, 1, NUL)
    for times in range(1, 6):
        kind.note(COMMAND, Basis((TABS,), firm=True, tries=9), right=True)
        assert kind.dismisses(TABS) == (times >= SPOTLESS)
    assert not noted(SPOTLESS, 0, TABS).dismisses(TABS), "its kind is not known well enough"


def test_one_that_ever_mattered_is_not_dismissed_for_its_kind() -> None:
    record = noted(60, 0, NUL)
    for right in (True, True, False, True, True, True):
        record.note(COMMAND, Basis((TABS,), firm=True, tries=9), right=right)
    assert not record.dismisses(TABS)


def test_where_another_reason_for_doubt_is_left_nothing_is_concluded() -> None:
    record = TrackRecord()
    record.note(COMMAND, Basis((TABS,), firm=False, tries=3), right=True)
    assert not record.counts


def test_few_tries_say_more_where_they_have_said_enough() -> None:
    record = noted(30, 0, tries=3)
    assert record.after(3) >= TRUSTED
    assert record.after(2) == record.after(4) == 0.0
    assert noted(30, 0, tries=2).after(2) == 0.0, "two tries are never enough"


@given(st.integers(0, 200), st.integers(0, 50))
def test_the_bound_is_below_the_rate(right: int, wrong: int) -> None:
    if right + wrong:
        bound = noted(right, wrong, TABS).bound(TABS)
        assert 0.0 <= bound < 1.0
        assert bound <= (right + 1) / (right + wrong + 2) + 1e-9 or not wrong


SHARES = st.dictionaries(
    st.sampled_from([TABS, NUL, "x", "kin: y"]),
    st.integers(1, 50).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))),
)


@given(SHARES, SHARES)
def test_what_a_command_contributed_can_be_taken_out_again(one: dict[str, Count], other: dict[str, Count]) -> None:
    record = TrackRecord()
    record.take("one", one)
    before = dict(record.counts)
    record.take("other", other)
    assert record.share("other") == other
    record.take("other", other)
    record.forget("other")
    assert record.counts == before == record.share("one")
    assert record.share("other") == {}


def test_the_bar_for_dismissal_is_above_that_for_trust() -> None:
    assert DISMISSED > TRUSTED
