"""A root with something in it, a store beside it, and inspections of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import dabhand
from dabhand.handoff.packet import Packet

Inspect = Callable[..., Packet]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root").mkdir()
    return tmp_path / "root"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def inspect(root: Path, store: Path) -> Inspect:
    """Carry out a plan, given as its operation and fields."""

    def inspected(
        operation: str, path: str = "a", *, options: Mapping[str, Any] | None = None, **fields: Any
    ) -> Packet:
        plan = {"operation": operation, "path": path, **fields}
        return dabhand.inspect_request(root, plan=plan, store=store, **(options or {}))

    return inspected


def texts(packet: Packet) -> list[str]:
    """The lines that are shown."""
    return [line.text for line in packet.output.lines]


def numbered(packet: Packet) -> list[tuple[int, str]]:
    """The lines that are shown, with their numbers."""
    return [(line.n, line.text) for line in packet.output.lines]
