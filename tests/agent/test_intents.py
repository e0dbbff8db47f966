"""Reading what people say: by meaning, all of it or nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dabhand.agent.intents import heard

LINES = (Path(__file__).parent / "wordings.txt").read_text("utf-8").splitlines()
"""`intent|line`; of "-" something else is meant, which a conversation hands on."""

FILES = (".", "notes.txt", "piano.txt", "box", "my notes.txt", "undo")
COMMANDS = ("tac {A} > {B}", "sort -u {A} > {B}", "sort {A} > {B}", "cat {A}", "rm {A}", "head -n {N} {A}")


class Here:
    def is_file(self, text: str) -> bool:
        return text in FILES

    def is_command(self, text: str) -> bool:
        return any(command.startswith(f"{text} ") for command in COMMANDS)


@pytest.mark.parametrize("case", LINES)
def test_many_wordings_of_one_meaning(case: str) -> None:
    intent, _, line = case.partition("|")
    found = heard(line, Here())
    assert (found.intent if found else "-") == intent


@pytest.mark.parametrize(
    "line",
    [
        "undo the sorting of notes.txt", "don't undo that", "never undo anything", "reverse the lines of notes.txt",
        "show me the first line of notes.txt", "list the files and delete them", "write help into notes.txt",
        "rename notes.txt to why", "make a folder called history", "copy that to notes.txt", "quit smoking",
        "sort notes.txt the same way as piano.txt", "take the last 3 lines of notes.txt back to front",
    ],
)  # fmt: skip
def test_a_word_left_over_means_something_else(line: str) -> None:
    assert heard(line, Here()) is None


def test_names_and_what_they_are_to_be() -> None:
    found = heard("do the same for notes.txt and piano.txt", Here())
    assert found is not None and [name.text for name in found.names] == ["notes.txt", "piano.txt"]
    found = heard("do the same for notes.txt and call it out file.txt", Here())
    assert found is None  # a name that is not there and is no one word
    found = heard('the same for "my notes.txt", saved as "out file.txt"', Here())
    assert found is not None and [(name.text, name.role) for name in found.names][1] == ("out file.txt", "as")
    found = heard("show me my notes.txt", Here())
    assert found is not None and found.names[0].text == "my notes.txt"
    found = heard("list the files in box.", Here())
    assert found is not None and [name.text for name in found.names] == ["box"]
    found = heard("show me undo", Here())
    assert found is not None and (found.intent, found.names[0].text) == ("show", "undo")


@pytest.mark.parametrize(
    ("line", "intent"),
    [("udno that", "undo"), ("undo that immediately", "undo"), ("pls explian yourself", "why"), ("hlep", "help")],
)
def test_slips_are_heard_generously_and_only_then(line: str, intent: str) -> None:
    assert heard(line, Here()) is None
    found = heard(line, Here(), generous=True)
    assert found is not None and found.intent == intent and found.strange


@pytest.mark.parametrize(
    "line", ["delete notes.txt", "undo 3", "don't undo that", "same for notes.txt yesterday", "show staged changes"]
)
def test_generosity_never_passes_over_names_numbers_and_known_words(line: str) -> None:
    assert heard(line, Here(), generous=True) is None


@pytest.mark.parametrize("line", ["yes", "Yes, please.", "sure, go ahead", "OK", "y", "yep do it", "of course!"])
def test_yes(line: str) -> None:
    found = heard(line, Here(), ("yes", "no"))
    assert found is not None and found.intent == "yes"


@pytest.mark.parametrize(
    "line", ["no", "nope", "No, don't do it", "please don't", "rather not", "n", "stop", "no thanks"]
)
def test_no(line: str) -> None:
    found = heard(line, Here(), ("yes", "no"))
    assert found is not None and found.intent == "no"


@pytest.mark.parametrize("line", ["maybe", "yes but not notes.txt", "if you think so", "what?", "yes and no", "do"])
def test_neither(line: str) -> None:
    assert heard(line, Here(), ("yes", "no")) is None


@given(st.text(max_size=60))
def test_any_text_is_heard_without_complaint(line: str) -> None:
    heard(line, Here())
    heard(line, Here(), generous=True)


@given(
    st.lists(st.sampled_from(["the", "that", "it", "you", "do", "show", "undo", "same", "why", "what"]), max_size=24)
)
def test_long_lines_of_small_words_take_no_time(words: list[str]) -> None:
    heard(" ".join(words), Here(), generous=True)
