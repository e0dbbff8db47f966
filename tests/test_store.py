from __future__ import annotations

import hashlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest
from hypothesis import given

from dabhand.errors import StoreError
from dabhand.store import Belief, Experiment, Run, Store, add_document, default_directory, to_document
from dabhand.store.database import FILE_NAME
from dabhand.store.schema import MIGRATIONS
from dabhand.workspace.state import File, Folder, Link, State
from tests.workspace.folders import states

BEFORE = State(
    {
        "a.txt": File(b"b\na\n"),
        "raw": File(b"\xff\xfe\n", executable=True),
        "box": Folder(),
        "box/e.txt": File(b""),
        "l": Link("a.txt"),
        "n\udcffme": File(b"name that is not UTF-8"),
    }
)
EXPERIMENT = Experiment(
    template="head -n {N} {A} > {B}",
    slots={"A": "n\udcffme", "B": "out", "N": 3},
    before=BEFORE,
    after=BEFORE.with_changes({"out": File(b"x\n"), "box": None, "l": Folder(), "l/inside": Link("\udc80")}),
    ok=True,
    stdout=b"\x00\xff",
    exit_code=0,
    seed=7,
    time=12.5,
)


def digests(folder: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()}


def test_an_experiment_comes_back_as_it_was(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        number = store.append_experiment(EXPERIMENT)
    with Store.open(tmp_path) as store:
        (back,) = store.experiments()
    assert back.id == number == 1
    assert back == Experiment(**{**{f: getattr(EXPERIMENT, f) for f in EXPERIMENT.__struct_fields__}, "id": 1})


@given(before=states(), after=states())
def test_any_two_folders_come_back_as_they_were(
    before: State, after: State, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with Store.open(tmp_path_factory.mktemp("store")) as store:
        store.append_experiment(Experiment("rm {A}", {"A": "a"}, before, after, False))
        (back,) = store.experiments()
    assert (back.before, back.after) == (before, after)


def test_experiments_since_a_number_include_those_appended_meanwhile(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        for _ in range(3):
            store.append_experiment(EXPERIMENT)
        seen = []
        for one in store.experiments(since_id=1):
            seen.append(one.id)
            if one.id == 3:
                store.append_experiment(EXPERIMENT)
        assert seen == [2, 3, 4]
        assert [one.id for one in store.experiments_by_id([3, 9, 1])] == [3, 1]
        assert store.experiment_templates() == [(number, EXPERIMENT.template) for number in (1, 2, 3, 4)]
        assert (store.count_experiments(), store.last_experiment_id()) == (4, 4)


def test_a_belief_gives_way_to_one_that_rests_on_more(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.save_beliefs([Belief("cat {A}", "model", b"old", 10, "code1")])
        store.save_beliefs(
            [Belief("cat {A}", "model", b"new", 20, "code1"), Belief("cat {A}", "other", b"x", 1, "code1")]
        )
        store.save_beliefs([Belief("cat {A}", "model", b"late", 15, "code1")])
        assert [belief.payload for belief in store.load_beliefs("model")] == [b"new"]
        store.save_beliefs([Belief("cat {A}", "model", b"refit", 15, "code2")])
        assert [belief.payload for belief in store.load_beliefs()] == [b"refit", b"x"]


def test_runs_are_kept_newest_first(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.append_run(Run("first", "/root/\udcff", "{}", 1.0))
        store.append_run(Run("second", "/", "{}", 2.0))
    with Store.open(tmp_path) as store:
        assert [(run.request, run.root, run.id) for run in store.runs()] == [
            ("second", "/", 2),
            ("first", "/root/\udcff", 1),
        ]


def test_the_world_travels_as_one_json_document(tmp_path: Path) -> None:
    belief = Belief("sort {A} > {B}", "model", b"\x00\x01", 1, "code")
    with Store.open(tmp_path / "one") as one, Store.open(tmp_path / "two") as two:
        one.append_experiment(EXPERIMENT)
        one.save_beliefs([belief])
        document = json.loads(json.dumps(to_document(one)))
        assert add_document(two, document) == 1
        assert list(two.experiments()) == list(one.experiments())
        assert two.load_beliefs() == []
        assert add_document(two, document) == 0
        assert two.count_experiments() == 1


def test_what_ran_on_the_users_folders_stays_at_home(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.append_experiment(EXPERIMENT)
        store.append_experiment(msgspec.structs.replace(EXPERIMENT, origin="do"))
        assert [one["origin"] for one in to_document(store)["experiments"]] == [EXPERIMENT.origin]


def test_a_document_with_beliefs_from_before_is_taken_without_them(tmp_path: Path) -> None:
    with Store.open(tmp_path / "one") as one, Store.open(tmp_path / "two") as two:
        one.append_experiment(EXPERIMENT)
        assert add_document(two, {**to_document(one), "beliefs": [{"template": 3}]}) == 1
        assert two.load_beliefs() == []


def test_experiments_are_added_to_those_of_another_store(tmp_path: Path) -> None:
    with Store.open(tmp_path / "one") as one, Store.open(tmp_path / "two") as two:
        one.append_experiment(EXPERIMENT)
        two.append_experiment(Experiment("rm {A}", {"A": "a"}, State(), State(), False))
        assert add_document(two, to_document(one)) == 1
        assert [experiment.id for experiment in two.experiments()] == [1, 2]
        assert two.load_beliefs() == []


@pytest.mark.parametrize(
    "change",
    [
        lambda document: [],
        lambda document: {**document, "format": "other"},
        lambda document: {**document, "version": 99},
        lambda document: {**document, "version": False},
        lambda document: {**document, "experiments": [*document["experiments"], {"template": "x"}]},
    ],
)
def test_a_bad_document_changes_nothing(tmp_path: Path, change: object) -> None:
    assert callable(change)
    with Store.open(tmp_path / "one") as one, Store.open(tmp_path / "two") as two:
        one.append_experiment(EXPERIMENT)
        with pytest.raises(StoreError) as raised:
            add_document(two, change(to_document(one)))
        assert raised.value.hint
        assert two.count_experiments() == 0


@pytest.mark.parametrize(
    "fields",
    [
        {"before": {"../x": {"text": ""}}},
        {"after": {"x": {"text": "", "dir": True}}},
        {"before": {"x": {"text": "\ud800"}}},
        {"template": "head -n {Q} {A} > {B}"},
        {"template": "cat {A"},
        {"template": "cat {A}"},
        {"template": ""},
        {"template": None},
        {"slots": {}},
        {"slots": {"A": "a", "B": "b"}},
        {"slots": {"A": "a", "B": "b", "N": "3"}},
        {"slots": {"A": "a", "B": "b", "N": 10**18}},
        {"slots": {"A": "a", "B": 1, "N": 3}},
        {"slots": {"A": "\ud800", "B": "b", "N": 3}},
        {"slots": {"A": "a", "B": "b", "N": 3, "C": "c"}},
        {"id": -1},
        {"id": 2**63},
        {"seed": 2**63},
        {"exit_code": -(2**63) - 1},
        {"exit_code": 1.5},
        {"time": float("nan")},
        {"time": float("inf")},
        {"stdout": "?"},
        {"ok": 1},
        {"origin": "\ud800"},
    ],
)
def test_every_experiment_is_one_before_any_is_taken_in(tmp_path: Path, fields: dict[str, object]) -> None:
    with Store.open(tmp_path / "one") as one, Store.open(tmp_path / "two") as two:
        one.append_experiment(EXPERIMENT)
        document = to_document(one)
        assert isinstance(document["experiments"], list)
        good = document["experiments"][0]
        with pytest.raises(StoreError, match="Experiment 1 of the world document") as raised:
            add_document(two, {**document, "experiments": [good, {**good, "id": 2, **fields}]})
        assert raised.value.hint
        assert two.count_experiments() == 0


def test_an_id_is_given_once(tmp_path: Path) -> None:
    with Store.open(tmp_path / "one") as one, Store.open(tmp_path / "two") as two:
        one.append_experiment(EXPERIMENT)
        document = to_document(one)
        assert isinstance(document["experiments"], list)
        good = document["experiments"][0]
        twice = {**document, "experiments": [good, {**good, "seed": 1}]}
        with pytest.raises(StoreError, match="Experiments 0 and 1 of the world document have the same id, 1"):
            add_document(two, twice)
        assert two.count_experiments() == 0


DAMAGE = [
    ("before", "no json"),
    ("before", "[]"),
    ("before", '{"x": {"text": "", "dir": true}}'),
    ("before", b"\xff"),
    ("changes", '{"a.txt/b": {"dir": true}}'),
    ("changes", "3"),
    ("slots", '{"A": "a"}'),
    ("slots", "null"),
    ("template", "rm"),
    ("template", "\N{REPLACEMENT CHARACTER}json:?"),
    ("stdout", 3),
    ("exit_code", "x"),
    ("seed", "x"),
]


@pytest.mark.parametrize(("column", "value"), DAMAGE)
def test_a_damaged_experiment_is_left_out_and_said(
    tmp_path: Path, column: str, value: object, caplog: pytest.LogCaptureFixture
) -> None:
    with Store.open(tmp_path) as store:
        for _ in range(3):
            store.append_experiment(EXPERIMENT)
        connection = sqlite3.connect(tmp_path / FILE_NAME)
        with connection:
            connection.execute(f"UPDATE experiments SET {column} = ? WHERE id = 2", (value,))
        connection.close()
        assert [one.id for one in store.experiments()] == [1, 3]
        assert [one.id for one in store.experiments_by_id([3, 2, 1])] == [3, 1]
        assert 3 in [number for number, _ in store.experiment_templates()]
        assert list(store.unreadable) == [2]
    assert len(caplog.records) == 1
    assert "Experiment 2 in" in caplog.text


def modes(folder: Path) -> dict[str, int]:
    return {entry.name: entry.stat().st_mode & 0o777 for entry in (folder, *folder.rglob("*"))}


def test_nobody_else_can_look_into_a_store(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with Store.open(tmp_path / "store") as store:
            store.append_experiment(EXPERIMENT)
            files = {FILE_NAME: 0o600, f"{FILE_NAME}-wal": 0o600, f"{FILE_NAME}-shm": 0o600}
            assert modes(tmp_path / "store") == {"store": 0o700, **files}
    finally:
        os.umask(before)


def test_a_store_from_before_becomes_private(tmp_path: Path) -> None:
    with Store.open(tmp_path / "store"):
        for file in (tmp_path / "store").iterdir():
            file.chmod(0o644)
        with Store.open(tmp_path / "store") as store:
            store.append_experiment(EXPERIMENT)
            assert {modes(tmp_path / "store")[file.name] for file in (tmp_path / "store").iterdir()} == {0o600}


def test_a_newer_store_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    Store.open(tmp_path).close()
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    connection.close()
    before = digests(tmp_path)
    with pytest.raises(StoreError, match=f"version {len(MIGRATIONS) + 1}"):
        Store.open(tmp_path)
    assert digests(tmp_path) == before


def test_a_newer_store_is_refused_while_its_version_is_only_in_the_log(tmp_path: Path) -> None:
    with Store.open(tmp_path):
        connection = sqlite3.connect(tmp_path / FILE_NAME)
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
        with pytest.raises(StoreError, match=f"version {len(MIGRATIONS) + 1}"):
            Store.open(tmp_path)
        connection.close()


def test_what_is_no_store_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / FILE_NAME).write_text("my notes")
    (tmp_path / "other").mkdir()
    connection = sqlite3.connect(tmp_path / "other" / FILE_NAME)
    connection.execute("CREATE TABLE songs (title)")
    connection.close()
    (tmp_path / "file").write_text("a file")
    for name in ("text", "other", "file", "file/below"):
        before = digests(tmp_path / name) if (tmp_path / name).is_dir() else (tmp_path / "file").read_text()
        with pytest.raises(StoreError):
            Store.open(tmp_path / name)
        after = digests(tmp_path / name) if (tmp_path / name).is_dir() else (tmp_path / "file").read_text()
        assert after == before


def test_a_damaged_store_is_a_store_error(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.append_experiment(EXPERIMENT)
    file = tmp_path / FILE_NAME
    file.write_bytes(file.read_bytes()[:4096] + b"\x55" * 20_000)
    with pytest.raises(StoreError), Store.open(tmp_path) as store:
        list(store.experiments())


def test_the_store_lies_where_the_environment_says() -> None:
    assert default_directory({"DABHAND_HOME": "/srv/d"}) == Path("/srv/d")
    if sys.platform == "linux":
        assert default_directory({"XDG_DATA_HOME": "/data"}) == Path("/data/dabhand")
        assert default_directory({"XDG_DATA_HOME": "relative"}) == Path.home() / ".local/share/dabhand"
        assert default_directory({}) == Path.home() / ".local/share/dabhand"


WRITER = """
import sys
from dabhand.store import Experiment, Store
from dabhand.workspace.state import File, State
with Store.open(sys.argv[1]) as store:
    for number in range(int(sys.argv[2])):
        state = State({"a": File(b"%d" % number)})
        store.append_experiment(Experiment("touch {A}", {"A": "a"}, state, state, True, seed=int(sys.argv[3])))
        print(number, flush=True)
"""


def writer(folder: Path, count: int, seed: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), str(count), str(seed)], stdout=subprocess.PIPE, text=True
    )


def test_killing_a_writer_at_any_moment_loses_at_most_the_experiment_in_flight(tmp_path: Path) -> None:
    for turn in range(5):
        folder = tmp_path / str(turn)
        with writer(folder, 1_000_000, turn) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(0.02 * (turn + 1))
            process.send_signal(signal.SIGKILL)
            reported = [int(line) for line in process.stdout.read().splitlines(keepends=True) if line.endswith("\n")]
        with Store.open(folder) as store:
            kept = [int(experiment.before["a"].data) for experiment in store.experiments()]  # type: ignore[union-attr]
            assert kept == list(range(len(kept)))
            assert len(kept) >= reported[-1] + 1
            store.append_experiment(EXPERIMENT)


def test_several_processes_write_to_a_new_store_at_once(tmp_path: Path) -> None:
    processes = [writer(tmp_path, 200, seed) for seed in range(4)]
    for process in processes:
        process.communicate()
        assert process.returncode == 0
    with Store.open(tmp_path) as store:
        kept = [(one.seed, int(one.before["a"].data)) for one in store.experiments()]  # type: ignore[union-attr]
    for seed in range(4):
        assert [number for by, number in kept if by == seed] == list(range(200))
