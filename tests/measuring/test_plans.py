"""The judge of plans: what is wanted is right, what nearly is wanted is wrong, and what should be given back is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dabhand.errors import UsageError
from dabhand.handoff.plan import plan_from_value
from dabhand.measuring.cases import Case, cases_in
from dabhand.measuring.lines import by_oracle as lines_wanted
from dabhand.measuring.lines import by_rules, measured
from dabhand.measuring.lines import summary as lines_summary
from dabhand.measuring.plans import Answered, by_grammar, by_oracle, judged, summary

PAIRS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("file", {"operation": "last_lines", "count": 12}, {"operation": "last_lines", "count": 13}),
    ("file", {"operation": "line_range", "first": 3, "last": 9}, {"operation": "line_range", "first": 3}),
    ("file", {"operation": "search", "value": "Err"}, {"operation": "search", "value": "Err", "ignore_case": True}),
    ("file", {"operation": "search", "value": "a.b"}, {"operation": "search", "value": "a.b", "regex": True}),
    ("json", {"operation": "json_field", "key": "version"}, {"operation": "json_field", "key": "name"}),
    ("json", {"operation": "json_field", "key": "Quota"}, {"operation": "whole_file"}),
    ("folder", {"operation": "list_files", "kind": "all"}, {"operation": "list_files"}),
    ("folder", {"operation": "list_files", "glob": "*y"}, {"operation": "list_files", "glob": "*y", "hidden": True}),
    ("folder", {"operation": "find_files", "glob": "*.py"}, {"operation": "list_files", "glob": "*.py"}),
    ("folder", {"operation": "find_files", "glob": "*.py"}, {"operation": "find_files", "value": ".py"}),
    ("folder", {"operation": "find_files", "min_bytes": 2049}, {"operation": "find_files", "min_bytes": 2048}),
    ("folder", {"operation": "find_files", "max_age": 86400.0}, {"operation": "find_files", "max_age": 172800.0}),
    ("folder", {"operation": "find_files", "max_bytes": 0}, {"operation": "find_files"}),
    ("folder", {"operation": "search", "value": "x1", "recursive": True}, {"operation": "search", "value": "x1"}),
]  # fmt: skip


def case(kind: str, answer: dict[str, Any] | None, request: str = "") -> Case:
    value = None if answer is None else {"path": "file_1", **answer}
    paths = {"file_1": {"file": "logs/a b.log", "json": "package.json", "folder": "src"}[kind]}
    return Case(id="1", task="plan", request=request, references={"file_1": kind}, paths=paths, answer=value)


@pytest.mark.parametrize(("kind", "wanted", "nearly"), PAIRS)
def test_what_is_wanted_is_right_and_what_nearly_is_is_wrong(
    kind: str, wanted: dict[str, Any], nearly: dict[str, Any]
) -> None:
    plan = plan_from_value({"path": "file_1", **nearly})
    found = dict(judged([case(kind, wanted)], {"it": by_oracle, "nearly": lambda _: Answered(plan, plan, 1.0)}))
    assert found["it"].verdict == "right"
    assert found["nearly"].verdict == "wrong"


def test_what_has_to_be_given_back() -> None:
    cases = [case("file", None, "Delete file_1"), case("file", None, "Show file_1")]
    verdicts = [one.verdict for _, one in judged(cases, {"rules": by_grammar})]
    assert verdicts == ["right", "wrong"]


def test_failures_are_told_apart() -> None:
    wanted = case("file", {"operation": "whole_file"})
    said = {"late": "no answer: no answer within 3 seconds", "invalid": "The answer 'x' is no plan.", "abstained": "no"}
    for verdict, why in said.items():
        found = [one for _, one in judged([wanted], {"it": lambda _, why=why: Answered(None, why=why)})]
        assert found[0].verdict == verdict
        assert summary(found)[verdict] == 1


def test_sets_are_read_and_what_is_none_is_said(tmp_path: Path) -> None:
    file = tmp_path / "test.jsonl"
    rows = [{"id": "1", "task": "plan", "request": "x"}, {"id": "2", "task": "goal", "request": "y", "more": 1}]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert [one.id for one in cases_in(file, "goal")] == ["2"]
    with pytest.raises(UsageError):
        list(cases_in(tmp_path / "none.jsonl", "plan"))
    file.write_text("{}\n")
    with pytest.raises(UsageError):
        list(cases_in(file, "plan"))


def test_lines_are_held_against_exact_sets() -> None:
    lines = ("start", "ERROR: disk full", "done")
    wish = Case(id="1", task="evidence", request="errors", lines=lines, answer=[2])
    nothing = Case(id="2", task="evidence", request="'zebra' lines", lines=lines, answer=[])
    found = [
        one for name, one in measured([wish, nothing], {"rules": by_rules, "oracle": lines_wanted}) if name == "rules"
    ]
    numbers = lines_summary(found)
    assert numbers["exact"] == 2
    assert numbers["nothing_as_nothing"] == [1, 1]
