"""The rooms of the house, and what each may import: the table of docs/architecture.md, held against every import."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import dabhand

SOURCE = Path(dabhand.__file__).parent
PAGE = SOURCE.parent.parent / "docs" / "architecture.md"
ROW = re.compile(r"^\| `(\w+)/` \|[^|]*\| ([^|]*) \|$", re.MULTILINE)


def _module_name(file: Path) -> str:
    parts = ("dabhand", *file.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(parts).removesuffix(".__init__")


BESIDE = {"errors", "closing", "home"}

FILES = {_module_name(file): file for file in SOURCE.rglob("*.py")}


def may_import() -> dict[str, set[str]]:
    """What the table says, by room."""
    return {room: set(said.split(", ")) - {"none"} for room, said in ROW.findall(PAGE.read_text("utf-8"))}


def imported(module: str) -> set[str]:
    """Every module of ours that a module imports, wherever in its text."""
    return {each for each in _named(ast.parse(FILES[module].read_text("utf-8"))) if each in FILES}


def _named(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(module), names=names, level=0):
                for name in names:  # what is imported from a package may be a module in it
                    yield f"{module}.{name.name}" if f"{module}.{name.name}" in FILES else module
            case ast.ImportFrom():
                raise AssertionError("a relative import")
            case ast.Import(names=names):
                yield from (name.name for name in names)


def room_of(module: str) -> str:
    """The room that a module is in; of what is beside the rooms its own name, of `dabhand` itself nothing."""
    return module.partition(".")[2].partition(".")[0]


def test_every_room_is_in_the_table() -> None:
    assert {entry.name for entry in SOURCE.iterdir() if (entry / "__init__.py").exists()} == may_import().keys()


def test_the_table_points_up_only() -> None:
    above: set[str] = set()
    for room, allowed in may_import().items():
        assert allowed <= above, room
        above.add(room)


@pytest.mark.parametrize("room", may_import())
def test_a_room_imports_what_the_table_says(room: str) -> None:
    allowed = may_import()[room]
    found: set[str] = set()
    for module in (each for each in FILES if room_of(each) == room):
        rooms = {room_of(each) for each in imported(module)} - {room, *BESIDE, ""}
        assert rooms <= allowed, f"{module} imports of {rooms - allowed}"
        found |= rooms
    assert found == allowed, f"nothing in {room} imports of {allowed - found} any more"


def test_no_modules_import_each_other() -> None:
    """Neither inside functions nor through others (a package imports what is in it, which does not import it back)."""
    left = {module: imported(module) - {module} for module in FILES}
    while loose := {
        module for module, needs in left.items() if not needs & left.keys() or not _is_needed(module, left)
    }:
        left = {module: needs for module, needs in left.items() if module not in loose}
    assert not left, f"a cycle among {sorted(left)}"


def _is_needed(module: str, by: Mapping[str, set[str]]) -> bool:
    return any(module in needs for needs in by.values())
