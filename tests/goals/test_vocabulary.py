"""What the grammar asks of words is known to the shapes of requests."""

from __future__ import annotations

import ast
from pathlib import Path

from dabhand import goals
from dabhand.goals.looks import look
from dabhand.goals.vocabulary import NOT_READING, vocabulary

CUTTING_OR_LATER = {"tokens", "patterns", "imagined", "caution", "meant"}
"""Modules whose regular expressions cut a request into words (which a shape keeps), or are asked once it is read."""


def test_no_other_question_is_asked_of_how_words_look() -> None:
    asking = set()
    for file in Path(goals.__path__[0]).glob("*.py"):
        imports = [node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.Import)]
        if any(name.name == "re" for node in imports for name in node.names):
            asking.add(file.stem)
    assert asking - NOT_READING == CUTTING_OR_LATER, "declare the question with looks.looked_at"


def test_words_that_are_asked_about_look_different() -> None:
    vocabulary()  # the modules of the grammar declare their questions when they are imported
    assert len({look("notes"), look("notes.txt"), look("README")}) == 3
    assert look("notes") == look("piano") and look("notes.txt") == look("piano.md") and look("README") == look("TODO")
