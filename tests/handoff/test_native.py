"""The native backend: every operation on awkward files, held against plain Python."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dabhand.handoff import native_search

from .conftest import Inspect, numbered, texts

CONTENTS = st.one_of(
    st.binary(max_size=60),
    st.lists(st.sampled_from([b"a", b"b\r", b"", b"\0", "é".encode(), b"\xe9", b"aXb", b"ab" * 9]), max_size=30).map(
        b"\n".join
    ),
).filter(lambda data: data[:2] not in (b"\xff\xfe", b"\xfe\xff"))
together = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def lines_of(data: bytes) -> list[str]:
    """As the contract has it: lines end at newlines alone, and a last one without is one."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    return lines[:-1] if not lines[-1] else lines


@together
@given(data=CONTENTS, count=st.integers(1, 12), first=st.integers(1, 12), more=st.integers(0, 6))
def test_parts_of_a_file(root: Path, inspect: Inspect, data: bytes, count: int, first: int, more: int) -> None:
    (root / "a").write_bytes(data)
    lines = lines_of(data)
    every = list(enumerate(lines, 1))
    assert numbered(inspect("first_lines", count=count)) == every[:count]
    assert numbered(inspect("last_lines", count=count)) == every[-count:]
    assert numbered(inspect("line_range", first=first, last=first + more)) == every[first - 1 : first + more]
    assert numbered(inspect("line_range", first=first)) == every[first - 1 :]
    whole = inspect("whole_file")
    assert numbered(whole) == every
    assert (whole.output.total_lines, whole.output.total_bytes) == (len(lines), len(data))
    assert inspect("count_lines").answer == len(lines)


@together
@given(
    data=CONTENTS,
    before=st.integers(0, 3),
    after=st.integers(0, 3),
    most=st.none() | st.integers(1, 3),
    fold=st.booleans(),
)
def test_searching_with_context(
    root: Path, inspect: Inspect, data: bytes, before: int, after: int, most: int | None, fold: bool
) -> None:
    (root / "a").write_bytes(data)
    lines = lines_of(data)
    value = "B" if fold else "b"
    hits = [place for place, line in enumerate(lines) if value.lower() in (line.lower() if fold else line)][:most]
    shown = sorted({at for hit in hits for at in range(max(0, hit - before), min(len(lines), hit + after + 1))})
    packet = inspect("search", value=value, ignore_case=fold, before=before, after=after, max_count=most)
    assert packet.status == ("ok" if hits else "no_match")
    assert numbered(packet) == [(at + 1, lines[at]) for at in shown]
    matched = [line.n - 1 for line in packet.output.lines if line.matched]
    if most is None:
        assert matched == hits
    assert inspect("count_matches", value="b").answer == sum("b" in line for line in lines)


@together
@given(data=CONTENTS, pattern=st.sampled_from(["^a", "b.?$", "^$", "a|X", r"\Aa", "[^a]", "x*"]))
def test_regular_expressions(root: Path, inspect: Inspect, data: bytes, pattern: str) -> None:
    data = data.decode("utf-8", "ignore").encode()
    (root / "a").write_bytes(data)
    expected = [(n, line) for n, line in enumerate(lines_of(data), 1) if re.search(pattern.replace("$", r"\Z"), line)]
    assert numbered(inspect("search", value=pattern, regex=True)) == expected


@pytest.mark.parametrize("ending", [b"", b"\n"])
@pytest.mark.parametrize("size", [1 << 20, 4 << 20, 9 << 20])
def test_long_lines_and_many_of_them(root: Path, inspect: Inspect, size: int, ending: bytes) -> None:
    (root / "a").write_bytes(
        b"first\n" + b"x" * size + b"needle" + b"\n" + b"needle in short\n" * 200 + b"last" + ending
    )
    packet = inspect("search", value="needle", options={"max_bytes": 4 * size})
    assert [line.n for line in packet.output.lines] == list(range(2, 203))
    assert packet.output.total_lines == 201
    assert inspect("count_matches", value="needle").answer == 201
    assert numbered(inspect("last_lines", count=2)) == [(202, "needle in short"), (203, "last")]
    assert inspect("count_lines").answer == 203
    shown = inspect("line_range", first=2, last=2, options={"max_bytes": 100})
    assert (len(shown.output.lines[0].text), shown.output.lines[0].cut) == (100, size - 94)
    assert not shown.output.complete


