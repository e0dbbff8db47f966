"""A filling never becomes syntax: what a real bash hands to a program is the filling, byte for byte."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dabhand.commands import parse_template, render

NASTY = [
    *" \t\n'\"\\$`!*?[]{}()<>|&;#~=-,:%^@+.%0azAZ",
    *("$(touch pwned)", "`id`", "${x}", "\udcff", "\udce2", "é", "\r", "if"),
]
texts = st.lists(
    st.sampled_from(NASTY) | st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12
).map("".join)
paths = texts.filter(bool)

ARGUMENTS = [
    ("{T}", "{T}"),
    ("'{T}'", "{T}"),
    ('"{T}"', "{T}"),
    ("x{T}y", "x{T}y"),
    ("'a{T}b'\"c{T}d\"", "a{T}bc{T}d"),
    ("$'\\t{T}\\n'", "\t{T}\n"),
    ("-f{T}", "-f{T}"),
    ("{T}{T}", "{T}{T}"),
    ("~{T}", "~{T}"),
    ("[{T}]", "[{T}]"),
    ("{T}=1", "{T}=1"),
    ('"\\${T}\\\\{T}"', "${T}\\{T}"),
    ("$HOME{T}", "/h{T}"),
    ('"${HOME}{T}"', "/h{T}"),
    ("s/{T}/{U}/", "s/{T}/{U}/"),
    ("\\'{T}\\\"", "'{T}\""),
    ("-{N}{T}", "-{N}{T}"),
]


class Shell:
    """A running bash that evaluates lines whose only command prints its arguments, each ended by a NUL."""

    def __init__(self, folder: Path) -> None:
        printer = folder / "show"
        printer.write_text(
            f"#!{sys.executable} -IS\nimport os, sys\nfor a in sys.argv[1:]: os.write(1, os.fsencode(a) + b'\\0')\n"
        )
        printer.chmod(0o755)
        self.folder = folder

    def arguments(self, line: str) -> list[str]:
        result = subprocess.run(
            ["bash", "-c", os.fsencode(line)],
            cwd=self.folder, env={"PATH": f"{self.folder}:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/h"},
            capture_output=True, check=False,
        )  # fmt: skip
        assert (result.returncode, result.stderr) == (0, b""), (line, result)
        assert sorted(path.name for path in self.folder.iterdir()) == ["show"]
        return [os.fsdecode(part) for part in result.stdout.split(b"\0")[:-1]]


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    yield Shell(tmp_path_factory.mktemp("quoting"))


@given(texts, texts, st.integers(-5, 99))
def test_words_arrive_as_they_are(shell: Shell, text: str, other: str, number: int) -> None:
    for written in (ARGUMENTS[:9], ARGUMENTS[9:]):
        template = parse_template("show " + " ".join(part for part, _ in written) + " {T} {U} {N}")
        values = {"T": text, "U": other, "N": number}
        names = {slot.name for slot in template.slots}
        expected = [meant.replace("{N}", str(number)) for _, meant in written]
        filled = [_fill(part, text, other) for part in expected] + [text, other, str(number)]
        assert shell.arguments(render(template, {name: values[name] for name in names})) == filled


def _fill(part: str, text: str, other: str) -> str:
    return "".join(text if piece == "{T}" else other if piece == "{U}" else piece for piece in _split(part))


def _split(part: str) -> list[str]:
    return part.replace("{T}", "\0{T}\0").replace("{U}", "\0{U}\0").split("\0")


@given(paths)
def test_paths_name_what_they_name_and_are_no_options(shell: Shell, path: str) -> None:
    template = parse_template(
        "show {A} '{A}' \"{A}\" $'{A}' x{A} $(printf %s\\\\0 \"$(show '{A}' | tr -d '\\0')\" | wc -c)"
    )
    named = "./" + path if path.startswith("-") else path
    arguments = shell.arguments(render(template, {"A": path}))
    assert arguments[:5] == [named] * 4 + ["x" + path]


@given(paths)
def test_redirections_name_one_file(tmp_path_factory: pytest.TempPathFactory, path: str) -> None:
    name = path.replace("/", "_")
    if name in (".", "..") or len(os.fsencode(name)) > 255:
        return
    folder = tmp_path_factory.mktemp("redirections")
    for text in ("echo x>{A}", "echo x >> {A}", 'echo x> "{A}"', "cat <{A}", "head -n{N}<{A}"):
        template = parse_template(text)
        line = render(template, {"A": name, "N": 1} if "{N}" in text else {"A": name})
        result = subprocess.run(["bash", "-c", os.fsencode(line)], cwd=folder, capture_output=True, check=False)
        assert (result.returncode, result.stderr) == (0, b""), line
        assert [path.name for path in folder.iterdir()] == [name]


@pytest.mark.parametrize(
    ("text", "value", "line"),
    [
        ("x '{T}'", "it's \u2019", "x 'it''s \u2019\u2019'"),
        ('x "{T}"', '$a `"\u201d', 'x "`$a ```"`\u201d"'),
        ("x {T}", "plain.txt", "x plain.txt"),
        ("x {T}", "$(rm)", "x '$(rm)'"),
        ("x {T}", "", "x ''"),
    ],
)
def test_powershell(text: str, value: str, line: str) -> None:
    assert render(parse_template(text), {"T": value}, "powershell") == line
