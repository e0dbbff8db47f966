"""Practice in the real sandbox: what a few commands are believed to do after a few hundred experiments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
import pytest

from dabhand.commands import parse_template, render
from dabhand.practice import practise
from dabhand.sandbox import Worker, open_worker
from dabhand.store import Store
from dabhand.workspace import FOLDER, File, Link, State
from dabhand.world import TRUSTED, Prediction, World
from tests.practice.lessons import Lesson, practised, verdicts

BOX = State(
    {"in.txt": File(b"pear\nfig\n"), "old": File(b"old\n"), "d": FOLDER, "full": FOLDER, "full/in.txt": File(b"x\n")}
)


@pytest.fixture(scope="module")
def world(lesson: Lesson) -> World:
    return lesson.world()


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with open_worker() as opened:
        yield opened


def expected(world: World, command: str, state: State, **slots: str | int) -> Prediction:
    prediction = world.predict(command, slots, state)
    assert prediction.known, prediction.reason
    return prediction


def assert_as_it_happens(worker: Worker, prediction: Prediction, command: str, slots: Mapping[str, str | int]) -> None:
    outcome = worker.run(BOX, render(parse_template(command), slots))
    assert prediction.ok == (outcome.exit_code == 0)
    assert prediction.state == outcome.state
    assert prediction.stdout == outcome.stdout.decode("utf-8", "surrogateescape")


# what is believed ----------------------------------------------------------------------------------------------------


def test_cp_writes_into_a_folder_and_over_a_file(world: World) -> None:
    into = expected(world, "cp {A} {B}", BOX, A="in.txt", B="d")
    assert into.ok
    assert into.state == BOX.with_changes({"d/in.txt": File(b"pear\nfig\n")})
    over = expected(world, "cp {A} {B}", BOX, A="in.txt", B="old")
    assert over.state == BOX.with_changes({"old": File(b"pear\nfig\n")})
    new = expected(world, "cp {A} {B}", BOX, A="in.txt", B="new")
    assert new.state == BOX.with_changes({"new": File(b"pear\nfig\n")})


def test_cp_comes_out_as_rules_for_a_folder_and_for_none(lesson: Lesson) -> None:
    effects = lesson.command("cp {A} {B}").effects
    inside = [effect for effect in effects if "B/name of A" in effect.effect]
    beside = [effect for effect in effects if effect.effect.startswith(("B holds", "B is a copy"))]
    assert any("B is a folder" in effect.context for effect in inside)
    assert any("B is no folder" in effect.context for effect in beside)


@pytest.mark.parametrize("taken", ["in.txt", "d", "full"])
def test_mkdir_fails_when_the_path_exists(world: World, taken: str) -> None:
    prediction = expected(world, "mkdir {A}", BOX, A=taken)
    assert (prediction.ok, prediction.state, prediction.stdout) == (False, BOX, "")


@pytest.mark.parametrize("free", ["new", "d/new"])
def test_mkdir_makes_a_folder_where_nothing_is(world: World, free: str) -> None:
    prediction = expected(world, "mkdir {A}", BOX, A=free)
    assert prediction.ok and prediction.state == BOX.with_changes({free: FOLDER})
    assert not expected(world, "mkdir {A}", BOX, A="none/new").ok


def test_cat_is_understood_by_what_it_prints(lesson: Lesson, world: World) -> None:
    report = lesson.command("cat {A}")
    assert report.status in ("understood", "partial"), report.reason
    assert any("prints text(A)" in effect.effect for effect in report.effects)
    prediction = expected(world, "cat {A}", BOX, A="in.txt")
    assert (prediction.ok, prediction.stdout, prediction.state) == (True, "pear\nfig\n", BOX)


def test_sort_of_a_file_into_itself_leaves_it_empty(world: World) -> None:
    prediction = world.predict("sort {A} > {B}", {"A": "in.txt", "B": "in.txt"}, BOX)
    assert prediction.state == BOX.with_changes({"in.txt": File(b"")}) or not prediction.trusted
    sorted_file = expected(world, "sort {A} > {B}", BOX, A="in.txt", B="new")
    assert sorted_file.state == BOX.with_changes({"new": File(b"fig\npear\n")})


WORDS = (".", "*", "[", "^f", "g$", "p.*r", "\\", "-v", "-c", "-", "", "a\\|f", "&", "/", "[ef]")


@pytest.mark.parametrize("word", WORDS)
def test_grep_is_not_believed_to_be_literal(world: World, worker: Worker, word: str) -> None:
    slots = {"T": word, "A": "in.txt", "B": "new"}
    prediction = world.predict("grep {T} {A} > {B}", slots, BOX)
    if prediction.trusted:
        assert_as_it_happens(worker, prediction, "grep {T} {A} > {B}", slots)


@pytest.mark.parametrize("old", [".", "^", "e*", "[ae]", "i", "\\", "zz", "$"])
@pytest.mark.parametrize("new", ["X", "&", "\\&", "/", "", "\\1"])
def test_sed_is_not_believed_to_be_literal(world: World, worker: Worker, old: str, new: str) -> None:
    slots = {"T": old, "U": new, "A": "in.txt"}
    prediction = world.predict("sed -i 's/{T}/{U}/g' {A}", slots, BOX)
    if prediction.trusted:
        assert_as_it_happens(worker, prediction, "sed -i 's/{T}/{U}/g' {A}", slots)


def test_nothing_trusted_is_wrong(lesson: Lesson, world: World) -> None:
    found = verdicts(world, [report.command for report in lesson.report.commands], 300, seed=1)
    wrong = [one for one in found if one.trusted and not one.exact]
    assert [(one.truth["line"], one.truth["state"], one.differs) for one in wrong] == []
    assert sum(one.exact for one in found) >= 240
    assert sum(one.trusted for one in found) >= 60


# what cannot be understood -------------------------------------------------------------------------------------------


def test_what_differs_each_time_is_unrepeatable(odd_lesson: Lesson) -> None:
    report = odd_lesson.command("shuf {A} > {B}")
    assert report.status == "unrepeatable"
    assert report.reason


@pytest.mark.parametrize("command", ["date > {A}", "date +%N > {A}"])
def test_what_differs_with_time_is_unrepeatable(odd_lesson: Lesson, command: str) -> None:
    """Even where it shows only after a second."""
    report = odd_lesson.command(command)
    assert report.status == "unrepeatable"
    assert report.reason


def test_what_no_term_says_is_opaque_and_what_is_known_of_it_is_said(odd_lesson: Lesson) -> None:
    report = odd_lesson.command("md5sum {A} > {B}")
    assert report.status == "opaque"
    assert any("B changes in a way no term says" in effect.effect for effect in report.effects)
    assert any(effect.effect.startswith("fails") for effect in report.effects)


def test_what_never_succeeds_is_failing(tmp_path: Path) -> None:
    report = practised(tmp_path, ["false {A}"], experiments=24, seed=2).command("false {A}")
    assert report.status == "failing"
    assert [effect.effect.partition(",")[0] for effect in report.effects] == ["fails"]


@pytest.mark.parametrize("tries", [6, 9, 11])
def test_what_never_succeeded_is_not_understood(tmp_path: Path, tries: int) -> None:
    report = practised(tmp_path, ["false {A}"], experiments=tries, seed=2).command("false {A}")
    assert report.status in ("failing", "partial"), report.support


def test_nothing_trusted_is_wrong_where_nothing_is_understood(odd_lesson: Lesson) -> None:
    world = odd_lesson.world()
    for one in verdicts(world, ["date > {A}", "shuf {A} > {B}", "false {A}"], 150, seed=2):
        assert one.exact or not one.trusted, (one.truth["line"], one.truth["state"], one.differs)


def test_a_command_nobody_tried_is_unknown(world: World) -> None:
    prediction = world.predict("tac {A} > {B}", {"A": "in.txt", "B": "new"}, BOX)
    assert not prediction.known and not prediction.trusted and prediction.state is None
    assert prediction.reason == "this command was never tried"


# the report and the store --------------------------------------------------------------------------------------------


def test_the_report_counts_what_happened(lesson: Lesson) -> None:
    tried = Counter(one.template for one in lesson.experiments())
    assert lesson.report.experiments == sum(tried.values()) == len(lesson.events) == 300
    assert {command.command: command.experiments for command in lesson.report.commands} == tried
    assert lesson.report.surprises == sum(event.surprise for event in lesson.events)
    assert lesson.report.understood == sum(command.status == "understood" for command in lesson.report.commands)
    assert [event.number for event in lesson.events] == list(range(1, 301))
    assert not lesson.report.interrupted and lesson.report.tier
    for command in lesson.report.commands:
        right, asked = command.support
        assert 0 <= right <= asked <= command.experiments
        assert sum(effect.support[1] for effect in command.effects) == command.experiments
        for effect in command.effects:
            assert 0 <= effect.support[0] <= effect.support[1] > 0
            assert (effect.rival is None) == (effect.rival_support is None)
            assert effect.rival_support is None or effect.rival_support[0] <= effect.rival_support[1]


def test_events_say_what_was_expected_and_what_came(lesson: Lesson) -> None:
    for event in lesson.events:
        assert event.line == render(parse_template(event.command), event.slots)
        assert event.observed and event.predicted
        assert event.known or not event.surprise
        if not event.known:
            assert event.predicted.startswith("I don't know")
    assert any(event.surprise for event in lesson.events)


def test_experiments_are_what_really_happens(lesson: Lesson, worker: Worker) -> None:
    for one in lesson.experiments()[::10]:
        outcome = worker.run(one.before, render(parse_template(one.template), one.slots))
        assert (outcome.state, outcome.stdout, outcome.exit_code) == (one.after, one.stdout, one.exit_code)
        assert one.ok == (one.exit_code == 0) and one.origin in ("practice", "free", "repeat")


AGAIN = ("mkdir {A}", "mv {A} {B}", "uniq {A} > {B}")


def test_the_same_seed_does_the_same(tmp_path: Path) -> None:
    """The same experiments, the same surprises, the same beliefs: all but the times."""
    first = practised(tmp_path / "1", AGAIN, experiments=70, seed=5)
    second = practised(tmp_path / "2", AGAIN, experiments=70, seed=5)
    other = practised(tmp_path / "3", AGAIN, experiments=70, seed=6)

    def timeless(lesson: Lesson) -> object:
        report = msgspec.structs.replace(lesson.report, seconds=0.0, sandbox_seconds=0.0)
        return report, [msgspec.structs.replace(event, rate=0.0) for event in lesson.events]

    def tried(lesson: Lesson) -> object:
        return [msgspec.structs.replace(one, time=0.0, seed=0) for one in lesson.experiments()]

    assert tried(first) == tried(second) != tried(other)
    assert timeless(first) == timeless(second)


def test_practice_goes_on_where_it_stopped(tmp_path: Path) -> None:
    first = practised(tmp_path, AGAIN[:2], experiments=60, seed=5)
    second = practised(tmp_path, AGAIN, experiments=60, seed=5)
    tried = second.experiments()
    assert len(tried) == 120
    assert [one.id for one in tried] == sorted({one.id for one in tried})
    assert tried[:60] == [one for one in tried if one.id <= tried[59].id]
    assert {(one.template, str(one.slots), one.before) for one in tried[:60]} != {
        (one.template, str(one.slots), one.before) for one in tried[60:]
    }, "other experiments than the first time"
    before = {command.command: command.experiments for command in first.report.commands}
    after = {command.command: command.experiments for command in second.report.commands}
    assert after["mkdir {A}"] >= before["mkdir {A}"] and after["uniq {A} > {B}"] > 0
    assert sum(after.values()) == 120 and second.report.experiments == 60


def test_practising_something_else_keeps_what_was_learned(tmp_path: Path) -> None:
    practised(tmp_path, ["mkdir {A}"], experiments=40, seed=5)
    state = State({"f": File(b"x"), "d": FOLDER})
    practised(tmp_path, ["cat {A}"], experiments=20, seed=5)
    with Store.open(tmp_path) as store:
        world = World.load(store)
        assert expected(world, "mkdir {A}", state, A="new").state == state.with_changes({"new": FOLDER})
        assert len(world.models) == 2


@pytest.mark.parametrize(
    ("command", "slots", "after"),
    [
        ("cp {A} {A}.bak", {"A": "in.txt"}, {"in.txt.bak": File(b"pear\nfig\n")}),
        ("ln -s {A} {B}", {"A": "in.txt", "B": "new"}, {"new": Link("in.txt")}),
        ('echo "{T}" > out; cat {A} >> out', {"A": "in.txt", "T": "hi"}, {"out": File(b"hi\npear\nfig\n")}),
        ("mkdir {A} {B}", {"A": "new", "B": "newer"}, {"new": FOLDER, "newer": FOLDER}),
        ("cat {A} | sort > {B}", {"A": "in.txt", "B": "new"}, {"new": File(b"fig\npear\n")}),
    ],
)
def test_templates_of_one_s_own(tmp_path: Path, command: str, slots: dict[str, str], after: dict[str, object]) -> None:
    lesson = practised(tmp_path, [command], experiments=60, seed=1)
    report = lesson.command(command)
    assert report.status in ("understood", "partial", "opaque"), report
    prediction = lesson.world().predict(command, slots, BOX)
    changed = BOX.with_changes(after)  # type: ignore[arg-type]
    assert prediction.state == changed or not prediction.trusted
    assert prediction.state == changed, prediction.reason


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_until_understood_stops_by_itself_when_it_is(tmp_path: Path, seed: int) -> None:
    templates = [parse_template("cat {A}"), parse_template("rmdir {A}")]
    with Store.open(tmp_path) as store:
        report = practise(store, templates, until_understood=True, seed=seed)
    assert 20 < report.experiments < 400
    assert [command.status for command in report.commands] == ["understood", "understood"]


def test_trust_needs_confidence(lesson: Lesson, world: World) -> None:
    for one in lesson.experiments()[-80:]:
        prediction = world.predict(one.template, one.slots, one.before)
        assert 0.0 <= prediction.confidence <= 1.0
        assert not prediction.trusted or (prediction.known and prediction.confidence >= TRUSTED)
        assert prediction.trusted or prediction.reason or prediction.confidence < TRUSTED
