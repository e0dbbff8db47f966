"""From recorded commands to templates, and what they would have covered."""

from __future__ import annotations

import pytest

from dabhand.commands import parse_template
from dabhand.corpus.templating import coverage, mine, statements, template_of
from dabhand.corpus.triple import Source, Triple


def triple(number: int, command: str, session: str = "s") -> Triple:
    source = Source("f.jsonl", number, "codex 1", session)
    return Triple(f"t{number}", source, None, None, command, None, None, 0, "", None, None, False, False, None, "ran")


@pytest.mark.parametrize(
    ("command", "template"),
    [
        ("head -n 20 'my file.txt'", "head -n {N} {A}"),
        ("head -20 a", "head -{N} {A}"),
        ("sort -u a.txt > b.txt", "sort -u {A} > {B}"),
        ("cat a a > b", "cat {A} {A} > {B}"),
        ("cat x | sort | uniq -c", "cat {A} | sort | uniq -c"),
        ("grep -n 'def .*' src/a.py", "grep -n {T} {A}"),
        ("grep -rn x . 2>/dev/null | head -5", "grep -rn {T} {A} | head -{N}"),
        ("grep -e x -A 3 f", "grep -e {T} -A {N} {A}"),
        ("sed -n '1,1p' f", "sed -n '{N},{N}p' {A}"),
        ("sed -i 's/a/b/' f", "sed -i 's/a/b/' {A}"),
        ("find src -type f -name '*.py'", "find {A} -type f -name {T}"),
        ("find . \\( -name a -o -name b \\)", "find {A} \\( -name {T} -o -name {U} \\)"),
        ("cut -d, -f2 a.csv", "cut -d, -f{N} {A}"),
        ("cut -d , -f 2 a.csv", "cut -d , -f 2 {A}"),
        ("echo hello > a", "echo {T} > {A}"),
        ("tr a-z A-Z < a > b", "tr a-z A-Z < {A} > {B}"),
        ("/usr/bin/wc -l a", "wc -l {A}"),
        ("chmod +x run.sh", "chmod +x {A}"),
        ("awk '{print $2}' a", "awk '{print ${N}}' {A}"),
    ],
)
def test_a_template(command: str, template: str) -> None:
    (pipeline,) = statements(command)
    assert template_of(pipeline) == template
    parse_template(template)


@pytest.mark.parametrize(
    "command",
    [
        "git status",
        "curl -O https://x.org/a",
        "python x.py",
        "ls",
        "rm $FILE",
        "rm *.o",
        "sed -n '1,5p' f",
        "cp a b c d",
        "make test | tail",
        "(cat a)",
        "echo hello",
        "X=1 cat a",
        "! grep x a",
        "cat a &> b",
    ],
)
def test_what_becomes_none(command: str) -> None:
    assert mine([triple(1, command)])[0] == []


def test_a_here_document_is_no_statement() -> None:
    assert mine([triple(1, "cat > a <<EOF\nx\nEOF")])[0] == []


def test_ranked_by_sessions_then_times() -> None:
    triples = [triple(n, "cat a", f"s{n}") for n in range(3)] + [triple(n, "rm b", "one") for n in range(5)]
    mined, _ = mine([*triples, triple(9, "cd x && cat y; rm z", "s0")])
    assert [(each.template, each.count, each.sessions, each.reads) for each in mined] == [
        ("cat {A}", 4, 3, True),
        ("rm {A}", 6, 2, False),
    ]


def test_coverage_counts_reading_calls() -> None:
    said = ["head -n 5 a", "cat a | rev | sort", "rm a", "od -c a", "sort -u a"]
    triples = [triple(number, command) for number, command in enumerate(said)]
    found = coverage(triples, {"cat {A} | rev | sort"})
    assert (found["calls"], found["read_only"], found["either"], found["any"]) == (5, 4, 2, 3)
    assert (found["typed_operation"], found["term"], found["understood_templates"]) == (1, 1, 1)
