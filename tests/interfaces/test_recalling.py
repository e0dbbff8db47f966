"""What was learned by other code is concluded again, once, and then kept."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from dabhand.interfaces.cli.recall import recall
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
    assert fingerprints(own_store) == ["other"] * len(current)
    again = json.loads(dabhand("predict", given=QUESTION).stdout)
    assert (again["known"], again["ok"], again["state"]) == (True, answer["ok"], answer["state"])
    assert fingerprints(own_store) == current
    after = document(dabhand("commands", "--json"))
    assert [one["experiments"] for one in after["commands"]] == [one["experiments"] for one in before["commands"]]
    assert all(one["support"][1] for one in after["commands"])


def test_the_wait_is_shown_in_one_line_that_is_gone_afterwards(own_store: Path) -> None:
    dabhand(*LEARN, "--json")
    with Store.open(own_store) as store, pytest.MonkeyPatch.context() as patched:
        patched.setattr("dabhand.interfaces.cli.recall.PATIENCE", 0.0)
        patched.setattr("dabhand.interfaces.cli.recall.BETWEEN_LOOKS", 0.0)
        seen: list[str] = []

        class Terminal:
            isatty = staticmethod(lambda: True)
            write = staticmethod(seen.append)
            flush = staticmethod(lambda: None)

        patched.setattr("sys.stderr", Terminal)
        grow_old(own_store)
        recall(store)
        shown = "".join(seen)
        assert "Drawing conclusions" in shown and "\n" not in shown
        assert not shown.split("\r")[-1] and not shown.split("\r")[-2].strip()
        seen.clear()
        recall(store)
        assert not seen


def test_practice_goes_on_from_beliefs_of_other_code(own_store: Path) -> None:
    dabhand(*LEARN, "--json")
    grow_old(own_store)
    report = document(dabhand(*LEARN, "--json"))
    assert sum(one["experiments"] for one in report["commands"]) == 120


DAMAGE = ["before = '?'", "slots = '[]'", "template = 'rm'", "slots = '{\"A\": 3}'"]


@pytest.mark.parametrize("damage", DAMAGE)
def test_one_damaged_experiment_costs_no_more_than_itself(own_store: Path, damage: str) -> None:
    dabhand(*LEARN, "--json")
    connection = sqlite3.connect(next(own_store.glob("*.sqlite")))
    with connection:
        connection.execute(f"UPDATE experiments SET {damage} WHERE id = 7")
    connection.close()
    for _ in range(2):
        answer = dabhand("predict", given=QUESTION)
        assert answer.returncode == 0
        assert json.loads(answer.stdout)["known"]
    report = dabhand(*LEARN, "--json")
    assert report.returncode == 0, report.stderr
    exported = dabhand("world", "export", "-")
    assert b"Experiment 7 in " in exported.stderr
    assert 7 not in [one["id"] for one in document(exported)["experiments"]]


def test_a_damaged_folder_costs_what_is_believed_of_its_command(own_store: Path) -> None:
    dabhand(*LEARN, "--json")
    connection = sqlite3.connect(next(own_store.glob("*.sqlite")))
    with connection:
        connection.execute("""UPDATE experiments SET before = '{"x": {"text": "", "dir": true}}' WHERE id = 7""")
    connection.close()
    first = dabhand(*LEARN, "--json")
    assert first.returncode in {0, 2}
    assert b"Traceback" not in first.stderr
    again = dabhand(*LEARN, "--json")
    assert again.returncode == 0, again.stderr
    assert json.loads(dabhand("predict", given=QUESTION).stdout)["known"]
