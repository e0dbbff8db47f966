from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from dabhand.sandbox import TIERS
from dabhand.store import Experiment, Store
from dabhand.workspace import State
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
    done = dabhand("doctor", "--json")
    assert done.returncode in {2, 4}
    assert "version 1000" in document(done)["store"]["problem"]


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_a_store_that_cannot_be_made_is_reported(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("a file")
    done = dabhand("doctor", "--json", "--store", str(tmp_path / place))
    assert done.returncode in {2, 4}
    assert "is not a folder" in document(done)["store"]["problem"]


def test_damaged_experiments_are_counted(own_store: Path) -> None:
    with Store.open(own_store) as store:
        for _ in range(3):
            store.append_experiment(Experiment("rm {A}", {"A": "a"}, State(), State(), False))
    connection = sqlite3.connect(own_store / "dabhand.sqlite")
    with connection:
        connection.execute("UPDATE experiments SET before = '?' WHERE id = 2")
    connection.close()
    done = dabhand("doctor", "--json")
    assert done.returncode in {2, 4}
    found = document(done)["store"]
    assert found["experiments"] == 2
    assert found["problem"].startswith("1 damaged and left out (2).")


def test_it_says_the_same_to_a_person() -> None:
    shown = dabhand("doctor").stdout.decode()
    for name in (*TIERS, "bash", "store"):
        assert name in shown
