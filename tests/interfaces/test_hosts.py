"""Adding dabhand to the settings of coding agents, and taking it out again, on prepared home folders."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import tomllib
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dabhand.interfaces.cli.host import NAMES
from dabhand.interfaces.cli.root import run
from dabhand.interfaces.hosts import entries, jsonc, jsonc_edits, markdown_block, suggesting, toml_text

SETTINGS = {
    "claude-code": Path(".claude.json"),
    "codex": Path(".codex/config.toml"),
    "cursor": Path(".cursor/mcp.json"),
    "gemini": Path(".gemini/settings.json"),
}
JSON_HOMES = {
    "fresh": None,
    "empty": "",
    "blank object": "{}",
    "other servers": '{"mcpServers": {"x": {"command": "y", "args": ["-z"]}}, "n": 1.50, "u": "\\u00e4"}\n',
    "comments": '{\n\t// mine\n\t"mcpServers": {\n\t\t"x": {"command": "y"} // keep\n\t\t/* end */\n\t},\n\t"z": 1,\n}',
    "trailing comma": '{\r\n  "mcpServers": {\r\n    "x": {"command": "y"},\r\n  },\r\n}',
    "byte order mark": '\ufeff{\n  "mcpServers": {}\n}\n',
    "no list": '{"theme": "dark"}',
}
TOML_HOMES = {
    "fresh": None,
    "empty": "",
    "other servers": '[mcp_servers.x]\ncommand = "y"\n',
    "comments": '#m\nmodel = "m" # keep\n\n[mcp_servers.x]\ncommand = "y"\n\n[a]\nb="""\n[mcp_servers.dabhand]\n"""',
    "windows": 'model = "m"\r\n\r\n[mcp_servers.x.env]\r\nK = "v"\r\n',
}
BROKEN = {"json": '{\n  "mcpServers": {\n    "x": ]\n  }\n}\n', "toml": "a = 1\nb = \n"}


def homes() -> list[tuple[str, str]]:
    return [(host, name) for host in NAMES for name in (TOML_HOMES if host == "codex" else JSON_HOMES)]


def prepare(home: Path, host: str, text: str | None) -> Path:
    file = home / SETTINGS[host]
    home.mkdir()
    if text is not None:
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(text.encode())
    return file


def tree(home: Path) -> dict[str, bytes | None]:
    return {str(each.relative_to(home)): each.read_bytes() if each.is_file() else None for each in home.rglob("*")}


def host(home: Path, store: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    """`dabhand host ... --json`, in this process, as somebody whose home that is."""
    printed = io.StringIO()
    with mock.patch.dict(os.environ, {"HOME": str(home)}), contextlib.redirect_stdout(printed):
        code = run(["host", *arguments, "--store", str(store), "--json"])
    return code, json.loads(printed.getvalue())


def servers(name: str, file: Path) -> dict[str, Any]:
    text = file.read_text("utf-8")
    if name == "codex":
        return tomllib.loads(text)["mcp_servers"]
    return jsonc.read(text, str(file)).value["mcpServers"]


@pytest.mark.parametrize(("name", "prepared"), homes())
def test_install_remove_install(name: str, prepared: str, tmp_path: Path) -> None:
    home, store = tmp_path / "home", tmp_path / "store"
    text = (TOML_HOMES if name == "codex" else JSON_HOMES)[prepared]
    file = prepare(home, name, text)
    before = tree(home)
    hook = ["--hook"] if name == "claude-code" else []

    code, document = host(home, store, "install", name, "--dry-run", *hook)
    assert code == 0 and tree(home) == before and document["status"] == "would be installed"

    assert host(home, store, "install", name, *hook)[1]["status"] == "installed"
    entry = servers(name, file)["dabhand"]
    assert entry["args"][-3:] == ["mcp", "--store", str(store)]
    others = {key: value for key, value in servers(name, file).items() if key != "dabhand"}
    assert others == {} if text is None or '"x"' not in text.replace(".x", '."x"') else others.keys() == {"x"}
    if text:
        for line in re.findall(r"//.*|/\*.*\*/|#.*", text):
            assert line.strip() in file.read_text("utf-8")
    after = tree(home)

    assert host(home, store, "install", name, *hook)[1]["status"] == "unchanged"
    assert tree(home) == after

    assert host(home, store, "remove", name)[1]["status"] == "removed"
    assert tree(home) == before
    assert host(home, store, "remove", name)[1]["status"] == "unchanged"

    assert host(home, store, "install", name, *hook)[1]["status"] == "installed"
    assert tree(home) == after


@pytest.mark.parametrize("name", NAMES)
def test_what_was_changed_since_stays(name: str, tmp_path: Path) -> None:
    home, store = tmp_path / "home", tmp_path / "store"
    text = TOML_HOMES["other servers"] if name == "codex" else JSON_HOMES["comments"]
    assert text is not None
    file = prepare(home, name, text)
    host(home, store, "install", name)
    added = "\n[late]\nx = 1\n" if name == "codex" else "\n// late\n"
    file.write_bytes(file.read_bytes() + added.encode())
    host(home, store, "remove", name)
    assert file.read_text("utf-8") == text + added


@pytest.mark.parametrize("name", NAMES)
def test_without_a_record(name: str, tmp_path: Path) -> None:
    """The store was lost: what is ours is still found and cut out."""
    home = tmp_path / "home"
    text = TOML_HOMES["comments"] if name == "codex" else JSON_HOMES["other servers"]
    file = prepare(home, name, text)
    host(home, tmp_path / "one", "install", name)
    host(home, tmp_path / "other", "remove", name)
    assert "dabhand" not in servers(name, file)
    assert "x" in servers(name, file)


@pytest.mark.parametrize("name", NAMES)
def test_a_broken_file_is_refused_with_its_line(name: str, tmp_path: Path) -> None:
    home, store = tmp_path / "home", tmp_path / "store"
    prepare(home, name, BROKEN["toml" if name == "codex" else "json"])
    before = tree(home)
    code, document = host(home, store, "install", name)
    assert code == 2
    assert re.search(r"line \d+", document["error"]["message"])
    assert tree(home) == before
    listed = {each["host"]: each for each in host(home, store, "list")[1]["hosts"]}
    assert listed[name]["status"] == "broken"


@pytest.mark.parametrize(
    ("name", "text"),
    [("codex", 'mcp_servers = { x = { command = "y" } }\n'), ("cursor", '{"mcpServers": []}'), ("gemini", "[1]")],
)
def test_no_place_for_an_entry(name: str, text: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    file = prepare(home, name, text)
    assert host(home, tmp_path / "store", "install", name)[0] == 2
    assert file.read_text() == text


def test_a_linked_file_stays_a_link(tmp_path: Path) -> None:
    home, store = tmp_path / "home", tmp_path / "store"
    real = tmp_path / "dotfiles.json"
    real.write_text("{}")
    real.chmod(0o640)
    (home / ".cursor").mkdir(parents=True)
    (home / ".cursor/mcp.json").symlink_to(real)
    host(home, store, "install", "cursor")
    assert (home / ".cursor/mcp.json").is_symlink() and real.stat().st_mode & 0o777 == 0o640
    assert "dabhand" in real.read_text()
    host(home, store, "remove", "cursor")
    assert (home / ".cursor/mcp.json").is_symlink() and real.read_text() == "{}"


@pytest.mark.parametrize("name", NAMES)
def test_of_an_older_entry_only_what_it_starts_is_replaced(name: str, tmp_path: Path) -> None:
    home, store = tmp_path / "home", tmp_path / "store"
    text = (
        '{"mcpServers": {"dabhand": {"command": "old/dabhand", "args": ["mcp"], "env": {"A": "1"}, "disabled": true},'
        ' "x": {"command": "y"}}}'
    )
    if name == "codex":
        text = '[mcp_servers.dabhand]\ncommand = "old/dabhand" # mine\nargs = ["mcp"]\n# why\n'
        text += '[mcp_servers.dabhand.env]\nA = "1"\n[mcp_servers.x]\nn = nan\n'
    file = prepare(home, name, text)
    before = tree(home)
    host(home, store, "install", name)
    entry = servers(name, file)["dabhand"]
    assert entry["command"] != "old/dabhand" and entry["env"] == {"A": "1"}
    assert entry["args"][-3:-1] == ["mcp", "--store"]
    assert "older entry" in host(home, store, "remove", name)[1]["note"]
    assert tree(home) == before
    host(home, store, "remove", name)
    assert "dabhand]" not in file.read_text() and "dabhand" not in servers(name, file) and "x" in servers(name, file)


@pytest.mark.parametrize("name", NAMES)
def test_an_older_entry_is_never_lost(name: str, tmp_path: Path) -> None:
    """The file was edited since, so that bytes cannot be put back: the entry comes back, or a copy of it is kept."""
    home, store = tmp_path / "home", tmp_path / "store"
    text = '{"mcpServers": {"dabhand": {"command": "dabhand", "args": ["mcp"], "env": {"T": "secret"}}}}\n'
    if name == "codex":
        text = '[mcp_servers.dabhand]\ncommand = "dabhand"\nargs = ["mcp"]\n[mcp_servers.dabhand.env]\nT = "secret"\n'
    for edit in ("around", "inside"):
        file = home / SETTINGS[name]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        host(home, store, "install", name)
        written = file.read_text()
        mark = "# late\n" if name == "codex" else "\n// late\n"
        file.write_text(written + mark if edit == "around" else written.replace("--store", "--shop"))
        document = host(home, store, "remove", name)[1]
        copies = [Path(each).read_text() for each in document["copies"]]
        assert file.read_text() == text + mark if edit == "around" else text in copies
        host(home, store, "remove", name)


FOREIGN = {
    "json": '{\n  "mcpServers": {\n    "dabhand": {"command":"other","args":["a"],"env":{"TOKEN":"secret"}}\n  }\n}',
    "null": '{"mcpServers":\n\n{"dabhand":null}}',
    "toml": '# m\n\n[mcp_servers.dabhand] # m\ncommand = "other"\n# why\n[mcp_servers.dabhand.env]\nTOKEN = "secret"\n',
    "inline": 'a = 1\nb = 2\nmcp_servers = { dabhand = { command = "o" } }\n',
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", FOREIGN)
def test_an_entry_that_is_not_ours_stays(name: str, kind: str, tmp_path: Path) -> None:
    if (name == "codex") != (kind in ("toml", "inline")):
        pytest.skip("a form of other hosts")
    home, store = tmp_path / "home", tmp_path / "store"
    prepare(home, name, FOREIGN[kind])
    before = tree(home)
    code, document = host(home, store, "install", name)
    assert code != 0 and "line 3" in document["error"]["message"]
    removed = host(home, store, "remove", name)[1]
    assert removed["status"] == "unchanged" and "line 3" in removed["note"]
    assert tree(home) == before
    listed = {each["host"]: each["status"] for each in host(home, store, "list")[1]["hosts"]}
    assert listed[name] == "elsewhere"


@pytest.mark.parametrize(
    ("entry", "ours"),
    [
        ({"command": "dabhand", "args": ["mcp"]}, True),
        ({"command": "/x/bin/dabhand", "args": ["mcp", "--store", "s"]}, True),
        ({"command": "C:\\x\\dabhand.exe", "args": ["mcp"]}, True),
        ({"command": "/usr/bin/python3.11", "args": ["-P", "-m", "dabhand", "mcp"]}, True),
        ({"command": "uvx", "args": ["--from", "dabhand[mcp]", "dabhand", "mcp"]}, True),
        ({"command": "dabhand", "args": ["learn"]}, False),
        ({"command": "dabhand"}, False),
        ({"command": "wrapper", "args": ["dabhand", "mcp"]}, False),
        ({"command": "python", "args": ["dabhand", "mcp"]}, False),
        ({"command": "dabhand", "args": "mcp"}, False),
        ({"command": "dabhand", "args": ["mcp"], "url": "https://example.org"}, False),
        ({}, False),
        (None, False),
        ([], False),
    ],
)
def test_what_is_ours(entry: object, ours: bool) -> None:
    assert entries.Standing(entry, 1).is_ours is ours


def test_our_own_entry_is_ours(tmp_path: Path) -> None:
    for name in NAMES:
        home = tmp_path / name
        home.mkdir()
        for _ in range(2):
            assert host(home, tmp_path / "store", "install", name)[0] == 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["fifo", "device"])
def test_settings_that_are_no_file_are_refused(name: str, kind: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    file = home / SETTINGS[name]
    file.parent.mkdir(parents=True)
    if kind == "fifo":
        os.mkfifo(file)
    else:
        file.symlink_to("/dev/zero")
    for command in ("install", "remove"):
        code, document = host(home, tmp_path / "store", command, name)
        assert code == 2 and "no regular file" in document["error"]["message"]
    listed = {each["host"]: each["status"] for each in host(home, tmp_path / "store", "list")[1]["hosts"]}
    assert listed[name] == "broken"


@pytest.mark.parametrize("name", NAMES)
def test_settings_that_are_not_utf8_are_refused_with_their_line(name: str, tmp_path: Path) -> None:
    home, store = tmp_path / "home", tmp_path / "store"
    file = prepare(home, name, "")
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(b'a = 1\nb = "caf\xe9"\n' if name == "codex" else b'{\n"b": "caf\xe9"}\n')
    before = tree(home)
    code, document = host(home, store, "install", name)
    assert code == 2 and "line 2: it is not UTF-8" in document["error"]["message"]
    assert tree(home) == before
    listed = {each["host"]: each["status"] for each in host(home, store, "list")[1]["hosts"]}
    assert listed[name] == "broken"


@pytest.mark.parametrize("text", ["// hi", "/* a */\n// b\n", "\ufeff// hi\r\n"])
def test_settings_of_comments_alone(text: str, tmp_path: Path) -> None:
    home, store = tmp_path / "home", tmp_path / "store"
    file = prepare(home, "cursor", text)
    before = tree(home)
    assert host(home, store, "install", "cursor")[0] == 0
    assert file.read_bytes().decode().startswith(text.rstrip()) and "dabhand" in servers("cursor", file)
    host(home, store, "remove", "cursor")
    assert tree(home) == before
    host(home, store, "install", "cursor")
    file.write_bytes(file.read_bytes() + b"// late\n")
    host(home, store, "remove", "cursor")
    assert file.read_text("utf-8").startswith(text.strip()[:4]) and "// late" in file.read_text()


def test_an_inline_list_is_refused_with_its_line(tmp_path: Path) -> None:
    home = tmp_path / "home"
    prepare(home, "codex", 'a = 1\nmcp_servers = { x = { command = "y" } }\n')
    code, document = host(home, tmp_path / "store", "install", "codex")
    assert code == 2 and "line 2" in document["error"]["message"]


@pytest.mark.parametrize("command", ["install", "remove"])
def test_what_a_killed_installation_left_is_cleaned(command: str, tmp_path: Path) -> None:
    home, store = tmp_path / "home", tmp_path / "store"
    file = prepare(home, "claude-code", '{"a": 1}')
    host(home, store, "install", "claude-code")
    half = home / "..claude.json.ab12cd_9"
    half.write_bytes(file.read_bytes()[:20])
    whole = home / "..claude.json.ab12cd_8"
    whole.write_bytes(file.read_bytes())
    others = home / "..claude.json.somebody", home / "..claude.json.backup-of-mine"
    for other in others:
        other.write_text("mine")
    host(home, store, command, "claude-code")
    assert not half.exists() and not whole.exists() and all(other.read_text() == "mine" for other in others)


@pytest.mark.parametrize("name", ["codex", "gemini"])
def test_an_unclosed_begin_mark_comes_back(name: str, tmp_path: Path) -> None:
    home, store = tmp_path / "home", tmp_path / "store"
    file = home / SETTINGS[name].parent / ("AGENTS.md" if name == "codex" else "GEMINI.md")
    file.parent.mkdir(parents=True)
    file.write_text(f"# Mine\n{markdown_block.BEGIN}\nmy line\n")
    before = tree(home)
    host(home, store, "install", name)
    assert file.read_text().count(markdown_block.BEGIN) == 1
    host(home, store, "remove", name)
    assert tree(home) == before


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
LAYOUTS = st.sampled_from((None, 1, 2, 4, "\t"))


@given(st.dictionaries(st.text(max_size=6), VALUES, max_size=4), LAYOUTS, st.booleans())
def test_a_member_goes_in_and_out(document: dict[str, object], indent: int | str | None, windows: bool) -> None:
    document.pop("servers", None)
    text = json.dumps(document, indent=indent, ensure_ascii=False) + "\n"
    text = text.replace("\n", "\r\n") if windows else text
    changed = jsonc_edits.put(text, "f", ("servers", "ours"), {"command": "c", "args": ["a"]})
    assert jsonc.read(changed, "f").value == {**document, "servers": {"ours": {"command": "c", "args": ["a"]}}}
    assert jsonc_edits.take(changed, "f", ("servers", "ours"), floor=0) == text


@given(st.text(alphabet='{}[]",:/*\n a1\\', max_size=30))
def test_what_is_read_is_what_json_says_or_refused(text: str) -> None:
    try:
        read = jsonc.read(text, "f").value
    except jsonc.BrokenConfiguration:
        with pytest.raises(ValueError):
            json.loads(text, strict=True)
        return
    try:
        assert read == json.loads(text)
    except ValueError:
        assert "/" in text or "," in text  # a comment or a trailing comma


def test_a_block_goes_in_and_out() -> None:
    for text in ("", "a", "a\n", "a\r\n", "a\n\n\n"):
        changed = markdown_block.put(text, "body")
        assert markdown_block.put(changed, "body") == changed
        assert markdown_block.take(changed, "body").rstrip() == text.rstrip()


def test_a_table_among_others_is_cut_alone() -> None:
    text = '[mcp_servers.dabhand]\ncommand = "x"\n[mcp_servers.dabhand.env]\nA = "1"\n\n[other]\nb = 1\n'
    assert tomllib.loads(toml_text.take(text, "f", ("mcp_servers", "dabhand"))) == {"other": {"b": 1}}


@pytest.mark.parametrize(
    ("command", "lost"),
    [
        ("make test | tail -5", "make"),
        ("cd src && npm run build 2>&1 | grep -i error", "npm"),
        ("FOO=1 ./run.sh | tee log | head", "run.sh"),
        ("(cd a; pytest -q) | tail", "pytest"),
        ("cat a | grep b | head", None),
        ("git log --oneline | head -5", None),
        ("set -o pipefail; make | tail", None),
        ("set -euo pipefail\nmake | tail", None),
        ("make | tail # no pipefail here", "make"),
        ("echo pipefail; make | tail", "make"),
        ("make | tail; exit ${PIPESTATUS[0]}", None),
        ("for d in a b; do (cd $d && make) | tail -1; done", "make"),
        ("{ make; } 2>&1 | tee log", "make"),
        ("make test", None),
        ("make | xargs rm", None),
        ("echo 'make | tail'", None),
        ("make |", None),
    ],
)
def test_a_lost_exit_code_is_told(command: str, lost: str | None) -> None:
    data = json.dumps({"tool_name": "Bash", "tool_input": {"command": command}}).encode()
    answer = suggesting.answer(data)
    assert (f"`{lost}`" in answer) if lost else answer == ""
    assert "permissionDecision" not in answer and "updatedInput" not in answer


def test_a_long_output_before_is_told(tmp_path: Path) -> None:
    transcript = tmp_path / "t.jsonl"
    call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "cargo build"}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "x" * 20_000}]}
    records = [{"message": {"content": [call]}}, {"message": {"content": [result]}}]
    transcript.write_text("not json\n" + "".join(json.dumps(each, separators=(",", ":")) + "\n" for each in records))
    told = {"tool_name": "Bash", "tool_input": {"command": "cargo build"}, "transcript_path": str(transcript)}
    assert "20,000" in suggesting.answer(json.dumps(told).encode())
    told["tool_input"] = {"command": "cargo"}
    assert suggesting.answer(json.dumps(told).encode()) == ""


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{", b'{"tool_name": "Bash"}', b'{"tool_name": "Read", "tool_input": {}}']
)
def test_a_hook_never_stands_in_the_way(data: bytes) -> None:
    assert suggesting.answer(data) == ""