def test_patterns_in_very_long_lines(root: Path, inspect: Inspect) -> None:
    (root / "a").write_bytes(b"^" + b"x" * (19 << 20) + b"needle" + b"y" * (9 << 20) + b"end\nneedle\n")
    for value, lines in {
        "need.e": [1, 2],
        "^needle": [2],
        "end$": [1],
        "x$": [],
        "absent": [],
        r"\bneedle": [2],
    }.items():
        packet = inspect("search", value=value, regex=True, options={"max_bytes": 100 << 20})
        assert [line.n for line in packet.output.lines] == lines, value
        assert packet.output.complete
    assert inspect("count_matches", value="NEEDLE", ignore_case=True).answer == 2
    packet = inspect("search", value="nee+dle and more", regex=True)
    assert packet.status == "no_match"
    assert not packet.output.complete
    assert "Line 1" in packet.notes[0]


def test_evidence_from_very_long_lines_is_cut_and_says_so(root: Path, inspect: Inspect) -> None:
    (root / "a").write_bytes(b"ok\nERROR: disk full\nERROR: " + b"x" * (20 << 20) + b"\nok\n")
    packet = inspect("whole_file", options={"evidence_request": "Return every error."})
    assert "ERROR: disk full" in [line.text for line in packet.evidence.lines]
    for line in packet.evidence.lines:
        assert len(line.text) <= 64 << 10
        assert bool(line.cut) == (line.n == 3)


def test_no_pattern_hangs(root: Path, inspect: Inspect) -> None:
    (root / "a").write_bytes(b"a" * 100_000 + b"\n")
    assert inspect("search", value="(a+)+b", regex=True).status == "no_match"
    assert inspect("search", value="(", regex=True).status == "rejected"
    assert inspect("search", value="(?=a)", regex=True).error is not None


def test_utf16_is_recognised_by_its_mark(root: Path, inspect: Inspect) -> None:
    for encoding in ("utf-16-le", "utf-16-be"):
        (root / "a").write_bytes("\ufeffÄpfel\r\nBirnen\r\n".encode(encoding))
        packet = inspect("search", value="Äpfel")
        assert numbered(packet) == [(1, "Äpfel\r")]
        assert "UTF-16" in packet.notes[0]


def test_other_encodings_stay_bytes(root: Path, inspect: Inspect) -> None:
    (root / "a").write_bytes(b"\xef\xbb\xbfcaf\xe9\n")
    assert texts(inspect("whole_file")) == ["\ufeffcaf\udce9"]
    assert inspect("whole_file").to_json()["output"]["lines"] == [{"n": 1, "base64": "77u/Y2Fm6Q=="}]


def test_ansi_and_carriage_returns_are_left_as_they_are(root: Path, inspect: Inspect) -> None:
    (root / "a").write_bytes(b"\x1b[31mred\x1b[0m\n10%\r50%\r100%\n{{build}} file_1\n")
    assert texts(inspect("whole_file")) == ["\x1b[31mred\x1b[0m", "10%\r50%\r100%", "{{build}} file_1"]


def test_last_lines_of_a_very_large_file(root: Path, inspect: Inspect) -> None:
    with (root / "a").open("wb") as file:
        file.write(b"top\n")
        file.truncate(5 << 30)
        file.seek(0, 2)
        file.write(b"\nsecond\nlast\n")
    packet = inspect("last_lines", count=2)
    assert numbered(packet) == [(3, "second"), (4, "last")]
    assert packet.timings_ms.run < 2000


