"""Whatever a host's files hold and whatever is done to them meanwhile: the user's stays, ours goes."""

from __future__ import annotations

import json
import os
import tempfile
import tomllib
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from dabhand.interfaces.cli.host import NAMES
from dabhand.interfaces.hosts import editing, entries, jsonc, jsonc_edits, markdown_block, toml_text
from dabhand.interfaces.hosts.installing import read
from dabhand.interfaces.hosts.known import Host, hosts
from tests.interfaces.test_hosts import SETTINGS, host, servers, tree

NUMBERS = st.integers(0, 99)
VALUES = st.sampled_from(
    ("1", '"a//b"', "[1, 2 /* in */]", '{"x": {"y": null},}', "1.50", '"\\u00e4 ,}"', "{\n}", "[]")
)
COMMENTS = st.sampled_from(("", "// one", "/* two\n lines */", '// "dabhand": {', "/* } */"))
SPACES = st.sampled_from(("", " ", "\n", "\n  ", "\t", "\n\n    "))


@st.composite
def objects(draw: st.DrawFn, names: list[str], inner: dict[str, str]) -> str:
    """An object as somebody may have typed it; every name with a value of its own, or the one given."""
    text, comma = "{" + draw(SPACES), ""
    for name in names:
        comment = draw(COMMENTS)
        comment += "\n" if comment.startswith("//") else ""
        text += comma + draw(SPACES) + comment + f'"{name}"' + draw(SPACES) + ":" + draw(SPACES)
        text += inner.get(name) or draw(VALUES)
        comment = draw(COMMENTS)
        text += comment + ("\n" if comment.startswith("//") else "")
        comma = "," + draw(SPACES)
    return text + (draw(st.sampled_from(("", ","))) if names else "") + draw(SPACES) + "}"


@st.composite
def json_texts(draw: st.DrawFn) -> str | None:
    if draw(st.integers(0, 9)) == 0:
        return draw(st.sampled_from((None, "", "{}", "\ufeff{}", "\n")))
    old = '{"command": "old/dabhand", "args": ["mcp"], "env": {"K": "v"}}'
    names = draw(st.lists(st.sampled_from(("a", "b", "dabhand", "dabhand")), max_size=4))
    inner = {"dabhand": old}
    given = {"mcpServers": draw(objects(names, inner))}
    top = draw(st.permutations(["theme", "mcpServers", "z"]))[: draw(st.integers(0, 3))]
    text = draw(SPACES) + draw(objects(top, given)) + draw(st.sampled_from(("", "\n", "\n// end", "\n\n")))
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


TOMLS = st.lists(
    st.sampled_from(
        (
            'model = "m" # why\n',
            "f = nan\n",
            "# alone\n",
            "\n",
            '[mcp_servers.x]\ncommand = "y"\n',
            '[mcp_servers.x.env]\nA = "[mcp_servers.dabhand]"\n',
            '[mcp_servers.dabhand]\ncommand = "old/dabhand"\nargs = ["mcp"]\n# inside\nenabled = false\n'
            '[mcp_servers.dabhand.tools.run]\napproval_mode = "approve"\n',
            '[a]\nb = """\n[mcp_servers.dabhand]\n"""\n',
            "[[list]]\nc = [ # in\n  1,\n]\n",
            "[[list]]\nd = '''\n#'''\n",
        )
    ),
    max_size=7,
    unique=True,
).map(lambda parts: "".join(sorted(parts, key=lambda part: part.startswith("[") or ("f =" in part and 0))))


def _toml_is_sound(text: str) -> bool:
    try:
        tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError:
        return False
    return True


MARKDOWN = st.none() | st.lists(
    st.sampled_from(
        ("# Mine\n", "\n", "Hand over:\n", "- my line", "\r\n", "text without end", markdown_block.END + "\n")
    ),
    max_size=5,
).map("".join)
TOML_TEXTS = (
    st.none() | TOMLS.filter(_toml_is_sound) | TOMLS.filter(_toml_is_sound).map(lambda t: t.replace("\n", "\r\n"))
)


