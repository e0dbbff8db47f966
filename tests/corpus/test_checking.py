"""Recorded commands and the operations they map to, run on the same folder."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from dabhand.corpus.changing import change_of
from dabhand.corpus.checking import check
from dabhand.corpus.triple import Source, Triple
from dabhand.sandbox import Worker, open_worker


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with open_worker() as opened:
        yield opened


def triple(command: str, output: str = "") -> Triple:
    source = Source("f.jsonl", 1, "codex 1", "s")
    return Triple("t", source, None, None, command, None, None, 0, output, None, None, False, False, None, "ran")


@pytest.mark.parametrize(
    "command",
    [
        "head -n 3 src/a.txt",
        "tail -5 a.txt",
        "sed -n '2,4p' a.txt",
        "cat a.txt",
        "nl -ba a.txt",
        "grep -n 'def x' a.py",
        "grep -i Error /var/log/some/app.log",
        "grep -F 'a.b' a.txt",
        "grep -c foo a.txt",
        "grep -A 2 -B 1 foo a.txt",
        "ls src",
        "cd /home/me/project && head -n 2 README.md",
        "jq .version package.json",
        "cat a.txt | head -3",
    ],
)
def test_they_agree(command: str, worker: Worker) -> None:
    labels = list(check([triple(command, "foo one\ndef x(): # foo\na.b\n")], worker))
    assert labels and all(label.label == "agrees" or label.explained for label in labels), labels


@pytest.mark.parametrize(
    "command",
    [
        "grep -rn foo src",
        "grep -rn foo src | head -3",
        "grep -rh foo src",
        "grep -H foo a.txt",
        "find . -name '*.py'",
        "find . -type d",
        "find src -type f -mtime +3",
        "find src -mmin -10",
        "find . -type f | head -2",
        "ls -la src",
        "ls -a",
        "ls src/*.txt",
        "ls none/*.q",
        "ls src/a.txt",
        "wc -l a.txt",
    ],
)
def test_a_known_difference_is_explained(command: str, worker: Worker) -> None:
    labels = list(check([triple(command, "foo\n")], worker))
    assert labels and all(label.label == "agrees" or label.explained for label in labels), labels


@pytest.mark.parametrize(
    ("command", "operation"),
    [
        ("cat a.txt | sort | uniq -c | sort -rn | head -5", "term"),
        ("sort -u a.txt | tail -2", "term"),
        ("grep -v foo a.txt", "term"),
        ("cut -d ' ' -f 2 ./a.txt", "term"),
        ("tac /home/me/a.txt | head -1", "term"),
        ("grep -A1 -B1 foo a.txt | head -4", "search+term"),
        ("grep -n -A1 foo a.txt | grep -v b", "search+term"),
        ("grep -rn foo ./src/ --include='*.py' | cut -d: -f1 | sort | uniq -c", "search+term"),
        ("grep -rn foo src | grep -v bar | head -3", "search+term"),
        ("find . -name '*.py' | wc -l", "find_files+term"),
        ("ls src | wc -l", "list_files+term"),
        ("echo 'it is' | wc -l", "text"),
        ("printf '%s\\n' a 'b c'", "text"),
        ("seq 5 2", "text"),
        ("rm -rf /tmp/x y", "remove"),
        ("rm src", "remove"),
        ("mkdir -p a/b/c", "make"),
        ("mkdir a/b", "make"),
        ("touch x.txt", "touch"),
        ("cp /etc/a.txt b.txt", "carry"),
        ("mv a.txt src", "carry"),
        ("echo foo >> log/out.txt", "put"),
        ("grep foo a.txt > out.txt", "put"),
        ("cat > f.txt <<'EOF'\na $b\n\nc\nEOF", "put"),
        ("cat <<EOF > d/f.txt\nEOF", "put"),
    ],
)
def test_terms_and_changes_come_to_what_the_command_does(command: str, operation: str, worker: Worker) -> None:
    labels = list(check([triple(command, "foo one\ndef x(): # foo\na.b\nbar foo\n")], worker))
    assert {label.operation for label in labels} == {operation}
    assert all(label.label == "agrees" or label.explained for label in labels), labels


def test_a_wrong_meaning_is_found_out(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = change_of("rm -f b.txt")
    assert wrong is not None
    for module in ("checking", "meaning"):
        monkeypatch.setattr(f"dabhand.corpus.{module}.change_of", lambda text: msgspec.structs.replace(wrong))
    assert any(label.label == "differs" and not label.explained for label in check([triple("mkdir b.txt")], worker))


def test_statements_of_one_line_are_checked_apart(worker: Worker) -> None:
    labels = list(check([triple("make; head -2 a.txt; rm -rf x; tail -1 b.txt")], worker))
    found = {(label.statement, label.operation) for label in labels}
    assert found == {(0, "first_lines"), (1, "remove"), (2, "last_lines")}


def test_what_leads_out_cannot_run(worker: Worker) -> None:
    assert {label.label for label in check([triple("cat ../../etc/passwd")], worker)} == {"cannot_run"}
