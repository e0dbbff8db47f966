"""Folders that the tests of goals speak about."""

from __future__ import annotations

from dabhand.workspace import State
from dabhand.world.reading import StateView

FILES = {
    "piano.txt": {"text": "kiwi 1\nfig two\nkiwi 1\napple\nfig\n"},
    "notes.txt": {"text": "one two\nthree\n"},
    "nums.txt": {"text": "10\n9\n"},
    "run.sh": {"text": "echo\n"},
    "box/c.txt": {"text": "x\n"},
}


def folder(**more: object) -> StateView:
    """The usual folder; `more` by name, "__" for ".", None takes away."""
    entries = {**FILES, **{name.replace("__", "."): entry for name, entry in more.items()}}
    return StateView(State.from_json({name: entry for name, entry in entries.items() if entry is not None}))
