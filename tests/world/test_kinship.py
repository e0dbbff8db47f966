"""Kinship: evidence lent between templates that share the text around a slot."""

from __future__ import annotations

from dabhand.commands import parse_template
from dabhand.world.kinship import Kinship, slot_role


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
