"""The rooms of the house and what each may import; docs/architecture.md has the same table."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import dabhand

SOURCE = Path(dabhand.__file__).parent
MAY_IMPORT = {
    "language": set(),
    "workspace": {"language"},
    "commands": {"language"},
    "sandbox": {"workspace", "commands"},
    "store": {"language", "workspace", "commands"},
    "world": {"language", "workspace", "commands", "store"},
    "practice": {"language", "workspace", "commands", "store", "sandbox", "world"},
    "goals": {"language", "store"},
    "planning": {"language", "workspace", "commands", "world", "goals"},
    "agent": {"language", "workspace", "commands", "store", "sandbox", "world", "goals", "planning"},
    "exams": {"workspace", "store", "world", "goals", "agent"},
}


def imported(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        match node:
            case ast.ImportFrom(module=str(module), level=0):
                found.add(module)
            case ast.Import(names=names):
                found |= {name.name for name in names}
    return {name.split(".")[1] for name in found if name.startswith("dabhand.")}


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_imports_point_down_only(room: str) -> None:
    for file in (SOURCE / room).rglob("*.py"):
        assert imported(file) <= MAY_IMPORT[room] | {room, "errors"}, file


def test_every_room_is_in_the_table() -> None:
    rooms = {entry.name for entry in SOURCE.iterdir() if (entry / "__init__.py").exists()}
    assert rooms == {*MAY_IMPORT, "interfaces"}
    page = (SOURCE.parent.parent / "docs" / "architecture.md").read_text("utf-8")
    for room in rooms:
        assert f"`{room}/" in page
