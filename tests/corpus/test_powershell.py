"""Lines of PowerShell that look at files: the plan that says the same, or none."""

from __future__ import annotations

from typing import Any

import pytest

from dabhand.corpus.facts import facts_of
from dabhand.corpus.powershell import read_powershell
from dabhand.corpus.triple import Source, Triple
from dabhand.handoff.plan import plan_from_value
from dabhand.handoff.shells.readings import Reading


@pytest.mark.parametrize(
    ("line", "plan"),
    [
        ("Get-Content a.txt", {"operation": "whole_file", "path": "a.txt"}),
        ("get-content -Raw -LiteralPath 'it''s [1].txt'", {"operation": "whole_file", "path": "it's [1].txt"}),
        ("Get-Content .\\src\\a.py -TotalCount 20", {"operation": "first_lines", "path": "src/a.py", "count": 20}),
        ("gc a.txt -Head 2", {"operation": "first_lines", "path": "a.txt", "count": 2}),
        ('Get-Content -Path "my notes.md" -Tail 5', {"operation": "last_lines", "path": "my notes.md", "count": 5}),
        ("Get-Content a.txt | Select-Object -First 3", {"operation": "first_lines", "path": "a.txt", "count": 3}),
        ("Get-Content a|select -Skip 9 -First 4", {"operation": "line_range", "path": "a", "first": 10, "last": 13}),
        ("Get-Content a | Select-Object -Skip 1", {"operation": "line_range", "path": "a", "first": 2}),
        (
            "Select-String -SimpleMatch 'a.b(' src/x.c",
            {"operation": "search", "path": "src/x.c", "value": "a.b(", "ignore_case": True},
        ),
        (
            "sls -Path x.c -Pattern TODO -SimpleMatch -CaseSensitive",
            {"operation": "search", "path": "x.c", "value": "TODO"},
        ),
        ("Get-ChildItem -Name", {"operation": "list_files", "path": ".", "kind": "all"}),
        ("gci src -Name -File -Force", {"operation": "list_files", "path": "src", "kind": "files", "hidden": True}),
    ],
)
def test_a_look_is_the_plan_that_says_the_same(line: str, plan: dict[str, Any]) -> None:
    reading = read_powershell(line)
    assert isinstance(reading, Reading) and reading.plan == plan_from_value(plan)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "Get-Content",
        "Get-Content $file",
        'Get-Content "$home/a"',
        "Get-Content *.txt",
        "Get-Content a.txt, b.txt",
        "Get-Content a.txt b.txt",
        "Get-Content a.txt -Wait",
        "Get-Content env:PATH",
        "Get-Content \u2018a.txt\u2019",
        "Get-Content -Raw a.txt | Select-Object -First 3",
        "Get-Content a.txt -Tail -1",
        "Get-Content a.txt -Tail 0",
        "Get-Content a.txt -Tail 2 -TotalCount 3",
        "Get-Content a.txt; rm a.txt",
        "Get-Content a.txt > b.txt",
        "Get-Content (Get-Item a)",
        "Get-Content a.txt -Raw | Measure-Object",
        "Get-Content a | Select-Object -First 3 -Last 2",
        "Select-String TODO x.c",
        "Select-String -SimpleMatch straße x.c",
        "Select-String -SimpleMatch a *.c",
        "Select-String -SimpleMatch a -Path x.c -Quiet",
        "Get-ChildItem src",
        "Get-ChildItem -Name -Recurse",
        "Remove-Item a.txt",
    ],
)
def test_what_is_not_surely_a_look_is_none(line: str) -> None:
    assert not isinstance(read_powershell(line), Reading)


def test_the_order_and_what_is_hidden_are_known_to_differ() -> None:
    listed = read_powershell("Get-ChildItem -Name")
    assert isinstance(listed, Reading) and "what counts as hidden" in listed.differs


def test_the_facts_name_the_operation() -> None:
    texts = ("x", None, None)
    source = Source("f.jsonl", 1, "codex 1", "s")
    line = "Get-Content a.txt -Tail 2"
    one = Triple("t", source, None, None, line, None, "powershell", 0, *texts, False, False, None, "ran")
    said = {fact.name: fact.value for fact in facts_of(one).facts}
    assert said["operation"] == {"operation": "last_lines", "path": "a.txt", "count": 2}
