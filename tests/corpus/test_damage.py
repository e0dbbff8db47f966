"""Transcripts that are damaged in every way we could think of: no crash, nothing invented, the damage said."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from dabhand.corpus.triple import CAP, Triple
from tests.corpus.reading import read
from tests.corpus.test_golden import CASES
from tests.corpus.transcripts import claude_call, claude_result, claude_session, lines

VARIANTS = 1000
ODD = (None, True, -1, 1e300, "", "x", [], {}, [[]], {"type": "tool_use"}, "\x00", 10**30)

TOLD_BY_PLACE = {("codex-exec-items.jsonl", "swapped"), ("codex-exec-items.jsonl", "doubled")}
TOLD_BY_PLACE |= {("codex-exec-runs.jsonl", "swapped"), ("codex-exec-runs.jsonl", "doubled")}
TOLD_BY_PLACE |= {("codex-guardian.jsonl", "beheaded")}
"""What only the place in the file tells: of which run an item is, and that a session is a reviewer's."""

Damaging = Callable[[bytes, random.Random], bytes]


def cut(data: bytes, draw: random.Random) -> bytes:
    return data[: draw.randrange(len(data))]


def beheaded(data: bytes, draw: random.Random) -> bytes:
    return data[draw.randrange(len(data)) :]


def swapped(data: bytes, draw: random.Random) -> bytes:
    found = data.splitlines(keepends=True)
    for _ in range(draw.randint(1, 4)):
        one, other = draw.randrange(len(found)), draw.randrange(len(found))
        found[one], found[other] = found[other], found[one]
    return b"".join(found)


def doubled(data: bytes, draw: random.Random) -> bytes:
    found = data.splitlines(keepends=True)
    begin = draw.randrange(len(found))
    block = found[begin : begin + draw.randint(1, len(found))]
    place = draw.randrange(len(found) + 1)
    return b"".join([*found[:place], *block, *found[place:]])


def mistyped(data: bytes, draw: random.Random) -> bytes:
    """Some value somewhere is of another type."""
    found = data.splitlines(keepends=True)
    place = draw.randrange(len(found))
    try:
        record = json.loads(found[place])
    except ValueError:
        return data
    _spoil(record, draw)
    found[place] = json.dumps(record).encode() + b"\n"
    return b"".join(found)


def _spoil(value: object, draw: random.Random) -> None:
    while isinstance(value, dict | list) and value:
        key = draw.choice(list(value)) if isinstance(value, dict) else draw.randrange(len(value))
        inner = value[key]  # type: ignore[index]
        if not isinstance(inner, dict | list) or not inner or draw.random() < 0.3:
            value[key] = draw.choice(ODD)  # type: ignore[index]
            return
        value = inner


def sprinkled(data: bytes, draw: random.Random) -> bytes:
    """A few bytes are others."""
    found = bytearray(data)
    for _ in range(draw.randint(1, 5)):
        found[draw.randrange(len(found))] = draw.choice((0, 10, 34, 92, 123, 125, 255, 0xED))
    return bytes(found)


def joined(data: bytes, draw: random.Random) -> bytes:
    """Newlines are lost."""
    found = data.split(b"\n")
    place = draw.randrange(len(found))
    return b"\n".join([*found[:place], b"".join(found[place : place + 2]), *found[place + 2 :]])


WAYS: tuple[Damaging, ...] = (cut, beheaded, swapped, doubled, mistyped, sprinkled, joined)


def _said(triples: list[Triple]) -> dict[str, list[Triple]]:
    found: dict[str, list[Triple]] = {}
    for triple in triples:
        found.setdefault(triple.command, []).append(triple)
    return found


