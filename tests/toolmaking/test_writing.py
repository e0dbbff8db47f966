"""Tools written by a scripted model: what is broken never harms, is told so, and ends in a clear failure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dabhand.goals.models import Context
from dabhand.sandbox import Worker, open_worker
from dabhand.store import Store
from dabhand.toolmaking import making
from dabhand.toolmaking.examples import Example
from dabhand.toolmaking.making import write_tool
from dabhand.toolmaking.registry import BadName, Registry
from dabhand.toolmaking.testing import LIMITS
from dabhand.toolmaking.writing import write

GOOD = "def make(text):\n    return text.upper()\n"
TESTS = [{"input": "a\n", "output": "A\n"}, {"input": "", "output": ""}]
EXAMPLES = (Example("b\n", "B\n"), Example("c d\n", "C D\n"))
STEPS = ["read the lines", "turn them into capitals", "join them"]

BROKEN = {
    "syntax": ("def make(text:\n    return text\n", "SyntaxError"),
    "endless": ("def make(text):\n    while True:\n        pass\n", "did not end within"),
    "wrong": ("def make(text):\n    return text.lower()\n", "wanted"),
    "deletes": ("import os\ndef make(text):\n    os.remove('in')\n    return text.upper()\n", "changed other files"),
    "socket": (
        "import socket\ndef make(text):\n    socket.create_connection(('127.0.0.1', 9), 1)\n    return text.upper()\n",
        "Error",
    ),
    "fortune": ("def make(text):\n    print('You will be lucky.')\n", "must return a str"),
    "nothing": ("x = 1\n", "no function make"),
    "memory": ("def make(text):\n    return 'x' * (1 << 33)\n", "MemoryError"),
    "fork": ("import os\ndef make(text):\n    while True:\n        os.fork()\n", ""),
    "exit": ("import os\ndef make(text):\n    os._exit(0)\n", "without a result"),
    "home": ("def make(text):\n    open('/etc/dabhand-was-here', 'w')\n    return text.upper()\n", "Error"),
}


class Scripted:
    """Answers what it was told to, in turn; what it is asked is kept."""

    name = "scripted"
    kind = "local"

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, Context]] = []

    def propose(self, request: str, context: Context) -> object:
        self.asked.append((request, context))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


def at_once(code: str) -> str:
    return json.dumps({"code": code, "tests": TESTS})


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with open_worker("auto", LIMITS) as opened:
        yield opened


def test_written_at_once(worker: Worker) -> None:
    model = Scripted(at_once(GOOD))
    written = write(model, "turn into capitals", worker, examples=EXAMPLES)
    assert written.code == GOOD and written.calls == 1
    assert set(written.tests) == {*EXAMPLES, Example("a\n", "A\n"), Example("", "")}
    assert "turn into capitals" in model.asked[0][0] and "C D" in model.asked[0][0]


@pytest.mark.parametrize("kind", BROKEN)
def test_the_error_goes_back(kind: str, worker: Worker) -> None:
    code, error = BROKEN[kind]
    model = Scripted(at_once(code), at_once(GOOD))
    written = write(model, "capitals", worker, examples=EXAMPLES)
    assert written.code == GOOD and written.calls == 2
    assert error in model.asked[1][1].rejected


@pytest.mark.parametrize("kind", ["syntax", "wrong", "deletes", "fortune"])
def test_what_stays_broken_fails(kind: str, worker: Worker) -> None:
    code, error = BROKEN[kind]
    written = write(Scripted(at_once(code)), "capitals", worker, examples=EXAMPLES)
    assert written.code == "" and written.calls == 3 and error in written.reason


def test_in_steps(worker: Worker) -> None:
    codes = [
        "def make(text):\n    lines = text.splitlines(True)\n    return ''\n",
        "def make(text):\n    lines = text.splitlines(True)\n    lines = [line.upper() for line in lines]\n"
        "    return ''\n",
        "def make(text):\n    lines = text.splitlines(True)\n    lines = [line.upper() for line in lines]\n"
        "    return ''.join(lines)\n",
    ]
    model = Scripted({"steps": STEPS, "tests": TESTS}, *({"code": code} for code in codes))
    written = write(model, "capitals", worker, examples=EXAMPLES, stepwise=True)
    assert written.code == codes[-1] and written.steps == tuple(STEPS) and written.calls == 4
    assert codes[0] in model.asked[2][0]


def test_the_line_says_which_step_to_mend(worker: Worker) -> None:
    first = "def make(text):\n    lines = text.splitlines(True)\n"
    bad = first + "    lines = [line.upper() + str(1 // len(line.strip('\\n'))) for line in lines]\n"
    good = first + "    lines = [line.upper() for line in lines]\n"
    end = "    return ''.join(lines)\n"
    model = Scripted(
        {"steps": STEPS, "tests": [{"input": "a\n\n", "output": "A\n\n"}]},
        {"code": first + "    return ''\n"},
        {"code": bad + "    return ''\n"},
        {"code": bad + end},
        {"code": good + end},
    )
    written = write(model, "capitals", worker, samples=["a\n"], stepwise=True)
    assert written.code == good + end
    assert "Mend step 2" in model.asked[-1][0] and "ZeroDivisionError" in model.asked[-1][1].rejected


def test_the_step_at_fault_is_named(worker: Worker) -> None:
    model = Scripted({"steps": STEPS, "tests": TESTS}, {"code": "def make(text):\n    return text[99]\n"})
    written = write(model, "capitals", worker, examples=EXAMPLES, stepwise=True)
    assert written.code == "" and "Step 1 (read the lines)" in written.reason and "IndexError" in written.reason


@pytest.mark.parametrize("answer", ["not json", "[]", {"code": 1}, None, RuntimeError("no endpoint"), "x" * 10])
def test_no_usable_answer(answer: object, worker: Worker) -> None:
    for stepwise in (False, True):
        written = write(Scripted(answer), "capitals", worker, examples=EXAMPLES, stepwise=stepwise)
        assert written.code == "" and written.reason


def test_too_many_steps(worker: Worker) -> None:
    model = Scripted({"steps": ["a"] * 9, "tests": []})
    assert "3 to 5" in write(model, "x", worker, examples=EXAMPLES, stepwise=True).reason


def test_a_kept_tool_has_its_effect_learned(tmp_path: Path) -> None:
    with Store.open(tmp_path / "store") as store:
        made = write_tool(store, "loud", Scripted(at_once(GOOD)), "capitals", examples=EXAMPLES, samples=["one\ntwo\n"])
        assert made.status == "made" and made.tests[0] == made.tests[1]
        tool = Registry.of(store).get("loud")
        assert tool.writer == "scripted" and tool.is_intact and tool.tried == tool.right
        with pytest.raises(BadName):
            write_tool(store, "loud", Scripted(at_once(GOOD)), "capitals")


def test_what_no_term_says_is_simulated(tmp_path: Path, worker: Worker) -> None:
    odd = "import hashlib\ndef make(text):\n    return hashlib.md5(text.encode()).hexdigest() + '\\n'\n"
    answer = {"code": odd, "tests": []}
    with Store.open(tmp_path / "store") as store:
        made = write_tool(store, "md5", Scripted(answer), "its MD5 sum", samples=["a\n", "b\nc\n"])
        assert made.status == "made" and made.term is None
        registry = Registry.of(store)
        tool = registry.get("md5")
        assert tool.is_simulated and tool.right == tool.tried
        file = registry.path("md5")
        file.write_text(file.read_text().replace("md5(", "sha1("))
        assert not registry.get("md5").is_intact
        assert not making.tested_again(registry, registry.get("md5"), worker).failed
        assert registry.get("md5").is_intact and registry.get("md5").writer == "edited"


def test_nothing_is_kept_against_somebodys_will(tmp_path: Path) -> None:
    shown: list[str] = []

    def ask(made: Any) -> bool:
        shown.append(made.source)
        return False

    with Store.open(tmp_path / "store") as store:
        made = write_tool(store, "loud", Scripted(at_once(GOOD)), "capitals", examples=EXAMPLES, ask=ask)
        assert made.status == "failed" and "text.upper()" in shown[0] and Registry.of(store).all() == ()


def test_an_unrepeatable_tool_is_not_kept(tmp_path: Path) -> None:
    code = "import random\ndef make(text):\n    return str(random.random()) + '\\n'\n"
    with Store.open(tmp_path / "store") as store:
        made = write_tool(store, "chance", Scripted({"code": code, "tests": []}), "any number", samples=["a\n"])
        assert made.status == "failed" and "twice" in made.reason
