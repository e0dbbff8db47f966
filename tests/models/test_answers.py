from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dabhand.errors import NotUnderstood
from dabhand.goals.goal import Goal
from dabhand.handoff.plan import (
    CountLines,
    CountMatches,
    FindFiles,
    FirstLines,
    JsonField,
    LastLines,
    LineRange,
    ListFiles,
    Plan,
    Search,
    WholeFile,
    plan_from_value,
)
from dabhand.models.answers import OPERATIONS, PlanForm, goal_text, lines_text, read_goal, read_lines
from dabhand.models.prompts import HEADS, evidence_prompt, goal_prompt, plan_prompt

FORM = PlanForm(Plan)

SAID = [
    (FirstLines(path="file_1", count=20), "first file_1 20"),
    (LastLines(path="file_1", count=1), "last file_1 1"),
    (LineRange(path="file_1", first=5, last=9), "range file_1 5 last=9"),
    (LineRange(path="file_1", first=5), "range file_1 5"),
    (WholeFile(path="file_1"), "all file_1"),
    (CountLines(path="file_1"), "count file_1"),
    (JsonField(path="file_1", key="version"), 'field file_1 "version"'),
    (Search(path="file_1", value="time out", ignore_case=True), 'search file_1 "time out" ignore_case'),
    (
        Search(path="folder_1", value='a"b', recursive=True, glob="*.py", hidden=False, before=2, max_count=3),
        'search folder_1 "a\\"b" recursive glob="*.py" hidden=false before=2 max_count=3',
    ),
    (CountMatches(path="file_1", value="über", regex=True), 'matches file_1 "über" regex'),
    (ListFiles(path=".", kind="all", hidden=True), "list . kind=all hidden"),
    (FindFiles(path="folder_1", glob="*.log", max_age=604800), 'find folder_1 glob="*.log" max_age=1w'),
    (FindFiles(path="folder_1", min_bytes=(1 << 20) + 1), "find folder_1 min_bytes>1M"),
    (FindFiles(path="folder_1", max_bytes=1023, hidden=False), "find folder_1 hidden=false max_bytes<1K"),
    (
        FindFiles(path="folder_1", max_bytes=0, kind="folders", max_depth=2),
        "find folder_1 kind=folders max_bytes=0 max_depth=2",
    ),
]


def read(text: str) -> Any:
    answer = FORM.read(text)
    return None if answer is None else plan_from_value(answer.to_json())


@pytest.mark.parametrize(("plan", "text"), SAID)
def test_a_plan_is_one_short_line(plan: Plan, text: str) -> None:
    assert FORM.text(plan, "") == text
    assert read(text) == plan


def test_every_operation_has_a_word_of_its_own() -> None:
    assert set(OPERATIONS) == {one.__struct_config__.tag for one in get_args(Plan)}
    assert len(set(OPERATIONS.values())) == len(OPERATIONS)


@pytest.mark.parametrize(
    ("seconds", "request_", "said"),
    [
        (604800, "of the last 7 days", "7d"),
        (604800, "of the last week", "1w"),
        (7200, "in 120 minutes", "120m"),
        (90, "", "90s"),
    ],
)
def test_an_age_is_said_in_the_unit_of_the_request(seconds: int, request_: str, said: str) -> None:
    text = FORM.text(FindFiles(path="f", max_age=seconds), request_)
    assert text == f"find f max_age={said}"
    assert read(text) == FindFiles(path="f", max_age=seconds)


texts = st.text(st.characters(exclude_characters="\n", exclude_categories=("Cs",)), min_size=1)
globs = st.none() | st.text(st.characters(exclude_characters="\n/\0", exclude_categories=("Cs",)), min_size=1)
some = st.none() | st.integers(1, 2**50)


searches = st.builds(
    Search,
    path=st.sampled_from(["file_1", "."]),
    value=texts,
    ignore_case=st.booleans(),
    regex=st.booleans(),
    recursive=st.booleans(),
    glob=globs,
    hidden=st.booleans(),
    before=st.integers(0, 99),
    max_count=some,
)
finds = st.builds(
    FindFiles,
    path=st.just("folder_1"),
    glob=globs,
    value=st.none() | texts,
    kind=st.sampled_from(["files", "folders", "all"]),
    hidden=st.booleans(),
    min_bytes=some,
    max_age=st.none() | st.integers(0, 10**9).map(float),
    max_depth=some,
)