def test_numbers_from_the_end_where_counting_would_cost_the_whole_file(root: Path, inspect: Inspect) -> None:
    line = b"x" * 1023 + b"\n"
    with (root / "a").open("wb") as file:
        for _ in range(80):
            file.write(line * 1024)
        file.write(b"last\n")
    packet = inspect("last_lines", count=2, options={"max_bytes": 5000})
    assert [line.n for line in packet.output.lines] == [-2, -1]
    assert packet.output.total_lines is None
    assert inspect("count_lines").answer == 80 * 1024 + 1


class TestFolders:
    @pytest.fixture(autouse=True)
    def tree(self, root: Path) -> None:
        (root / "sub" / "deep").mkdir(parents=True)
        (root / ".hidden").mkdir()
        for name in ("b.log", "a.log", "Z.txt", ".h.log", "sub/c.log", "sub/deep/d.log", ".hidden/e.log"):
            (root / name).write_text(f"{name}\nneedle\n")
        (root / "bin.log").write_bytes(b"\0needle\n")
        (root / "link.log").symlink_to("a.log")
        (root / "out.log").symlink_to("/etc/passwd")
        (root / "subs").symlink_to("sub")

    def test_listing(self, inspect: Inspect) -> None:
        assert texts(inspect("list_files", "")) == ["Z.txt", "a.log", "b.log", "bin.log", "link.log"]
        assert texts(inspect("list_files", ".", kind="folders")) == ["sub", "subs"]
        assert ".h.log" in texts(inspect("list_files", ".", kind="all", hidden=True))
        assert texts(inspect("list_files", "", glob="?.log")) == ["a.log", "b.log"]
        assert texts(inspect("list_files", "", value="b")) == ["b.log", "bin.log"]
        assert texts(inspect("list_files", "", value="[")) == []
        assert inspect("list_files", "", glob="*.py").status == "no_match"
        assert texts(inspect("list_files", "subs")) == ["c.log"]
        assert inspect("list_files", "a.log").status == "rejected"

    def test_finding(self, root: Path, inspect: Inspect) -> None:
        os.utime(root / "sub/c.log", (0, 0))
        assert texts(inspect("find_files", "sub")) == ["sub/c.log", "sub/deep/d.log"]
        assert texts(inspect("find_files", "", glob="?.log", hidden=False)) == [
            *("a.log", "b.log", "sub/c.log", "sub/deep/d.log")
        ]
        assert texts(inspect("find_files", "", kind="folders")) == [".hidden", "sub", "sub/deep"]
        assert texts(inspect("find_files", "", max_bytes=8)) == ["bin.log"]
        assert texts(inspect("find_files", "", min_age=10**6)) == ["sub/c.log"]
        assert "sub/c.log" not in texts(inspect("find_files", "", max_age=10**6))
        assert texts(inspect("find_files", "", glob="*.log", max_depth=1, value="b")) == ["b.log", "bin.log"]

    def test_searching_below(self, inspect: Inspect) -> None:
        packet = inspect("search", "", value="needle", recursive=True, hidden=False, glob="*.log")
        assert [(line.path, line.n) for line in packet.output.lines] == [
            *(("a.log", 2), ("b.log", 2), ("sub/c.log", 2), ("sub/deep/d.log", 2))
        ]
        assert {each.path for each in packet.searched.skipped} == {"bin.log", "link.log", "out.log"}
        here = inspect("search", "", value="needle", after=1, max_count=2)
        assert [(line.path, line.text) for line in here.output.lines] == [(".h.log", "needle"), ("Z.txt", "needle")]
        nothing = inspect("search", "sub", value="absent", recursive=True)
        assert (nothing.status, nothing.searched.files) == ("no_match", 2)
        assert inspect("count_matches", "", value="needle", recursive=True).answer == 7

    def test_names_with_newlines(self, root: Path, inspect: Inspect) -> None:
        (root / "sub" / "new\nline").touch()
        packet = inspect("list_files", "sub")
        assert texts(packet) == ["c.log", "new\nline"]
        assert "NUL" in packet.notes[0]


