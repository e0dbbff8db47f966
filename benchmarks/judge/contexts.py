"""The tags of an experiment: what its slots point at, how they are related, what the words and texts are like."""

from __future__ import annotations

import posixpath

from judge.entries import Entry, File, Folder, Link, Scene, children, entry_at, real_path

SPECIAL = set(".*[]^$\\/&+?|(){}")


def tags_of(scene: Scene, slots: dict[str, str | int], awkward: bool) -> list[str]:
    """All tags that hold, sorted."""
    paths = {slot: str(value) for slot, value in slots.items() if slot in "ABCD"}
    tags = {"drawn: awkward" if awkward else "drawn: sensible"}
    for slot, path in paths.items():
        tags |= {f"{slot}: {tag}" for tag in _path_tags(scene, path)}
    names = sorted(paths)
    for at, first in enumerate(names):
        for second in names[at + 1 :]:
            tags |= _pair_tags(scene, first, paths[first], second, paths[second])
    data = _data(scene, paths.get("A"))
    for slot in ("T", "U"):
        if slot in slots:
            tags |= {f"{slot}: {tag}" for tag in _word_tags(str(slots[slot]), data)}
    if "N" in slots:
        tags |= _number_tags(int(slots["N"]), data)
    return sorted(tags)


def _data(scene: Scene, path: str | None) -> bytes | None:
    entry = entry_at(scene, path) if path is not None else None
    return entry.data if isinstance(entry, File) else None


def _path_tags(scene: Scene, path: str) -> set[str]:
    tags = {_what(scene, path)}
    if any(isinstance(scene.get(real_path(scene, above, follow_last=False) or ""), Link) for above in _above(path)):
        tags.add("through a link")
    tags |= _name_tags(path)
    entry = entry_at(scene, path)
    if isinstance(entry, File):
        tags |= {f"text {tag}" for tag in _text_tags(entry.data)}
        if entry.executable:
            tags.add("executable")
    return tags


def _above(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts))]


def _what(scene: Scene, path: str) -> str:
    own = real_path(scene, path, follow_last=False)
    entry = scene.get(own) if own else None
    if isinstance(entry, Link):
        return f"link to {_kind(entry_at(scene, path))}"
    if entry is not None:
        return "folder, empty" if isinstance(entry, Folder) and not children(scene, own or "") else _kind(entry)
    return {"folder": "free name", "file": "parent a file", "nothing": "parent missing"}[_kind(_parent(scene, path))]


def _parent(scene: Scene, path: str) -> Entry | None:
    """The nearest thing above a path that decides: its parent, or a file further up that stands in the way."""
    for above in _above(path):
        if not isinstance(found := entry_at(scene, above), Folder):
            return found
    return Folder()


def _kind(entry: Entry | None) -> str:
    match entry:
        case File():
            return "file"
        case Folder():
            return "folder"
        case _:
            return "nothing"


def _name_tags(path: str) -> set[str]:
    name = posixpath.basename(path)
    tags = set()
    if path.startswith("-"):
        tags.add("name starts with -")
    if name.startswith("."):
        tags.add("name hidden")
    if any(not character.isascii() for character in path):
        tags.add("name not ASCII")
    if set(path) & set(" '\"$`;&*?[]\\#~{}>!\t\n%"):
        tags.add("name needs quoting")
    if "\n" in path:
        tags.add("name with newline")
    if "/" in path:
        tags.add("nested")
    return tags


def _text_tags(data: bytes) -> set[str]:
    if not data:
        return {"empty"}
    lines = data.split(b"\n")
    tags = set()
    try:
        if not data.decode().isascii():
            tags.add("not ASCII")
    except UnicodeDecodeError:
        tags.add("not UTF-8")
    checks = {
        "no final newline": not data.endswith(b"\n"),
        "CRLF": b"\r\n" in data,
        "NUL": b"\0" in data,
        "blank lines": b"" in lines[:-1],
        "tabs": b"\t" in data,
    }
    return tags | {tag for tag, holds in checks.items() if holds}


def _pair_tags(scene: Scene, first: str, one: str, second: str, two: str) -> set[str]:
    tags = set()
    if one == two:
        tags.add(f"{first} = {second}")
    elif (real := real_path(scene, one)) and real == real_path(scene, two):
        tags.add(f"{first} and {second} one file by a link")
    elif one.startswith(two + "/"):
        tags.add(f"{first} inside {second}")
    elif two.startswith(one + "/"):
        tags.add(f"{second} inside {first}")
    here = posixpath.join(two, posixpath.basename(one))
    if isinstance(entry_at(scene, two), Folder) and real_path(scene, here, follow_last=False) in scene:
        tags.add(f"{second} holds {first}'s name")
    return tags


def _word_tags(word: str, data: bytes | None) -> set[str]:
    tags = set()
    if not word.strip():
        tags.add("blank")
    if word.startswith("-"):
        tags.add("starts with -")
    if set(word) & SPECIAL:
        tags.add("special characters")
    if "/" in word:
        tags.add("slash")
    if word and not word.isascii():
        tags.add("not ASCII")
    if word and set(word) & set(" '\"$`;#~!>\t"):
        tags.add("needs quoting")
    if not tags:
        tags.add("plain")
    if data is not None:
        tags.add("occurs in A" if word.encode() in data else "does not occur in A")
    return tags


def _number_tags(number: int, data: bytes | None) -> set[str]:
    tags = {f"N: {number}" if number < 2 else "N: 2 or more"}
    if data is not None and number > data.count(b"\n") + (not data.endswith(b"\n")):
        tags.add("N: more than lines of A")
    return tags
