"""Requests that can be taken in several ways in a folder are declined, and say which ways; quotes decide."""

from __future__ import annotations

from typing import Any

import pytest

from dabhand.errors import NotUnderstood
from dabhand.goals import Condition, Holds, IsAbsent, IsCopy, Refused, understand
from dabhand.language import evaluate
from dabhand.workspace import State
from dabhand.world.reading import StateView


def folder(*names: str, **texts: str) -> StateView:
    given: dict[str, Any] = {name: {"dir": True} if "." not in name else {"text": "x\n"} for name in names}
    given |= {f"{name}.txt": {"text": text} for name, text in texts.items()}
    return StateView(State.from_json(given))


def conditions(request: str, view: StateView) -> tuple[Condition, ...]:
    return understand(request, view).conditions


NAMES = (
    "my file.txt", "file.txt", "notes.txt", "notes.txt now", "the docs", "docs", "docs/old plan.txt", "docs/plan.txt",
    "new notes.txt", "plan.txt", "notes.txt!", "a  b.txt", "b.txt",
)  # fmt: skip


@pytest.mark.parametrize(
    ("request_", "long", "short"),
    [
        ("Delete my file.txt", "my file.txt", "file.txt"),
        ("Copy my file.txt to other.txt", "my file.txt", "file.txt"),
        ("please remove my file.txt.", "my file.txt", "file.txt"),
        ("Sort my file.txt into x.txt", "my file.txt", "file.txt"),
        ("Append hello to my file.txt", "my file.txt", "file.txt"),
        ("Copy notes.txt to my copy.txt", "my copy.txt", "copy.txt"),
        ("Move notes.txt to our archive.txt", "our archive.txt", "archive.txt"),
        ("Write hello into new copy.txt", "new copy.txt", "copy.txt"),
        ("Sort notes.txt into my plan.txt", "my plan.txt", "plan.txt"),
        ("Sort plan.txt into my plan.txt", "my plan.txt", "plan.txt"),
        ("Delete the docs", "the docs", "docs"),
        ("Delete the docs/", "the docs", "docs"),
        ("Write hello into new notes.txt", "new notes.txt", "notes.txt"),
        ("Delete notes.txt now", "notes.txt now", "notes.txt"),
        ("Delete notes.txt!", "notes.txt!", "notes.txt"),
        ("Delete old plan.txt in docs", "docs/old plan.txt", "plan.txt"),
        ("Delete docs/old plan.txt", "docs/old plan.txt", "plan.txt"),
        ("Delete a  b.txt", "a  b.txt", "b.txt"),
    ],
)
def test_words_beside_a_name_that_may_belong_to_it(request_: str, long: str, short: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        understand(request_, folder(*NAMES))
    assert repr(long) in caught.value.message and repr(short) in caught.value.message
    assert "quotes" in caught.value.hint


@pytest.mark.parametrize(
    ("request_", "wanted"),
    [
        ('Delete "my file.txt"', IsAbsent("my file.txt")),
        ('Delete my "file.txt"', IsAbsent("file.txt")),
        ('Delete the "docs"', IsAbsent("docs")),
        ('Delete "the docs"', IsAbsent("the docs")),
        ('Copy notes.txt to "my copy.txt"', IsCopy("my copy.txt", "notes.txt")),
        ("Copy notes.txt to a new file copy.txt", IsCopy("copy.txt", "notes.txt")),
        ("Delete my plan.txt", IsAbsent("plan.txt")),
        ("Copy my plan.txt to other.txt", IsCopy("other.txt", "plan.txt")),
        ("Copy my b.txt to docs", IsCopy("docs/b.txt", "b.txt")),
    ],
)
def test_quotes_decide_and_a_name_with_one_reading_needs_none(request_: str, wanted: Condition) -> None:
    assert conditions(request_, folder(*NAMES)) == (wanted,)


@pytest.mark.parametrize("path", [".", "./", "..", "../x", "/", "/etc", "~", "./.", "docs/..", "this folder"])
@pytest.mark.parametrize("request_", ["Delete {}", "Copy {} to docs/", "Move {} to other.txt", "Rename {} to other"])
def test_the_folder_itself_and_what_is_outside_are_never_touched(request_: str, path: str) -> None:
    with pytest.raises((Refused, NotUnderstood)) as caught:
        understand(request_.format(path), folder("docs", "notes.txt"))
    assert caught.value.message


@pytest.mark.parametrize(
    "request_",
    [
        "Convert umlauts.txt to upper case into U.txt",
        "Write umlauts.txt in lower case into U.txt",
        "Sort umlauts.txt ignoring case into U.txt",
    ],
)
def test_letters_beyond_ascii_are_never_said_to_be_converted(request_: str) -> None:
    with pytest.raises(NotUnderstood, match="beyond a-z"):
        understand(request_, folder(umlauts="Übergröße\n"))
    assert conditions(request_, folder(umlauts="abc 東京 €\n"))


@pytest.mark.parametrize(
    "request_",
    [
        "Write the lines of log.txt containing the word err into e.txt",
        "Write the lines of log.txt not containing the word 'err' into e.txt",
        "Count the lines of log.txt that contain the word err",
        "Delete all lines containing the word err from log.txt",
        "Replace the word err with oops in log.txt",
    ],
)
def test_a_word_is_no_part_of_a_longer_one(request_: str) -> None:
    with pytest.raises(NotUnderstood, match="whole word"):
        understand(request_, folder(log="err 1\nstderr\n"))
    assert conditions(request_, folder(log="err 1\nout\n"))
    literal = request_.replace("the word ", "")
    assert conditions(literal, folder(log="err 1\nstderr\n"))


@pytest.mark.parametrize("word", ["nothing", "something", "anything", "everything"])
def test_words_that_stand_for_something_else(word: str) -> None:
    view = folder("notes.txt")
    with pytest.raises(NotUnderstood, match=word):
        understand(f"Write {word} into notes.txt", view)
    with pytest.raises(NotUnderstood, match=word):
        understand(f"Append {word} to notes.txt", view)
    (found,) = conditions(f'Write "{word}" into notes.txt', view)
    assert isinstance(found, Holds) and evaluate(found.content, {}, view) == f"{word}\n"


@pytest.mark.parametrize(
    "request_",
    [
        "Append hello to open.txt",
        'Add "hello" at the end of open.txt',
        "Append full.txt to open.txt",
        "Merge open.txt and full.txt into both.txt",
        "Merge full.txt, open.txt and full.txt into both.txt",
        "Write full.txt and open.txt and full.txt sorted into both.txt",
    ],
)
def test_a_last_line_that_is_not_ended(request_: str) -> None:
    with pytest.raises(NotUnderstood, match="2 ways"):
        understand(request_, folder(open="a\nb", full="c\n"))
    assert conditions(request_, folder(open="a\nb\n", full="c\n"))


@pytest.mark.parametrize(
    "request_",
    ["Append the line 'hello' to open.txt", "Add hello as a new line at the end of open.txt"],
)
def test_a_line_is_a_line_of_its_own(request_: str) -> None:
    view = folder(open="a\nb")
    (found,) = conditions(request_, view)
    assert isinstance(found, Holds) and evaluate(found.content, {}, view) == "a\nb\nhello\n"


@pytest.mark.parametrize("name", ["empty", "copy", "lines", "backup", "everything", "file"])
def test_a_folder_is_known_by_its_bare_name(name: str) -> None:
    assert conditions(f"Delete {name}", folder(name, "docs")) == (IsAbsent(name),)
    assert conditions(f"Copy docs to {name}", folder(name, "docs")) == (IsCopy(f"{name}/docs", "docs"),)


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        ("Delete everything", "everything"),
        ("Delete empty", "called 'empty'"),
        ("Copy docs to backup", "called 'backup'"),
        ("Copy docs", "after 'docs'"),
    ],
)
def test_why_it_is_not_read_is_true(request_: str, says: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        understand(request_, folder("docs", "notes.txt"))
    assert says in caught.value.message and "cut short" not in caught.value.message
