"""Training sets: the same from the same seed, sides that share nothing, labels that the grammar agrees with."""

import json
import random
import re
from itertools import islice

import pytest

from dabhand.errors import UsageError
from dabhand.goals.goal import Goal
from dabhand.handoff.plan import plan_from_value
from dabhand.handoff.words import Abstained, read
from dabhand.training.changes import MEANINGS as CHANGES
from dabhand.training.changes import goal_requests
from dabhand.training.example import digest_of, read_examples
from dabhand.training.making import HOLDOUTS, SIDES, Sizes, likeness, make_sets
from dabhand.training.noise import noisy
from dabhand.training.outputs import evidence_requests
from dabhand.training.pools import POOLS, number_words, ordinal
from dabhand.training.requests import MEANINGS, plan_requests
from dabhand.training.wording import Piece, said, wordings_of

SMALL = {"train": Sizes(120, 60, 12), "validation": Sizes(30, 12, 4), "test": Sizes(40, 20, 4)}
NAMES = ("train", "validation", "test", "holdout")


@pytest.fixture(scope="module")
def sets(tmp_path_factory):
    out = tmp_path_factory.mktemp("sets")
    make_sets(out, 3, sides=SMALL)
    return out


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(sets, tmp_path):
    again = make_sets(tmp_path, 3, sides=SMALL)
    assert {name: digest_of(sets / f"{name}.jsonl") for name in NAMES} == again.digests
    assert json.loads((sets / "manifest.json").read_text())["digests"] == again.digests
    other = make_sets(tmp_path, 4, sides=SMALL)
    assert other.digests["train"] != again.digests["train"]


def test_sides_share_neither_wordings_nor_requests(sets):
    sides = {name: list(read_examples(sets / f"{name}.jsonl")) for name in NAMES}
    for name, other in (("train", "test"), ("train", "validation"), ("validation", "test")):
        assert {one.family for one in sides[name]}.isdisjoint(one.family for one in sides[other])
        assert {likeness(one) for one in sides[name]}.isdisjoint(map(likeness, sides[other]))
    assert [len(sides[name]) for name in NAMES] == [192, 46, 64, 0]


def test_names_and_words_of_the_test_are_in_no_other_side():
    trained, tested = POOLS["train"], POOLS["test"]
    for field in trained.__struct_fields__:
        assert set(getattr(trained, field)).isdisjoint(getattr(tested, field)), field


def test_the_sets_are_ten_times_what_was_asked_for():
    assert SIDES["train"].plan + SIDES["train"].goal + SIDES["train"].evidence >= 10 * 420
    assert sum(getattr(SIDES["validation"], task) for task in ("plan", "goal", "evidence")) >= 10 * 28
    assert sum(getattr(SIDES["test"], task) for task in ("plan", "goal", "evidence")) >= 10 * 56
    assert HOLDOUTS >= 10 * 20


def test_every_intent_has_wordings_and_a_meaning():
    assert {one.intent for one in wordings_of("plans")} == set(MEANINGS)
    assert {one.intent for one in wordings_of("goals")} == set(CHANGES)


def test_what_the_grammar_reads_of_them_means_what_they_are_labelled_with():
    """The grammar and the labels were made apart; a label that differs is a fault of either, so there may be few."""
    differs = agrees = given_back = 0
    for example in islice(plan_requests(random.Random(11)), 1500):
        known = {name: kind for name, kind in example.references.items() if name != "."}
        plan = read(example.request, known)
        if isinstance(plan, Abstained):
            given_back += example.answer is not None
        elif example.answer is not None:
            same = plan == plan_from_value(example.answer)
            agrees, differs = agrees + same, differs + (not same)
        else:
            assert example.why == "not there" or differs < 5, example.request
    assert agrees > 400 and differs <= agrees // 100
    assert given_back > 200  # else the model would learn nothing that the grammar does not know


def test_goals_and_lines_can_be_read():
    for example in islice(goal_requests(random.Random(2)), 600):
        if example.answer is not None:
            goal = Goal.from_json(example.answer)
            assert goal.conditions
            assert all(name in example.things for name in goal.paths) or goal.paths[0].count("/") or len(goal.paths) > 1
    wished = list(islice(evidence_requests(random.Random(2)), 200))
    for example in wished:
        assert all(1 <= number <= len(example.lines) for number in example.answer)
    assert sum(not one.answer for one in wished) > 20  # nothing is there to find
    assert sum(0 < len(one.answer) <= len(one.lines) / 2 for one in wished) > 120


def test_some_requests_have_to_be_given_back_for_each_reason():
    reasons = {one.why for one in islice(plan_requests(random.Random(5)), 2000)}
    assert {"", "no plan", "not named", "not there"} <= reasons


def test_a_wording_is_said_in_one_of_its_ways():
    ways = {"".join(one.text for one in said("(a|b [c]) {n}", random.Random(seed))) for seed in range(40)}
    assert ways == {"a n", "b n", "b c n"}
    with pytest.raises(ValueError, match="never closed"):
        said("(a|b", random.Random(1))
    with pytest.raises(ValueError, match="closes nothing"):
        said("a)", random.Random(1))


def test_noise_leaves_slots_and_command_lines_alone():
    for seed in range(200):
        rng = random.Random(seed)
        told = noisy([Piece("print the first lines of "), Piece("file", True)], "train", rng)
        assert [one for one in told if one.is_slot] == [Piece("file", True)]
        command = [Piece("grep -n "), Piece("value", True), Piece(" "), Piece("file", True)]
        assert noisy(command, "train", rng) == command


def test_numbers_in_words():
    assert [number_words(number) for number in (3, 17, 40, 42, 100)] == [
        "three",
        "seventeen",
        "forty",
        "forty-two",
        "a hundred",
    ]
    assert {ordinal(number, random.Random(0)) for number in (21, 22, 23, 111)} <= {"21st", "22nd", "23rd", "111th"}


def test_a_set_that_is_none_is_refused(tmp_path):
    (tmp_path / "train.jsonl").write_text('{"id": 3}\n')
    with pytest.raises(UsageError, match=r"Line 1 of .* is no example"):
        list(read_examples(tmp_path / "train.jsonl"))
    with pytest.raises(UsageError, match="cannot be read"):
        list(read_examples(tmp_path / "none.jsonl"))


def test_people_and_recorded_sessions_keep_to_one_side(tmp_path):
    rows = [
        {"id": f"p{number}", "request": f"{verb} the last {number} lines of notes.txt"}
        for number, verb in enumerate(("Show", "Print", "Give me", "Delete", "Copy", "List") * 3, 2)
    ]
    people = tmp_path / "people"
    people.mkdir()
    (people / "nearmiss_nl2bash.dev.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    make_sets(tmp_path / "out", 1, people=people, sides=SMALL)
    sides: dict[str, set[str]] = {}
    for name in NAMES:
        for one in read_examples(tmp_path / "out" / f"{name}.jsonl"):
            if one.source == "people":
                sides.setdefault(re.sub(r"\d+|`.*", "0", one.request), set()).add(name)
                assert one.answer is None or one.answer["path"] == "file_1"
    assert sides and all(len(found) == 1 for found in sides.values())