class Kept(RuleBasedStateMachine):
    """Somebody installs, edits, installs again and removes."""

    name = "claude-code"

    def __init__(self) -> None:
        super().__init__()
        self.base = tempfile.TemporaryDirectory(prefix="dabhand-kept-")
        self.home, self.store = Path(self.base.name) / "home", Path(self.base.name) / "store"
        self.home.mkdir()
        with mock.patch.dict(os.environ, {"HOME": str(self.home)}):
            self.known: Host = hosts(self.home, {})[self.name]
        self.before: dict[str, bytes | None] | None = None
        self.recorded = False
        self.hook = ["--hook"] if self.known.hooks else []

    def teardown(self) -> None:
        self.base.cleanup()

    @initialize(data=st.data())
    def prepare(self, data: st.DataObject) -> None:
        settings_text = data.draw(TOML_TEXTS if self.known.form == "toml" else json_texts())
        texts = {self.known.settings: settings_text, self.known.instructions: data.draw(MARKDOWN)}
        if self.known.hooks:
            texts[self.known.hooks] = data.draw(
                st.none() | st.sampled_from(("{}", HOOKED, '{\n  // h\n  "hooks": {}\n}'))
            )
        for path, text in texts.items():
            if text is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text.encode())

    def users(self) -> dict[str, Any]:
        """What of all files is the user's, piece by piece."""
        found: dict[str, Any] = {}
        for path in self.known.files:
            text = read(path) or ""
            if path == self.known.instructions:
                found[path.name] = _lines_of_user(text, editing.instructions(self.known))
            elif self.known.form == "toml":
                found[path.name] = _toml_of_user(text)
            elif text.removeprefix(jsonc.BOM).strip():
                found[path.name] = _json_of_user(text, path == self.known.hooks)
            else:
                found[path.name] = []
        return found

    @rule()
    def install(self) -> None:
        before = self.users()
        held = tree(self.home)
        standing = entries.standing(self.known, read(self.known.settings))
        code, document = host(self.home, self.store, "install", self.name, *self.hook)
        if standing is not None and not standing.is_ours:  # an edit in the middle of our entry made it another
            assert document["error"]["code"] == "conflict" and tree(self.home) == held
            return
        assert code == 0, document
        assert self.users() == before
        assert entries.installed(self.known, read(self.known.settings)) is not None
        if not self.recorded:
            self.before, self.recorded = held, document["status"] == "installed"
        after = tree(self.home)
        assert host(self.home, self.store, "install", self.name, *self.hook)[1]["status"] == "unchanged"
        assert tree(self.home) == after

    @rule()
    def remove(self) -> None:
        before = self.users()
        code, document = host(self.home, self.store, "remove", self.name)
        assert code == 0, document
        assert self.users() == before
        if self.before is not None:
            assert tree(self.home) == self.before
        self.before, self.recorded = None, False
        if _holds_us(tree(self.home)):  # an older entry, or end of a block, as it was; it goes when asked again
            host(self.home, self.store, "remove", self.name)
            assert self.users() == before
        assert entries.installed(self.known, read(self.known.settings)) is None
        assert not editing.hook_places(self.known, read(self.known.hooks) if self.known.hooks else None)
        assert not markdown_block.has(read(self.known.instructions) or "")
        assert host(self.home, self.store, "remove", self.name)[1]["status"] == "unchanged"

    @rule(number=NUMBERS, place=st.floats(0, 1), data=st.data())
    def edit_settings(self, number: int, place: float, data: st.DataObject) -> None:
        text = read(self.known.settings)
        if text is None:
            return
        self.before = None
        newline = "\r\n" if "\r\n" in text else "\n"
        if self.known.form == "toml":
            changed = _with_toml_line(text, number, place, newline)
            if _toml_is_sound(changed):
                self.known.settings.write_bytes(changed.encode())
            return
        if not text.removeprefix(jsonc.BOM).strip():
            return
        changed = text
        match data.draw(st.integers(0, 3)):
            case 0:
                changed = _with_comment(text, f"// user {number}", place)
            case 1:
                changed = jsonc_edits.put(text, "f", (f"user{number}x{len(text)}",), {"n": number})
            case 2:
                lists = jsonc.at(jsonc.read(text, "f"), ("mcpServers",))
                if lists is not None and isinstance(lists.value, dict):
                    where = lists.start + 1
                    name = f"early{number}x{len(text)}"
                    changed = text[:where] + f'"{name}": {{}}' + ("," if lists.members else "") + text[where:]
            case _:
                found = jsonc.at(jsonc.read(text, "f"), ("mcpServers", "dabhand"))
                if found is not None and isinstance(found.value, dict):
                    changed = jsonc_edits.put(text, "f", ("mcpServers", "dabhand", f"own{len(text)}"), number)
        self.known.settings.write_bytes(changed.encode())

    @rule(number=NUMBERS, place=st.floats(0, 1))
    def edit_instructions(self, number: int, place: float) -> None:
        text = read(self.known.instructions)
        if text is None:
            return
        self.before = None
        lines = text.splitlines(keepends=True)
        where = int(place * len(lines))
        whole = not where or lines[where - 1].endswith("\n")
        lines.insert(where, ("" if whole else "\n") + f"user's line {number}\n")
        self.known.instructions.write_bytes("".join(lines).encode())

    @precondition(lambda self: self.known.hooks is not None)
    @rule(number=NUMBERS)
    def edit_hooks(self, number: int) -> None:
        assert self.known.hooks is not None
        places = editing.hook_places(self.known, read(self.known.hooks))
        if places:
            self.before = None
            text = read(self.known.hooks) or ""
            path = (*editing.HOOKS, places[0][0], "hooks")
            found = jsonc.at(jsonc.read(text, "f"), path)
            assert found is not None
            own = {"type": "command", "command": f"user {number}"}
            self.known.hooks.write_bytes(jsonc_edits._insert(text, found, "", own).encode())


