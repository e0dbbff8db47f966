"""The chain stops at the first translator that is sure, and says which that was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dabhand.errors import NotUnderstood
from dabhand.goals import Goal, Refused, understand
from dabhand.goals.chain import translate
from dabhand.goals.memory import GoalMemory
from dabhand.store import Store
from tests.goals.folders import folder
from tests.goals.scripted import Scripted, goal


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[GoalMemory]:
    with Store.open(tmp_path / "store") as store:
        yield GoalMemory(store)


def test_the_grammar_first_and_then_memory(memory: GoalMemory) -> None:
    first = translate("Copy notes.txt to a.txt", folder(), memory=memory)
    assert (first.origin, first.goal_from, first.lm_calls) == ("grammar", "grammar", 0)
    assert translate("Copy piano.txt to b.txt", folder(), memory=memory).origin == "grammar"
    first.remember(1.0)
    second = translate("Copy piano.txt to b.txt", folder(), memory=memory)
    assert (second.origin, second.goal_from, second.lm_calls) == ("memory", "memory", 0)
    assert second.goal == understand("Copy piano.txt to b.txt", folder())
    second.remember(2.0)
    assert len(memory) == 1


def test_what_a_model_translated_is_asked_once(memory: GoalMemory) -> None:
    model = Scripted(goal(("out.txt", "copy", "notes.txt")))
    asked = translate("Flop notes.txt over 'out.txt'", folder(), memory=memory, models=[model])
    assert (asked.origin, asked.lm_calls) == ("local", 1)
    asked.remember(1.0)
    again = translate("flop piano.txt over 'o.txt'.", folder(), memory=memory, models=[model])
    assert (again.origin, again.lm_calls) == ("memory", 0)
    assert again.goal == understand("Copy piano.txt to o.txt", folder())
    assert len(model.seen) == 1
    others = (
        "Flap piano.txt over 'o.txt'",  # another word
        "Flop ghost.txt over 'o.txt'",  # missing
        "Flop box over 'o.txt'",  # a folder
        "Flop piano.txt over 'run.sh'",  # there already
        "Flop run.sh over 'box/c.txt'",
        "Flop piano.txt under 'o.txt'",
    )
    for request in others:
        with pytest.raises((NotUnderstood, Refused)):
            translate(request, folder(), memory=memory)


NOTES = {"text": ["notes.txt"]}
TAILED = {"concat": [{"starting": [3, {"records": [NOTES]}]}]}
SEE_YOU = {"constant": "see you\n", "kind": "text"}


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("Flop notes.txt over 'out.txt' 2", goal(("out.txt", "copy", "notes.txt"))),
        ("Flop 2 of notes.txt off into 'o'", goal(("o", "file", TAILED))),
        ("Glue see you under notes.txt", goal(("notes.txt", "file", {"then": [NOTES, SEE_YOU]}))),
    ],
)
def test_a_goal_that_the_slots_do_not_determine_is_not_remembered(
    memory: GoalMemory, request_: str, answer: object
) -> None:
    try:
        translate(request_, folder(), memory=memory, models=[Scripted(answer)]).remember(0.0)
    except NotUnderstood:
        assert "2" in request_
    assert len(memory) == 0


def test_what_rested_on_a_text_is_not_recalled_where_the_text_is_other(memory: GoalMemory) -> None:
    answer = goal(("notes.txt", "file", {"then": [{"text": ["notes.txt"]}, {"line": ["kiwi"]}]}))
    translate("Glue 'kiwi' beneath notes.txt", folder(), memory=memory, models=[Scripted(answer)]).remember(0.0)
    assert translate("Glue 'fig' beneath piano.txt", folder(), memory=memory).origin == "memory"
    for text in ("", "not ended"):
        with pytest.raises(NotUnderstood):
            translate("Glue 'fig' beneath piano.txt", folder(piano__txt={"text": text}), memory=memory)


def test_what_is_remembered_is_the_folder_as_it_was(memory: GoalMemory) -> None:
    class Live:
        """A folder that changes once the request is carried out."""

        view = folder()

        def text(self, path: str) -> str | None:
            return self.view.text(path)

        def names(self, path: str) -> tuple[str, ...] | None:
            return self.view.names(path)

        def kind(self, path: str) -> str:
            return self.view.kind(path)

    live = Live()
    moved = translate("Move notes.txt to 'a.txt'", live, memory=memory)
    flopped = translate(
        "Flop piano.txt over 'b.txt'", live, memory=memory, models=[Scripted(goal(("b.txt", "copy", "piano.txt")))]
    )
    live.view = folder(notes__txt=None, **{"a.txt": {"text": "x"}, "b.txt": {"text": "x"}, "piano.txt": {"text": ""}})
    moved.remember(0.0)
    flopped.remember(0.0)
    assert len(memory) == 2
    assert translate("Move piano.txt to 'b.txt'", folder(), memory=memory).origin == "memory"
    assert translate("Flop notes.txt over 'c.txt'", folder(), memory=memory).origin == "memory"
    assert translate("Move piano.txt to 'run.sh'", folder(), memory=memory).origin == "grammar"


def test_refusals_end_the_chain(memory: GoalMemory) -> None:
    translate("Move notes.txt into box", folder(), memory=memory).remember(0.0)
    model = Scripted(goal(("box/notes.txt", "copy", "notes.txt")))
    for request in ("Move ghost.txt into box", "Move notes.txt into notes.txt/x", "Delete ghost.txt"):
        with pytest.raises(Refused):
            translate(request, folder(), memory=memory, models=[model])
    assert not model.seen


def test_several_readings_are_listed(memory: GoalMemory) -> None:
    with pytest.raises(NotUnderstood) as caught:
        translate("write 'piano.txt' into new.txt", folder(), memory=memory)
    assert len(caught.value.readings) == 2
    assert all(isinstance(reading, Goal) for reading in caught.value.readings)


def test_only_what_was_asked_for(memory: GoalMemory) -> None:
    with pytest.raises(NotUnderstood, match="remembered"):
        translate("Delete notes.txt", folder(), memory=memory, only="memory")
    with pytest.raises(NotUnderstood, match="remembered"):
        translate("Delete notes.txt", folder(), only="memory")
    translate("Delete notes.txt", folder(), memory=memory, only="grammar").remember(0.0)
    assert translate("Delete notes.txt", folder(), memory=memory, only="memory").origin == "memory"
    assert translate("Delete notes.txt", folder(), memory=memory, only="grammar").origin == "grammar"
