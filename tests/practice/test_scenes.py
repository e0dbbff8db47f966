"""Scenes and fillings: always whole, repeatable, and of every sort that a context can be."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from dabhand.commands import parse_template, render
from dabhand.practice import Filler, random_scene
from dabhand.workspace import File, Folder, Link, State, resolve
from dabhand.world.places import spot, standing

SEEDS = range(200)
SCENES = [random_scene(Random(seed)) for seed in SEEDS]
STANDINGS = {
    "file", "folder", "missing", "without parent", "beyond a file", "link to a file", "link to a folder",
    "dangling link", "dead link",
}  # fmt: skip


def filler(seed: int, scene: State) -> Filler:
    """Randomness of its own: with the scene's, fillings would follow from scenes."""
    return Filler(scene, Random(f"filling {seed}"))


TEMPLATE = parse_template("some {A} {B} {C} {T} {U} {N}")


def test_a_scene_is_a_folder() -> None:
    for scene in SCENES:
        assert scene == State(dict(scene)), "every parent is a folder"
        assert list(scene) == sorted(scene)
        assert State.from_json(scene.to_json()) == scene
        assert 2 <= len(scene) <= 20


def test_a_scene_leads_nowhere_outside() -> None:
    for scene in SCENES:
        for path in scene:
            found = resolve(scene, path)
            assert "outside" not in (found.parent, found.real_parent), (scene, path)


def test_scenes_are_repeatable_and_differ() -> None:
    assert [random_scene(Random(seed)) for seed in SEEDS] == SCENES
    assert len(set(SCENES)) == len(SCENES)


def test_a_scene_has_what_every_command_needs() -> None:
    for scene in SCENES:
        assert sum(isinstance(node, File) for node in scene.values()) >= 2
        assert any(isinstance(node, Folder) and scene.children(path) for path, node in scene.items())


def test_scenes_hold_what_makes_naive_beliefs_wrong() -> None:
    files = [node for scene in SCENES for node in scene.values() if isinstance(node, File)]
    texts = [file.data for file in files if not file.executable]
    wanted = {
        "executable": any(file.executable for file in files),
        "empty": b"" in texts,
        "unfinished": any(text and not text.endswith(b"\n") for text in texts),
        "blank lines": any(b"\n\n" in text or text.startswith(b"\n") for text in texts),
        "tabs": any(b"\t" in text for text in texts),
        "leading blanks": any(line.startswith(b" ") for text in texts for line in text.split(b"\n")),
        "carriage returns": any(b"\r\n" in text for text in texts),
        "beyond ASCII": any(not text.isascii() for text in texts),
        "CSV": any(text.count(b",") > 3 for text in texts),
        "JSON": any(text.lstrip().startswith((b"{", b"[")) for text in texts),
        "negative numbers": any(
            line[:1] == b"-" and line[1:].isdigit() for text in texts for line in text.split(b"\n")
        ),
        "decimals": any(
            line.replace(b".", b"", 1).isdigit() and b"." in line for t in texts for line in t.split(b"\n")
        ),
        "neighbours": any(_repeats(text, neighbours=True) for text in texts),
        "repeats apart": any(_repeats(text, neighbours=False) for text in texts),
        "sorted": any(len(lines := text.splitlines()) > 2 and lines == sorted(lines) for text in texts),
        "unsorted": any(len(lines := text.splitlines()) > 2 and lines != sorted(lines) for text in texts),
        "the same text twice": any(count > 1 for scene in SCENES for count in _texts(scene).values()),
        "links to files": any(isinstance(node, Link) for scene in SCENES for node in scene.values()),
        "nested folders": any(path.count("/") >= 2 for scene in SCENES for path in scene),
    }
    assert [name for name, held in wanted.items() if not held] == []


def _repeats(text: bytes, *, neighbours: bool) -> bool:
    lines = [line for line in text.splitlines() if line]
    pairs = [(i, j) for i, line in enumerate(lines) for j in range(i + 1, len(lines)) if line == lines[j]]
    return any((j == i + 1) == neighbours for i, j in pairs)


def _texts(scene: State) -> Counter[bytes]:
    return Counter(node.data for node in scene.values() if isinstance(node, File) and node.data)


