"""Rewordings of remembered requests are recognised; what only looks near is not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from dabhand.errors import NotUnderstood
from dabhand.goals import Goal, Refused, understand
from dabhand.goals.chain import translate
from dabhand.goals.memory import GoalMemory
from dabhand.goals.near import Near, near
from dabhand.goals.shape import shape_of
from dabhand.goals.wording import slipped
from dabhand.language import FolderView
from dabhand.store import Store
from tests.goals.folders import folder
from tests.goals.scripted import Scripted, goal

HERE = Path(__file__).parent
REMEMBERED = (
    "Copy notes.txt to a.txt",
    "Copy notes.txt into box",
    "Copy notes.txt to box",
    "Duplicate notes.txt as a.txt",
    "Move notes.txt into box",
    "Move notes.txt to a.txt",
    "Rename notes.txt to a.txt",
    "Delete notes.txt",
    "Delete the file notes.txt",
    "Delete notes.txt and piano.txt",
    "Delete the folder box",
    "Create the folder photos",
    "Create a folder called photos",
    "Create an empty file called a.txt",
    "Append 'kiwi' to notes.txt",
    "Append the line 'kiwi' to notes.txt",
    "Append lorem to notes.txt",
    "Write 'kiwi' into a.txt",
    "Count the lines of notes.txt",
    "Count the lines of notes.txt into n.txt",
    "Count the words in notes.txt",
    "Count the lines of piano.txt containing 'fig'",
    "Sort the lines of piano.txt into s.txt",
    "Sort piano.txt numerically into s.txt",
    "Sort the lines of piano.txt in reverse order into s.txt",
    "Sort the lines of piano.txt without duplicates into s.txt",
    "Show the first 2 lines of piano.txt",
    "Show the last 2 lines of piano.txt",
    "Show lines 2 to 3 of piano.txt",
    "Write the first 2 lines of piano.txt into s.txt",
    "Show the lines of piano.txt containing 'fig'",
    "Show the lines of piano.txt not containing 'fig'",
    "Write piano.txt in upper case into s.txt",
    "Write the lines of piano.txt in reverse order into s.txt",
    "Number the lines of piano.txt into s.txt",
    "Join notes.txt and piano.txt into s.txt",
    "Replace 'fig' with 'kiwi' in piano.txt",
    "Make run.sh executable",
    "Delete all lines containing 'fig' from piano.txt",
    "Remove duplicate lines from piano.txt",
    "Copy notes.txt to a.txt and then delete piano.txt",
)

REWORDINGS = [json.loads(line) for line in (HERE / "near_rewordings.jsonl").read_text("utf-8").splitlines()]


TRAPS = [json.loads(line)["say"] for line in (HERE / "near_traps.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GoalMemory]:
    with Store.open(tmp_path_factory.mktemp("near")) as store:
        made = GoalMemory(store)
        for request in REMEMBERED:
            shape = shape_of(request, folder())
            assert shape is not None and made.remember_reading(shape, folder(), {}, 0.0), request
        yield made


def found(memory: GoalMemory, request: str, view: FolderView) -> Near | None:
    shape = shape_of(request, view)
    return None if shape is None else near(shape, view, memory.known())


def read(request: str, view: FolderView) -> Goal | None:
    try:
        return understand(request, view)
    except (NotUnderstood, Refused):
        return None


@pytest.mark.parametrize("case", REWORDINGS, ids=lambda case: case["say"])
def test_a_rewording_says_what_the_plain_request_says(memory: GoalMemory, case: dict[str, str | None]) -> None:
    view, said, plain = folder(), str(case["say"]), case["plain"]
    close = found(memory, said, view)
    if plain is None:  # too far to be sure: allowed, as long as it says nothing else
        assert close is None or read(said, view) in (None, close.goal)
        return
    assert close is not None and set(close.goal.conditions) == set(understand(plain, view).conditions)
    assert translate(said, view, memory=memory).goal_from == "memory"


@pytest.mark.parametrize("request_", TRAPS)
def test_what_only_looks_near_is_not_taken(memory: GoalMemory, request_: str) -> None:
    for view in (folder(), folder(**{"b.txt": {"text": "x\n"}, "s.txt": {"text": "y\n"}, "mate": {"text": "z\n"}})):
        close = found(memory, request_, view)
        goal_read = read(request_, view)
        assert close is None or (goal_read is not None and set(close.goal.conditions) == set(goal_read.conditions))


def test_there_are_enough_traps() -> None:
    assert len(set(TRAPS)) > 120
    assert sum(case["plain"] is not None for case in REWORDINGS) > 20


def test_no_remembered_request_is_taken_for_another(memory: GoalMemory) -> None:
    """Each of the grammar's own requests, with every other remembered: near comes to what the grammar reads."""
    for request in REMEMBERED:
        close = found(memory, request, folder())
        if close is not None:
            assert set(close.goal.conditions) == set(understand(request, folder()).conditions), request