@example(FindFiles(path="folder_1", min_bytes=1_000_000_000_000_002), "")
@given(searches | finds, st.text())
def test_a_plan_comes_back_as_it_was(plan: Plan, request_: str) -> None:
    text = FORM.text(plan, request_)
    assert "\n" not in text
    assert read(text) == plan


@pytest.mark.parametrize(
    "text",
    """last file_1|last file_1 020|last file_1 20 |last  file_1 20|last file_1 20 30|first|dance file_1|last file_1 "20
search file_1 error|search file_1 "x" ignore_case ignore_case|search file_1 "x" recursive ignore_case|search file_1
search file_1 "x" hidden|search file_1 "x" hidden=true|find f kind=dirs|find f max_age=7y|find f max_age>7d
find f min_bytes<7K|count file_1 "x"|{"operation":"whole_file","path":"file_1"}||abstain |last file_1 1e3
search file_1 "x"after=2|search file_1 "\\x"|range file_1 5 9|list . kind="all" """.replace("\n", "|").split("|"),
)
def test_nothing_else_is_a_plan(text: str) -> None:
    with pytest.raises(NotUnderstood):
        assert isinstance(FORM.read(text), object) and plan_from_value(FORM.read(text).to_json()) and _canonical(text)


def _canonical(text: str) -> bool:
    if FORM.text(read(text), text) != text:
        raise NotUnderstood("not the one text for this plan")
    return True


@pytest.mark.parametrize(
    "text",
    [
        'file "uniq.txt" text(unique(sort(lines("piano.txt"))))',
        'copy "b.txt" "a.txt"\nabsent "a.txt"',
        'folder "new one"\nexecutable "run.sh"\nnot_executable "b.sh"',
        'answer "plain"',
        "answer count(lines(text(A)))",
    ],
)
def test_a_goal_is_a_line_for_each_condition(text: str) -> None:
    value = read_goal(text)
    assert value is not None
    assert goal_text(value) == text


def test_a_goal_is_read_as_the_contract_prints_it() -> None:
    goal = Goal.from_json(read_goal('file "b.txt" upper(text("a.txt"))\nabsent "a.txt"'))
    assert goal_text(goal.to_json()) == 'file "b.txt" upper(text("a.txt"))\nabsent "a.txt"'
    assert read_goal("abstain") is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "file",
        'file "a"',
        'absent "a" "b"',
        "absent a",
        'copy "a" b',
        'dance "a"',
        'absent "a"\n',
        'absent ""',
        'file "" x',
    ],
)
def test_nothing_else_is_a_goal(text: str) -> None:
    with pytest.raises(NotUnderstood):
        read_goal(text)


@given(st.sets(st.integers(1, 60)))
def test_lines_come_back_as_they_were(numbers: set[int]) -> None:
    assert set(read_lines(lines_text(numbers), 60)) == numbers


def test_lines_are_said_in_runs() -> None:
    assert lines_text([3, 9, 7, 8, 11, 12]) == "3 7-9 11 12"
    assert lines_text([]) == "none"


@pytest.mark.parametrize("text", ["", "0", "61", "3 2", "3 3", "5-4", "1-61", "1,2", "none 3", "01", "3 ", "all"])
def test_a_line_that_there_is_not_is_refused(text: str) -> None:
    with pytest.raises(NotUnderstood):
        read_lines(text, 60)


@given(st.text(), st.text(min_size=1))
def test_nothing_in_a_prompt_begins_a_line_of_its_own(request_: str, line: str) -> None:
    assert plan_prompt(request_, {"file_1": "file"}).count("\n") == 4
    assert goal_prompt(request_, {line: "file"}).count("\n") == 4
    assert evidence_prompt([line, line], request_).count("\n") == 5
    assert plan_prompt(request_, {}).startswith(HEADS["plan"])
