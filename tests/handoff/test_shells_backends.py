"""The backends agree on awkward files and names, and every line says exactly one plan."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import tree_sitter
import tree_sitter_bash
from hypothesis import given, settings
from hypothesis import strategies as st

import tests.handoff.awkward as awkward
from dabhand.errors import UsageError
from dabhand.handoff.artifacts import Artifacts
from dabhand.handoff.inspecting import Wish, inspect
from dabhand.handoff.packet import Packet
from dabhand.handoff.plan import FindFiles, FirstLines, JsonField, LineRange, ListFiles, Plan, Search, WholeFile
from dabhand.handoff.seams import Backend
from dabhand.handoff.shells.backends import render
from dabhand.handoff.shells.syntax import parse_line


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("awkward")
    awkward.write(folder)
    return folder


def ask(root: Path, plan: Plan, backend: Backend) -> Packet:
    return inspect(root, Wish(plan=plan, backend=backend), Artifacts(root.parent / "kept"))


def same(root: Path, plan: Plan) -> None:
    native, bash = ask(root, plan, "native"), ask(root, plan, "bash")
    assert native.error is None and bash.error is None, (native.error, bash.error)
    assert bash.output.lines == native.output.lines, plan
    assert (bash.status, bash.answer) == (native.status, native.answer), plan
    assert bash.output.total_lines == native.output.total_lines, plan
    assert bash.stderr.text == "", plan


@pytest.mark.parametrize("name", awkward.CONTENTS)
def test_the_backends_agree_on_contents(root: Path, name: str) -> None:
    for plan in awkward.plans_of_file(f"{name}.txt"):
        same(root, plan)


def test_the_backends_agree_on_values(root: Path) -> None:
    for value in awkward.SPECIAL_VALUES:
        same(root, Search(path="special.txt", value=value))
        if value.isprintable():
            same(root, Search(path="unicode.txt", value=value, ignore_case=True))


@pytest.mark.parametrize("name", awkward.NAMES, ids=repr)
def test_the_backends_agree_on_names(root: Path, name: bytes) -> None:
    path = "names/" + name.decode("utf-8", "surrogateescape")
    for plan in (FirstLines(path=path, count=1), Search(path=path, value="ERROR")):
        same(root, plan)


@pytest.mark.parametrize("plan", awkward.PLANS_OF_FOLDERS, ids=repr)
def test_the_backends_agree_on_folders(root: Path, plan: Plan) -> None:
    same(root, plan)


def test_long_lines(root: Path, tmp_path: Path) -> None:
    (tmp_path / "long").write_bytes(b"a" * 50_000_000 + b"ERROR\nshort ERROR\n")
    for plan in (LineRange(path="long", first=2, last=2), Search(path="long", value="short")):
        same(tmp_path, plan)


def test_where_they_differ(root: Path, tmp_path: Path) -> None:
    """What docs/shells.md says of differences between native and bash."""
    (tmp_path / "wide.txt").write_bytes("ERROR in UTF-16\n".encode("utf-16"))
    below = Search(path=".", value="ERROR", recursive=True)
    assert ask(tmp_path, below, "native").status == "ok"  # UTF-16 is recognised in files below a folder ...
    assert ask(tmp_path, below, "bash").status == "no_match"  # ... and grep sees its bytes
    (tmp_path / "wide.txt").unlink()
    (tmp_path / "é").touch()
    (tmp_path / "word.txt").write_text("é\n")
    word = Search(path="word.txt", value=r"^\w$", regex=True)
    assert ask(tmp_path, word, "native").status == "no_match"  # \w is ASCII in RE2
    (tmp_path / "a.json").write_text('{"a": {"b":  1.50}, "c": "x"}')
    json_field = JsonField(path="a.json", key="a")
    assert ask(tmp_path, json_field, "native").answer == '{"b":  1.50}'
    answer = ask(tmp_path, json_field, "bash")
    if answer.error is None:  # there is jq
        assert answer.answer in ('{"b":1.5}', '{"b":1.50}')
        assert ask(tmp_path, JsonField(path="a.json", key="none"), "bash").status == "no_match"


def test_what_fails_is_said(root: Path, tmp_path: Path) -> None:
    assert ask(root, FirstLines(path="none.txt", count=1), "bash").status == "rejected"
    packet = ask(root, WholeFile(path="tree/outside"), "bash")
    assert packet.status == "rejected" and not packet.output.lines


def test_the_line_that_is_shown_does_what_was_done(root: Path) -> None:
    for name in awkward.NAMES:
        path = "names/" + name.decode("utf-8", "surrogateescape")
        packet = ask(root, Search(path=path, value="ERROR"), "bash")
        assert packet.command is not None
        line = os.fsencode(packet.command)
        done = subprocess.run(["bash", "-c", line], cwd=root, capture_output=True, check=False)
        assert done.stdout == b"2:" + packet.output.lines[0].text.encode() + b"\n"


TEXTS = st.text(st.characters(exclude_characters="\0\n", exclude_categories=["Cs"]), min_size=1, max_size=12) | st.text(
    st.sampled_from(list("'\"$`\\-*?[]{}()|&;<>~#!% \t=0x1kb’‘‚‛“”„é")), min_size=1, max_size=12
)
PATHS = TEXTS.map(lambda text: text.strip("/") or "x")


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    path, value, number = draw(PATHS), draw(TEXTS), draw(st.integers(1, 10**6))
    glob = draw(st.none() | TEXTS.map(lambda text: text.replace("/", "") or "*"))
    return draw(
        st.sampled_from(
            [
                *awkward.plans_of_file(path),
                Search(path=path, value=value, recursive=True, glob=glob, hidden=False, before=2, after=1),
                Search(path=path, value=value, regex=True, max_count=number),
                ListFiles(path=path, glob=glob, value=value, ignore_case=True),
                FindFiles(path=path, glob=glob, value=value, max_depth=number, min_bytes=number, hidden=False),
                JsonField(path=path, key=value),
            ]
        )
    )


@settings(max_examples=300)
@given(plans())
def test_a_line_of_bash_is_read_back_as_exactly_its_words(plan: Plan) -> None:
    rendered = render(plan, "bash", plan.path, folder=getattr(plan, "recursive", False), now=1.7e9)
    script = parse_line(rendered.line)
    assert script.understood and len(script.lists) == 1 and not script.lists[0].operators
    (pipeline,) = script.lists[0].pipelines
    read = tuple(tuple(word.value for word in command.words) for command in pipeline.commands)
    assert read == rendered.words, rendered.line
    assert not any(command.redirections or command.assignments for command in pipeline.commands)


@settings(max_examples=300)
@given(plans())
def test_a_line_of_powershell_is_read_back_as_exactly_its_words(plan: Plan) -> None:
    tree_sitter_powershell = pytest.importorskip("tree_sitter_powershell")
    try:
        rendered = render(plan, "powershell", plan.path, folder=getattr(plan, "recursive", False))
    except UsageError:
        return
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_powershell.language()))
    source = rendered.line.encode()
    root = parser.parse(source).root_node
    assert not root.has_error, rendered.line
    commands = list(_nodes(root, "command"))
    assert len(list(_nodes(root, "pipeline"))) == 1 and len(commands) == len(rendered.stages)
    read = tuple(tuple(_words(command, source)) for command in commands)
    assert read == rendered.words, rendered.line


def _nodes(node: tree_sitter.Node, kind: str) -> Iterator[tree_sitter.Node]:
    if node.type == kind:
        yield node
    for child in node.children:
        yield from _nodes(child, kind)


def _words(command: tree_sitter.Node, source: bytes) -> Iterator[str]:
    """The words of a command: bare ones as they stand, quoted ones as what they say."""
    elements = command.children[1].children if len(command.children) > 1 else []
    for node in (command.children[0], *elements):
        text = source[node.start_byte : node.end_byte].decode()
        if node.type == "command_argument_sep":
            continue
        if text[:1] in "'\u2018\u2019\u201a\u201b":
            inside = text[1:-1]
            yield "".join(inside[at] for at in range(len(inside)) if not _second_of_two(inside, at))
        else:
            yield text


def _second_of_two(text: str, at: int) -> bool:
    """Whether a quote in quoted text is the second of a doubled one."""
    quotes, before = "'\u2018\u2019\u201a\u201b", 0
    while before < at and text[at - before - 1] in quotes:
        before += 1
    return text[at] in quotes and before % 2 == 1


def test_bash_reads_nothing_outside_while_links_are_swapped(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "real").mkdir(parents=True)
    (root / "real" / "file").write_text("plain\n")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "file").write_text("SECRET\n")
    name, stop = root / "swapped", threading.Event()

    def swap() -> None:
        while not stop.is_set():
            for target in ("../outside", "real", str(tmp_path / "outside")):
                name.unlink(missing_ok=True)
                name.symlink_to(target)

    swapping = threading.Thread(target=swap)
    swapping.start()
    try:
        for _ in range(20):
            packet = ask(root, WholeFile(path="swapped/file"), "bash")
            assert packet.status in ("ok", "rejected", "failed") and "SECRET" not in str(packet.to_json())
            below = ask(root, Search(path=".", value="SECRET", recursive=True), "bash")
            assert below.status == "no_match"
    finally:
        stop.set()
        swapping.join()


@pytest.mark.skipif(shutil.which("pwsh") is None, reason="there is no pwsh")
@pytest.mark.parametrize("name", ["plain", "open", "unicode", "special", "crlf"])
def test_powershell_agrees_on_text(root: Path, name: str) -> None:
    for plan in awkward.plans_of_file(f"{name}.txt"):
        native, shell = ask(root, plan, "native"), ask(root, plan, "powershell")
        assert [(line.n, line.text.rstrip("\r")) for line in shell.output.lines] == [
            (line.n, line.text.rstrip("\r")) for line in native.output.lines
        ], plan


def test_powershell_that_is_not_there_is_said(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    packet = ask(root, FirstLines(path="plain.txt", count=1), "powershell")
    assert packet.status == "rejected" and packet.error is not None and "pwsh" in packet.error.message


def test_bash_grammar_is_the_one_that_is_used() -> None:
    assert tree_sitter.Language(tree_sitter_bash.language()).abi_version >= 14


@pytest.mark.parametrize("backend", ["native", "bash"])
def test_a_newline_in_a_name_shifts_no_line(tmp_path: Path, backend: Backend) -> None:
    root = tmp_path / "root"
    (root / "d\n1:x").mkdir(parents=True)
    for name in ("a\nb", "d\n1:x/c", "it's\n\\n", "plain"):
        (root / name).write_text("one\nhit 1\nthree\nhit 2\n")
    packet = ask(root, Search(path=".", value="hit", recursive=True, before=1), backend)
    lines = [(line.path, line.n, line.text, line.matched) for line in packet.output.lines]
    names = sorted(["a\nb", "d\n1:x/c", "it's\n\\n", "plain"])
    content = [(1, "one", False), (2, "hit 1", True), (3, "three", False), (4, "hit 2", True)]
    assert lines == [(name, *line) for name in names for line in content]
    assert packet.output.complete and packet.output.omitted_lines == packet.output.omitted_bytes == 0
    assert any("newlines" in note for note in packet.notes)
    kept = Path(packet.artifact.path).read_text() if packet.artifact else ""
    assert kept.count("\n") == packet.output.total_lines == 16


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ('{"a": 12345678901234567890}', "failed"),
        ('{"a": [1.00000000000000000001]}', "failed"),
        ('{"a": 1e2, "b": 12345678901234567890}', "ok"),
        ('{"a": 1}{"a": 2}', "failed"),
        ('{"a": 1}\n[]', "failed"),
        ("", "failed"),
        ("[1]", "failed"),
        ('{"b": 1}', "no_match"),
        ('{"a": "x\\ny"}', "ok"),
        ('{"a": null, "a": false}', "ok"),
    ],
)
def test_a_field_that_bash_gives_is_the_one_in_the_file(tmp_path: Path, text: str, status: str) -> None:
    if shutil.which("jq") is None:
        pytest.skip("no jq")
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "a.json").write_text(text)
    packet = ask(tmp_path / "root", JsonField(path="a.json", key="a"), "bash")
    native = ask(tmp_path / "root", JsonField(path="a.json", key="a"), "native")
    assert packet.status == status, packet
    assert native.status in (status, "ok")
    assert packet.output.total_lines == len(packet.output.lines)


NOTHING: list[Plan] = [
    Search(path=".", value="no such text", recursive=True),
    Search(path="a.txt", value="no such text"),
    LineRange(path="a.txt", first=99),
    ListFiles(path=".", glob="*.none"),
    FindFiles(path=".", glob="*.none"),
]


@pytest.mark.parametrize("backend", ["native", "bash"])
@pytest.mark.parametrize("plan", NOTHING, ids=lambda plan: type(plan).__name__)
def test_nothing_found_ends_alike_whichever_backend_looked(tmp_path: Path, plan: Plan, backend: Backend) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "a.txt").write_text("one\n")
    packet = ask(tmp_path / "root", plan, backend)
    assert (packet.status, packet.exit_code) == ("no_match", 1)


def test_the_line_that_is_shown_finds_what_was_found(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    for at, name in enumerate(("old", "young", "just")):
        (root / name).write_text("x\nhit\nhit\n")
        os.utime(root / name, (time.time() - 3600 * (2 - at),) * 2)
    plans: list[tuple[Plan, int]] = [
        (FindFiles(path=".", min_age=1800.0), 2),
        (FindFiles(path=".", max_age=5400.0), 2),
        (Search(path=".", value="hit", recursive=True, max_count=3), 3),
        (Search(path="old", value="hit", max_count=1), 1),
    ]
    for plan, count in plans:
        packet = ask(root, plan, "native")
        assert len(packet.output.lines) == count
        said = subprocess.run(["bash", "-c", str(packet.command)], cwd=root, capture_output=True, check=True).stdout
        assert len([each for each in said.replace(b"\0", b"\n").split(b"\n") if each.strip(b"0123456789")]) >= count
        shown = said.count(b"\n") or said.count(b"\0")
        assert shown == count, (packet.command, said)
    assert ask(root, Search(path="old", value="hit", max_count=1, after=2), "native").command is None
