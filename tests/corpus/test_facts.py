"""What rules say of calls, and what they leave unsaid."""

from __future__ import annotations

import pytest

from dabhand.corpus.facts import facts_of, report, to_json
from dabhand.corpus.triple import Source, Triple


def triple(command: str, output: str = "", exit_code: int | None = 0, shell: str | None = None) -> Triple:
    source = Source("f.jsonl", 1, "codex 1", "s")
    return Triple(
        "t", source, None, None, command, None, shell, exit_code, output, None, None, False, False, None, "ran"
    )


@pytest.mark.parametrize(
    ("command", "shell", "dialect"),
    [
        ("ls -la | head", None, "bash"),
        ("print -l *(.)", "/bin/zsh", "zsh"),
        ("Get-Content a.txt -Tail 5", None, "powershell"),
        ("ls $env:USERPROFILE", "bash", "powershell"),
        ("dir /b C:\\x", None, "cmd"),
        ("grep Get-Content a.ps1", None, "bash"),
        ("date +%Y%m%d", "bash", "bash"),
        ("git log --pretty=format:%h%x09%s", "bash", "bash"),
        ("start-server.sh --all", "bash", "bash"),
        ("grep -rE 'git|set-cookie' src", None, "bash"),
        ("echo 'unfinished", None, None),
    ],
)
def test_dialects(command: str, shell: str | None, dialect: str | None) -> None:
    assert facts_of(triple(command, shell=shell)).value("dialect") == dialect


@pytest.mark.parametrize(
    ("command", "reads"),
    [
        ("cat a | sort | uniq -c", True),
        ("cd src && grep -rn x . 2>/dev/null", True),
        ("sed -n '1,5p' f", True),
        ("sed -i s/a/b/ f", False),
        ("sed -ni.bak p f", False),
        ("find . -name '*.py'", True),
        ("find . -name '*.py' -delete", False),
        ("cat a > b", False),
        ("(cat a) > b", False),
        ("sort -o f f", False),
        ("git log --oneline -5", True),
        ("git -C x status", True),
        ("git commit -m x", False),
        ("git branch new", False),
        ("make test | tail", False),
        ("for f in *; do cat $f; done", False),
        ("awk '{print > \"x\"}' f", False),
        ("awk '{print $1}' f", True),
        ("xargs rm", False),
        ("$TOOL a", False),
        ("env rm -rf build", False),
        ("command rm x", False),
        ("echo $(rm -rf build)", False),
        ("echo `rm x`", False),
        ("X=$(rm y) echo hi", False),
        ("cat <(rm x)", False),
        ("sed '1w out.txt' f", False),
        ("sed -nEri p f", False),
        ("awk '{print|\"sh\"}' f", False),
        ("awk -f prog f", False),
        ("sort -uo out f", False),
        ("sort -oout f", False),
        ("find . -fprint0 out", False),
        ("uniq in out", False),
        ("xxd -r d out", False),
        ("ls >& out.txt", False),
        ("git diff --output=x", False),
        ("git grep -Orm x", False),
        ("./cat a", False),
        ("rg --pre rm x", False),
        ("/usr/bin/cat a", True),
        ("sed -n '5,10p;12p' f", True),
        ("sort -k2 -u f | uniq", True),
        ("ls 2>&1", True),
    ],
)
def test_what_only_reads(command: str, reads: bool) -> None:
    assert facts_of(triple(command)).value("reads_only") is reads


@pytest.mark.parametrize(
    ("command", "lost"),
    [
        ("make test | tail -5", [{"program": "make", "filter": "tail"}]),
        ("cd a && make 2>&1 | grep x; ls", [{"program": "make", "filter": "grep"}]),
        ("set -o pipefail; make | tail", None),
        ("cat a | head", None),
        ("make", None),
    ],
)
def test_lost_exit_codes(command: str, lost: object) -> None:
    assert facts_of(triple(command)).value("exit_lost") == lost


@pytest.mark.parametrize(
    ("output", "exit_code", "diagnosis"),
    [
        ("bash: line 1: foo: command not found\n", 127, "no-such-program"),
        ("bash: Get-Content: command not found\n", 127, "wrong-dialect"),
        ("cat: x: No such file or directory\n", 1, "no-such-file"),
        ("bash: -c: line 1: unexpected EOF while looking for matching `'\n", 2, "quoting"),
        ("the log says: cat: x: No such file or directory\n", 0, None),
        ("cat: x: No such file or directory\n", None, None),
        ("all is well\n", 1, None),
    ],
)
def test_certain_failures(output: str, exit_code: int | None, diagnosis: str | None) -> None:
    assert facts_of(triple("x", output, exit_code)).value("diagnosis") == diagnosis


@pytest.mark.parametrize(
    ("output", "kind"),
    [
        ("", "empty"),
        ('{"a": 1}\n', "json"),
        ("12\n", "number"),
        ("a.py:3:x\nb.py:4:y\n", "matches"),
        ("diff --git a/x b/x\n@@ -1 +1 @@\n", "diff"),
        ("Traceback (most recent call last):\n  x\nValueError\n", "traceback"),
        ("hello\n", "text"),
    ],
)
def test_kinds_of_output(output: str, kind: str) -> None:
    assert facts_of(triple("x", output)).value("output") == kind


def test_the_typed_operation_and_the_paths() -> None:
    found = facts_of(triple("head -n 5 src/a.txt"))
    assert found.value("operation") == {"operation": "first_lines", "path": "src/a.txt", "count": 5}
    assert found.value("paths") == ["src/a.txt"]
    assert all(fact.rule for fact in found.facts)


def test_what_is_written_is_redacted() -> None:
    call = triple("cat /home/jane/x.txt")
    found = facts_of(call)
    assert "jane" not in str(to_json(found, call)) and "jane" in str(to_json(found, call, redact=False))


def test_a_report_counts() -> None:
    long = "".join(f"compiling {n}\n" for n in range(400)) + "error: it broke\n"
    calls = [triple("make | tail", long, 1), triple("cat a"), triple("Get-Item a", "x: command not found\n", 127)]
    found = report((call, facts_of(call)) for call in calls)
    assert found["calls"] == 3 and found["exit_lost"] == 1 and found["operations"] == {"whole_file": 1}
    assert found["characters"]["of_these_not_needed"] > 0


def test_of_several_commands_another_may_have_failed() -> None:
    assert facts_of(triple("cat old.log; pytest", "cat: x: No such file or directory\n", 1)).value("diagnosis") is None


@pytest.mark.parametrize(
    ("command", "lost"),
    [
        ("make | tail -5", ("make", "tail")),
        ("make | tail -5 # pipefail", ("make", "tail")),
        ("git push | cat", ("git", "cat")),
        ("gh pr create | head", ("gh", "head")),
        ("make | python3 -c 'x'", ("make", "python3")),
        ("make | while read x; do echo $x; done", ("make", "loop")),
        ("(make) | tail", ("make", "tail")),
        ("make | tail; set -o pipefail", ("make", "tail")),
        ("set -o pipefail; make | tail", None),
        ("set -euo pipefail\nmake | tail", None),
        ("make | tail; echo ${PIPESTATUS[0]}", None),
        ("git log | head", None),
        ("cat x | python3 -c 'x'", None),
        ("cat x | grep y", None),
        ("(cd x; ls) | head", None),
    ],
)
def test_a_lost_exit_code(command: str, lost: tuple[str, str] | None) -> None:
    found = facts_of(triple(command)).value("exit_lost")
    assert found == ([{"program": lost[0], "filter": lost[1]}] if lost else None)