HOOKED = '{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "mine"}]}]}, "a": 1}'


def _holds_us(held: dict[str, bytes | None]) -> bool:
    return any(content and b"dabhand" in content for content in held.values())


def _json_of_user(text: str, is_hooks: bool) -> list[str]:
    """Every piece of it, but our entries and what stands around them once they are gone."""
    if is_hooks:
        value = jsonc.read(text, "f").value
        groups = value.get("hooks", {}).get("PreToolUse", [])
        every = [each for group in groups for each in group["hooks"] if "dabhand" not in each["command"]]
        comments = [piece for piece in jsonc.content(text) if piece.startswith(("//", "/*"))]
        others = [f"{key}: {json.dumps(value[key])}" for key in value if key != "hooks"]
        return [*map(json.dumps, every), *comments, *others]
    while True:
        found = jsonc.at(jsonc.read(text, "f"), ("mcpServers",))
        place = None if found is None else jsonc.member(found, "dabhand")
        if found is None or place is None or found.members is None:
            break
        _, start, node = found.members[place]
        text = text[:start] + '"dabhand_gone":0' + text[node.end :]
    pieces = jsonc.content(text)
    gone = ['"dabhand_gone"', ":", "0"]
    while gone[0] in pieces:
        at = pieces.index(gone[0])
        del pieces[at : at + 3]
    empty = ['"mcpServers"', ":", "{", "}"]
    for at in range(len(pieces)):
        if pieces[at : at + 4] == empty:  # which is made, and taken out again, as it has to be
            del pieces[at : at + 4]
            break
    return [] if pieces == ["{", "}"] else pieces


def _toml_of_user(text: str) -> list[str]:
    lines = text.removeprefix(jsonc.BOM)
    for each in reversed(list(toml_text.statements(lines))):
        if each.path[:2] == ("mcp_servers", "dabhand"):
            start, end = toml_text._lines_of(lines, each)
            lines = lines[:start] + lines[end:]
    return [line for line in lines.splitlines() if line.strip()]


def _lines_of_user(text: str, ours: str) -> list[str]:
    known = {line.strip() for line in (*ours.splitlines(), markdown_block.BEGIN, markdown_block.END)}
    return [line for line in text.splitlines() if line.strip() and line.strip() not in known]


