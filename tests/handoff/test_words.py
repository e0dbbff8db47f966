"""Requests in English as typed plans: what is read, and what is given back with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dabhand.handoff.plan import (
    CountLines,
    CountMatches,
    FindFiles,
    FirstLines,
    JsonField,
    LastLines,
    LineRange,
    ListFiles,
    Plan,
    Search,
    WholeFile,
)
from dabhand.handoff.words import Abstained, Translated, read, translate

CASES = [
    msgspec.json.decode(line)
    for line in Path(__file__).with_name("inspection_requests.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("case", [case for case in CASES if "plan" in case], ids=lambda case: case["request"][:50])
def test_plan(case: dict[str, object]) -> None:
    """Each request of the list is the plan beside it."""
    references: Mapping[str, str] = case.get("references", {})  # type: ignore[assignment]
    assert read(str(case["request"]), references) == msgspec.convert(case["plan"], Plan)


@pytest.mark.parametrize("case", [case for case in CASES if "reason" in case], ids=lambda case: case["request"][:50])
def test_abstained(case: dict[str, object]) -> None:
    """Each of these is given back for the reason beside it, in one sentence."""
    found = read(str(case["request"]), case.get("references", {}))  # type: ignore[arg-type]
    assert isinstance(found, Abstained)
    assert found.reason == case["reason"]
    assert found.message.endswith(".")
    assert found.part in str(case["request"])


PIECES = ["show", "the", "first", "lines", "of", "in", "5", "a.txt", "and", "not", "'x'", "with", "files", "under"]
NAMES = st.from_regex(r"[a-z]{1,8}/[A-Za-z]{3,8}\.(log|txt|py)", fullmatch=True)
QUOTES = st.sampled_from(["''", '""', "``", "“”"])
TEXTS = st.text("abcdefgh XYZ.*[]$#_0123456789", min_size=1, max_size=12).filter(lambda text: text.strip() == text)


@settings(max_examples=40, deadline=None)
@given(name=NAMES, count=st.integers(1, 10**6), quotes=QUOTES, end=st.sampled_from(["first", "last"]))
def test_any_name_and_number(name: str, count: int, quotes: str, end: str) -> None:
    """Names come back as they are, quoted or not, wherever they stand."""
    made = (FirstLines if end == "first" else LastLines)(path=name, count=count)
    quoted = f"{quotes[0]}{name}{quotes[1]}"
    assert read(f"Show the {end} {count} lines of {quoted}") == made
    assert read(f"From {name}, print the {end} {count} lines.") == made
    assert read(f"the {end} {count} lines of {{x}}".replace("{x}", "file_7"), {"file_7": "file"}) == (
        msgspec.structs.replace(made, path="file_7")
    )


@settings(max_examples=40, deadline=None)
@given(text=TEXTS, name=NAMES, extra=st.sampled_from(["", " ignoring case", " recursively"]))
def test_any_text_is_literal(text: str, name: str, extra: str) -> None:
    """What is looked for is taken as it stands, whatever marks it holds."""
    folder = name.partition("/")[0] + "/"
    found = read(f'Find the lines containing "{text}" in {folder if "rec" in extra else name}{extra}')
    assert found == Search(
        path=folder if "rec" in extra else name, value=text, ignore_case="case" in extra, recursive="rec" in extra
    )


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60) | st.lists(st.sampled_from(PIECES)).map(" ".join))
def test_never_breaks(request: str) -> None:
    """Anything at all is a plan or given back."""
    assert isinstance(
        read(request),
        Abstained | FirstLines | LastLines | LineRange | WholeFile | Search | ListFiles | FindFiles | JsonField
        | CountLines | CountMatches,
    )  # fmt: skip


@pytest.mark.parametrize("word", ["please delete", "rename", "sort", "append hello to", "chmod", "run"])
def test_no_change_is_read(word: str) -> None:
    """Whatever asks for more than looking is no inspection."""
    found = read(f"{word} notes.txt")
    assert isinstance(found, Abstained)
    assert found.reason == "change"


def test_look_decides_what_a_name_is() -> None:
    """What is at a path is asked where words do not say it."""
    assert isinstance(read("Show data/results"), Abstained)
    assert read("Show data/results", look=lambda _: "file") == WholeFile(path="data/results")
    assert read("Show data/results", look=lambda _: "folder") == ListFiles(path="data/results", kind="all")


class _Remembering:
    """A memory that knows one request."""

    origin = "memory"

    def translate(self, request: str, references: Mapping[str, str], abstained: Abstained | None) -> Translated | None:
        """The plan of that one."""
        return Translated(WholeFile(path="x"), "memory") if request == "the usual" else None


class _Guessing:
    """A model that has an answer for everything."""

    origin = "local"

    def translate(self, request: str, references: Mapping[str, str], abstained: Abstained | None) -> Translated | None:
        """Always the same."""
        return Translated(CountLines(path="x"), "local", 1)


def test_chain() -> None:
    """The first that is sure is believed; what the grammar declines with a reason is final."""
    others = (_Remembering(), _Guessing())
    assert translate("the usual", others=others) == Translated(WholeFile(path="x"), "memory")
    assert translate("Show a.txt", others=others) == Translated(WholeFile(path="a.txt"), "grammar")
    assert translate("gibber gabber", others=others) == Translated(CountLines(path="x"), "local", 1)
    declined = translate("Delete a.txt", others=others)
    assert isinstance(declined, Abstained)
    assert declined.reason == "change"
    assert isinstance(translate("gibber gabber"), Abstained)
    assert isinstance(translate("Show a.txt", translator="memory"), Abstained)
    assert isinstance(translate("Show a.txt", translator="remote"), Abstained)
