"""Lines of bash, and the typed plans that they are, or are not."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dabhand.handoff.plan import plan_from_value
from dabhand.handoff.shells.reading import Reading, Unreadable, read_line

CASES = [json.loads(line) for line in Path(__file__).with_name("shell_lines.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("case", [case for case in CASES if "plan" in case], ids=lambda case: case["line"])
def test_a_look_is_the_plan_that_says_the_same(case: dict[str, object]) -> None:
    expected = Reading(
        plan=plan_from_value(case["plan"]),
        folder=str(case.get("folder", "")),
        numbered=bool(case.get("numbered", False)),
        differs=tuple(case.get("differs", ())),  # type: ignore[arg-type]
    )
    assert read_line(str(case["line"])) == expected


@pytest.mark.parametrize("case", [case for case in CASES if "plan" not in case], ids=lambda case: case["line"])
def test_what_is_not_one_look_is_declined_with_a_reason(case: dict[str, object]) -> None:
    found = read_line(str(case["line"]))
    assert isinstance(found, Unreadable), msgspec.to_builtins(found)
    assert found.reason


@given(st.text(alphabet=st.sampled_from(list("abc /'\"\\$`|&;<>(){}[]*?~!#-\n0=.é\udc80")), max_size=40))
def test_any_text_is_read_or_declined(text: str) -> None:
    assert isinstance(read_line(text), Reading | Unreadable)
    assert isinstance(read_line("cat " + text), Reading | Unreadable)
    assert isinstance(read_line("grep -n " + text + " a.txt"), Reading | Unreadable)
