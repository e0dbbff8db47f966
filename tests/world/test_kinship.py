"""Kinship: evidence lent between templates that share the text around a slot."""

from __future__ import annotations

import pytest

from dabhand.commands import parse_template
from dabhand.world.kinship import Kinship, said_for_any, slot_role


def test_the_text_around_a_slot_is_its_role() -> None:
    sort, tac, join = map(parse_template, ("sort {A} > {B}", "tac {A} > {B}", "cat {A} {B} > {C}"))
    assert slot_role(sort, "B") == slot_role(tac, "B") == slot_role(join, "C") == (">", "")
    assert slot_role(sort, "A") == ("", ">") != slot_role(join, "A") == ("", "")
    assert slot_role(parse_template("cp -r {A} {B}"), "B") == ("", "")


def test_nothing_is_lent_until_several_commands_agree_nor_when_one_saw_otherwise() -> None:
    kin = Kinship()
    new = parse_template("nl {A} > {B}")
    for text in ("sort {A} > {B}", "tac {A} > {B}", "rev {A} > {B}"):
        assert not kin.futile(new, "B", "folder")
        kin.note(parse_template(text), "B", "folder", 2, 2)
    assert kin.futile(new, "B", "folder")
    assert kin.lent(new, "B", "folder") == 3.0
    kin.note(parse_template("cat {A} > {B}"), "B", "folder", 1, 2)
    assert not kin.futile(new, "B", "folder")
    assert kin.lent(new, "B", "folder") == 0.0


@pytest.mark.parametrize(
    "first",
    ["A", "B"],
)
def test_each_slot_of_a_command_is_evidence_of_its_own(first: str) -> None:
    """`cp` fails with A missing and not with B missing; both slots stand alike in its template."""
    kin, copy, show = Kinship(), parse_template("cp {A} {B}"), parse_template("cat {A}")
    assert slot_role(copy, "A") == slot_role(copy, "B") == slot_role(show, "A")
    seen = {"A": (6, 6), "B": (0, 9)}
    for slot in sorted(seen, reverse=first == "B"):
        kin.note(copy, slot, "missing", *seen[slot])
    assert kin.lent(show, "A", "missing") == 0.0


def test_a_question_is_said_alike_for_slots_that_stand_alike() -> None:
    sort, tac = parse_template("sort {A} > {B}"), parse_template("tac {A} > {B}")
    for question in ("B is a folder", "A and B are the same path", "B/name of A exists"):
        assert said_for_any(sort, question) == said_for_any(tac, question)
    assert said_for_any(sort, "A is a folder") != said_for_any(sort, "B is a folder")
    assert said_for_any(sort, "A has letters beyond ASCII").endswith("has letters beyond ASCII")


def test_a_question_is_liked_as_long_as_some_command_asks_it() -> None:
    kin, sort, tac = Kinship(), parse_template("sort {A} > {B}"), parse_template("tac {A} > {B}")
    assert kin.fondness("NodeRole", "q") == 0.0
    kin.tell(sort, "node B", "NodeRole", ["q", "r"])
    kin.tell(tac, "node B", "NodeRole", ["q"])
    assert kin.fondness("NodeRole", "q") > kin.fondness("NodeRole", "r") > kin.fondness("SuccessRole", "q") == 0.0
    kin.tell(sort, "node B", "NodeRole", [])
    kin.tell(tac, "node B", "NodeRole", [])
    assert kin.fondness("NodeRole", "q") == kin.fondness("NodeRole", "r") == 0.0


HERE, THERE = ("file", "missing"), ("missing", "missing", "<> and <> > are the same path")
MIXED = [HERE, *((str(number), "missing") for number in range(6))]


def fared(kinship: Kinship, text: str, worked: bool, *contexts: tuple[str, ...]) -> None:
    for context in contexts:
        for _ in range(2):
            kinship.note_context(parse_template(text), context, worked)


def test_commands_that_fare_alike_stand_for_each_other() -> None:
    kinship = Kinship()
    for name in ("sort", "rev", "tac", "nl"):
        fared(kinship, f"{name} {{A}} > {{B}}", True, *MIXED)
    for name in ("sort", "rev", "tac"):
        fared(kinship, f"{name} {{A}} > {{B}}", True, THERE)
    assert kinship.succeeds(parse_template("nl {A} > {B}"), THERE) is True
    assert kinship.succeeds(parse_template("nl {A} > {B}"), ("folder", "folder")) is None
    assert kinship.succeeds(parse_template("nl {A} {B}"), THERE) is None, "its slots stand otherwise"


def test_a_command_that_once_fared_otherwise_goes_its_own_way() -> None:
    kinship = Kinship()
    for name in ("sort", "rev", "tac", "nl"):
        fared(kinship, f"{name} {{A}} > {{B}}", True, *MIXED)
    for name in ("sort", "rev", "tac"):
        fared(kinship, f"{name} {{A}} > {{B}}", True, THERE)
    fared(kinship, "nl {A} > {B}", False, HERE)
    assert kinship.succeeds(parse_template("nl {A} > {B}"), THERE) is None


def test_what_kin_disagree_on_says_nothing() -> None:
    kinship = Kinship()
    for name in ("sort", "rev", "tac", "nl"):
        fared(kinship, f"{name} {{A}} > {{B}}", True, *MIXED)
    fared(kinship, "sort {A} > {B}", False, THERE)
    fared(kinship, "rev {A} > {B}", True, THERE)
    fared(kinship, "tac {A} > {B}", True, THERE)
    assert kinship.succeeds(parse_template("nl {A} > {B}"), THERE) is None
