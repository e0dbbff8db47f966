"""What commands are taken to be good for."""

from __future__ import annotations

import pytest

from dabhand.commands import parse_template
from dabhand.language import parse
from dabhand.planning.beliefs import Beliefs
from dabhand.world.effects import CopyTree, Option, Write
from dabhand.world.places import At, Inside
from dabhand.world.reading import variables

COPY = parse_template("cp {A} {B}")
TEXT_OF_B = parse("text(B)", variables(COPY.slots))


@pytest.mark.parametrize("option", [CopyTree(At("B")), Write(TEXT_OF_B, emptied=False)])
def test_a_copy_whose_source_does_not_name_the_place_is_of_no_use(option: Option) -> None:
    """To fill the slots, the place inside B must have the name of what is copied, and nothing says what A would be."""
    beliefs = Beliefs([(COPY, [(Inside("B", "A"), option)])])
    assert not beliefs.copiers


def test_a_copy_into_a_folder_under_its_name_is_of_use() -> None:
    beliefs = Beliefs([(COPY, [(Inside("B", "A"), CopyTree(At("A"))), (At("B"), CopyTree(At("A")))])])
    assert [means.place for means in beliefs.copiers] == [Inside("B", "A"), At("B")]
