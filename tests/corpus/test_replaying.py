"""Recorded calls with and without: what is read, and what the next step used of it."""

from __future__ import annotations

from dabhand.corpus.replaying import ends, facts, kind_of, replay, used_lines
from dabhand.corpus.triple import Source, Triple


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


def test_a_long_failing_build_is_handed_over_and_keeps_what_is_used() -> None:
    calls = [triple(1, "make all", LONG, 2), triple(2, "sed -n '41p' src/app.c", "x\n", request="See src/app.c")]
    build, look = replay(calls)
    assert build.kind == "run" and build.handed_over and build.after < build.before / 10
    assert build.used == build.kept > 0 and build.lost == ()
    assert look.kind == "look" and look.before == look.after == 2


def test_what_is_lost_is_said() -> None:
    calls = [triple(1, "make all", LONG, 2), triple(2, "echo 1137")]
    build, _ = replay(calls)
    assert build.used >= 1 and "1137" in build.lost


def test_what_prints_what_was_asked_for_is_read_whole() -> None:
    (call,) = replay([triple(1, "git diff", LONG)])
    assert call.kind == "data" and not call.handed_over and call.before == call.after


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


def test_ends_hold_both() -> None:
    lines = [f"line {n}" for n in range(1_000)]
    kept = ends(lines, 200)
    assert 0 in kept and 999 in kept and sum(len(lines[place]) + 1 for place in kept) <= 200
