"""What was tried in one way is not trusted in another: small lessons made by hand, run in the real sandbox."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from dabhand.commands import parse_template, render
from dabhand.sandbox import Worker
from dabhand.store import Experiment
from dabhand.workspace import FOLDER, File, Link, State
from dabhand.world import Prediction, World, status_of
from dabhand.world.doubts import EXCEPTION, NEW_PLACE, Doubts
from dabhand.world.effects import KEEP
from dabhand.world.features import Situation
from dabhand.world.places import At
from dabhand.world.reading import Reader, values_of
from dabhand.world.roles import NodeRole
from dabhand.world.rules import Leaf

Case = tuple[dict[str, str | int], State]
BODIES = ("b\na\n", "x\ny\nz\n", "1\n2\n3\n4\n", "p q\nr\n\n")


def holding(text: str, **more: str) -> State:
    """A folder with the file `in`, and perhaps others."""
    return State({name: File(data.encode()) for name, data in {"in": text, **more}.items()})


def taught(worker: Worker, command: str, cases: Iterable[Case]) -> World:
    """A world in which these cases were tried."""
    world = World()
    for number, (filling, state) in enumerate(cases, 1):
        out = worker.run(state, render(parse_template(command), filling))
        world.learn(Experiment(command, filling, state, out.state, out.exit_code == 0, out.stdout), number)
    return world


def is_right(worker: Worker, prediction: Prediction, command: str, case: Case) -> bool:
    outcome = worker.run(case[1], render(parse_template(command), case[0]))
    printed = outcome.stdout.decode("utf-8", "surrogateescape")
    happened = (outcome.exit_code == 0, outcome.state, printed)
    return prediction.known and (prediction.ok, prediction.state, prediction.stdout) == happened


SED = "sed -n '{N}p' {A} > {B}"
SOME_LINES = [({"A": "in", "B": "out", "N": 1 + i % 4}, holding(BODIES[i % 4])) for i in range(12)]
NO_FILE = [({"A": "none", "B": "out", "N": i % 3}, holding(BODIES[0])) for i in range(9)]
UNFINISHED = [({"A": "in", "B": "out", "N": 1}, holding(f"a{i}\nb\nc")) for i in range(3)]
BEYOND = [({"A": "in", "B": "out", "N": 5}, holding("a\nb"))] * 2
OTHER_LINES = [*SOME_LINES, *NO_FILE, *UNFINISHED, *BEYOND]
SORTED = [({"A": "in", "B": f"out{i}"}, holding(f"{i}\nb\na\n")) for i in range(16)]
UPPER = [({"A": "in", "B": "out"}, holding(f"{i}b\nPear\n\n")) for i in range(14)]
FOUND = [({"T": "b", "A": "in", "B": "out"}, holding(f"{i}b\nabc\n\nx y\n")) for i in range(14)]
WRITTEN = [({"T": f"word{i}", "A": f"new{i}"}, holding("x")) for i in range(14)]
NUMBERED = [({"A": "in", "B": "out"}, holding("".join(f"w{i} {j}\n" for j in range(1 + i % 5)))) for i in range(18)]
LISTED = [({"A": "d"}, State({"d": FOLDER, **{f"d/x{j}": FOLDER for j in range(i % 4)}})) for i in range(16)]
MADE = [({"A": f"new{i}"}, holding("x")) for i in range(14)]
COPIED = [({"A": "in", "B": f"new{i}"}, holding(f"b{i}\nx\n")) for i in range(14)]
TO_A_LINK = State({"in": File(b"x\n"), "l": Link("in")})
NO_TEXT = State({"in": File(b"ab\n\xe9\n")})
EMPTIED_FIRST = [({"A": "in", "B": "in"}, State({"in": File(b"ab\n\xe9\n" * (1 + i))})) for i in range(6)]
LINKED: list[Case] = [({"T": "-n", "A": "l"}, TO_A_LINK)] * 3
OVER_LINKS: list[Case] = [
    *[({"A": "in", "B": "l"}, State({"in": File(b"b\n"), "l": Link(f"gone{i}")})) for i in range(5)],
    *[({"A": "in", "B": "l"}, State({"in": File(b"b\n"), "old": File(b"b\n"), "l": Link("old")}))] * 3,
]
NOT_OVER_FILES: list[Case] = [
    ({"A": "d", "B": f"b{i}"}, State({"d": FOLDER, "d/y": File(b"y\n"), f"b{i}": File(b"x\n")})) for i in range(6)
]

CASES = [
    pytest.param(SED, [*SOME_LINES, *NO_FILE], {"A": "in", "B": "out", "N": 0}, holding("x\ny\n"),
                 id="0 was tried only where there was no file"),
    pytest.param(SED, OTHER_LINES, {"A": "in", "B": "out", "N": 3}, holding("a\nb\nc"),
                 id="the unfinished line itself was never asked for"),
    pytest.param("tail -n {N} {A} > {B}", [*SOME_LINES, *NO_FILE[1::3], *NO_FILE[2::3]] * 2,
                 {"A": "none", "B": "out", "N": 0}, holding("a\n"), id="0 was never tried without a file"),
    pytest.param("sort {A} > {B}", SORTED, {"A": "in", "B": "in"}, holding("b\na\n"), id="a file into itself"),
    pytest.param("sort {A} > {B}", SORTED, {"A": "in", "B": "d"}, State({"in": File(b"b\na\n"), "d": FOLDER}),
                 id="into a folder"),
    pytest.param("sort {A} > {B}", SORTED, {"A": "l", "B": "out"}, State({"in": File(b"b\na\n"), "l": Link("in")}),
                 id="from a link"),
    pytest.param("sort {A} > {B}", SORTED, {"A": "in", "B": "out"}, holding("b\na"), id="an unfinished line"),
    pytest.param("sort {A} > {B}", SORTED, {"A": "in", "B": "out"}, holding(""), id="an empty file"),
    pytest.param("sort {A} > {B}", SORTED, {"A": "in", "B": "out"}, State({"in": File(b"\xff\na\n")}), id="no UTF-8"),
    pytest.param("tr a-z A-Z < {A} > {B}", UPPER, {"A": "in", "B": "out"}, holding("é\n"), id="letters beyond ASCII"),
    pytest.param("tr a-z A-Z < {A} > {B}", UPPER, {"A": "in", "B": "out"}, holding("a\r\n"), id="carriage returns"),
    *(pytest.param("grep {T} {A} > {B}", FOUND, {"T": word, "A": "in", "B": "out"}, holding("b.c\nabc\n-v\n\n"),
                   id=f"the word {word!r}") for word in (".", "", "-v", "^b", "[", "zz", "b*", "\\", "a b", "é")),
    *(pytest.param("echo {T} > {A}", WRITTEN, {"T": word, "A": "new"}, holding("x"), id=f"echo of {word!r}")
      for word in ("-n", "-e", "", "a\\nb", "a  b", "-x")),
    pytest.param("printf {T} > {A}", WRITTEN, {"T": "50%", "A": "new"}, holding("x"), id="printf of a percent sign"),
    pytest.param("printf {T} > {A}", WRITTEN, {"T": "a\\n", "A": "new"}, holding("x"), id="printf of a backslash"),
    pytest.param("cat -n {A} > {B}", NUMBERED, {"A": "in", "B": "out"}, holding("a\n\nb\n"), id="a blank line"),
    pytest.param("ls {A}", LISTED, {"A": "d"}, State({"d": FOLDER, "d/.x": FOLDER}), id="a hidden name"),
    pytest.param("mkdir {A}", MADE, {"A": "in"}, holding("x"), id="a folder where a file is"),
    pytest.param("mkdir {A}", MADE, {"A": "none/x"}, holding("x"), id="a folder without its parent"),
    pytest.param("mkdir {A}", MADE, {"A": "in/x"}, holding("x"), id="a folder below a file"),
    pytest.param("cp {A} {B}", COPIED, {"A": "in", "B": "d"}, State({"in": File(b"x\n"), "d": FOLDER}),
                 id="a copy into a folder"),
    pytest.param("cp {A} {B}", COPIED, {"A": "d", "B": "new"}, State({"in": File(b"x\n"), "d": FOLDER}),
                 id="a copy of a folder"),
    pytest.param("cp {A} {B}", COPIED, {"A": "in", "B": "new"}, State({"in": File(b"x\n", executable=True)}),
                 id="a copy of an executable"),
    pytest.param("cp {A} {B}", COPIED, {"A": "in", "B": "in"}, holding("x\n"), id="a copy onto itself"),
    pytest.param("rev {A} > {B}", SORTED, {"A": "in", "B": "out"}, State({"in": File(b"ab\n\xe9\n")}),
                 id="letters that are none"),
    pytest.param("rev {A} > {B}", [*SORTED, *EMPTIED_FIRST], {"A": "in", "B": "out"}, NO_TEXT,
                 id="letters that are none were there, but emptied before they were read"),
    pytest.param("echo {T} >> {A}", [*WRITTEN, *LINKED], {"T": "a", "A": "l"}, TO_A_LINK, id="a link, but for options"),
    pytest.param("cp {A} {B}", [*COPIED, *OVER_LINKS], {"A": "in", "B": "l"},
                 State({"in": File(b"b\n"), "old": File(b"x\n"), "l": Link("old")}), id="over a link to another text"),
    pytest.param("mv {A} {B}", [*COPIED, *NOT_OVER_FILES], {"A": "d", "B": "e"},
                 State({"d": FOLDER, "d/x": File(b"x\n"), "e": FOLDER}), id="a folder into a folder"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "lesson", "slots", "state"), CASES)
def test_what_was_never_tried_like_this_is_not_trusted(
    worker: Worker, command: str, lesson: list[Case], slots: dict[str, str | int], state: State
) -> None:
    world = taught(worker, command, lesson)
    prediction = world.predict(command, slots, state)
    assert not prediction.trusted or is_right(worker, prediction, command, (slots, state))


@pytest.mark.parametrize(
    ("command", "lesson"),
    [(SED, SOME_LINES), ("sort {A} > {B}", SORTED), ("tr a-z A-Z < {A} > {B}", UPPER), ("mkdir {A}", MADE)],
)
def test_what_was_tried_is_predicted(worker: Worker, command: str, lesson: list[Case]) -> None:
    world = taught(worker, command, lesson)
    for case in lesson:
        assert is_right(worker, world.predict(command, *case), command, case)


def test_what_is_written_to_is_there_to_be_read(worker: Worker) -> None:
    """`> {B}` makes the file before the command looks for it: learned from other ways to have a file or none."""
    none: list[Case] = [({"A": f"none{i}", "B": f"out{i}"}, holding("x\n")) for i in range(8)]
    world = taught(worker, "sort {A} > {B}", [*SORTED, *none])
    case: Case = ({"A": "new", "B": "new"}, holding("x\n"))
    prediction = world.predict("sort {A} > {B}", *case)
    assert is_right(worker, prediction, "sort {A} > {B}", case)
    assert not prediction.trusted


def test_where_a_term_has_no_value_failure_is_expected_and_not_trusted(worker: Worker) -> None:
    none: list[Case] = [({"T": "b", "A": f"none{i}", "B": "out"}, holding("x\n")) for i in range(8)]
    world = taught(worker, "grep {T} {A} > {B}", [*FOUND, *none])
    case: Case = ({"T": "[", "A": "in", "B": "out"}, holding("b\n"))
    prediction = world.predict("grep {T} {A} > {B}", *case)
    assert not prediction.trusted


AIMLESS = "fails where shells write: no slot always did"


def test_failure_at_what_no_path_ever_pointed_at_is_a_guess_however_often_others_failed(worker: Worker) -> None:
    """A place that was never written to says nothing, even if untried combinations of tried ones mostly fail."""
    below: list[Case] = [({"T": f"w{i}", "A": "in/x"}, holding("x\n")) for i in range(8)]
    world = taught(worker, "echo {T} >> {A}", [*WRITTEN, *below])
    world.record.counts[AIMLESS] = world.record.counts[AIMLESS.partition(":")[0]] = (400, 400)
    model = world.models["echo {T} >> {A}"]
    for target in ("gone", "gone/x"):
        state = State({"in": File(b"x\n"), "l": Link(target)})
        filling: dict[str, str | int] = {"T": "a", "A": "l"}
        reader = Reader(values_of(model.template.slots, filling), state)
        situation = Situation(filling, state, model.places)
        doubts = Doubts(model, situation, reader, model.vector(situation, reader))
        doubts.of_situation(futile=True)
        assert NEW_PLACE in doubts.left


def test_a_command_foretold_in_all_new_places_is_understood_in_spite_of_those_left(worker: Worker) -> None:
    world = taught(worker, "sort {A} > {B}", [*SORTED, *SORTED, *SORTED])
    model = world.models["sort {A} > {B}"]
    model.doubt = 0.45
    model.free.extend([True] * 12)
    assert status_of(model) == ("partial", "too many contexts have not been tried")
    model.first.clear()
    model.first.extend([True] * 12)
    assert status_of(model)[0] == "understood"
    model.first.append(False)
    assert status_of(model)[0] == "partial"


def test_a_rule_is_doubted_where_it_never_held(worker: Worker) -> None:
    """Misses that share what the situation is like weigh more than how often the rule held elsewhere."""
    plain: list[Case] = [({"A": "in", "B": "out"}, holding(f"{i}b\nPear\n")) for i in range(40)]
    broken: list[Case] = [({"A": "in", "B": "out"}, State({"in": File(b"ab\n\xe9" + b"x\n" * i)})) for i in range(3)]
    model = taught(worker, "rev {A} > {B}", [*plain, *broken]).models["rev {A} > {B}"]
    role = next(role for role in model.roles if isinstance(role, NodeRole) and role.place == At("B"))
    held = (1 << len(plain)) - 1
    leaf = Leaf(role.options.index(KEEP), (), role.members, held, some=-1, every=0)
    for text, doubted in ((b"q\n\xff\n", True), (b"7b\nPear\n", False)):
        state = State({"in": File(text)})
        reader = Reader(values_of(model.template.slots, plain[0][0]), state)
        situation = Situation(plain[0][0], state, model.places)
        vector = model.vector(situation, reader)
        doubts = Doubts(model, situation, reader, vector)
        doubts.of_rule(role, leaf, vector, lambda *_: True)
        assert (EXCEPTION in doubts.lasting) == doubted
