from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dabhand.models.confidence import Calibration, calibration, kept, learned

answers = st.lists(st.tuples(st.floats(0, 1), st.booleans()))


@given(answers)
def test_confidence_rises_with_probability(seen: list[tuple[float, bool]]) -> None:
    known = learned(seen)
    found = [known.confidence(place / 20) for place in range(21)]
    assert found == sorted(found)
    assert known.examples == len(seen)


@given(answers, st.floats(0, 0.5))
def test_of_what_is_believed_few_enough_is_wrong(seen: list[tuple[float, bool]], wrong: float) -> None:
    known = learned(seen, wrong)
    believed = [right for probability, right in seen if seen and known.confidence(probability) >= known.enough]
    assert believed.count(False) <= wrong * len(believed) + 1e-9


def test_a_few_right_answers_say_nothing_of_one_in_fifty() -> None:
    known = learned([(0.9, True)] * 49)
    assert known.confidence(0.9) == 1.0 and known.enough > 1
    assert learned([(0.9, True)] * 50).enough == 1.0


def test_what_is_always_right_is_believed_and_what_never_is_is_not() -> None:
    assert learned([(0.2, True), (0.9, True)] * 25).enough == 1.0
    assert learned([(0.2, False), (0.9, False)]).enough > 1
    half = learned([(0.1, False)] * 5 + [(0.9, True)] * 95)
    assert half.confidence(0.95) == 1.0
    assert half.confidence(0.1) == 0.0
    assert half.enough == 1.0


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"plan": 3}', '{"plan": {"enough": "much"}}', '{"plan": {"enough": 0.1}}']
)
def test_without_experience_nothing_is_believed(tmp_path: Path, text: str) -> None:
    adapter = tmp_path / "adapter.gguf"
    adapter.write_bytes(b"weights")
    assert calibration("plan", adapter) == Calibration()
    (tmp_path / "calibration.json").write_text(text)
    known = calibration("plan", adapter)
    assert known == Calibration()
    assert known.confidence(1.0) == 0.0 and known.enough > 1


def test_it_is_kept_beside_the_adapter_that_it_was_learned_with(tmp_path: Path) -> None:
    adapter = tmp_path / "adapter.gguf"
    adapter.write_bytes(b"weights")
    known = Calibration((0.1, 0.5), (0.2, 0.9), 0.9, 7)
    (tmp_path / "calibration.json").write_bytes(kept({"goal": known}, adapter))
    assert calibration("goal", adapter) == known
    assert calibration("goal", adapter).confidence(0.6) == 0.9
    assert calibration("plan", adapter) == Calibration()
    adapter.write_bytes(b"other weights")
    assert calibration("goal", adapter) == Calibration(), "what was learned with another adapter says nothing of this"


def test_a_file_that_contradicts_itself_is_none(tmp_path: Path) -> None:
    adapter = tmp_path / "adapter.gguf"
    adapter.write_bytes(b"weights")
    (tmp_path / "calibration.json").write_bytes(kept({"goal": Calibration((0.1, 0.5), (0.2,), 0.2, 7)}, adapter))
    assert calibration("goal", adapter) == Calibration()
