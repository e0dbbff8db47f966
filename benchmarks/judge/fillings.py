"""What is put into the slots: mostly what a sensible person would, with a generous share of everything else."""

from __future__ import annotations

import posixpath
import random
from collections.abc import Callable
from dataclasses import dataclass

from judge.entries import File, Folder, Link, Scene, children, entry_at, parent_of
from judge.quoting import substitution_is_safe
from judge.scenes import (
    MAX_ENTRIES,
    add_namesake,
    empty_folders,
    folders,
    free_path,
    random_file,
    random_name,
    relative,
)
from judge.templates import path_roles, slots_of
from judge.texts import random_replacement, random_word

AWKWARD_SHARE = 0.45


@dataclass
class _Draw:
    """One filling in the making; the scene may get an entry more so that the wished-for case exists."""

    rng: random.Random
    scene: Scene
    others: list[str]  # the paths already chosen

    def pick(self, paths: list[str]) -> str | None:
        return self.rng.choice(paths) if paths else None

    def room(self) -> bool:
        return len(self.scene) < MAX_ENTRIES

    def file(self) -> str | None:
        return self.pick(
            [path for path, entry in self.scene.items() if isinstance(entry, File) and path not in self.others]
        )

    def any_folder(self) -> str | None:
        found = [path for path in folders(self.scene) if path not in self.others]
        if not found and self.room():
            found = [free_path(self.rng, self.scene, "")]
            self.scene[found[0]] = Folder()
        return self.pick(found)

    def empty_folder(self) -> str | None:
        found = empty_folders(self.scene)
        if not found and self.room():
            found = [free_path(self.rng, self.scene, "")]
            self.scene[found[0]] = Folder()
        return self.pick(found)

    def full_folder(self) -> str | None:
        found = [path for path in folders(self.scene) if children(self.scene, path)]
        if not found and self.room() and (folder := self.any_folder()) and self.room():
            self.scene[free_path(self.rng, self.scene, folder)] = random_file(self.rng)
            found = [folder]
        return self.pick(found)

    def new(self) -> str | None:
        places = [*folders(self.scene), *[""] * 3]
        return free_path(self.rng, self.scene, self.rng.choice(places))

    def new_in_folder(self) -> str | None:
        folder = self.any_folder()
        return free_path(self.rng, self.scene, folder) if folder else None

    def link_to(self, kind: type[File] | type[Folder] | None) -> str | None:
        found = [path for path, entry in self.scene.items() if isinstance(entry, Link) and self._leads_to(path, kind)]
        targets = ["gone"] if kind is None else [path for path, entry in self.scene.items() if isinstance(entry, kind)]
        if not found and self.room() and targets:
            path = free_path(self.rng, self.scene, "")
            target = self.rng.choice(targets)
            self.scene[path] = Link(target if kind is None else relative(target, path))
            found = [path]
        return self.pick(found)

    def _leads_to(self, path: str, kind: type[File] | type[Folder] | None) -> bool:
        entry = entry_at(self.scene, path)
        return entry is None if kind is None else isinstance(entry, kind)

    def through_link(self) -> str | None:
        link = self.link_to(Folder)
        if link is None:
            return None
        inside = [path for path in self.scene if entry_at(self.scene, posixpath.join(link, posixpath.basename(path)))]
        if inside and self.rng.random() < 0.6:
            return posixpath.join(link, posixpath.basename(self.rng.choice(inside)))
        return posixpath.join(link, random_name(self.rng))

    def parent_missing(self) -> str | None:
        top = self.new()
        return (
            None
            if top is None
            else posixpath.join(top, *[random_name(self.rng) for _ in range(self.rng.choice((1, 1, 2)))])
        )

    def parent_file(self) -> str | None:
        path = self.file()
        return None if path is None else posixpath.join(path, random_name(self.rng))

    def same(self) -> str | None:
        return self.pick(self.others)

    def inside_other(self) -> str | None:
        inside = [other for other in self.others if isinstance(entry_at(self.scene, other), Folder)]
        folder = self.pick(inside)
        if folder is None:
            return None
        below = children(self.scene, folder)
        return self.pick(below) if below and self.rng.random() < 0.5 else posixpath.join(folder, random_name(self.rng))

    def above_other(self) -> str | None:
        return self.pick([parent_of(other) for other in self.others if parent_of(other)])

    def holds_name(self) -> str | None:
        """A folder in which something is named like the other path."""
        names = [posixpath.basename(other) for other in self.others]
        found = [
            folder
            for folder in folders(self.scene)
            for name in names
            if posixpath.join(folder, name) in self.scene and posixpath.join(folder, name) not in self.others
        ]
        if not found and self.room() and names:
            folder = self.any_folder()
            if folder is None or not self.room():
                return folder
            path = posixpath.join(folder, self.rng.choice(names))
            if path not in self.scene:
                self.scene[path] = random_file(self.rng) if self.rng.random() < 0.6 else Folder()
            found = [folder]
        return self.pick(found)


