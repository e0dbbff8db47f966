"""Random folders: files of every kind, folders with and without files, links, awkward names."""

from __future__ import annotations

import posixpath
import random

from judge.entries import Entry, File, Folder, Link, Scene, children, parent_of, real_path
from judge.texts import random_data

PLAIN = [
    "ant.txt", "bay.txt", "cup.log", "dune.csv", "elm.json", "fox", "gate.txt", "hill", "iron.md", "jar.txt",
    "kite.log", "lamp", "mint.txt", "nest", "oak", "pine.csv", "reed.txt", "sand.dat", "tide", "vine.txt",
    "wren.json", "yew", "zinc.txt", "attic", "cellar", "drawer", "shelf", "vault", "crate.d", "7", "a", "b",
    "z.txt", "run.sh", "go.sh",
]  # fmt: skip
AWKWARD = [
    "two words.txt", " lead", "trail ", "it's", 'say "hi"', "$HOME", "$(id)", "`id`", "semi;colon", "a&b", "star*",
    "q?.txt", "[x]", "été.txt", "日本", "ümlaut", "-n", "-rf", "--help", "-", ".hidden", ".env", "back\\slash",
    "#note", "~", "{A}", "a>b", "per%cent", "!bang", "tab\tbed",
]  # fmt: skip
MAX_ENTRIES = 9


def random_name(rng: random.Random) -> str:
    """One name, awkward now and then."""
    roll = rng.random()
    if roll < 0.86:
        return rng.choice(PLAIN)
    return "new\nline" if roll > 0.993 else rng.choice(AWKWARD)


def free_path(rng: random.Random, scene: Scene, folder: str) -> str:
    """A path in a folder at which nothing is."""
    while True:
        path = posixpath.join(folder, random_name(rng))
        if path not in scene:
            return path


def random_file(rng: random.Random) -> File:
    """A file, executable now and then."""
    return File(random_data(rng), executable=rng.random() < 0.12)


def random_scene(rng: random.Random) -> Scene:
    """A folder with 3 to 9 entries, at least one of them a file at the top."""
    size = rng.randint(3, MAX_ENTRIES)
    scene: Scene = {free_path(rng, {}, ""): random_file(rng)}
    while len(scene) < size:
        path = free_path(rng, scene, _some_folder(rng, scene))
        scene[path] = _some_entry(rng, scene, path)
        if len(scene) < size and rng.random() < 0.12:
            add_namesake(rng, scene)
    return scene


def folders(scene: Scene) -> list[str]:
    """All real folders, without the root."""
    return [path for path, entry in scene.items() if isinstance(entry, Folder)]


def _some_folder(rng: random.Random, scene: Scene) -> str:
    below = [path for path in folders(scene) if path.count("/") < 2]
    return rng.choice(below) if below and rng.random() < 0.4 else ""


def _some_entry(rng: random.Random, scene: Scene, path: str) -> Entry:
    roll = rng.random()
    if roll < 0.62:
        return random_file(rng)
    if roll < 0.86:
        return Folder()
    return Link(_some_target(rng, scene, path))


def _some_target(rng: random.Random, scene: Scene, path: str) -> str:
    if rng.random() < 0.15:
        return rng.choice(("gone", "nowhere/x"))
    # a link into a folder above itself would make find and cp walk in circles, which is not what is judged here
    targets = [other for other in scene if real_path(scene, other) is not None and not path.startswith(other + "/")]
    return relative(rng.choice(targets), path) if targets else "gone"


def relative(target: str, link: str) -> str:
    """A path as seen from the folder a link is in."""
    return posixpath.relpath("/" + target, "/" + parent_of(link))


def add_namesake(rng: random.Random, scene: Scene) -> None:
    """Put into some folder an entry named like one outside it, if there is room."""
    pairs = [
        posixpath.join(folder, posixpath.basename(path))
        for folder in folders(scene)
        for path in scene
        if path != folder and parent_of(path) != folder
    ]
    free = [path for path in pairs if path not in scene and path.count("/") < 3]
    if free:
        scene[rng.choice(free)] = random_file(rng) if rng.random() < 0.7 else Folder()


def empty_folders(scene: Scene) -> list[str]:
    """The folders with nothing in them."""
    return [path for path in folders(scene) if not children(scene, path)]
