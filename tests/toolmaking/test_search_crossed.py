"""Tasks whose parts want values of some examples alone."""

from __future__ import annotations

import pytest

from dabhand.toolmaking.examples import Example
from dabhand.toolmaking.search import result_of, search


@pytest.mark.parametrize(
    ("pairs", "given", "wanted"),
    [
        ([("a,b\nc,d\n", "b,a\nd,c\n"), ("x,y\n", "y,x\n"), ("1,2\n3,4\n5,6\n", "2,1\n4,3\n6,5\n")], "p,q\n", "q,p\n"),
        ([("1\n5\n3\n", "4\n"), ("9\n2\n", "7\n"), ("4\n40\n11\n", "36\n")], "7\n100\n20\n", "93\n"),
        ([("1\n-5\n3\n-2\n", "-7\n"), ("-1\n2\n", "-1\n"), ("4\n-4\n-3\n", "-7\n")], "-7\n100\n-20\n", "-27\n"),
    ],
)
def test_found(pairs: list[tuple[str, str]], given: str, wanted: str) -> None:
    found = search([Example(*pair) for pair in pairs], seconds=60)
    assert found.term is not None and result_of(found.term, given) == wanted
