"""Limits: whole lines within them, and everything that is left out counted."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .conftest import Inspect, numbered

LINES = st.lists(st.sampled_from([b"", b"a", b"bb", "é€".encode(), b"x" * 9, b"\xff"]), max_size=12)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=LINES, ended=st.booleans(), most=st.integers(0, 6), size=st.integers(0, 30), last=st.booleans())
def test_what_is_shown_and_what_is_left_out_are_the_whole(
    root: Path, inspect: Inspect, lines: list[bytes], ended: bool, most: int, size: int, last: bool
) -> None:
    data = b"\n".join(lines) + (b"\n" if ended and lines else b"")
    (root / "a").write_bytes(data)
    every = list(enumerate(data.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n"), 1)) if data else []
    options = {"max_lines": most, "max_bytes": size}
    packet = inspect("last_lines", count=1000, options=options) if last else inspect("whole_file", options=options)
    output = packet.output
    shown = numbered(packet)
    if not any(line.cut for line in output.lines):
        assert shown == (every[len(every) - len(shown) :] if last else every[: len(shown)])
        whole = sum(len(text.encode("utf-8", "surrogateescape")) + 1 for _, text in shown)
        assert whole - size <= (len(shown) == 1 or not data.endswith(b"\n"))
        room = len(shown) < min(most, len(every))
        if room:  # the next one would not have fitted
            more = every[-len(shown) - 1] if last else every[len(shown)]
            assert whole + len(more[1].encode("utf-8", "surrogateescape")) + 1 > size
    else:
        assert len(shown) == 1
        assert every[-1 if last else 0][1].startswith(shown[0][1])
    assert len(shown) <= most
    assert output.omitted_lines == len(every) - len(shown)
    kept = sum(len(text.encode("utf-8", "surrogateescape")) for _, text in shown)
    assert kept <= len(data) - output.omitted_bytes <= kept + len(shown)
    assert output.complete == (output.omitted_bytes == 0)
    assert not (output.omitted_lines and output.complete)


@pytest.mark.parametrize("limit", [{"max_lines": -1}, {"max_bytes": -1}])
def test_a_limit_below_zero_is_rejected(root: Path, inspect: Inspect, limit: dict[str, int]) -> None:
    (root / "a").touch()
    assert inspect("whole_file", options=limit).status == "rejected"
