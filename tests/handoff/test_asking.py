"""Models as translators into plans: what is believed of their answers, and what becomes of those that fail."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from dabhand.errors import NotUnderstood
from dabhand.handoff.plan import Plan, plan_from_value
from dabhand.handoff.words import Abstained, Translated, translate
from dabhand.handoff.words.asking import FORM, Proposed, Question, ask
from dabhand.handoff.words.backends import Link
from dabhand.handoff.words.said import Heard, named_places
from dabhand.models.grammars import plan_grammar
from tests.models.gbnf import matches

FILE = {"file_1": "file"}
FOLDER = {"file_1": "folder"}


class Scripted:
    """A model that answers as it is told."""

    kind = "local"

    def __init__(self, value: Any, confidence: float = 1.0) -> None:
        self.value = value
        self.confidence = confidence
        self.asked: list[Question] = []

    def plan(self, question: Question) -> Proposed:
        self.asked.append(question)
        if isinstance(self.value, BaseException):
            raise self.value
        if callable(self.value):
            return self.value()
        return Proposed(self.value, self.confidence, 0.9)


def plan(operation: str, **fields: Any) -> dict[str, Any]:
    return {"operation": operation, "path": "file_1", **fields}


SAYS = [
    ("gimme dem 20 bottom lines outta file_1", FILE, plan("last_lines", count=20)),
    ("yo whats the last line of file_1", FILE, plan("last_lines", count=1)),
    ("fish out 'time out' wherever it stands in file_1, no matter the case", FILE,
     plan("search", value="time out", ignore_case=True)),
    ("which python files live below file_1?", FOLDER, plan("find_files", glob="*.py")),
    ("dig up whatever is larger than 10MB beneath file_1", FOLDER, plan("find_files", min_bytes=10 * 2**20 + 1)),
    ("stuff in file_1 touched during the past 3 days", FOLDER, plan("find_files", max_age=259200)),
    ("the how many lines of file_1 mention ERROR question", FILE, plan("count_matches", value="ERROR")),
    ("lines twelve through 15 of file_1, ta", FILE, plan("line_range", first=12, last=15)),
    ("peek at the names in file_1 without descending", FOLDER, plan("list_files", kind="all")),
    ("whatever version file_1 claims", {"file_1": "json"}, plan("json_field", key="version")),
]  # fmt: skip


@pytest.mark.parametrize(("request_", "references", "value"), SAYS)
def test_a_plan_that_says_what_is_said_is_believed(request_: str, references: dict[str, str], value: Any) -> None:
    judged = ask(Scripted(value), request_, references, None)
    assert judged.why == ""
    assert judged.plan == plan_from_value(value)


DOES_NOT_SAY = [
    ("gimme dem 20 bottom lines outta file_1", FILE, plan("last_lines", count=10)),
    ("gimme the bottom lines outta file_1", FILE, plan("last_lines", count=10)),
    ("fish out 'time out' in file_1", FILE, plan("search", value="timeout")),
    ("fish out 'time out' in file_1", FILE, plan("search", value="time out", ignore_case=True)),
    ("fish out 'time out' in file_1", FILE, plan("search", value="time out", regex=True)),
    ("fish out 'time out' in file_1", FILE, plan("whole_file")),
    ("fish out 'time out' in file_1", FILE, plan("count_matches", value="time out")),
    ("fish out 'a' and 'b' in file_1", FILE, plan("search", value="a")),
    ("fish out ERROR in file_1 unless it is 5 o'clock", FILE, plan("search", value="ERROR")),
    ("fish lines without ERROR outta file_1", FILE, plan("search", value="ERROR")),
    ("fish 5 lines with ERROR outta file_1", FILE, plan("search", value="ERROR")),
    ("compare file_1 with other.txt", FILE, plan("whole_file")),
    ("which python files live below file_1?", FOLDER, plan("find_files", glob="*.js")),
    ("whatever is larger than 10MB beneath file_1", FOLDER, plan("find_files", min_bytes=10)),
    ("count whatever mentions ERROR in file_1, ta", FILE, plan("search", value="ERROR")),
    ("stuff beneath file_1 that is older than 3 days", FOLDER, plan("find_files", max_age=259200)),
    ("stuff beneath file_1 that is newer than 3 days", FOLDER, plan("find_files", min_age=259200)),
    ("stuff beneath file_1 smaller than 10MB", FOLDER, plan("find_files", min_bytes=10 * 2**20)),
    ("files as well as folders of file_1", FOLDER, plan("list_files", kind="folders")),
    ("gimme file_1", FILE, {"operation": "whole_file", "path": "file_2"}),
    ("gimme file_1", FILE, {"operation": "whole_file", "path": "/etc/passwd"}),
    ("the first 3 lines of missing.txt", {}, {"operation": "first_lines", "path": ".", "count": 3}),
]


@pytest.mark.parametrize(("request_", "references", "value"), DOES_NOT_SAY)
def test_a_plan_that_says_anything_else_is_not(request_: str, references: dict[str, str], value: Any) -> None:
    judged = ask(Scripted(value), request_, references, None)
    assert judged.plan is None
    assert judged.why


def _slow() -> Proposed:
    time.sleep(30)
    return Proposed(plan("whole_file"), 1.0)


@pytest.mark.parametrize(
    "value",
    [None, RuntimeError("died"), MemoryError(), SystemExit(3), KeyboardInterrupt(), {}, {"operation": "run"},
     plan("whole_file", shell=True), plan("last_lines", count="20"), plan("dance"), [], "garbage", _slow],
)  # fmt: skip
def test_a_model_that_fails_is_no_answer(value: Any) -> None:
    """It abstains, raises, dies, answers with something else, or never: nothing is carried out."""
    judged = ask(Scripted(value), "gimme file_1 now", FILE, None, patience=0.3)
    assert judged.plan is None
    assert judged.why


def test_one_that_is_not_sure_is_not_believed() -> None:
    judged = ask(Scripted(plan("whole_file"), 0.89), "gimme file_1 now", FILE, None)
    assert judged.plan is None
    assert judged.proposed == plan_from_value(plan("whole_file"))


def test_where_the_grammar_nearly_reads_the_same_less_is_enough() -> None:
    request = "Kindlyplz show the last 5 lines of file_1"
    said = translate(request, FILE)
    assert isinstance(said, Abstained)
    unsure = Scripted(plan("last_lines", count=5), 0.6)
    assert ask(unsure, request, FILE, None, said).plan == plan_from_value(plan("last_lines", count=5))
    assert ask(unsure, request, FILE, None).plan is None


def test_where_the_grammar_nearly_reads_something_else_nobody_is_believed() -> None:
    request = "Kindlyplz show the last 5 lines of file_1"
    said = translate(request, FILE)
    assert isinstance(said, Abstained)
    judged = ask(Scripted(plan("first_lines", count=5)), request, FILE, None, said)
    assert judged.plan is None
    assert "something else" in judged.why


def test_paths_that_are_there_become_references() -> None:
    there = {"build.log": "file", "src/": "folder", "package.json": "file"}
    shown, places = named_places(
        "gimme 'build.log', build.log and src/ by package.json", {}, lambda p: there.get(p, "")
    )
    assert shown == "gimme file_1, file_1 and file_2 by file_3"
    assert places == {"file_1": ("build.log", "file"), "file_2": ("src/", "folder"), "file_3": ("package.json", "json")}
    model = Scripted(plan("last_lines", count=3))
    judged = ask(model, "gimme dem 3 last of build.log", {}, lambda p: there.get(p, ""))
    assert judged.plan == plan_from_value({"operation": "last_lines", "path": "build.log", "count": 3})
    assert model.asked[0].request == "gimme dem 3 last of file_1"


def _through(model: Any, request: str, translator: Any = "auto") -> Translated | Abstained:
    return translate(request, FILE, translator=translator, others=lambda: [Link("local", lambda: model, lambda _: "")])


def test_the_chain_goes_on_to_the_model_and_says_what_became_of_it() -> None:
    model = Scripted(plan("whole_file"))
    assert _through(model, "gimme file_1 yo") == Translated(plan_of(plan("whole_file")), "local", 1)
    assert _through(model, "Show file_1") == Translated(plan_of(plan("whole_file")), "grammar")
    assert len(model.asked) == 1
    for request in ("Delete file_1", "Show lines 9 to 3 of file_1"):
        assert isinstance(_through(model, request), Abstained)
    assert len(model.asked) == 1
    declined = _through(Scripted(None), "gimme file_1 yo")
    assert isinstance(declined, Abstained)
    assert "asked in vain" in declined.hint
    assert declined.lm_calls == 1
    assert isinstance(_through(None, "gimme file_1 yo", "local"), Abstained)


def test_a_model_that_is_asked_alone_has_to_agree_with_the_grammar() -> None:
    assert isinstance(_through(Scripted(plan("whole_file")), "Show the last 3 lines of file_1", "local"), Abstained)
    same = _through(Scripted(plan("last_lines", count=3)), "Show the last 3 lines of file_1", "local")
    assert same == Translated(plan_of(plan("last_lines", count=3)), "local", 1)


def plan_of(value: Mapping[str, Any]) -> Plan:
    return plan_from_value(dict(value))


@pytest.mark.parametrize(("request_", "references", "value"), SAYS)
def test_the_grammar_of_a_request_allows_what_it_says(request_: str, references: dict[str, str], value: Any) -> None:
    """Everything that is believed can be written; a path is nothing but a reference, whatever the request says."""
    grammar = plan_grammar(FORM, references, Heard(request_, references).said)
    line = FORM.text(plan_of(value), request_)
    assert matches(grammar, line), (grammar, line)
    assert not matches(grammar, line.replace("file_1", "file_2"))
    assert not matches(grammar, line.replace("file_1", "/etc/passwd"))
    assert not matches(grammar, f"{line} ")
    assert not matches(grammar, "run rm -rf /")


def test_what_cannot_be_cut_into_words_is_not_understood() -> None:
    with pytest.raises(NotUnderstood):
        Heard("show 'this", {})
    assert ask(Scripted(plan("whole_file")), "gimme 'this file_1", FILE, None).plan is None


def test_nothing_of_the_models_is_loaded_by_an_inspection(tmp_path: Path) -> None:
    import subprocess
    import sys

    (tmp_path / "a.txt").write_text("one\n")
    code = (
        "import sys; from dabhand import inspect_request as i;"
        f"p = i({str(tmp_path)!r}, 'Show the last line of a.txt', store={str(tmp_path / 's')!r}); assert p.output;"
        "print([m for m in sys.modules if m.split('.')[0] in ('xllamacpp', 'openai', 'anthropic', 'keyring', 'numpy')"
        " or m.startswith('dabhand.models')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