def test_words_dropped_put_in_or_swapped_never_change_what_is_taken(memory: GoalMemory) -> None:
    """Every remembered request with one word left out, doubled or swapped with the next: none but the same is taken."""
    tried = 0
    for request in REMEMBERED:
        words = request.split()
        for at in range(len(words)):
            for other, negated in (
                ([*words[:at], *words[at + 1 :]], False),
                ([*words[: at + 1], *words[at:]], False),
                ([*words[:at], *reversed(words[at : at + 2]), *words[at + 2 :]], False),
                ([*words[:at], "not", *words[at:]], True),
            ):
                said = " ".join(other)
                close = found(memory, said, folder())
                tried += 1
                if close is not None:
                    plain = None if negated else understand(request, folder())
                    meant = read(said, folder()) or plain
                    assert meant is not None and set(close.goal.conditions) == set(meant.conditions), said
    assert tried > 800


def test_words_are_learned_from_requests_that_want_the_same(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        memory = GoalMemory(store)
        view = folder()
        model = Scripted(goal(("a.txt", "copy", "notes.txt")), kind="remote")
        translate("Zorp notes.txt to 'a.txt'", view, memory=memory, models=[model]).remember(0.0)
        for request in ("Copy notes.txt to 'a.txt'", "Copy notes.txt to 'a.txt' and then delete piano.txt"):
            translate(request, view, memory=memory).remember(0.0)
        for request in ("Make a copy of notes.txt called 'a.txt'", "Move notes.txt to 'a.txt'", "Delete notes.txt"):
            translate(request, view, memory=memory).remember(0.0)
        for request in ("Zorp nums.txt", "Zorp notes.txt to box"):
            assert found(memory, request, view) is None, request
        said = "Hey, zorp piano.txt to 'q.txt', thanks"
        assert translate(said, view, memory=memory).goal == understand("Copy piano.txt to q.txt", view)
        # learned of copying alone, it says nothing in a request that deletes as well
        assert found(memory, "Zorp notes.txt to 'a.txt' and then delete piano.txt", view) is None


def test_a_rewording_is_remembered_by_itself(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        memory, view = GoalMemory(store), folder()
        translate("Sort piano.txt numerically into s.txt", view, memory=memory).remember(0.0)
        close = translate("Sort nums.txt numericaly into o.txt", view, memory=memory)
        assert (close.origin, close.goal_from) == ("near", "memory")
        close.remember(1.0)
        again = translate("Sort notes.txt numericaly into p.txt", view, memory=memory)
        assert again.origin == "memory"
        assert again.goal == understand("Sort notes.txt numerically into p.txt", view)
        with pytest.raises(NotUnderstood):
            translate("Sort notes.txt numerucaly into p.txt", view, memory=memory)
        assert translate("Sort nums.txt numerically into 'q'", view, memory=memory).origin == "grammar"


def test_what_the_grammar_says_goes_before_a_near_shape(memory: GoalMemory) -> None:
    for request, view in (
        ("Hey mate, delete the file piano.txt", folder(**{"mate, delete the file piano.txt": {"text": ""}})),
        ("Please delete ghost.txt", folder()),
    ):
        with pytest.raises((Refused, NotUnderstood)):
            translate(request, view, memory=memory)


@pytest.mark.parametrize(
    ("typed", "meant", "is_slip"),
    [("linse", "lines", False), ("liens", "lines", True), ("links", "lines", False), ("fisrt", "first", False),
     ("delte", "delete", True), ("delete", "delete", False), ("words", "words", False), ("worlds", "words", False),
     ("copt", "copy", False), ("folders", "folder", False), ("wihout", "without", False), ("filles", "files", True)],
)  # fmt: skip
def test_slips(typed: str, meant: str, is_slip: bool) -> None:
    assert slipped(typed, meant) is is_slip
