"""Partitions that never move and never leak."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dabhand.corpus.partitions import open_partition, refresh
from dabhand.corpus.splitting import SHARES, hashes, leaks, repository, split
from dabhand.corpus.stored import CorpusError
from dabhand.corpus.triple import Source, Triple

WORDS = (
    "cargo",
    "make",
    "src",
    "lib",
    "test",
    "alpha",
    "beta",
    "gamma",
    "run",
    "delta",
    "build",
    "omega",
    "list",
    "kappa",
)


def triple(
    number: int, command: str, session: str | None, cwd: str | None = None, request: str | None = None
) -> Triple:
    source = Source("f.jsonl", number, "codex 1", session or f"s{number}", cwd)
    origin = "description" if request else None
    return Triple(
        f"t{number:06}", source, request, origin, command, None, None, 0, "", None, None, False, False, None, "ran"
    )


def corpus(seed: int, count: int) -> list[Triple]:
    """Sessions in repositories, commands of every length, near-duplicates planted across sessions."""
    drawn = random.Random(seed)
    made: list[Triple] = []
    for number in range(count):
        session = f"s{drawn.randrange(max(1, count // 8))}"
        below = drawn.choice(("", "/src", "/src/api", "/web"))
        cwd = drawn.choice((None, None, f"/home/u/work/repo{drawn.randrange(count // 4 + 1)}{below}"))
        length = drawn.choice((1, 2, 3, 8, 25))
        command = " ".join(drawn.choice(WORDS) for _ in range(length))
        if made and drawn.random() < 0.1:
            words = drawn.choice(made).command.split()
            words[drawn.randrange(len(words))] = drawn.choice(WORDS)
            command = " ".join(words)
        made.append(triple(number, command, session, cwd, drawn.choice((None, "Look at it"))))
    return made


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 60), st.integers(0, 60))
def test_nothing_moves_and_nothing_leaks(seed: int, count: int, more: int) -> None:
    whole = corpus(seed, count + more)
    first = split(whole[:count])
    assert split(whole[:count], first) == first
    assert split(list(reversed(whole[:count]))) == first
    second = split(whole, first)
    assert second[: len(first)] == first
    assert sorted(each.id for each in second) == sorted(each.id for each in whole)
    assert leaks(whole, second) == []
    sides: dict[str, set[str | None]] = {}
    for one, each in zip(sorted(whole, key=lambda one: one.id), sorted(second, key=lambda each: each.id), strict=True):
        if (name := repository(one.source.cwd)) and each.partition:
            sides.setdefault(name, set()).add(each.partition)
    assert all(len(each) == 1 for each in sides.values())
    assert all((each.partition is None) == bool(each.reason) for each in second)


def test_shares_of_many_groups() -> None:
    whole = [triple(number, f"tool{number} {' '.join(WORDS)} x{number}y", f"s{number // 3}") for number in range(600)]
    for one in range(600):
        whole[one] = triple(one, " ".join(random.Random(one).choices(WORDS, k=30)), f"s{one // 3}")
    assigned = split(whole)
    counts = Counter(each.partition for each in assigned)
    for name, share in SHARES.items():
        assert abs(counts[name] / 600 - share) < 0.03


def test_a_session_and_a_repository_stay_together() -> None:
    whole = [
        triple(1, "a b c", "one", "/home/u/work/repo"),
        triple(2, "d e f", "one"),
        triple(3, "g h i", "two", "/home/u/work/repo/sub/folder"),
        triple(4, "j k l", "three", "/srv/x/y/other"),
    ]
    sides = {each.id: each.partition for each in split(whole)}
    assert sides["t000001"] == sides["t000002"] == sides["t000003"] is not None


def test_a_folder_above_that_comes_later_parts_nothing() -> None:
    """What a call hangs together by is told from it alone: the repository stays whole, whichever folder comes first."""
    below = [triple(1, "a b", "one", "/home/u/shop/api"), triple(2, "c d", "two", "/home/u/shop/api/v1")]
    first = split(below)
    whole = [*below, triple(3, "e f", "three", "/home/u/shop"), triple(4, "g h", "four", "/home/u/shop/web")]
    second = split(whole, first)
    assert len({each.partition for each in second}) == 1 and second[0].partition is not None
    assert leaks(whole, second) == []


def timed(number: int, session: str, time: str, cwd: str | None = None) -> Triple:
    one = triple(number, f"tool{number} x", session, cwd)
    return msgspec.structs.replace(one, source=msgspec.structs.replace(one.source, time=time))


def test_calls_of_one_hour_stay_together_where_no_repository_is_known() -> None:
    whole = [timed(number, f"s{number}", f"2026-03-01T1{number % 2}:{number:02}:00Z") for number in range(40)]
    sides = {each.id: each.partition for each in split(whole)}
    for odd in (0, 1):
        assert len({sides[each.id] for number, each in enumerate(whole) if number % 2 == odd}) == 1
    moved = [
        msgspec.structs.replace(each, partition="training" if number else "review")
        for number, each in enumerate(split(whole))
    ]
    assert "hour" in {leak.kind for leak in leaks(whole, moved)}


@pytest.mark.parametrize(
    ("cwd", "name"),
    [
        ("/home/ida/shop", "shop"),
        ("/home/ida/work/shop/src", "shop"),
        ("/Users/x/Documents/GitHub/app/sub", "app"),
        ("C:\\Users\\me\\dev\\App", "app"),
        ("/private/tmp/x/y", "x"),
        ("/testbed", "testbed"),
        ("/home/ida", None),
        ("/tmp", None),
        ("/", None),
        (None, None),
    ],
)
def test_the_repository_of_a_folder(cwd: str | None, name: str | None) -> None:
    assert repository(cwd) == name


def test_a_short_command_on_another_side_is_left_out() -> None:
    first = split([triple(1, "git status", "one")])
    second = split([triple(1, "git status", "one"), triple(2, "git status", "two")], first)
    assert second[1].partition is None and "short" in second[1].reason


def test_hashes_say_when_something_changed() -> None:
    whole = corpus(3, 80)
    assigned = split(whole)
    assert hashes(assigned) == hashes(list(reversed(assigned)))
    assert hashes(assigned) != hashes(assigned[:-1]) or assigned[-1].partition is None


def test_a_leak_is_found() -> None:
    long = " ".join(WORDS * 2)
    whole = [triple(1, long, "one"), triple(2, long + " more", "two"), triple(3, "x y", "one")]
    assigned = split(whole)
    moved = [msgspec.structs.replace(each, partition="training") if each.id == "t000002" else each for each in assigned]
    assert [leak.kind for leak in leaks(whole, moved)] == ["near-duplicate"]


def written(folder: Path, triples: list[Triple]) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "triples.jsonl").write_bytes(b"".join(msgspec.json.encode(each) + b"\n" for each in triples))
    return folder


def test_on_disk_nothing_moves_and_openings_are_counted(tmp_path: Path) -> None:
    whole = corpus(5, 300)
    folder = written(tmp_path / "corpus", whole[:200])
    first = refresh(folder)
    assert first["leaks"] == [] and refresh(folder) == {**first, "new": 0}
    assert (folder / "partitions").stat().st_mode & 0o777 == 0o700
    kept = (folder / "partitions/assigned.jsonl").read_bytes()
    written(folder, whole)
    second = refresh(folder)
    assert second["new"] == 100 and second["leaks"] == []
    assert (folder / "partitions/assigned.jsonl").read_bytes().startswith(kept)
    for opened in (1, 2):
        count = open_partition(folder, "final_test", tmp_path / f"test{opened}.jsonl")
        assert count == second["items"]["final_test"] and refresh(folder)["opened"] == opened
    with pytest.raises(CorpusError):
        open_partition(folder, "final_test", tmp_path / "test1.jsonl")


def test_what_was_frozen_is_held_against_its_hashes(tmp_path: Path) -> None:
    folder = written(tmp_path / "corpus", corpus(6, 50))
    refresh(folder)
    file = folder / "partitions/assigned.jsonl"
    file.write_bytes(file.read_bytes().replace(b'"partition":"review"', b'"partition":"training"', 1))
    with pytest.raises(CorpusError):
        refresh(folder)


def test_twenty_thousand(tmp_path: Path) -> None:
    whole = corpus(7, 20_000)
    assigned = split(whole)
    assert leaks(whole, assigned) == [] and len(assigned) == 20_000


def test_what_was_broken_off_is_taken_up(tmp_path: Path) -> None:
    whole = corpus(8, 120)
    folder = written(tmp_path / "corpus", whole[:60])
    refresh(folder)
    manifest = (folder / "partitions/manifest.json").read_bytes()
    written(folder, whole)
    wanted = refresh(folder)["hashes"]
    (folder / "partitions/manifest.json").write_bytes(manifest)
    assert refresh(folder)["hashes"] == wanted


def test_a_lost_manifest_unfreezes_nothing(tmp_path: Path) -> None:
    folder = written(tmp_path / "corpus", corpus(9, 60))
    refresh(folder)
    (folder / "partitions/manifest.json").unlink()
    with pytest.raises(CorpusError):
        refresh(folder)