@pytest.mark.parametrize("part", range(10))
def test_nothing_is_invented(part: int, tmp_path: Path) -> None:
    draw = random.Random(part)
    for number in range(VARIANTS // 10):
        path, way = CASES[draw.randrange(len(CASES))], WAYS[number % len(WAYS)]
        whole = _said(read(path)[0])
        damaged = tmp_path / path.name
        damaged.write_bytes(way(path.read_bytes(), draw))
        triples, tally = read(damaged)
        note = (path.name, way.__name__, part, number)
        if way in (sprinkled, mistyped) or (path.name, way.__name__) in TOLD_BY_PLACE:
            continue  # what a command says may be the very thing that changed: that nothing breaks is all there is
        for command, found in _said(triples).items():
            assert command in whole or tally.damage_counts, (*note, command)
            if way not in (doubled, swapped):
                codes = Counter(triple.exit_code for triple in whole.get(command, []))
                assert all(each.exit_code is None or each.exit_code in codes for each in found), (*note, command)
            assert len(found) <= len(whole.get(command, found)) or path.suffix != ".jsonl", (*note, command)


def test_a_cut_is_said(tmp_path: Path) -> None:
    data = claude_session([(f"toolu_{number}", f"ls {number}", "x") for number in range(30)])
    ends = [place for place, letter in enumerate(data) if letter == 10]
    for size in range(3, len(data), 331):
        path = tmp_path / "cut.jsonl"
        path.write_bytes(data[:size])
        triples, tally = read(path)
        inside = size - 1 not in ends and size not in ends
        assert bool(tally.damage_counts) == inside or size < ends[0]
        assert len(triples) == sum(1 for number, end in enumerate(ends) if number % 2 == 0 and end <= size)


BOMBS = {
    "lists": b"[" * 1_000_000,
    "in a field": b'{"type":"user","message":{"content":' + b"[" * 500_000 + b"]" * 500_000 + b"}}",
    "objects": b'{"a":' * 500_000,
    "in a field that is not looked at": b'{"type":"user","x":' + b'{"a":' * 200_000 + b"1" + b"}" * 200_001,
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_a_nesting_bomb_is_passed_over(bomb: bytes, tmp_path: Path) -> None:
    path = tmp_path / "bomb.jsonl"
    session = claude_session([("toolu_1", "ls", "x")])
    path.write_bytes(session + bomb + b"\n" + session.replace(b"toolu_1", b"toolu_2"))
    triples, tally = read(path)
    assert [triple.command for triple in triples] == ["ls", "ls"]
    assert tally.damage_counts in ({"too_deep": 1}, {"not_an_object": 1})


def test_a_bomb_in_a_document_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.traj"
    path.write_bytes(b'{"trajectory": [{"action": "ls", "observation": ' + b"[" * 300_000 + b"]" * 300_000 + b"}]}")
    triples, tally = read(path)
    assert not triples and tally.damage_counts == {"too_deep": 1}


def test_lines_of_50_megabytes_take_little_memory(tmp_path: Path) -> None:
    huge = 50 << 20
    path = tmp_path / "big.jsonl"
    with path.open("wb") as stream:
        stream.write(
            lines(claude_call("toolu_1", "cat big"), claude_result("toolu_1", "y" * huge) | {"toolUseResult": 0})
        )
        stream.write(b'{"type":"user","message":{"content":"' + b"z" * huge + b"\n")
        stream.write(b"n" * (100 << 20) + b"\n" + claude_session([("toolu_2", "ls", "x")]))
    code = (
        "import sys; from pathlib import Path; from dabhand.interfaces.cli.root import run;"
        "run(sys.argv[1:]); print(Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0])"
    )
    line = [sys.executable, "-c", code, "corpus", "extract", str(path), "--out", str(tmp_path / "out"), "--json"]
    done = subprocess.run(line, capture_output=True, check=True)
    summary, memory = done.stdout.splitlines()
    assert int(memory) < 200 * 1024
    assert json.loads(summary)["damage"]["counts"] == {"cut_off": 1, "shortened": 2, "too_long": 1}
    big, small = [json.loads(line) for line in (tmp_path / "out" / "triples.jsonl").read_bytes().splitlines()]
    assert (len(big["output"]), big["capped"], big["status"]) == (CAP, True, "ran")
    assert (small["command"], small["capped"]) == ("ls", False)
