"""Statements as terms and as changes of a folder; what is not sure is none."""

from __future__ import annotations

import pytest

from dabhand.corpus.changing import change_of
from dabhand.corpus.saying import saying_of
from dabhand.language import evaluate
from dabhand.workspace import File, State
from dabhand.world.reading import StateView

FOLDER = State({"a.txt": File(b"b 2\na 1\nb 2\n"), "b.txt": File(b"10\n9\n")})
SAID = {
    "sort a.txt": "a 1\nb 2\nb 2\n",
    "sort -u a.txt": "a 1\nb 2\n",
    "cat a.txt b.txt | wc -l": "5\n",
    "sort a.txt | uniq -c": "      1 a 1\n      2 b 2\n",
    "cut -d ' ' -f 2 a.txt": "2\n1\n2\n",
    "sort -n < b.txt": "9\n10\n",
    "grep -v b a.txt": "a 1\n",
    "tail -n +2 a.txt | tac": "b 2\na 1\n",
    "echo -n a  'b  c'": "a b  c",
    "printf 'a\\tb%%\\n'": "a\tb%\n",
    "seq 2 4": "2\n3\n4\n",
}


@pytest.mark.parametrize("command", SAID)
def test_what_a_statement_prints(command: str) -> None:
    said = saying_of(command)
    assert said is not None and evaluate(said.term, {}, StateView(FOLDER)) == SAID[command]


@pytest.mark.parametrize(
    "command",
    ["echo $HOME", "echo *", "echo -e 'a\\tb'", "printf '%d' 5", "sort -k2 a.txt", "sort -nu a.txt", "sort a.txt b.txt",
     "grep -vn x a.txt", "grep -o x a.txt", "grep -q x a.txt", "head -c 5 a.txt", "tail -f a.txt", "cut -f1,2 a.txt",
     "uniq a.txt b.txt", "cat -", "cat a.txt - | head", "X=1 sort a.txt", "sort a.txt &", "! sort a.txt",
     "sort a.txt > b.txt", "git log | head", "sort $(ls)", "sed 's/a/b/' a.txt", "grep -rn x . | uniq",
     "grep -rn x . | tail -2", "ls -la | sort", "wc -l a.txt b.txt | sort"],
)  # fmt: skip
def test_what_is_not_sure_is_no_term(command: str) -> None:
    assert saying_of(command) is None


@pytest.mark.parametrize(
    "command",
    ["sort a.txt > a.txt", "echo x > $F", "cat a.txt > /dev/null", "rm -rf .", "rm -i a", "rm -- -f", "mkdir -m 700 a",
     "cp -r a b", "cp a b c", "mv a a", "cat > f <<EOF\n$x\nEOF", "cat > f <<'EOF'\nno end", "cat > f <<-EOF\n\tx\nEOF",
     "python - > f <<'EOF'\nx\nEOF", "echo x > f 2>&1", "make > f", "rm a && rm b", "rm a/", "echo x > f > g"],
)  # fmt: skip
def test_what_is_not_sure_is_no_change(command: str) -> None:
    assert change_of(command) is None
