"""Training cases: made-up folders and paths, and requests that are never presented as what they are not."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from dabhand.corpus.preparing import in_words, prepare
from dabhand.corpus.triple import Source, Triple
from dabhand.handoff.plan import plan_from_value
from dabhand.handoff.words import read
from dabhand.workspace import State


def triple(command: str, request: str | None = None, exit_code: int | None = 0, output: str = "one\ntwo\n") -> Triple:
    source = Source("f.jsonl", 1, "codex 1", "s")
    origin: Any = "description" if request else None
    texts = (output, None, None)
    return Triple("t", source, request, origin, command, None, None, exit_code, *texts, False, False, None, "ran")


def test_the_agents_words_with_a_made_up_path() -> None:
    (case,) = prepare([triple("head -n 2 /home/jane/secret/plan.md", "Read the first 2 lines of plan.md")])
    assert case.request_from == "description" and "plan.md" not in case.request.replace(case.plan["path"], "")
    assert case.plan["path"] in case.request and case.plan["path"] in State.from_json(case.files)
    assert "jane" not in str(case) and "secret" not in str(case)


@pytest.mark.parametrize("request_", [None, "Understand the code", "Run it"])
def test_what_is_generated_says_so(request_: str | None) -> None:
    (case,) = prepare([triple("tail -5 a.log", request_)])
    assert case.request_from == "generated" and "last 5 lines" in case.request


@pytest.mark.parametrize(
    "one", [triple("head -2 a", exit_code=1), triple("find . -name x"), triple("rm a"), triple("make | tail -5")]
)
def test_what_becomes_no_case(one: Triple) -> None:
    assert list(prepare([one])) == []


@pytest.mark.parametrize(
    "plan",
    [
        {"operation": "first_lines", "path": "a.txt", "count": 3},
        {"operation": "last_lines", "path": "a.txt", "count": 3},
        {"operation": "line_range", "path": "a.txt", "first": 2, "last": 4},
        {"operation": "whole_file", "path": "a.txt"},
        {"operation": "json_field", "path": "a.json", "key": "name"},
        {"operation": "count_lines", "path": "a.txt"},
        {"operation": "search", "path": "a.txt", "value": "TODO"},
        {"operation": "search", "path": "src", "value": "TODO", "recursive": True},
    ],
)
def test_generated_words_are_read_back_as_the_plan(plan: dict[str, Any]) -> None:
    wanted = plan_from_value(plan)
    assert read(in_words(wanted), {}) == wanted


def test_what_words_would_not_say_becomes_no_case() -> None:
    assert list(prepare([triple("grep -i x a.txt"), triple("grep -A2 x a.txt")])) == []


def test_an_address_is_not_in_the_folder_either() -> None:
    (case,) = prepare([triple('grep -n "jane.doe@corp.example.org" conf.txt', output="1:jane.doe@corp.example.org\n")])
    assert "jane" not in str(case).lower() and "corp" not in str(case).lower()


def test_a_field_of_json_becomes_a_case() -> None:
    (case,) = prepare([triple("jq .version package.json", output='"1.2.0"\n')])
    assert case.plan == {"operation": "json_field", "path": case.plan["path"], "key": "version"}
    assert case.plan["path"].endswith(".json") and case.plan["path"] in State.from_json(case.files)
    assert case.request_from == "generated" and "version" in case.request


def test_looks_of_powershell_become_cases() -> None:
    (case,) = prepare([triple("Get-Content -Tail 3 'C:\\Users\\jane\\build.log'")])
    assert case.plan["operation"] == "last_lines" and case.plan["count"] == 3 and "jane" not in str(case)
    (read,) = prepare([msgspec.structs.replace(triple("gc notes.md"), shell="powershell")])
    assert read.plan["operation"] == "whole_file"
    assert list(prepare([msgspec.structs.replace(triple("type notes.md"), shell="cmd")])) == []
