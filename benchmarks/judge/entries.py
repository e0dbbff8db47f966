"""A folder as a plain dictionary, its JSON form, and where a path leads in it."""

from __future__ import annotations

import base64
import posixpath
from dataclasses import dataclass
from typing import Any, TypeAlias

MAX_LINKS = 40  # Linux gives up with ELOOP after 40 links (path_resolution(7))


@dataclass(frozen=True)
class File:
    """A regular file."""

    data: bytes
    executable: bool = False


@dataclass(frozen=True)
class Folder:
    """A directory; what is in it are the keys below it."""


@dataclass(frozen=True)
class Link:
    """A symbolic link, its target relative to the folder it is in."""

    target: str


Entry: TypeAlias = File | Folder | Link
Scene: TypeAlias = dict[str, Entry]


def bytes_to_json(data: bytes) -> dict[str, Any]:
    """`{"text": ...}`, or `{"base64": ...}` for what is not UTF-8."""
    try:
        return {"text": data.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}


def bytes_from_json(value: Any) -> bytes:
    """The bytes of a JSON string or of a `{"text"}` / `{"base64"}` object.

    Raises:
        ValueError: it is none of them.
    """
    match value:
        case str():
            return value.encode("utf-8", "surrogateescape")
        case {"text": str(text)}:
            return str(text).encode("utf-8", "surrogateescape")
        case {"base64": str(text)}:
            return base64.b64decode(text, validate=True)
    raise ValueError(f"neither text nor base64: {value!r}")


def scene_to_json(scene: Scene) -> dict[str, Any]:
    """The contract's "state" form, sorted by path."""
    return {path: _entry_to_json(scene[path]) for path in sorted(scene)}


def _entry_to_json(entry: Entry) -> dict[str, Any]:
    match entry:
        case Folder():
            return {"dir": True}
        case Link(target):
            return {"link": target}
        case File(data, executable):
            return bytes_to_json(data) | ({"executable": True} if executable else {})


def scene_from_json(value: Any) -> Scene:
    """Read the contract's "state" form.

    Raises:
        ValueError: the value does not have that form.
    """
    if not isinstance(value, dict):
        raise ValueError(f"a state is an object, not {type(value).__name__}")
    return {path: _entry_from_json(entry) for path, entry in value.items()}


def _entry_from_json(value: Any) -> Entry:
    match value:
        case {"dir": True}:
            return Folder()
        case {"link": str(target)}:
            return Link(target)
        case dict():
            return File(bytes_from_json(value), bool(value.get("executable", False)))
    raise ValueError(f"not an entry of a state: {value!r}")


def real_path(scene: Scene, path: str, follow_last: bool = True) -> str | None:
    """Where a path leads with links followed; None when it leads nowhere a name could be made.

    The last name itself need not exist ("" is the root). Without `follow_last` a link at the end stays a link.
    """
    done: list[str] = []
    todo = path.split("/")
    links = 0
    while todo:
        name = todo.pop(0)
        if name in ("", "."):
            continue
        if name == "..":
            if not done:
                return None
            done.pop()
            continue
        here = "/".join([*done, name])
        entry = scene.get(here)
        if isinstance(entry, Link) and (todo or follow_last):
            links += 1
            if links > MAX_LINKS or entry.target.startswith("/"):
                return None
            todo = entry.target.split("/") + todo
            continue
        if todo and not isinstance(entry, Folder):
            return None
        done.append(name)
    return "/".join(done)


def entry_at(scene: Scene, path: str) -> Entry | None:
    """What is at a path once all links are followed."""
    real = real_path(scene, path)
    if real is None:
        return None
    return Folder() if real == "" else scene.get(real)


def parent_of(path: str) -> str:
    """The folder part of a path, "" for the root."""
    return posixpath.dirname(path)


def children(scene: Scene, folder: str) -> list[str]:
    """The keys directly in a folder ("" is the root)."""
    return [path for path in scene if parent_of(path) == folder]
