"""What becomes of a folder as a whole, and of things in it, in one request."""

from __future__ import annotations

import pytest

from dabhand.goals import Condition, IsAbsent, IsCopy, IsFolder
from dabhand.goals.imagined import Imagined, NewFolder
from dabhand.workspace import State
from dabhand.world.reading import StateView

FOLDER = StateView(
    State.from_json({"box/e.txt": {"text": "e\n"}, "box/f": {"text": "f\n"}, "other/k": {"text": "k\n"}})
)


@pytest.mark.parametrize("removed_first", [False, True])
def test_what_is_deleted_in_a_renamed_folder_is_said(removed_first: bool) -> None:
    imagined = Imagined(FOLDER)
    if removed_first:
        imagined.remove("box/f")
    imagined.put("box", "crate")
    imagined.remove("box")
    if not removed_first:
        imagined.remove("crate/f")
    assert imagined.conditions() == (IsAbsent("box"), IsCopy("crate", "box"), IsAbsent("crate/f"))


@pytest.mark.parametrize("path", ["crate/f", "crate/missing"])
def test_what_never_came_is_not_said_to_be_gone(path: str) -> None:
    imagined = Imagined(FOLDER)
    imagined.put("other", "crate")
    imagined.remove(path)
    assert imagined.conditions() == (IsCopy("crate", "other"),)


def test_a_new_folder_in_the_place_of_one_that_is_gone_is_empty() -> None:
    imagined = Imagined(FOLDER)
    imagined.remove("box")
    imagined.things["box"] = NewFolder()
    expected: tuple[Condition, ...] = (IsFolder("box"), IsAbsent("box/e.txt"), IsAbsent("box/f"))
    assert imagined.conditions() == expected


def test_another_folder_in_the_place_of_one_that_is_gone_holds_nothing_else() -> None:
    imagined = Imagined(FOLDER)
    imagined.remove("box")
    imagined.put("other", "box")
    imagined.remove("other")
    conditions = imagined.conditions()
    assert set(conditions) == {IsCopy("box", "other"), IsAbsent("box/e.txt"), IsAbsent("box/f"), IsAbsent("other")}
