from __future__ import annotations

import sqlite3
from pathlib import Path

from dabhand.sandbox import TIERS
from dabhand.store import Store
from tests.interfaces.command_line import dabhand, document


def test_every_tier_is_reported_and_one_that_works_is_in_force(own_store: Path) -> None:
    done = dabhand("doctor", "--json")
    found = document(done)
    tiers = found["isolation"]["tiers"]
    assert [tier["tier"] for tier in tiers] == list(TIERS)
    assert all(tier["available"] or tier["hint"] for tier in tiers)
    working = [tier["tier"] for tier in tiers if tier["available"]]
    assert found["isolation"]["in_force"] == (working[0] if working else None)
    assert done.returncode == (0 if working else 4)
    assert list(own_store.iterdir()) == []


def test_a_store_that_cannot_be_used_is_reported_not_raised(own_store: Path) -> None:
    Store.open(own_store).close()
    (file,) = own_store.iterdir()
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA user_version = 1000")
    connection.close()
    assert "version 1000" in document(dabhand("doctor", "--json"))["store"]["problem"]


def test_it_says_the_same_to_a_person() -> None:
    shown = dabhand("doctor").stdout.decode()
    for name in (*TIERS, "bash", "store"):
        assert name in shown
