"""A condition that is added to a request is honoured, or the request is given back: it is never passed over."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dabhand.handoff.words import Abstained, read
from dabhand.handoff.words.terminals import known_words, listed

REQUESTS = (
    "Print the first 6 lines of tide.txt",
    "Show the last 4 lines of logs/tide.txt",
    "Count the lines in tide.txt",
    "Count lines with FIXME in tide.txt",
    "Show lines containing 'eel' in tide.txt",
    "Search for 'eel' in tide.txt",
    "Find lines with FIXME below docks",
    "List the files in docks/",
    "Find all *.rs files under docks",
    "Find files larger than 7 MB under docks",
    "What is the license in package.json?",
    "Show lines 3 to 8 of tide.txt",
    "List folders in docks/",
)
CONDITIONS = (
    *("today", "twice", "unique", "reversed", "backwards", "recent", "smallest", "newest", "nine", "eleven", "not"),
    *("never", "without", "except", "unless", "writable", "uppercase", "green", "modified", "staged", "encrypted"),
    *("random", "even", "odd", "half", "alternate", "duplicated", "before", "after", "since", "until", "failing"),
    *("and nine", "and FIXME", "and eel", "or eel", "but not eel", "except comments", "in uppercase"),
    *("that are new", "older than eel", "sorted by size", "owned by root", "per file", "with their owners", "three"),
)
WORDS = st.one_of(st.sampled_from(CONDITIONS), st.from_regex(r"[a-z]{4,9}", fullmatch=True))


@pytest.mark.parametrize("request_", REQUESTS)
def test_each_of_them_is_read(request_: str) -> None:
    assert not isinstance(read(request_), Abstained)


@settings(max_examples=300, deadline=None)
@given(request_=st.sampled_from(REQUESTS), condition=WORDS, place=st.integers(1, 12))
def test_no_condition_is_passed_over(request_: str, condition: str, place: int) -> None:
    if condition in known_words() or condition in listed("endings"):
        return  # "located", "also": words of the grammar that may say nothing
    words = request_.split(" ")
    at = min(place, len(words))
    longer = " ".join([*words[:at], condition, *words[at:]])
    said = read(longer)
    assert isinstance(said, Abstained) or said != read(request_), longer


@pytest.mark.parametrize("condition", CONDITIONS)
def test_none_of_the_usual_conditions_is_passed_over(condition: str) -> None:
    for request_ in REQUESTS:
        words = request_.split(" ")
        for at in range(1, len(words) + 1):
            longer = " ".join([*words[:at], condition, *words[at:]])
            said = read(longer)
            assert isinstance(said, Abstained) or said != read(request_), longer
