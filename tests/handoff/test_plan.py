"""Typed plans: what can be said, and what cannot."""

from __future__ import annotations

import json

import pytest

from dabhand.handoff.packet import Line, Output, Packet
from dabhand.handoff.plan import (
    FindFiles,
    LastLines,
    LineRange,
    PlanError,
    Search,
    WholeFile,
    operation_of,
    plan_from_json,
    plan_from_value,
    plan_to_value,
)

PLANS = [
    {"operation": "first_lines", "path": "a", "count": 3},
    {"operation": "last_lines", "path": "a", "count": 3},
    {"operation": "line_range", "path": "a", "first": 3, "last": 3},
    {"operation": "whole_file", "path": "a"},
    {"operation": "search", "path": "a", "value": "x", "regex": True, "before": 1, "after": 2},
    {"operation": "list_files", "path": "", "glob": "*.log", "kind": "folders"},
    {"operation": "find_files", "path": "", "min_bytes": 3, "max_age": 3600},
    {"operation": "json_field", "path": "a", "key": "version"},
    {"operation": "count_lines", "path": "a"},
    {"operation": "count_matches", "path": "a", "value": "x"},
]


@pytest.mark.parametrize("value", PLANS, ids=lambda value: value["operation"])
def test_a_plan_comes_back_as_it_was_said(value: dict[str, object]) -> None:
    plan = plan_from_json(json.dumps(value))
    assert operation_of(plan) == value["operation"]
    assert value.items() <= plan_to_value(plan).items()
    assert plan_from_value(plan_to_value(plan)) == plan


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no JSON"),
        ("[]", "no JSON object"),
        ("[" * 100_000, "no JSON"),
        ('{"path": "a"}', "operation"),
        ('{"operation": "delete", "path": "a"}', "delete"),
        ('{"operation": "run", "argv": ["ls"]}', "run"),
        ('{"operation": "whole_file"}', "path"),
        ('{"operation": "whole_file", "path": 3}', "path"),
        ('{"operation": "whole_file", "path": "a", "count": 3}', "count"),
        ('{"operation": "first_lines", "path": "a", "count": 0}', "count"),
        ('{"operation": "first_lines", "path": "a", "count": true}', "count"),
        ('{"operation": "first_lines", "path": "a", "count": "3"}', "count"),
        ('{"operation": "line_range", "path": "a", "first": 3, "last": 2}', "ends before"),
        ('{"operation": "search", "path": "a", "value": ""}', "empty"),
        ('{"operation": "search", "path": "a", "value": "a\\nb"}', "newline"),
        ('{"operation": "list_files", "path": "", "glob": "a/*"}', "'/'"),
        ('{"operation": "list_files", "path": "", "kind": "pipes"}', "kind"),
        ('{"operation": "find_files", "path": "", "min_bytes": 3, "max_bytes": 2}', "at least 3"),
        ('{"operation": "find_files", "path": "", "min_age": 3, "max_age": 2}', "at least 3"),
        ('{"operation": "whole_file", "path": {"base64": "?"}}', "base64"),
    ],
)
def test_what_is_no_plan_is_said_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(PlanError, match=r".") as caught:
        plan_from_json(text)
    assert said in caught.value.message
    assert caught.value.exit_code == 2


def test_a_path_that_is_not_utf8_is_carried_as_base64() -> None:
    assert plan_from_value({"operation": "whole_file", "path": {"base64": "/w=="}}) == WholeFile(path="\udcff")


def test_defaults_change_no_meaning() -> None:
    search = Search(path="a", value="x")
    assert (search.ignore_case, search.regex, search.recursive, search.before, search.after) == (False,) * 3 + (0, 0)
    assert FindFiles(path="").kind == "files"
    assert LineRange(path="a", first=2).last is None


def test_a_packet_says_what_the_contract_says() -> None:
    packet = Packet(
        status="ok",
        plan=LastLines(path="a", count=1),
        exit_code=0,
        output=Output((Line(2, "b"), Line(3, "\udcff", cut=3)), 3, 6),
    )
    value = packet.to_json()
    fields = (
        "status request plan answer translator lm_calls command exit_code signal timed_out output evidence stderr"
        " searched artifact timings_ms"
    )
    assert " ".join(value) == fields
    assert value["plan"] == {"operation": "last_lines", "path": "a", "count": 1}
    assert value["output"]["lines"] == [{"n": 2, "text": "b"}, {"n": 3, "base64": "/w==", "cut": 3}]
    assert value["evidence"] == {"lines": [], "selection": "not_requested", "complete": True}
    assert value["stderr"] == {"text": "", "complete": True}


@pytest.mark.parametrize("number", ["Infinity", "-Infinity", "NaN", "1e400", "1e300", "-1", "9" * 400, "9" * 5000])
@pytest.mark.parametrize("field", ["min_age", "max_age", "min_bytes", "max_depth"])
def test_a_number_that_is_none_is_no_plan(number: str, field: str) -> None:
    with pytest.raises(PlanError):
        plan_from_json(f'{{"operation": "find_files", "path": "", "{field}": {number}}}')
    if len(number) < 1000:
        with pytest.raises(PlanError):
            value = float(number) if "." in number or not number.strip("-").isdigit() else int(number)
            plan_from_value({"operation": "find_files", "path": "", field: value})


@pytest.mark.parametrize("field", ["path", "value", "glob"])
def test_half_a_pair_of_surrogates_is_no_text(field: str) -> None:
    plan = {"operation": "search", "path": "a", "value": "x"} | {field: "a\ud800"}
    with pytest.raises(PlanError, match="surrogates"):
        plan_from_json(json.dumps(plan))
