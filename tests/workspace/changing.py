"""One change of a folder, and applying it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from dabhand.workspace import (
    ConfinedFolder,
    File,
    Journal,
    Link,
    State,
    apply_to_folder,
    difference,
    new_record_id,
    take_snapshot,
)

BEFORE = State({"a": File(b"1"), "box/x": File(b"2", True), "gone": File(b"3"), "l": Link("a"), "z": File(b"4")})
AFTER = State({"a": File(b"one"), "moved/x": File(b"2", True), "l": File(b"now a file"), "z": File(b"four")})


def apply(root: Path, journal: Journal, after: State = AFTER, meanwhile: Callable[[], None] = lambda: None) -> None:
    with ConfinedFolder(root) as folder:
        folder.lock()
        snapshot = take_snapshot(folder)
        meanwhile()
        record_id = new_record_id(journal, 1.0)
        apply_to_folder(folder, snapshot, difference(snapshot.state, after), journal, record_id=record_id)


def leftovers(journal: Journal) -> list[str]:
    return [str(path) for path in journal.folder.rglob("*") if path.name.startswith((".new", ".dropped"))]
