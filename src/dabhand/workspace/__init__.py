"""The state of a folder as an immutable value: snapshot, difference, confined paths, apply and undo.

Everything that touches a user's real folder goes through this room.
"""

from __future__ import annotations

import importlib

# These two functions are called as their modules are, which would take their names when somebody imports the modules.
from dabhand.workspace.difference import Change, apply_changes, difference, inverse
from dabhand.workspace.resolve import Resolution, resolve

TYPE_CHECKING = False  # what type checkers take for true
if TYPE_CHECKING:
    from dabhand.workspace.confined import ConfinedFolder
    from dabhand.workspace.drafting import Origin
    from dabhand.workspace.journal import Journal, NoLongerKept, UnknownRun, journal_in
    from dabhand.workspace.parts import is_small, take_parts
    from dabhand.workspace.snapshot import FolderTooLarge, Odd, Snapshot, SnapshotLimits, changed_since, take_snapshot
    from dabhand.workspace.state import FOLDER, File, Folder, Link, Node, State, encode_text, name_of, parent_of
    from dabhand.workspace.transaction import (
        ApplyFailed,
        NotUndoable,
        Recovered,
        apply_to_folder,
        new_record_id,
        recover,
        recover_folder,
        undo,
    )

__all__ = [
    "FOLDER",
    "ApplyFailed",
    "Change",
    "ConfinedFolder",
    "File",
    "Folder",
    "FolderTooLarge",
    "Journal",
    "Link",
    "NoLongerKept",
    "Node",
    "NotUndoable",
    "Odd",
    "Origin",
    "Recovered",
    "Resolution",
    "Snapshot",
    "SnapshotLimits",
    "State",
    "UnknownRun",
    "apply_changes",
    "apply_to_folder",
    "changed_since",
    "difference",
    "encode_text",
    "inverse",
    "is_small",
    "journal_in",
    "name_of",
    "new_record_id",
    "parent_of",
    "recover",
    "recover_folder",
    "resolve",
    "take_parts",
    "take_snapshot",
    "undo",
]

# Each module is imported when something of it is first asked for: whoever only looks at files needs no transactions.
_NAMES = {
    "confined": ("ConfinedFolder",),
    "drafting": ("Origin",),
    "journal": ("Journal", "NoLongerKept", "UnknownRun", "journal_in"),
    "parts": ("is_small", "take_parts"),
    "snapshot": ("FolderTooLarge", "Odd", "Snapshot", "SnapshotLimits", "changed_since", "take_snapshot"),
    "state": ("FOLDER", "File", "Folder", "Link", "Node", "State", "encode_text", "name_of", "parent_of"),
    "transaction": (
        "ApplyFailed",
        "NotUndoable",
        "Recovered",
        "apply_to_folder",
        "new_record_id",
        "recover",
        "recover_folder",
        "undo",
    ),
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = found
    return found
