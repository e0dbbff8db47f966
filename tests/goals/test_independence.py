"""No piece of the exams' sentences stands in the grammar: what reads them is composed, and reads others too."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from dabhand import goals
from dabhand.exams import suites

GOALS = Path(goals.__file__).parent
SUITES = Path(suites.__file__).parent
LENGTH = 5
"""Words in a row that make a piece."""

DECLARING = {"add", "rule", "deed"}
NOT_READING = {"wording.py"}
"""Says a request in other words for the memory of goals; reads nothing."""


def pieces(words: list[str]) -> set[tuple[str, ...]]:
    return {tuple(words[at : at + LENGTH]) for at in range(len(words) - LENGTH + 1)}


def words(text: str) -> list[str]:
    return re.findall(r"[a-z'-]+", text.lower())


def of_exams() -> set[tuple[str, ...]]:
    found: set[tuple[str, ...]] = set()
    for file in ("wordings.toml", "combinations.toml", "coding.toml"):
        for sentences in tomllib.loads((SUITES / file).read_text("utf-8")).values():
            for sentence in sentences:
                for part in re.split(r'"?\{\w+\}"?', sentence):
                    found |= pieces(words(part))
    return found


def literals() -> Iterator[tuple[str, str]]:
    for file in ("lexicon.toml", "verbs.toml"):
        for name, text in tomllib.loads((GOALS / file).read_text("utf-8")).items():
            yield f"{file}, {name}", " ".join(text.split())
    for file in sorted(set(GOALS.glob("*.py")) - {GOALS / name for name in NOT_READING}):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            declares = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in DECLARING
            if declares or isinstance(node, ast.Assign):
                for part in ast.walk(node):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        yield file.name, part.value


def test_no_piece_of_an_exam_stands_in_the_grammar() -> None:
    exams = of_exams()
    assert len(exams) > 500
    found = [
        (where, " ".join(piece))
        for where, text in literals()
        for plain in re.split(r"[|()\[\]{}]|[A-Z_]{2,}", text)
        for piece in pieces(words(plain)) & exams
    ]
    assert found == []
