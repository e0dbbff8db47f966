"""Recorded calls with and without: what is read, and what the next step used of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dabhand.corpus.replaying import Rule, all_long, as_advised, facts, kind_of, replay, used_lines
from dabhand.corpus.triple import Source, Triple
from dabhand.interfaces.cli.replaying import answer_of


def triple(
    number: int, command: str, output: str = "", exit_code: int | None = 0, request: str | None = None
) -> Triple:
    source = Source("f.jsonl", number, "codex 1", "s")
    origin = "assistant" if request else None
    texts = (output, None, None)
    return Triple(
        f"t{number}", source, request, origin, command, None, None, exit_code, *texts, False, False, None, "ran"
    )


LONG = (
    "".join(f"compiling module {n}\n" for n in range(1_000, 1_300))
    + "src/app.c:41:7: error: missing ';'\nmake: *** [app] Error 1\n"
)


def replayed(calls: list[Triple], folder: Path, rule: Rule = as_advised) -> list[Any]:
    return list(replay(calls, lambda triple: answer_of(triple, folder), rule, lambda text: len(text) // 4))


def test_a_long_failing_build_is_handed_over_and_keeps_what_is_used(tmp_path: Path) -> None:
    calls = [triple(1, "make all", LONG, 2), triple(2, "sed -n '41p' src/app.c", "x\n", request="See src/app.c")]
    build, look = replayed(calls, tmp_path)
    assert build.kind == "run" and build.handed_over and build.characters.text < build.characters.before / 10
    assert build.characters.text < build.characters.data and build.tokens.before == len(LONG) // 4
    assert build.used == build.kept > 0 and build.lost == ()
    assert look.kind == "look" and look.characters.before == look.characters.text == 2


def test_what_is_read_is_what_the_server_answers_with(tmp_path: Path) -> None:
    answer = answer_of(triple(1, "make all", LONG, 2), tmp_path)
    head, *_ = answer.text.splitlines()
    assert head == "failed, exit code 2" and answer.text.splitlines()[-1].startswith("artifact ")
    assert "301: src/app.c:41:7: error: missing ';'" in answer.text and '"make all"' in answer.data
    assert answer.shown[300] == "src/app.c:41:7: error: missing ';'" and 0 not in answer.shown


def test_what_is_lost_is_said(tmp_path: Path) -> None:
    calls = [triple(1, "make all", LONG, 2), triple(2, "echo 1137")]
    build, _ = replayed(calls, tmp_path)
    assert build.used == 1 and build.kept == 0 and build.lost == ("1137",)


def test_what_prints_what_was_asked_for_is_read_whole_as_agents_are_told_to(tmp_path: Path) -> None:
    (call,) = replayed([triple(1, "git diff", LONG)], tmp_path)
    assert call.kind == "data" and not call.handed_over and call.characters.before == call.characters.text
    (call,) = replayed([triple(1, "git diff", LONG)], tmp_path, all_long)
    assert call.handed_over and call.characters.before > call.characters.text


def test_kinds() -> None:
    assert [kind_of(line) for line in ("head -5 a", "cd x && git log", "npm test", "make | tail", "'")] == [
        "look",
        "data",
        "run",
        "run",
        "run",
    ]


def test_facts_are_names_and_numbers_not_words() -> None:
    assert facts("See src/app.c line 41, function parse_line in Foo.bar; the error is here 7") == {
        "src/app.c",
        "41",
        "parse_line",
        "Foo.bar",
    }


def test_a_fact_on_many_lines_needs_one_of_them() -> None:
    lines = [f"x{n} name_a" for n in range(9)] + ["name_b"]
    assert [len(places) for _, places in used_lines(lines, {"name_a", "name_b"})] == [9, 1]
    assert used_lines(["prefix_name_b"], {"name_b"}) == []
