from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from dabhand import __version__
from dabhand.interfaces.cli.root import SUMMARIES, root
from dabhand.store import Store
from tests.interfaces.command_line import DABHAND, dabhand, document


def test_help_imports_none_of_what_commands_need() -> None:
    code = (
        "import sys; from dabhand.interfaces.cli.root import run; run(['--help']);"
        "print([name for name in ('rich', 'msgspec', 'sqlite3', 'json', 'asyncio') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_help_names_every_command_and_each_has_a_page() -> None:
    done = dabhand("--help")
    assert done.returncode == 0
    for name, summary in SUMMARIES.items():
        assert name.encode() in done.stdout
        command = root.get_command(None, name)  # type: ignore[arg-type]
        assert command is not None
        assert summary


def test_version() -> None:
    assert __version__.encode() in dabhand("--version").stdout


def test_no_command_shows_the_help() -> None:
    assert dabhand().stdout == dabhand("--help").stdout


BAD = [
    ("nonsense",),
    ("learn", "--nonsense"),
    ("learn", "--workers", "many"),
    ("learn", "--experiments", "0"),
    ("learn", "--template", "sort {Q}"),
    ("learn", "--template", "sort"),
    ("learn", "--pack", "no-such-pack"),
    ("learn", "--pack", "/etc"),
    ("world", "import", "/no/such/file"),
    ("world", "import", "/etc/passwd"),
    ("do", "Count the lines of a into b.", "--root", "/no/such/folder"),
    ("do", "Count the lines of a into b.", "--root", "/etc/passwd"),
    ("do", "Count the lines of a into b.", "--root", "/", "--target", "a"),
    ("explain",),
]


@pytest.mark.parametrize("arguments", BAD)
def test_bad_input_is_one_sentence_and_changes_nothing(arguments: tuple[str, ...], own_store: Path) -> None:
    done = dabhand(*arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    first, *rest = done.stderr.decode().splitlines()
    assert first.startswith("dabhand: ")
    assert first.endswith((".", "?"))
    assert len(rest) <= 1
    assert b"Traceback" not in done.stderr
    assert list(own_store.iterdir()) == []


@pytest.mark.parametrize("arguments", BAD)
def test_bad_input_is_one_document_for_programs(arguments: tuple[str, ...]) -> None:
    done = dabhand(*arguments, "--json")
    assert done.returncode == 2
    error = document(done)["error"]
    assert error.keys() == {"code", "message", "hint"}
    assert done.stderr == b""


@pytest.mark.parametrize(
    "arguments",
    [
        ("commands",),
        ("explain", "cat {A}"),
        ("predict",),
        ("learn",),
        ("demo",),
        ("world", "export", "-"),
        ("do", "Create the folder a.", "--root", "."),
    ],
)
def test_a_newer_store_is_refused_and_left_as_it_is(arguments: tuple[str, ...], own_store: Path) -> None:
    if arguments == ("demo",):
        arguments = ("demo", "--store", str(own_store))
    Store.open(own_store).close()
    (file,) = own_store.iterdir()
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA user_version = 1000")
    connection.close()
    before = file.read_bytes()
    done = dabhand(*arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"version 1000" in done.stderr
    assert file.read_bytes() == before
    assert list(own_store.iterdir()) == [file]


def test_a_reader_that_leaves_is_no_error() -> None:
    with subprocess.Popen([*DABHAND, "--help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


@pytest.mark.parametrize("arguments", [("--help",), ("commands",), ("predict",), ("doctor",), ("world", "export", "-")])
def test_output_that_cannot_be_written_is_said(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*DABHAND, *arguments], input=b"not json\n", stdout=full, stderr=subprocess.PIPE, check=False
        )
        assert done.returncode == 1
        first, hint = done.stderr.decode().splitlines()
        assert first == "dabhand: The output cannot be written: No space left on device."
        assert hint
        silent = subprocess.run([*DABHAND, *arguments], input=b"not json\n", stdout=full, stderr=full, check=False)
        assert silent.returncode == 1


@pytest.mark.parametrize(("streams", "status"), [(">&-", 0), ("2>&-", 0), (">&- 2>&- <&-", 0)])
def test_streams_may_be_closed(streams: str, status: int, own_store: Path) -> None:
    line = f'"{sys.executable}" -m dabhand predict {streams}'
    done = subprocess.run(["bash", "-c", line], input=b"", capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (status, b"", b"")
    assert (own_store / "dabhand.sqlite").read_bytes().startswith(b"SQLite format 3")


@pytest.mark.parametrize(
    "arguments",
    [
        ("world", "export", "/no/such/folder/file"),
        ("world", "export", "/etc"),
        ("world", "import", "/no/such/file"),
        ("commands", "--store", "/etc/passwd"),
        ("commands", "--store", "/etc/passwd/below"),
        ("commands", "--store", "/proc/none"),
        ("predict", "--store", "/etc/passwd"),
        ("explain", "sort"),
    ],
)
def test_every_complaint_says_what_to_do(arguments: tuple[str, ...]) -> None:
    done = dabhand(*arguments, "--json")
    assert done.returncode == 2
    error = document(done)["error"]
    assert error["message"].endswith(".")
    assert error["hint"]


def test_an_interrupt_ends_with_a_sentence_and_130() -> None:
    with subprocess.Popen(
        [*DABHAND, "predict"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"not json\n")
        process.stdin.flush()
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.stderr.read().strip() == b"dabhand: Interrupted."
    assert process.returncode == 130


def test_messages_cannot_play_tricks_on_the_terminal() -> None:
    done = dabhand("explain", "\x1b[2J\r{A} \udcff" if os.name == "posix" else "\x1b[2J")
    assert done.returncode == 2
    assert b"\x1b" not in done.stderr
    assert b"\\x1b[2J\\r" in done.stderr
