from __future__ import annotations

from pathlib import Path

import pytest

from dabhand.commands import Slot, load_pack, parse_template, render
from dabhand.errors import TemplateError

PACK = """
mkdir {A} · mkdir -p {A} · rmdir {A} · touch {A} · rm {A} · rm -r {A} · cp {A} {B} · cp -r {A} {B} · mv {A} {B} ·
chmod +x {A} · cat {A} · ls {A} · echo {T} > {A} · echo {T} >> {A} · cat {A} >> {B} · cat {A} {B} > {C} ·
paste {A} {B} > {C} · sort {A} > {B} · sort -r {A} > {B} · sort -n {A} > {B} · sort -u {A} > {B} · uniq {A} > {B} ·
tac {A} > {B} · rev {A} > {B} · nl {A} > {B} · tr a-z A-Z < {A} > {B} · head -n {N} {A} > {B} · tail -n {N} {A} > {B} ·
grep {T} {A} > {B} · grep -v {T} {A} > {B} · grep -c {T} {A} > {B} · sed -i 's/{T}/{U}/g' {A} · wc -l < {A} > {B} ·
wc -w < {A} > {B} · wc -c < {A} > {B}
"""


def test_the_starting_pack() -> None:
    pack = load_pack("posix")
    assert pack.name == "posix"
    assert [template.text for template in pack.templates] == [text.strip() for text in PACK.split("·")]


def test_slots_come_once_in_their_order() -> None:
    template = parse_template("x {U} {T} {N} {C} {A} {A}")
    assert template.slots == (
        Slot("A", "path"), Slot("C", "path"), Slot("T", "word"), Slot("U", "word"), Slot("N", "number"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "filling", "line"),
    [
        ("sort -u {A} > {B}", {"A": "piano.txt", "B": "uniq.txt"}, "sort -u piano.txt > uniq.txt"),
        ("cut -d, -f{N} {A}", {"N": 2, "A": "-x"}, "cut -d, -f2 ./-x"),
        ("cat '{A}' \"{A}\" x{A}", {"A": "-x"}, "cat './-x' \"./-x\" x'-x'"),
        ("awk '{print $1}' {A}", {"A": "a b"}, "awk '{print $1}' 'a b'"),
        ("awk '{print}' {A}", {"A": "~"}, "awk '{print}' '~'"),
        ("awk '{print ${N}}' {A}", {"N": "3", "A": "x"}, "awk '{print $3}' x"),
        ("grep -E 'a{2}' {A}; find {A} -exec echo {} \\;", {"A": "x"}, "grep -E 'a{2}' x; find x -exec echo {} \\;"),
        ("touch {a,b} {A}", {"A": "x"}, "touch {a,b} x"),
        ("echo \\{A} '{''A}' {A}", {"A": "x"}, "echo \\{A} '{''A}' x"),
        ("head -n{N}>{A}", {"N": 3, "A": "2"}, "head -n'3'>2"),
        ("head {N}>{A}", {"N": 3, "A": "2"}, "head '3'>2"),
        ("echo {T} {T}", {"T": ""}, "echo '' ''"),
        ("echo $x{T} {T}", {"T": "if"}, "echo $x'if' 'if'"),
        ("cat {A}.bak {A}/x", {"A": "f"}, "cat f.bak f/x"),
        ('echo "$(cat "{A}")"', {"A": '"$(x)`'}, 'echo "$(cat "\\"\\$(x)\\`")"'),
    ],
)
def test_rendering(text: str, filling: dict[str, str | int], line: str) -> None:
    assert render(parse_template(text), filling) == line


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("cat {X}", "no slot {X}"), ("cat {a}", "no slot {a}"), ("cat {D}", "no slot {D}"),
        ("cat '{FILE}'", "no slot {FILE}"),
        ("cat {file}", "no slot {file}"), ("ls", "has no slots"), ("", "has no slots"), ("cat '{A}", "never closed"),
        ('cat "{A}', "never closed"), ("( cat {A}", "never closed"), ("cat {A} )", "not open"),
        ("cat `ls {A}`", "backquotes"), ("cat << E\n{A}\nE", "here-document"), ("cat x # {A}", "comment"),
        ("echo ${A}", "reads as a shell variable"), ('echo "$x{T}"', "lengthen the variable"),
        ("echo $(({A}))", "arithmetic"), ("((x={T}))", "arithmetic"), ("cat x >&{A}", "descriptor"),
        ("echo ${x:-'{A}'}", "intricate"), ("cat {A}\0", "NUL"),
    ],
)  # fmt: skip
def test_templates_that_cannot_be_used(text: str, words: str) -> None:
    with pytest.raises(TemplateError) as caught:
        parse_template(text)
    assert words in caught.value.message
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("filling", "words"),
    [
        ({"A": "x", "N": 1}, "no value for {T}"), ({"A": "x", "N": 1, "T": "", "B": "y"}, "no slot {B}"),
        ({"A": "", "N": 1, "T": ""}, "cannot be empty"), ({"A": "\0", "N": 1, "T": ""}, "NUL"),
        ({"A": "x", "N": 1, "T": "a\0"}, "NUL"), ({"A": "x", "N": "1x", "T": ""}, "whole number"),
        ({"A": "x", "N": True, "T": ""}, "whole number"), ({"A": "x", "N": "٣", "T": ""}, "whole number"),
        ({"A": 3, "N": 1, "T": ""}, "takes text"), ({"A": "\ud800", "N": 1, "T": ""}, "no text and no bytes"),
    ],
)  # fmt: skip
def test_fillings_that_do_not_fit(filling: dict[str, str | int], words: str) -> None:
    with pytest.raises(TemplateError, match=words.replace("{", r"\{")):
        render(parse_template("head {N} {A} {T}"), filling)


def test_a_pack_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\ntemplates = ["cut -d, -f{N} {A} > {B}"]\n')
    pack = load_pack(path)
    assert (pack.name, [template.text for template in pack.templates]) == ("mine", ["cut -d, -f{N} {A} > {B}"])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"name = ", "is not a pack"), (b"name = 'x'", "is not a pack"),
        (b"name = 'x'\ntemplates = 'y'", "is not a pack"),
        (b"name = 'x'\ntemplates = []", "has no templates"), (b"name = 'x'\ntemplates = ['ls']", "has no slots"),
        (b"name = 'x'\ntemplates = ['ls {A}', 'ls {A}']", "twice"), (b"name = 'x'\ntemplates = ['ls {Q}']", "{Q}"),
        (b"\xff", "not UTF-8"), (b"name = 'x'\ntemplate = ['ls {A}']", "is not a pack"),
    ],
)  # fmt: skip
def test_packs_that_cannot_be_used(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    with pytest.raises(TemplateError) as caught:
        load_pack(path)
    assert words in caught.value.message
    assert str(path) in caught.value.message


@pytest.mark.parametrize("name", ["nosuch", "/nowhere/x.toml", "..", "/", "a\0b"])
def test_packs_that_are_not_there(name: str) -> None:
    with pytest.raises(TemplateError, match="cannot be read"):
        load_pack(name)
