"""How a plan looks to people."""

from __future__ import annotations

import io

import msgspec
import pytest
from rich.console import Console

from dabhand.agent import DoDocument
from dabhand.interfaces.cli.doing import outcome, proposal


@pytest.mark.parametrize("general", [True, False])
def test_a_plan_that_only_happens_to_be_right_is_said_to_be_so(general: bool) -> None:
    document = msgspec.to_builtins(DoDocument(status="done", request="", general=general))
    for shown in (outcome(document), proposal(document)):
        screen = Console(file=io.StringIO(), width=100)
        screen.print(shown)
        assert ("only right for what the files hold now" in screen.file.getvalue()) != general  # type: ignore[attr-defined]
