"""Recorded commands and the operations they map to, run on the same folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

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


@pytest.mark.parametrize("command", ["grep -rn foo src", "find . -name '*.py'", "ls -la src", "wc -l a.txt"])
def test_a_known_difference_is_explained(command: str, worker: Worker) -> None:
    labels = list(check([triple(command, "foo\n")], worker))
    assert labels and all(label.label == "agrees" or label.explained for label in labels), labels


def test_statements_of_one_line_are_checked_apart(worker: Worker) -> None:
    labels = list(check([triple("echo start; head -2 a.txt; rm -rf x; tail -1 b.txt")], worker))
    assert {(label.statement, label.operation) for label in labels} == {(0, "first_lines"), (1, "last_lines")}


def test_what_leads_out_cannot_run(worker: Worker) -> None:
    assert {label.label for label in check([triple("cat ../../etc/passwd")], worker)} == {"cannot_run"}
