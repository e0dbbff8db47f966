"""What a journal keeps is the user's, and nobody else's to read."""

from __future__ import annotations

import os
from pathlib import Path

from dabhand.workspace.journal import Journal
from dabhand.workspace.record import Record


def test_nobody_else_can_look_into_a_journal(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with Journal(tmp_path / "journal").drafting("r1") as (draft, publish):
            draft.keep([b"private"])
            publish(Record("r1", "2f", 1, 1, ()))
    finally:
        os.umask(before)
    for entry in (tmp_path / "journal", *(tmp_path / "journal").rglob("*")):
        assert entry.stat().st_mode & 0o777 == (0o700 if entry.is_dir() else 0o600), entry
