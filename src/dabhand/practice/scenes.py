"""Scenes: random small folders to practise in, and random fillings for a command's slots.

Nothing here knows any command. A scene has what everyday folders have and what makes naive beliefs wrong: repeated
lines, empty files, missing final newlines, odd names, links, files where folders are expected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from random import Random

from dabhand.commands import Slot, Template
from dabhand.language.lines import is_legible
from dabhand.language.samples import random_bytes_text, random_number, random_text, random_word
from dabhand.workspace import FOLDER, File, Folder, Link, Node, State, encode_text, name_of, parent_of
from dabhand.world.places import spot, standing

PLAIN = (
    "a.txt",
    "b.txt",
    "notes",
    "list.csv",
    "data.json",
    "x",
    "report.md",
    "run.sh",
    "box",
    "docs",
    "old",
    "new.txt",
    "log",
)
AWKWARD = (
    *("two words", "it's", 'say "hi"', "$HOME", "`id`", "a;b", "-n", "-rf", ".hidden", "naïve", "日本", "a*b", "[z]"),
    *("tab\there", "back\\slash", "line\nbreak", "#x", "~", "a&b", "(p)", "!", " lead", "trail ", "%d", "--help"),
)
PATTERN_PIECES = (".", ".*", "*", "[", "[^a]", "^", "$", "\\", "\\(", "+", "?", "%")
STRANGE_WORDS = ("", "-", "--", "^", "$", ".", "[", "*", "\\", "/", "&", "--help", "-e", "-c", "-v", "-n")
CHANCE_AWKWARD = 0.15
CHANCE_RAW, CHANCE_NUL = 0.03, 0.01
SENSIBLE = 0.6
ALL_SENSIBLE = 0.4
ODD = "odd"
"""Wish for a word with a character that means something to some command."""


def random_scene(rng: Random) -> State:
    """A folder with files, folders and links of many kinds."""
    nodes: dict[str, Node] = {}
    folders = [""]
    for _ in range(rng.randint(2, 5)):
        path = _fresh_path(rng, folders, nodes)
        draw = rng.random()
        if draw < 0.62:
            nodes[path] = random_file(rng, nodes)
        elif draw < 0.88:
            nodes[path] = FOLDER
            if path.count("/") < 2:
                folders.append(path)
                if rng.random() < 0.5:
                    nodes[f"{path}/{_name(rng)}"] = random_file(rng, nodes)
        else:
            nodes[path] = Link(_link_target(rng, nodes, path))
    _complete(rng, nodes, folders)
    return State(nodes)


def _complete(rng: Random, nodes: dict[str, Node], folders: list[str]) -> None:
    """Add what the scene lacks: a file, a full and an empty folder, and links to a file, a folder, and nothing."""
    files = [path for path, node in nodes.items() if isinstance(node, File)]
    while len(files) < 2:
        files.append(_fresh_path(rng, folders, nodes))
        nodes[files[-1]] = random_file(rng, nodes)
    holders = {parent_of(path) for path in nodes}
    if not any(isinstance(node, Folder) and path in holders for path, node in nodes.items()):
        path = _fresh_path(rng, [""], nodes)
        nodes[path], nodes[f"{path}/{_name(rng)}"] = FOLDER, random_file(rng, nodes)
    if rng.random() < 0.7:
        nodes[_fresh_path(rng, [""], nodes)] = FOLDER
    full = [path for path, node in nodes.items() if isinstance(node, Folder)]
    for target in (rng.choice(files), rng.choice(full), f"{_name(rng)}-gone", f"{_name(rng)}-gone/x"):
        if rng.random() < 0.5:
            path = _fresh_path(rng, folders, nodes)
            nodes[path] = Link("../" * path.count("/") + target)


def random_file(rng: Random, others: dict[str, Node] | None = None) -> File:
    """A small file; sometimes the same as another, so that equal texts occur."""
    if others and rng.random() < 0.06:
        files = [node for node in others.values() if isinstance(node, File)]
        if files:
            return File(rng.choice(files).data, rng.random() < 0.15)
    return File(encode_text(_text(rng)), rng.random() < 0.15)


def _text(rng: Random) -> str:
    """The text of a file; sometimes one with bytes that are no characters, or with a NUL."""
    draw = rng.random()
    if draw < CHANCE_RAW:
        text = random_bytes_text(rng, chance=1.0)
        return text if draw < 0.7 * CHANCE_RAW else text.rstrip("\n")
    text = random_text(rng)
    if draw < CHANCE_RAW + CHANCE_NUL:
        at = rng.randint(0, len(text))
        return text[:at] + "\0" + text[at:]
    return text


def _name(rng: Random) -> str:
    return rng.choice(AWKWARD if rng.random() < CHANCE_AWKWARD else PLAIN)


def _fresh_path(rng: Random, folders: Sequence[str], nodes: dict[str, Node]) -> str:
    while True:
        folder = rng.choice(folders) if rng.random() < 0.45 else ""
        path = f"{folder}/{_name(rng)}" if folder else _name(rng)
        if path not in nodes:
            return path
        path += str(rng.randint(0, 99))
        if path not in nodes:
            return path


def _link_target(rng: Random, nodes: dict[str, Node], path: str) -> str:
    up = "../" * path.count("/")
    if nodes and rng.random() < 0.8:
        return up + rng.choice(list(nodes))
    return up + _name(rng) + "-gone"


class Filler:
    """Draws fillings for slots in one scene.

    Args:
        state: the scene.
        rng: the randomness.
    """

    def __init__(self, state: State, rng: Random) -> None:
        self.state = state
        self.rng = rng
        self.paths = list(state)
        self.files = [path for path, node in state.items() if isinstance(node, File)]
        self.folders = [path for path, node in state.items() if isinstance(node, Folder)]
        self.sensible = SENSIBLE
        self.last = ""
        self.links = [path for path, node in state.items() if isinstance(node, Link)]

    def fill(self, template: Template, wanted: Mapping[str, str] | None = None) -> dict[str, str | int]:
        """A filling for all slots of a template: mostly sensible, often enough not.

        Args:
            template: whose slots.
            wanted: for some slots what their path should point at, or which earlier slot they should equal; kept to
                where the scene has such a thing.
        """
        self.sensible = 1.0 if wanted or self.rng.random() < ALL_SENSIBLE else SENSIBLE
        self.last = max((slot.name for slot in template.slots if slot.kind == "path"), default="")
        filling: dict[str, str | int] = {}
        earlier: list[str] = []
        for slot in template.slots:
            asked = self._asked(wanted[slot.name], filling) if wanted and slot.name in wanted else None
            if slot.kind == "word" and wanted and wanted.get(slot.name) == ODD:
                asked = self.odd_word(earlier)
            filling[slot.name] = self._value(slot, earlier) if asked is None else asked
            if slot.kind == "path":
                earlier.append(str(filling[slot.name]))
        return filling

    def _value(self, slot: Slot, earlier: Sequence[str]) -> str | int:
        match slot.kind:
            case "path":
                return self.path(earlier, last=slot.name == self.last and bool(earlier))
            case "word":
                return self.word(earlier)
            case _:
                return random_number(self.rng)

    def path(self, earlier: Sequence[str], *, last: bool) -> str:
        """A path: what people would name more often than not, else kin of an earlier one, a link, or nonsense."""
        rng = self.rng
        if rng.random() < self.sensible:
            draw = rng.random()
            if draw < 0.2 and self.folders:
                return rng.choice(self.folders)
            if draw < (0.65 if last else 0.4):
                return self.free()
            return rng.choice(self.files) if self.files else self.free()
        draw = rng.random()
        if earlier and draw < 0.22:
            return self._relative(rng.choice(earlier))
        if draw < 0.56 and self.files:
            return rng.choice(self.files)
        if draw < 0.70:
            return self.free()
        if draw < 0.82 and self.folders:
            return rng.choice(self.folders)
        if draw < 0.89 and self.links:
            path = rng.choice(self.links)
            return path if rng.random() < 0.7 else f"{path}/{_name(rng)}"
        if draw < 0.93 and self.files:
            return f"{rng.choice(self.files)}/{_name(rng)}"
        if draw < 0.97:
            return f"{_name(rng)}-none/{_name(rng)}" + (f"/{_name(rng)}" if rng.random() < 0.3 else "")
        return rng.choice(self.paths)

    def _relative(self, other: str) -> str:
        """A path that has to do with another one: the same, inside it, around it, or of the same name elsewhere."""
        rng = self.rng
        draw = rng.random()
        if draw < 0.35:
            return other
        if draw < 0.5:
            return f"{other}/{_name(rng)}"
        if draw < 0.65 and parent_of(other):
            return parent_of(other)
        if draw < 0.8 and self.folders:
            return f"{rng.choice(self.folders)}/{name_of(other)}"
        same = [path for path in self.paths if path != other and name_of(path) == name_of(other)]
        if same:
            return parent_of(rng.choice(same)) or other
        return rng.choice(self.folders) if self.folders else other

    def odd_word(self, earlier: Sequence[str]) -> str:
        """A word with a character that means something to some command, built on one of a file just named."""
        base, rng = self.word(earlier), self.rng
        at = rng.randint(0, len(base))
        match rng.randrange(5):
            case 0:
                return "-" + rng.choice("abcdefhilnorsuvwxzEFL123") + (base[:1] if rng.random() < 0.2 else "")
            case 1:
                return base[:at] + rng.choice(PATTERN_PIECES) + base[at:]
            case 2:
                return base[:at] + rng.choice("/&\\;'\"` ") + base[at:]
            case 3:
                return base[: max(1, at)] + "." + base[at + 1 :] if base else "."
            case _:
                return rng.choice(STRANGE_WORDS)

    def _asked(self, wish: str, filling: Mapping[str, str | int]) -> str | None:
        """A path as wished: a standing, or the name of an earlier slot to be like."""
        return str(filling[wish]) if wish in filling else self.standing(wish)

    def standing(self, word: str) -> str | None:
        """A path that points at this kind of thing (a word of `world.places.standing`), if the scene has one."""
        rng = self.rng
        match word:
            case "missing":
                return self.free()
            case "without parent":
                return f"{_name(rng)}-none/{_name(rng)}" + (f"/{_name(rng)}" if rng.random() < 0.3 else "")
            case "beyond a file":
                return f"{rng.choice(self.files)}/{_name(rng)}" if self.files else None
        found = self.by_standing.get(word)
        return rng.choice(found) if found else None

    @cached_property
    def by_standing(self) -> dict[str, list[str]]:
        """The scene's paths by what they are."""
        found: dict[str, list[str]] = {}
        holders = {parent_of(path) for path in self.paths}
        for path in self.paths:
            word = standing(spot(path, self.state))
            found.setdefault("empty folder" if word == "folder" and path not in holders else word, []).append(path)
        return found

    def free(self) -> str:
        """A path at which nothing is, in a folder that exists."""
        rng = self.rng
        folder = rng.choice(self.folders) if self.folders and rng.random() < 0.3 else ""
        name = _name(rng) if rng.random() < 0.5 else rng.choice(("out", "result.txt", "c", "d.txt", "copy"))
        path = f"{folder}/{name}" if folder else name
        while path in self.state:
            path += rng.choice("12345")
        return path

    def word(self, earlier: Sequence[str]) -> str:
        """A word: one that occurs in a file just named, a part of one, or any."""
        rng = self.rng
        texts = [node.text for path in earlier if isinstance(node := self.state.get(path), File) and node.data]
        if texts and rng.random() < 0.7:
            text = texts[0] if rng.random() < 0.7 else rng.choice(texts)
            parts = [part for part in text.split() if is_legible(part)]
            if parts:
                word = rng.choice(parts).replace("\0", "")
                draw = rng.random()
                if draw < 0.2 and len(word) > 1:
                    return word[: rng.randint(1, len(word) - 1)]
                if draw < 0.4 and word:
                    at = rng.randrange(len(word))
                    return word[:at] + rng.choice(".*[]^$&\\/") + word[at + rng.randint(0, 1) :]
                if word:
                    return word
        return random_word(rng)
