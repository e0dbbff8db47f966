"""Of a request that nobody understands it may be plain which file it is about, and what is to be made."""

from __future__ import annotations

import pytest

from dabhand.goals.sketch import sketch_of
from tests.goals.folders import folder


@pytest.mark.parametrize(
    ("request_", "found"),
    [
        ("Write the frobnicated form of piano.txt into out.txt", ("piano.txt", "out.txt")),
        ("frobnicate 'piano.txt' as \"my out.txt\"", ("piano.txt", "my out.txt")),
        ("Frobnicate piano.txt", None),
        ("Frobnicate piano.txt and notes.txt into out.txt", None),
        ("Frobnicate piano.txt into out.txt and into more.txt", None),
        ("Frobnicate piano.txt into ../out.txt", None),
        ("Frobnicate 'piano.txt into out.txt", None),
    ],
)
def test_source_and_target(request_: str, found: tuple[str, str] | None) -> None:
    sketch = sketch_of(request_, folder())
    assert (None if sketch is None else (sketch.source, sketch.target)) == found
