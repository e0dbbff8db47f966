"""Folders and a journal."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from dabhand.workspace import Journal
from tests.workspace.changing import BEFORE
from tests.workspace.folders import write_state

MEMORY = Path("/dev/shm")


@pytest.fixture
def quick_path() -> Iterator[Path]:
    """A folder in memory, where syncing costs nothing: for tests that do thousands of transactions."""
    made = Path(tempfile.mkdtemp(prefix="workspace-", dir=MEMORY if MEMORY.is_dir() else None))
    yield made
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture
def root(quick_path: Path) -> Path:
    write_state(quick_path / "root", BEFORE)
    return quick_path / "root"


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    """On another file system than the folder, where memory is one."""
    return Journal(tmp_path / "journal")