def _with_comment(text: str, comment: str, place: float) -> str:
    """A comment on a line of its own, at the end of some line outside of strings, comments and our entry."""
    ends = [at for at, letter in enumerate(text) if letter == "\n"]
    entry = jsonc.at(jsonc.read(text, "f"), ("mcpServers", "dabhand"))
    good = []
    for at in ends:
        changed = text[: at + 1] + comment + "\n" + text[at + 1 :]
        inside = entry is not None and entry.start <= at <= entry.end
        if (
            not inside
            and comment in jsonc.content(changed)
            and len(jsonc.content(changed)) == len(jsonc.content(text)) + 1
        ):
            good.append(changed)
    return good[int(place * (len(good) - 1))] if good else text


def _with_toml_line(text: str, number: int, place: float, newline: str) -> str:
    lines = text.splitlines(keepends=True)
    where = int(place * len(lines))
    if where and not lines[where - 1].endswith("\n"):
        where = 0
    kinds = (f"# user {number}", f"user{number}x{len(text)} = {number}", f"[user{number}x{len(text)}]", "")
    return "".join([*lines[:where], kinds[number % 4] + newline, *lines[where:]])


def _machine(name: str) -> Any:
    machine = type(f"Kept{name}", (Kept,), {"name": name})
    case = machine.TestCase
    case.settings = settings(
        max_examples=25, stateful_step_count=8, deadline=None, suppress_health_check=list(HealthCheck)
    )
    return case


TestClaudeCode = _machine("claude-code")
TestCodex = _machine("codex")
TestCursor = _machine("cursor")
TestGemini = _machine("gemini")


@pytest.mark.parametrize("name", NAMES)
def test_a_dangling_link_is_still_one(name: str, tmp_path: Path) -> None:
    home, store = tmp_path / "home", tmp_path / "store"
    link = home / SETTINGS[name]
    link.parent.mkdir(parents=True)
    link.symlink_to(tmp_path / "dotfiles/nothing yet")
    host(home, store, "install", name)
    assert link.is_symlink() and "dabhand" in link.read_text()
    host(home, store, "remove", name)
    assert link.is_symlink() and not link.exists() and not (tmp_path / "dotfiles").exists()


def test_a_lost_backup_costs_nothing(tmp_path: Path) -> None:
    home, store = tmp_path / "home", tmp_path / "store"
    file = home / SETTINGS["cursor"]
    file.parent.mkdir(parents=True)
    file.write_text('{"theme": "dark"} // mine\n')
    host(home, store, "install", "cursor")
    for copy in (store / "hosts").glob("*.backup"):
        copy.unlink()
    assert host(home, store, "remove", "cursor")[0] == 0
    text = file.read_text()
    assert "dark" in text and "// mine" in text and "dabhand" not in text


def test_the_same_host_elsewhere_keeps_its_record(tmp_path: Path) -> None:
    home, store = tmp_path / "home", tmp_path / "store"
    home.mkdir()
    before = tree(home)
    places = [home, tmp_path / "work", tmp_path / "play"]
    for place in places:
        with mock.patch.dict(os.environ, {} if place == home else {"CLAUDE_CONFIG_DIR": str(place)}):
            host(home, store, "install", "claude-code", "--hook")
    for place in reversed(places):
        with mock.patch.dict(os.environ, {} if place == home else {"CLAUDE_CONFIG_DIR": str(place)}):
            assert host(home, store, "remove", "claude-code")[1]["status"] == "removed"
            assert place == home or not place.exists()
    assert tree(home) == before


def test_two_stores(tmp_path: Path) -> None:
    """What another store installed comes back byte for byte, as any older entry; it goes with its own store."""
    home, one, two = tmp_path / "home", tmp_path / "one", tmp_path / "two"
    home.mkdir()
    fresh = tree(home)
    host(home, one, "install", "gemini")
    older = tree(home)
    host(home, two, "install", "gemini")
    assert "older entry" in host(home, two, "remove", "gemini")[1]["note"]
    assert tree(home) == older
    assert host(home, one, "remove", "gemini")[0] == 0 and tree(home) == fresh
    host(home, one, "install", "gemini")
    host(home, two, "install", "gemini")
    host(home, one, "remove", "gemini")
    assert tree(home) == fresh
    assert host(home, two, "remove", "gemini")[0] == 0


