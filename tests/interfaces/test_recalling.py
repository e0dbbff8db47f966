"""What was learned by other code is concluded again, once, and then kept."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from dabhand.store import Store
from tests.interfaces.command_line import dabhand, document

LEARN = ("learn", "--template", "mkdir {A}", "--template", "cat {A}", "--experiments", "60", "--seed", "1")
QUESTION = b'{"id": 1, "command": "mkdir {A}", "slots": {"A": "x"}, "state": {}}'


def fingerprints(folder: Path) -> list[str]:
    with Store.open(folder) as store:
        return [belief.fingerprint for belief in store.load_beliefs()]


def grow_old(folder: Path) -> None:
    """Make the beliefs those of other code."""
    connection = sqlite3.connect(next(folder.glob("*.sqlite")))
    with connection:
        connection.execute("UPDATE beliefs SET fingerprint = 'other', payload = x'00'")
    connection.close()


def test_beliefs_of_other_code_are_concluded_again_and_kept(own_store: Path) -> None:
    dabhand(*LEARN, "--json")
    current = fingerprints(own_store)
    before = document(dabhand("commands", "--json"))
    answer = json.loads(dabhand("predict", given=QUESTION).stdout)
    grow_old(own_store)
    assert fingerprints(own_store) == ["other", "other"]
    again = json.loads(dabhand("predict", given=QUESTION).stdout)
    assert (again["known"], again["ok"], again["state"]) == (True, answer["ok"], answer["state"])
    assert fingerprints(own_store) == current
    after = document(dabhand("commands", "--json"))
    assert [one["experiments"] for one in after["commands"]] == [one["experiments"] for one in before["commands"]]
    assert all(one["support"][1] for one in after["commands"])


def test_practice_goes_on_from_beliefs_of_other_code(own_store: Path) -> None:
    dabhand(*LEARN, "--json")
    grow_old(own_store)
    report = document(dabhand(*LEARN, "--json"))
    assert sum(one["experiments"] for one in report["commands"]) == 120
