"""From recorded commands to templates, and what they would have covered."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from dabhand.commands import parse_template
from dabhand.corpus.slotting import options_of
from dabhand.corpus.templating import PRACTISED, coverage, mine, statements, template_of
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
        ("cut -d , -f 2 a.csv", "cut -d , -f {N} {A}"),
        ("echo hello > a", "echo {T} > {A}"),
        ("awk -F , '{print $2}' a", "awk -F , '{print ${N}}' {A}"),
        ("awk -F: -v x=1 -f p.awk a", "awk -F: -v x=1 -f {A} {B}"),
        ("stat -c %s a", "stat -c %s {A}"),
        ("stat --format=%a a", "stat --format=%a {A}"),
        ("split -l 100 a part", "split -l {N} {A} {B}"),
        ("truncate -s 100 a", "truncate -s {N} {A}"),
        ("truncate -s 10K a", "truncate -s 10K {A}"),
        ("mkdir -m 700 -p a/b", "mkdir -m 700 -p {A}"),
        ("sed -e 's/a/b/' -e 's/c/d/' f", "sed -e 's/a/b/' -e 's/c/d/' {A}"),
        ("sed -ne '3p' f", "sed -ne '{N}p' {A}"),
        ("comm -12 a b", "comm -12 {A} {B}"),
        ("ls -1 a", "ls -1 {A}"),
        ("touch -d 2020-01-01 a", "touch -d 2020-01-01 {A}"),
        ("touch -r a b", "touch -r {A} {B}"),
        ("sort -t , -k 2,2 -o out a", "sort -t , -k 2,2 -o {A} {B}"),
        ("paste -d , a b", "paste -d , {A} {B}"),
        ("grep --include '*.py' -rnC2 x src", "grep --include '*.py' -rnC{N} {T} {A}"),
        ("grep -f words.txt a", "grep -f {A} {B}"),
        ("head --lines=5 a", "head --lines={N} {A}"),
        ("basename a/b.txt .txt", "basename {A} .txt"),
        ("rm -- -f", "rm -- {A}"),
        ("uniq -f 1 a", "uniq -f {N} {A}"),
        ("tail -n +5 a", "tail -n +5 {A}"),
        ("realpath --relative-to=a b", None),
        ("sed --unheard f", None),
        ("sort -q a", None),
        ("cut -f", None),
        ("grep -ex a", None),
        ("find . -frobnicate x", None),
        ("printf '%s' a > f", None),
        ("echo -e x > f", None),
        ("tr a-z A-Z < a > b", "tr a-z A-Z < {A} > {B}"),
        ("/usr/bin/wc -l a", "wc -l {A}"),
        ("chmod +x run.sh", "chmod +x {A}"),
        ("awk '{print $2}' a", "awk '{print ${N}}' {A}"),
    ],
)
def test_a_template(command: str, template: str | None) -> None:
    (pipeline,) = statements(command)
    if template is None:
        assert mine([triple(1, command)])[0] == []
        return
    assert template_of(pipeline) == template
    parse_template(template)


def test_what_options_take_is_what_the_programs_say() -> None:
    """Each program that is installed refuses its options as unknown only where the table does not have them."""
    for program in sorted(PRACTISED):
        known = options_of(program)
        assert known is not None, program
        if not shutil.which(program) or known.words:
            continue
        for letter in known.takes:
            option = f"-{letter}" if len(letter) == 1 else f"--{letter}"
            done = subprocess.run(
                [program, option], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
            )
            said = done.stdout + done.stderr
            words = ("argument", "usage")
            assert any(each in said.lower() for each in words), (program, option, said)


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