class TestJson:
    @pytest.mark.parametrize(
        ("text", "key", "value"),
        [
            ('{"a": 1.50, "b": {"a": 2}}', "a", "1.50"),
            ('\ufeff {"x": [1, {"a": 3}], "a" : 1e400 }', "a", "1e400"),
            ('{"a": 12345678901234567890123456789012345678901234567890}', "a", "1234567890" * 5),
            ('{"a": 1, "a": 2}', "a", "2"),
            ('{"\\u0061": "x\\"}"}', "a", '"x\\"}"'),
            ('{"a.b": null, "a": {"b": 1}}', "a.b", "null"),
            ('{"a":\n{"k": [\n1 , 2]}\n}', "a", '{"k": [\n1 , 2]}'),
        ],
    )
    @pytest.mark.parametrize("large", [False, True])
    def test_a_field_is_given_as_it_is_written(
        self, root: Path, inspect: Inspect, text: str, key: str, value: str, large: bool
    ) -> None:
        filling = ', "filling": "' + '\\"}' * 9999 + "x" * (17 << 20) + '"' if large else ""
        (root / "a").write_text(text[:-1] + filling + "}", "utf-8")
        packet = inspect("json_field", key=key)
        assert packet.answer == value
        assert "\n".join(texts(packet)) == value

    @pytest.mark.parametrize(
        "text", ["", "[]", "3", "{", '{"a": 1', '{"a": 1,}', '{"a": NaN}', '{"a": 1} x', "{'a': 1}"]
    )
    def test_what_is_no_object_fails(self, root: Path, inspect: Inspect, text: str) -> None:
        (root / "a").write_text(text)
        assert inspect("json_field", key="a").status == "failed"

    def test_a_field_that_is_not_there(self, root: Path, inspect: Inspect) -> None:
        (root / "a").write_text(json.dumps({"b": {"a": 1}}))
        assert inspect("json_field", key="a").status == "no_match"


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(
        st.sampled_from([b"", b"hit", b"a hit, hit", b"HiT", b"miss", b"x" * 40, b"\xff\r", b"K\xe2\x84\xaa"])
    ),
    ended=st.booleans(),
    block=st.sampled_from([32, 64, 1 << 20]),
    few=st.sampled_from([1, 3, 24]),
    before=st.integers(0, 2),
    after=st.integers(0, 2),
    most=st.none() | st.integers(1, 4),
    kind=st.sampled_from(["literal", "either case", "pattern"]),
    below=st.booleans(),
)
def test_a_search_finds_what_looking_at_each_line_finds(
    root: Path,
    inspect: Inspect,
    monkeypatch: pytest.MonkeyPatch,
    lines: list[bytes],
    ended: bool,
    block: int,
    few: int,
    before: int,
    after: int,
    most: int | None,
    kind: str,
    below: bool,
) -> None:
    monkeypatch.setattr(native_search, "SEARCH_BLOCK", block)
    monkeypatch.setattr(native_search, "FEW", few)
    data = b"\n".join(lines) + (b"\n" if ended and lines else b"")
    (root / "a").write_bytes(data)
    every = data.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n") if data else []
    found = [at for at, line in enumerate(every) if "hit" in (line.lower() if kind == "either case" else line)][:most]
    around = {at: False for row in found for at in range(max(0, row - before), min(len(every), row + after + 1))}
    around |= dict.fromkeys(found, True)
    value, options = ("h[i]t", {"regex": True}) if kind == "pattern" else ("hit", {"ignore_case": kind != "literal"})
    place = {"path": "."} if below else {}
    packet = inspect("search", value=value, before=before, after=after, max_count=most, **options, **place)
    assert [(line.n - 1, line.text, line.matched) for line in packet.output.lines] == [
        (at, every[at], hit) for at, hit in sorted(around.items())
    ]
    assert packet.output.complete and packet.output.total_lines == len(around)
    counted = inspect("count_matches", value=value, **options, **place)
    assert most is not None or counted.answer == len(found)
