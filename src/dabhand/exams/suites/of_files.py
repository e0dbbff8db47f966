"""Kinds of tasks about files and folders as they are: made, written, copied, moved, deleted."""

from __future__ import annotations

from dabhand.exams.host.texts import written
from dabhand.exams.suites import contents
from dabhand.exams.suites.scene import Drawn, Scene, entry_of, kind, name_of
from dabhand.exams.task import Entry


@kind
def make_folder(scene: Scene) -> Drawn:
    """One folder."""
    path = scene.names.folder()
    return Drawn({"dir": path}, {path: {"dir": True}})


@kind
def nested_folder(scene: Scene) -> Drawn:
    """A folder in a folder, of which the outer ones may be missing."""
    parts = [scene.names.folder() for _ in range(2 if scene.rng.random() < 0.7 else 3)]
    path = "/".join(parts)
    slots = {"dir": path} if len(parts) > 2 else {"dir": path, "outer": parts[0], "inner": parts[1]}
    return Drawn(slots, {path: {"dir": True}})


@kind
def empty_file(scene: Scene) -> Drawn:
    """A new file with nothing in it."""
    path = scene.new()
    return Drawn({"dst": path}, {path: entry_of("")})


@kind
def write_word(scene: Scene) -> Drawn:
    """A new file of one word."""
    path, word = scene.new(), contents.word(scene.rng)
    return Drawn({"dst": path, "word": word}, {path: entry_of(written([word]))})


@kind
def write_sentence(scene: Scene) -> Drawn:
    """A new file of one sentence."""
    path, sentence = scene.new(), contents.sentence(scene.rng)
    return Drawn({"dst": path, "sentence": sentence}, {path: entry_of(written([sentence]))})


@kind
def append_word(scene: Scene) -> Drawn:
    """One more line, of one word."""
    return _append(scene, "word", contents.word(scene.rng))


@kind
def append_sentence(scene: Scene) -> Drawn:
    """One more line, of a sentence."""
    return _append(scene, "sentence", contents.sentence(scene.rng))


def _append(scene: Scene, slot: str, line: str) -> Drawn:
    text = _some_text(scene, ended=True)
    path = scene.file(text)
    return Drawn({"file": path, slot: line}, {path: entry_of(text + written([line]))})


def _some_text(scene: Scene, *, ended: bool = False) -> str:
    return contents.text_of(scene.rng, contents.lines(scene.rng, blanks=True), ended=ended)


def _some_file(scene: Scene, *, top: bool = False) -> tuple[str, Entry]:
    """Any file, now and then an executable one."""
    executable = scene.rng.random() < 0.15
    text = "#!/bin/sh\n" + _some_text(scene) if executable else _some_text(scene)
    path = scene.file(text, executable=executable, ending=".sh" if executable else None, top=top)
    return path, scene.files[path]


@kind
def copy(scene: Scene) -> Drawn:
    """A file under another name as well."""
    (src, entry), dst = _some_file(scene), scene.new()
    return Drawn({"src": src, "dst": dst}, {src: entry, dst: entry})


@kind
def copy_into(scene: Scene) -> Drawn:
    """A file in a folder as well."""
    (src, entry), folder = _some_file(scene), _folder_with_some(scene)
    return Drawn({"src": src, "dir": folder}, {src: entry, f"{folder}/{name_of(src)}": entry})


def _folder_with_some(scene: Scene) -> str:
    """A folder, empty or with files in it."""
    folder = scene.folder()
    for _ in range(scene.rng.randint(0, 2)):
        scene.files[f"{folder}/{scene.names.file()}"] = entry_of(_some_text(scene))
    return folder


@kind
def rename(scene: Scene) -> Drawn:
    """Another name for a file, or for a folder with what is in it."""
    if scene.rng.random() < 0.25:
        folder, name = _folder_with_some(scene), scene.names.folder()
        inside = {path: entry for path, entry in scene.files.items() if path.startswith(folder + "/")}
        moved = {name + path[len(folder) :]: entry for path, entry in inside.items()}
        return Drawn({"src": folder, "dst": name}, {folder: None, name: {"dir": True}} | moved, wording="rename_folder")
    (src, entry), dst = _some_file(scene, top=True), scene.new()
    return Drawn({"src": src, "dst": dst}, {src: None, dst: entry})


@kind
def move(scene: Scene) -> Drawn:
    """A file into a folder."""
    (src, entry), folder = _some_file(scene), _folder_with_some(scene)
    return Drawn({"src": src, "dir": folder}, {src: None, f"{folder}/{name_of(src)}": entry})


@kind
def delete_file(scene: Scene) -> Drawn:
    """A file less."""
    path, _ = _some_file(scene)
    return Drawn({"file": path}, {path: None})


@kind
def delete_folder(scene: Scene) -> Drawn:
    """A folder less, and whatever is in it."""
    folder = _folder_with_some(scene)
    return Drawn({"dir": folder}, {folder: None})


@kind
def make_executable(scene: Scene) -> Drawn:
    """A script that may be executed."""
    text = "#!/bin/sh\n" + written(f"echo {contents.word(scene.rng)}" for _ in range(scene.rng.randint(1, 3)))
    path = scene.file(text, ending=".sh")
    return Drawn({"file": path}, {path: entry_of(text, executable=True)})
