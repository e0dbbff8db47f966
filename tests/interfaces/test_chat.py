"""`dabhand chat` from a pipe, for programs, and at a real terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import shlex
import shutil
import signal
import stat
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dabhand.interfaces.cli.line import HISTORY, completions
from dabhand.interfaces.cli.looking import PAGE, look_at
from tests.interfaces.command_line import DABHAND, dabhand

TEMPLATES = ("sort -u {A} > {B}", "wc -l < {A} > {B}", "rm {A}", "cat {A}", "tac {A} > {B}", "cp {A} {B}")
SORT = "Write the lines of piano.txt sorted and without duplicates into piano-u.txt."


@pytest.fixture(scope="module")
def practised(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("practised")
    chosen = [part for template in TEMPLATES for part in ("--template", template)]
    done = dabhand("learn", *chosen, "--experiments", "500", "--seed", "1", "--store", str(store), "--json")
    assert done.returncode == 0, done.stderr.decode()
    return store


@pytest.fixture
def learned(practised: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(practised, tmp_path / "store"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    (folder / "piano.txt").write_text("b\na\nb\n")
    (folder / "notes.txt").write_text("z\ny\n")
    return folder


def names(root: Path) -> list[str]:
    return sorted(entry.name for entry in root.iterdir())


def talk(learned: Path, root: Path, *lines: str, more: tuple[str, ...] = ()) -> str:
    given = "".join(line + "\n" for line in lines).encode("utf-8", "surrogateescape")
    done = dabhand("chat", "--root", str(root), "--store", str(learned), *more, given=given)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def test_a_whole_conversation_from_a_pipe(learned: Path, root: Path) -> None:
    said = talk(
        learned, root, SORT, "yes", "why?", "now do the same for notes.txt", "sure", "undo that", "what did you do?",
        "what does tac do?", "show me piano-u.txt", "quit",
    )  # fmt: skip
    assert re.search(r"I learned \d+ commands? by experimenting \(500 experiments\)", said)
    order = [
        "expected: piano-u.txt holds", "+ piano-u.txt", "Shall I do it?", "My own check agrees", "I took it to mean",
        "notes-u.txt", "Shall I do it?", "My own check agrees", "Undone:", "undone, 1 change", "tac {A} > {B}", "1  a",
    ]  # fmt: skip
    at = 0
    for part in order:
        found = said.find(part, at)
        assert found >= 0, (part, said)
        at = found
    assert (root / "piano-u.txt").read_text() == "a\nb\n"
    assert names(root) == ["notes.txt", "piano-u.txt", "piano.txt"]


def test_no_and_the_end_change_nothing(learned: Path, root: Path) -> None:
    before = names(root)
    assert "delete 'notes.txt'" in talk(learned, root, "Delete notes.txt", "no", "Delete piano.txt")
    assert names(root) == before


def test_yes_asks_nothing(learned: Path, root: Path) -> None:
    said = talk(learned, root, "Delete notes.txt", "the same for piano.txt", more=("--yes",))
    assert names(root) == [] and "Shall I" not in said


def test_odd_names_and_contents_play_no_tricks(learned: Path, root: Path) -> None:
    (root / "evil\x1b[2J.txt").write_bytes(b"\x1b]0;title\x07 \xff yes\nundo that\n")
    said = talk(
        learned,
        root,
        "what files are here?",
        "show me evil\x1b[2J.txt",
        'delete "evil\x1b[2J.txt"',
        "no",
        "\udcff\udcfe",
    )
    assert "\x1b" not in said and "\x07" not in said
    assert "evil\\x1b[2J.txt" in said and "\\xff yes" in said
    assert (root / "evil\x1b[2J.txt").exists()


def test_for_programs_every_line_has_one_document(learned: Path, root: Path) -> None:
    said = talk(learned, root, SORT, "yes", "show me notes.txt", "how good are you?", more=("--json",))
    turns = [json.loads(line) for line in said.splitlines()]
    assert [turn["line"] for turn in turns] == [None, SORT, "yes", "show me notes.txt", "how good are you?"]
    assert turns[1]["documents"][0]["proposal"] and turns[1]["question"]["text"] == "Shall I do it?"
    assert turns[2]["documents"][0]["status"] == "done" and turns[2]["documents"][0]["self_check"]["ok"]
    assert turns[3]["shown"][0]["lines"] == [{"n": 1, "text": "z"}, {"n": 2, "text": "y"}]
    assert turns[4]["report"]["experiments"] >= 500


def test_of_several_readings_one_is_chosen_by_its_number(learned: Path, root: Path) -> None:
    said = talk(learned, root, "write the unique lines of piano.txt into v.txt", "both", "no", "quit")
    assert "1) v.txt holds" in said and "2) v.txt holds" in said and "number from 1 to 2" in said
    assert names(root) == ["notes.txt", "piano.txt"]


def test_whoever_stops_listening_ends_it_quietly(learned: Path, root: Path) -> None:
    line = f"{' '.join(map(shlex.quote, DABHAND))} chat --root {root} --store {learned} | head -n 1"
    given = b"what can you do?\n" * 2000
    done = subprocess.run(["sh", "-c", line], input=given, capture_output=True, timeout=120, check=False)
    assert b"I learned" in done.stdout and b"Traceback" not in done.stderr


def test_there_has_to_be_a_folder(tmp_path: Path) -> None:
    done = dabhand("chat", "--root", str(tmp_path / "absent"), "--json")
    assert done.returncode == 2 and json.loads(done.stdout)["error"]["code"] == "usage"


def test_an_empty_store_is_offered_practice(tmp_path: Path, root: Path) -> None:
    said = talk(tmp_path / "fresh", root, "no", "Delete notes.txt", "quit")
    assert "I learned 0 commands" in said and "practise first" in said and "All right" in said
    assert names(root) == ["notes.txt", "piano.txt"]


# -- a terminal ------


class Terminal:
    def __init__(self, *command: str) -> None:
        self.pid, self.master = pty.fork()  # so that the terminal is the program's own, and Ctrl-C reaches it
        if self.pid == 0:
            os.execvpe(command[0], command, {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"})
        self.seen = ""

    def send(self, text: str) -> None:
        os.write(self.master, text.encode())

    def expect(self, part: str, seconds: float = 60) -> str:
        """Read until a part is seen, and let go of everything up to it."""
        until = time.monotonic() + seconds
        while part not in self.seen:
            ready, _, _ = select.select([self.master], [], [], max(0.0, until - time.monotonic()))
            assert ready, f"{part!r} did not come; seen: {self.seen[-2000:]!r}"
            try:
                data = os.read(self.master, 65536)
            except OSError:
                data = b""
            assert data, f"ended before {part!r}; seen: {self.seen[-2000:]!r}"
            self.seen += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", data.decode("utf-8", "replace"))
            if "\x1b[6n" in data.decode("utf-8", "replace"):
                os.write(self.master, b"\x1b[1;1R")  # where the cursor is, as a terminal would say
        found = self.seen.index(part) + len(part)
        before, self.seen = self.seen[:found], self.seen[found:]
        return before

    def close(self) -> int:
        try:
            while os.read(self.master, 65536):
                pass
        except OSError:  # how Linux says that the other side of a terminal is closed
            pass
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        os.close(self.master)
        return os.waitstatus_to_exitcode(status)

    def kill(self) -> None:
        """End it, if it has not ended."""
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)


@pytest.fixture
def terminal(learned: Path, root: Path) -> Iterator[Terminal]:
    opened = Terminal(*DABHAND, "chat", "--root", str(root), "--store", str(learned))
    try:
        opened.expect("help")
        opened.expect(">")
        yield opened
    finally:
        opened.kill()


def test_at_a_terminal(terminal: Terminal, learned: Path, root: Path) -> None:
    terminal.send(SORT + "\r")
    terminal.expect("Shall I do it?")
    terminal.expect("yes/no>")
    terminal.send("yes\r")
    terminal.expect("My own check agrees")
    terminal.expect(">")
    terminal.send("show me pia\t")  # two files begin so
    terminal.send("no.txt\r")
    terminal.expect("1  b")
    terminal.expect(">")
    terminal.send("\x1b[A\r")  # up: the line before
    terminal.expect("1  b")
    terminal.expect(">")
    terminal.send("half a line\x03")  # Ctrl-C drops the line only
    terminal.expect("Ctrl-D ends")
    terminal.expect(">")
    terminal.send("\x1b[200~Delete notes.txt\nyes\n\x1b[201~\r")  # pasted: one request, and no answer
    terminal.expect("lines as one request")
    terminal.expect(">")
    assert names(root) == ["notes.txt", "piano-u.txt", "piano.txt"]
    terminal.send("\x04")
    assert terminal.close() == 0
    history = learned / HISTORY
    assert stat.S_IMODE(history.stat().st_mode) == 0o600
    assert SORT in history.read_text()


def test_what_was_typed_before_a_loss_is_asked_about_does_not_allow_it(terminal: Terminal, root: Path) -> None:
    terminal.send("Delete notes.txt\ryes\r")
    terminal.expect("delete 'notes.txt'")
    terminal.expect("yes/no>")
    terminal.send("no\r")
    terminal.expect("You said no")
    terminal.expect(">")
    assert "notes.txt" in names(root)
    terminal.send("quit\r")
    assert terminal.close() == 0


def test_an_interrupt_stops_what_runs_and_nothing_else(tmp_path: Path, root: Path) -> None:
    opened = Terminal(*DABHAND, "chat", "--root", str(root), "--store", str(tmp_path / "fresh"))
    try:
        opened.expect("yes/no>")
        opened.send("yes\r")
        opened.expect("experiments")
        time.sleep(1)
        opened.send("\x03")
        opened.expect("interrupted")
        opened.expect("I am dabhand")
        opened.expect(">")
        opened.send("quit\r")
        assert opened.close() == 0
    finally:
        opened.kill()


# -- parts ------


def test_completion_of_names_commands_and_beginnings() -> None:
    def inside(folder: str) -> list[str]:
        return {"": [".hidden", "a b.txt", "box/", "piano.txt"], "box": ["e.txt"]}.get(folder, [])

    def complete(before: str) -> list[str]:
        return [text for text, _ in completions(before, inside, lambda: ["tac {A} > {B}", "tail {A}"])]

    assert complete("show pi") == ["piano.txt"]
    assert complete("show box/") == ["box/e.txt"]
    assert complete("show a") == ['"a b.txt"']
    assert complete('show "a') == ['"a b.txt"']
    assert complete("what does ta") == ["tac", "tail"]
    assert complete("und") == ["undo that"]


def test_a_look_is_bounded(root: Path) -> None:
    (root / "long.txt").write_text("".join(f"{number}\n" for number in range(100)) + "x" * 100_000)
    first = look_at(root, "long.txt")
    assert (len(first.lines), first.total, first.following) == (PAGE, 101, PAGE + 1)
    last = look_at(root, "long.txt", 101)
    assert last.following is None and len(last.lines[0][1]) < 1000
    (root / "data.bin").write_bytes(b"\0\1")
    assert "no text" in look_at(root, "data.bin").note
    (root / "box").mkdir()
    assert ("box/" in [name for _, name in look_at(root, ".").lines]) and look_at(root, "box").note == "it is empty"