_Chooser = Callable[[_Draw], "str | None"]

_SENSIBLE: dict[str, list[tuple[_Chooser, float]]] = {
    "file": [(_Draw.file, 1)],
    "folder": [(_Draw.empty_folder, 3), (_Draw.any_folder, 2)],
    "any": [(_Draw.file, 3), (_Draw.any_folder, 2)],
    "new": [(_Draw.new, 4), (_Draw.new_in_folder, 1)],
    "output": [(_Draw.new, 5), (_Draw.file, 1)],
    "more": [(_Draw.file, 3), (_Draw.new, 2)],
    "place": [(_Draw.new, 4), (_Draw.any_folder, 2), (_Draw.new_in_folder, 1), (_Draw.file, 1)],
}

_AWKWARD: list[tuple[_Chooser, float]] = [
    (_Draw.file, 2),
    (_Draw.new, 3),
    (_Draw.empty_folder, 2),
    (_Draw.full_folder, 3),
    (lambda draw: draw.link_to(File), 2),
    (lambda draw: draw.link_to(Folder), 2),
    (lambda draw: draw.link_to(None), 1.5),
    (_Draw.through_link, 2),
    (_Draw.parent_missing, 2.5),
    (_Draw.parent_file, 2),
]

_RELATED: list[tuple[_Chooser, float]] = [
    (_Draw.same, 4),
    (_Draw.inside_other, 2.5),
    (_Draw.above_other, 2),
    (_Draw.holds_name, 3),
]


def fill(rng: random.Random, template: str, scene: Scene) -> tuple[dict[str, str | int], bool]:
    """Fill a template's slots, adding to the scene what a wished-for case needs.

    Returns:
        The filling, and whether something awkward was wished for.
    """
    roles = path_roles(template)
    awkward = rng.random() < AWKWARD_SHARE
    wished = [slot for slot in roles if rng.random() < 0.6] or [rng.choice(list(roles))] if awkward else []
    slots: dict[str, str | int] = {}
    others: list[str] = []
    for slot, role in roles.items():
        path = _path(_Draw(rng, scene, others), role, slot in wished)
        slots[slot] = path
        others.append(path)
    if awkward and len(scene) < MAX_ENTRIES and rng.random() < 0.15:
        _add_other(rng, scene, others)
    _fill_words(rng, template, scene, slots)
    return {slot: slots[slot] for slot in slots_of(template)}, awkward


def _path(draw: _Draw, role: str, awkward: bool) -> str:
    for _ in range(20):
        choosers = _SENSIBLE[role] if not awkward else _AWKWARD + (_RELATED if draw.others else [])
        chooser = draw.rng.choices([one for one, _ in choosers], [weight for _, weight in choosers])[0]
        path = chooser(draw)
        if path:
            return path
    return free_path(draw.rng, draw.scene, "")


def _add_other(rng: random.Random, scene: Scene, chosen: list[str]) -> None:
    before = dict(scene)
    add_namesake(rng, scene)
    if any(entry_at(before, path) != entry_at(scene, path) for path in chosen):
        scene.clear()
        scene.update(before)


def _fill_words(rng: random.Random, template: str, scene: Scene, slots: dict[str, str | int]) -> None:
    names = slots_of(template)
    if "N" in names:
        slots["N"] = rng.choice((0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12))
    if "T" not in names:
        return
    target = entry_at(scene, str(slots["A"]))
    data = target.data if isinstance(target, File) and not template.startswith(("echo", "printf")) else None
    while True:
        slots["T"] = random_word(rng, data)
        if "U" not in names:
            return
        slots["U"] = random_replacement(rng)
        if substitution_is_safe(str(slots["T"]), str(slots["U"])):
            return