@pytest.mark.parametrize(
    "text", ["mkdir {A}", "cat {A} {B} > {C}", "sed 's/{T}/{U}/' {A}", "head -n {N} {A}", TEMPLATE.text]
)
def test_a_filling_fills_every_slot_with_its_kind(text: str) -> None:
    template = parse_template(text)
    for seed, scene in zip(SEEDS, SCENES, strict=True):
        filling = filler(seed, scene).fill(template)
        assert filling == filler(seed, scene).fill(template)
        assert filling.keys() == {slot.name for slot in template.slots}
        for slot in template.slots:
            value = filling[slot.name]
            assert isinstance(value, int if slot.kind == "number" else str)
            if slot.kind == "path":
                assert value and not str(value).startswith("/")
                assert spot(str(value), scene).parent != "outside"
        assert render(template, filling)


def test_every_standing_occurs() -> None:
    free, wished = Counter[str](), Counter[str]()
    for seed, scene in zip(SEEDS, SCENES, strict=True):
        drawing = filler(seed, scene)
        for slot, path in drawing.fill(TEMPLATE).items():
            if slot in "ABC":
                free[standing(spot(str(path), scene))] += 1
        for word in {*STANDINGS, "empty folder"}:
            found = drawing.standing(word)
            if found is not None:
                got = standing(spot(found, scene))
                assert got == ("folder" if word == "empty folder" else word), (word, found)
                assert (word == "empty folder") <= (not scene.children(found))
                wished[word] += 1
    assert set(wished) == {*STANDINGS, "empty folder"}
    assert STANDINGS <= set(free) <= {*STANDINGS, "nowhere"}


def test_slots_of_one_filling_have_to_do_with_each_other() -> None:
    related = Counter[str]()
    template = parse_template("cp {A} {B}")
    for seed, scene in zip(SEEDS, SCENES, strict=True):
        filling = filler(seed, scene).fill(template)
        a, b = str(filling["A"]), str(filling["B"])
        related["same"] += a == b
        related["inside"] += b.startswith(a + "/") or a.startswith(b + "/")
        related["namesake"] += f"{b}/{a.rpartition('/')[2]}" in scene
    assert all(related[kind] for kind in ("same", "inside", "namesake")), related


def test_a_wish_to_be_like_an_earlier_slot_is_kept() -> None:
    for seed, scene in zip(SEEDS, SCENES, strict=True):
        filling = filler(seed, scene).fill(parse_template("cp {A} {B}"), {"A": "file", "B": "A"})
        assert filling["A"] == filling["B"]
        assert standing(spot(str(filling["A"]), scene)) == "file"


def test_words_hold_what_means_something_to_some_command() -> None:
    words = [
        str(filler(seed, scene).fill(parse_template("grep {T} {A}"))["T"])
        for number, scene in enumerate(SCENES)
        for seed in range(number * 5, number * 5 + 5)
    ]
    for character in ".*[^$\\/&":
        assert any(character in word for word in words), character
    assert any(word.startswith("-") for word in words)
    assert "" in words
    assert any(not word.isascii() for word in words)
    assert any(" " in word for word in words)
    assert not any("\0" in word for word in words)


def test_a_word_often_occurs_in_the_file_it_is_asked_of() -> None:
    occurs = 0
    for seed, scene in zip(SEEDS, SCENES, strict=True):
        filling = filler(seed, scene).fill(parse_template("grep {T} {A}"), {"A": "file"})
        node = scene[str(filling["A"])]
        assert isinstance(node, File)
        occurs += bool(filling["T"]) and str(filling["T"]) in node.text
    assert 40 < occurs < 180


def test_some_files_hold_what_is_no_text_and_no_word_is_made_of_it() -> None:
    files = [node for scene in SCENES for node in scene.values() if isinstance(node, File)]
    assert any(b"\0" in file.data for file in files)
    raw = [
        file for file in files if not file.text.isascii() and any("\udc80" <= char <= "\udcff" for char in file.text)
    ]
    assert 0.01 * len(files) < len(raw) < 0.08 * len(files)
    words = (
        str(filler(s, scene).fill(parse_template("grep {T} {A}"))["T"]) for s, scene in zip(SEEDS, SCENES, strict=True)
    )
    assert all(word.encode() for word in words)