@pytest.mark.parametrize("name", ["claude-code", "cursor"])
def test_instructions_that_were_never_ours(name: str, tmp_path: Path) -> None:
    home, store = tmp_path / "home", tmp_path / "store"
    file = hosts(home, {})[name].instructions
    file.parent.mkdir(parents=True)
    file.write_text("my own rules\n")
    assert host(home, store, "remove", name)[1]["status"] == "unchanged"
    host(home, store, "install", name)
    assert file.read_text().startswith("my own rules\n") and "MCP server" in file.read_text()
    host(home, store, "remove", name)
    assert file.read_text() == "my own rules\n"


@pytest.mark.parametrize("name", ["claude-code", "cursor"])
def test_instructions_that_were_edited(name: str, tmp_path: Path) -> None:
    home, store = tmp_path / "home", tmp_path / "store"
    host(home, store, "install", name) if home.mkdir() is None else None
    file = hosts(home, {})[name].instructions
    file.write_text(file.read_text() + "\nmy own line\n")
    edited = file.read_text()
    host(home, store, "install", name)
    assert file.read_text() == edited
    document = host(home, store, "remove", name)[1]
    assert file.read_text().strip() == "my own line"
    assert edited in [Path(copy).read_text() for copy in document["copies"]]


def test_an_entry_that_starts_nothing_is_not_taken_for_ours(tmp_path: Path) -> None:
    home = tmp_path / "home"
    file = home / SETTINGS["cursor"]
    file.parent.mkdir(parents=True)
    file.write_text('{"mcpServers": {"dabhand": {"url": "https://example.org"}}}')
    before = tree(home)
    assert host(home, tmp_path / "store", "install", "cursor")[0] != 0
    assert host(home, tmp_path / "store", "remove", "cursor")[1]["status"] == "unchanged"
    listed = host(home, tmp_path / "store", "list")[1]["hosts"]
    assert [each["status"] for each in listed if each["host"] == "cursor"] == ["elsewhere"]
    assert tree(home) == before


@pytest.mark.parametrize(
    "text",
    [
        '{"mcpServers": {\n  // about the old one\n  "dabhand": {"command": "o"}, // c\n  "x": {"command": "y"}\n}}',
        '{"mcpServers": {"x": 1, // keep\n"dabhand": {"command": "o"}, "y": 2}}',
        '{"mcpServers": {"x": 1 // keep\n, "dabhand": {"command": "o"} // last\n}}',
        '{"mcpServers": {// keep\n"dabhand": {"command": "o"} /* a */ , /* b */ "x": 1}}',
    ],
)
def test_no_comment_swallows_a_server(text: str) -> None:
    taken = jsonc_edits.take(text, "f", ("mcpServers", "dabhand"))
    assert jsonc.read(taken, "f").value == {
        "mcpServers": {k: v for k, v in jsonc.read(text, "f").value["mcpServers"].items() if k != "dabhand"}
    }
    for comment in (piece for piece in jsonc.content(text) if piece.startswith("/")):
        assert comment in jsonc.content(taken)


def test_a_lost_end_costs_nothing() -> None:
    body = editing.guidance()
    block = markdown_block.put("", body)
    begin, end = markdown_block.BEGIN + "\n", markdown_block.END + "\n"
    for text in (
        "mine\n\n" + block.replace(end, "") + "mine too\n" + block + "and this\n",
        "mine\n" + block.replace(begin, "") + "mine too\nand this\n",
        block.replace(end, "") + "mine\nmine too\nand this\n",
    ):
        left = markdown_block.take(text, body)
        assert [line for line in left.splitlines() if line] == [
            line for line in ("mine", "mine too", "and this") if line in text.splitlines()
        ]


def test_the_store_goes_with_the_entry(tmp_path: Path) -> None:
    from dabhand.interfaces.cli.root import run

    home = tmp_path / "home"
    home.mkdir()
    with mock.patch.dict(os.environ, {"HOME": str(home), "DABHAND_HOME": str(tmp_path / "my store")}):
        assert run(["host", "install", "cursor", "--json"]) == 0
    entry = servers("cursor", home / SETTINGS["cursor"])["dabhand"]
    assert entry["args"][-2:] == ["--store", str(tmp_path / "my store")]
