"""Predictions of anything at all: never an error, never a folder that cannot be."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dabhand.commands import parse_template
from dabhand.practice import practise, random_scene
from dabhand.sandbox import Worker
from dabhand.store import Experiment, Store
from dabhand.workspace import FOLDER, File, Folder, Link, State
from dabhand.world import TRUSTED, Prediction, World, expected_sentence, report_on
from dabhand.world.prediction import lower_bound
from tests.workspace.folders import NAMES, states

PATHS = ("cp -r {A} {B}", "mv {A} {B}", "mkdir -p {A}", "rm -r {A}", "touch {A}", "cat {A} {B} > {C}", "cp {A} {A}.bak")
WORDS = ("grep {T} {A} > {B}", "sed -i 's/{T}/{U}/g' {A}", "head -n {N} {A}", "printf '%s' {T} > {A}")
SMALL = State({"a": FOLDER, "a/b": File(b"x\n"), "b": Link("a"), "c.txt": File(b"1\n2\n"), "-x": Link("gone/x")})


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    with Store.open(tmp_path_factory.mktemp("store")) as store:
        practise(store, [parse_template(text) for text in (*PATHS, *WORDS)], experiments=320, seed=7)
        world = World.load(store)
        assert all(len(model.past) for model in world.models.values())
        return world


def assert_sound(prediction: Prediction, before: State) -> None:
    """What every prediction keeps to."""
    assert 0.0 <= prediction.confidence <= 1.0
    assert not prediction.trusted or (prediction.known and prediction.confidence >= TRUSTED)
    assert expected_sentence(before, prediction)
    if not prediction.known:
        assert prediction.state is None and prediction.reason
        return
    assert prediction.state is not None
    assert prediction.state == State(dict(prediction.state)), "it is a folder"
    assert list(prediction.state) == sorted(prediction.state)
    assert State.from_json(prediction.state.to_json()) == prediction.state
    for path in prediction.state:
        above = path.rpartition("/")[0]
        assert not above or isinstance(prediction.state[above], Folder)
    prediction.stdout.encode("utf-8", "surrogateescape")


odd_paths = st.sampled_from(
    [
        "",
        ".",
        "..",
        "/",
        "//",
        "./",
        "a/",
        "a//b",
        "./a",
        "a/..",
        "a/../..",
        "/etc/passwd",
        "../x",
        "-x/",
        "b/.",
        "~",
        "*",
    ]
)
paths = odd_paths | st.lists(st.sampled_from([*NAMES, "..", "."]), min_size=1, max_size=4).map("/".join)
words = st.text(max_size=6) | st.sampled_from(
    ["", "-", "--", "\\", "[", "\\(", "\\1", "&", "/", "a" * 300, "\udcff", "*" * 40]
)
numbers = st.integers(-3, 12) | st.sampled_from([10**9, 2**31, 2**63, 2**64, 10**30, -(10**30)])


def assert_sound_and_repeatable(world: World, command: str, state: State, **slots: str) -> None:
    prediction = world.predict(command, slots, state)
    assert_sound(prediction, state)
    assert prediction == world.predict(command, slots, state), "asking changes nothing"


@settings(max_examples=150)
@example("cp -r {A} {B}", SMALL, "a", "a/b/c", "")
@example("cp -r {A} {B}", SMALL, "a", "a/new", "x")
@example("mv {A} {B}", SMALL, "a", "a/new", "x")
@example("mv {A} {B}", SMALL, "a", "b", "x")
@example("cp {A} {A}.bak", SMALL, "a/", "x", "x")
@given(st.sampled_from(PATHS), states(), paths, paths, paths)
def test_whatever_the_paths(world: World, command: str, state: State, a: str, b: str, c: str) -> None:
    assert_sound_and_repeatable(world, command, state, A=a, B=b, C=c)


@pytest.mark.parametrize("root", [".", "", "./", "a/..", "b/.."])
def test_the_root_among_the_paths(world: World, root: str) -> None:
    for command in PATHS:
        for other in ("a", "a/b", "c.txt", "new", "none/x", root):
            assert_sound_and_repeatable(world, command, SMALL, A=root, B=other, C=other)
            assert_sound_and_repeatable(world, command, SMALL, A=other, B=root, C=root)


@settings(max_examples=150)
@example("grep {T} {A} > {B}", "\\(" * 60, "", -1, "c.txt")
@example("head -n {N} {A}", "", "", 2**64, "c.txt")
@example("sed -i 's/{T}/{U}/g' {A}", "", "x", 0, "c.txt")
@example("sed -i 's/{T}/{U}/g' {A}", "*", "\\1", 0, "c.txt")
@given(st.sampled_from(WORDS), words, words, numbers, paths)
def test_whatever_the_words_and_numbers(world: World, command: str, t: str, u: str, n: int, a: str) -> None:
    prediction = world.predict(command, {"A": a, "B": "new", "T": t, "U": u, "N": n}, SMALL)
    assert_sound(prediction, SMALL)


@settings(max_examples=60)
@given(st.sampled_from((*PATHS, *WORDS)), st.binary(max_size=200), st.integers(0, 5), st.sampled_from(["f", "g", "l"]))
def test_whatever_the_bytes(world: World, command: str, data: bytes, n: int, b: str) -> None:
    state = State({"f": File(data), "l": Link("f"), "d": FOLDER})
    prediction = world.predict(command, {"A": "f", "B": b, "C": "out", "T": "a", "U": "b", "N": n}, state)
    assert_sound(prediction, state)


def test_a_large_folder_and_a_long_file(world: World) -> None:
    many = State({f"f{number}": File(b"x\n" * (number % 7)) for number in range(2000)})
    long = State({"f": File(b"pear\nfig\n" * 50_000)})
    for command in (*PATHS, *WORDS):
        for state, a in ((many, "f1"), (long, "f")):
            slots = {"A": a, "B": "new", "C": "newer", "T": "pear", "U": "x", "N": 3}
            assert_sound(world.predict(command, slots, state), state)


def test_what_the_way_of_writing_a_path_cannot_change(world: World) -> None:
    """`./x` and `x` are one place."""
    for command in PATHS:
        plain = world.predict(command, {"A": "c.txt", "B": "new", "C": "newer"}, SMALL)
        dotted = world.predict(command, {"A": "./c.txt", "B": "./new", "C": "a/../newer"}, SMALL)
        assert (plain.known, plain.ok, plain.state) == (dotted.known, dotted.ok, dotted.state)


def test_outside_nothing_is_trusted(world: World) -> None:
    for command in PATHS:
        for path in ("/etc/passwd", "..", "../x", "a/../../x"):
            assert not world.predict(command, {"A": path, "B": "new", "C": "newer"}, SMALL).trusted
            assert (
                not world.predict(command, {"A": "c.txt", "B": path, "C": path}, SMALL).trusted or "{B}" not in command
            )


def test_the_report_of_every_command_can_be_said(world: World) -> None:
    for model in world.models.values():
        report = report_on(model)
        assert report.experiments == len(model.vectors)
        assert report.effects and all(effect.context and effect.effect for effect in report.effects)


# without practice: experiments made by hand -------------------------------------------------------------------------


def tried(worker: Worker, command: str, filling: dict[str, str | int], state: State) -> Experiment:
    from dabhand.commands import render

    outcome = worker.run(state, render(parse_template(command), filling))
    return Experiment(command, filling, state, outcome.state, outcome.exit_code == 0, outcome.stdout, outcome.exit_code)


def taught(worker: Worker, command: str, *cases: tuple[dict[str, str | int], State]) -> World:
    world = World()
    for number, (filling, state) in enumerate(cases):
        world.learn(tried(worker, command, filling, state), number)
    return world


def test_one_experiment_is_never_enough_to_trust(worker: Worker) -> None:
    for command in ("mkdir {A}", "cat {A}", "rm {A}"):
        world = taught(worker, command, ({"A": "c.txt" if command != "mkdir {A}" else "new"}, SMALL))
        assert not world.predict(command, {"A": "c.txt"}, SMALL).trusted
        assert not world.predict(command, {"A": "other"}, SMALL).trusted


def test_a_kind_of_place_never_tried_is_not_trusted(worker: Worker) -> None:
    scenes = [random_scene(Random(seed)).with_changes({"in": File(b"%d\nb\na\n" % seed)}) for seed in range(20)]
    world = taught(worker, "sort {A} > {B}", *(({"A": "in", "B": f"out{seed}"}, scenes[seed]) for seed in range(20)))
    new = world.predict("sort {A} > {B}", {"A": "in", "B": "fresh"}, scenes[0])
    assert new.known and new.state == scenes[0].with_changes({"fresh": File(b"0\na\nb\n")})
    state = State({"in": File(b"b\na\n"), "d": FOLDER, "l": Link("in"), "g": File(b"")})
    for b in ("d", "l", "in", "g", "none/x", "in/x"):
        assert not world.predict("sort {A} > {B}", {"A": "in", "B": b}, state).trusted, b
    for a in ("d", "l", "none", "none/x", "in/x"):
        assert not world.predict("sort {A} > {B}", {"A": a, "B": "fresh"}, state).trusted, a


def test_learning_the_same_again_never_lowers_what_is_known(worker: Worker) -> None:
    one = tried(worker, "mkdir {A}", {"A": "new"}, SMALL)
    world, confidence = World(), 0.0
    for number in range(12):
        world.learn(one, number)
        prediction = world.predict("mkdir {A}", {"A": "new"}, SMALL)
        assert prediction.state == one.after
        assert prediction.confidence >= confidence
        confidence = prediction.confidence
    assert confidence >= TRUSTED


def test_a_surprise_is_one_when_it_was_expected_otherwise(worker: Worker) -> None:
    world = taught(worker, "mkdir {A}", *(({"A": f"new{number}"}, SMALL) for number in range(6)))
    as_expected = world.learn(tried(worker, "mkdir {A}", {"A": "again"}, SMALL), 7)
    assert as_expected.right and not as_expected.surprise
    otherwise = world.learn(tried(worker, "mkdir {A}", {"A": "c.txt"}, SMALL), 8)
    assert not otherwise.right and otherwise.surprise == otherwise.prediction.known
    assert not world.predict("mkdir {A}", {"A": "a"}, SMALL).trusted


def test_the_bound_on_a_rate() -> None:
    assert lower_bound(0, 0) == 0.0
    for tried_often in range(1, 60):
        assert lower_bound(tried_often, tried_often) > lower_bound(tried_often - 1, tried_often - 1)
        for right in range(tried_often + 1):
            assert 0.0 <= lower_bound(right, tried_often) <= 1.0
            assert right == 0 or lower_bound(right, tried_often) >= lower_bound(right - 1, tried_often)
    assert lower_bound(7, 7) >= TRUSTED > lower_bound(6, 6)


def test_experiments_outside_the_pack_of_paths(tmp_path: Path, worker: Worker) -> None:
    """A template may name no path at all in what it changes."""
    world = taught(worker, "echo {T} > out.txt", *(({"T": f"word{number}"}, SMALL) for number in range(12)))
    prediction = world.predict("echo {T} > out.txt", {"T": "hello"}, SMALL)
    assert prediction.known and prediction.state == SMALL.with_changes({"out.txt": File(b"hello\n")})
