"""The state of a folder as an immutable value: relative path -> file, folder or link."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from dabhand.errors import StateError


class File(msgspec.Struct, frozen=True, tag="file"):
    """A regular file: its bytes, and whether its owner may execute it."""

    data: bytes
    executable: bool = False

    @property
    def text(self) -> str:
        """The content as text; bytes that are not UTF-8 become lone surrogates (PEP 383), so nothing is lost."""
        return self.data.decode("utf-8", "surrogateescape")


class Folder(msgspec.Struct, frozen=True, tag="folder"):
    """A folder; what it holds is said by the paths below it."""


class Link(msgspec.Struct, frozen=True, tag="link"):
    """A symbolic link and the text it points to."""

    target: str


Node = File | Folder | Link
FOLDER = Folder()


def encode_text(text: str) -> bytes:
    """The bytes of a text, lone surrogates turned back into the bytes they stand for."""
    return text.encode("utf-8", "surrogateescape")


def parent_of(path: str) -> str:
    """The path of the folder that holds `path`; "" is the root."""
    return path.rpartition("/")[0]


def name_of(path: str) -> str:
    """The last component of a path in a state."""
    return path.rpartition("/")[2]


class State(Mapping[str, Node]):
    """An immutable folder: keys are relative paths with "/", sorted by code point; the root itself is implied.

    Every proper prefix of a key is a `Folder` in the same state. Equality and hash go by content.

    Raises:
        StateError: when a path is no relative path, or something lies below what is not a folder.
    """

    __slots__ = ("_hash", "_nodes")

    def __init__(self, nodes: Mapping[str, Node] | None = None) -> None:
        given = nodes or {}
        for path in given:
            _require_relative(path)
        complete: dict[str, Node] = dict(given)
        for path in given:
            _add_parents(path, complete)
        self._nodes = {path: complete[path] for path in sorted(complete)}
        self._hash: int | None = None

    @classmethod
    def trusted(cls, nodes: dict[str, Node]) -> State:
        """A state from nodes that are known to be complete and sorted: no checks, for hot paths."""
        state = cls.__new__(cls)
        state._nodes = nodes
        state._hash = None
        return state

    def __getitem__(self, path: str) -> Node:
        return self._nodes[path]

    def get(self, path: str, default: Any = None) -> Any:  # noqa: D102  (Mapping's own meaning, one call less)
        return self._nodes.get(path, default)

    def __contains__(self, path: object) -> bool:
        return path in self._nodes

    def __iter__(self) -> Iterator[str]:
        return iter(self._nodes)

    def __len__(self) -> int:
        return len(self._nodes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._nodes == other._nodes

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(tuple(self._nodes.items()))
        return self._hash

    def __repr__(self) -> str:
        return f"State({self._nodes!r})"

    def children(self, path: str) -> tuple[str, ...]:
        """Names directly inside the folder at `path` ("" is the root), sorted by code point."""
        prefix = path + "/" if path else ""
        start = len(prefix)
        return tuple(
            key[start:] for key in self._nodes if key.startswith(prefix) and "/" not in key[start:] and len(key) > start
        )

    def below(self, path: str) -> tuple[str, ...]:
        """Paths of everything strictly below `path` ("" is the root)."""
        if not path:
            return tuple(self._nodes)
        prefix = path + "/"
        return tuple(key for key in self._nodes if key.startswith(prefix))

    def with_changes(self, changes: Mapping[str, Node | None]) -> State:
        """A new state in which each given path holds the given node, or nothing (with all below it) for None."""
        nodes = dict(self._nodes)
        for path, node in changes.items():
            if node is None or not isinstance(node, Folder):
                for lower in [key for key in nodes if key == path or key.startswith(path + "/")]:
                    del nodes[lower]
        nodes.update({path: node for path, node in changes.items() if node is not None})
        return State(nodes)

    def with_file(self, path: str, file: File) -> State:
        """The same folder with another file at a path that holds a file now."""
        return State.trusted({**self._nodes, path: file})

    @classmethod
    def from_json(cls, value: object) -> State:
        """Read the contract's form of a folder.

        Raises:
            StateError: when the value is not that form; the message names the path.
        """
        if not isinstance(value, Mapping):
            raise StateError("A state must be a JSON object from paths to entries.")
        return cls({str(path).rstrip("/"): _node_from_json(str(path), entry) for path, entry in value.items()})

    def to_json(self) -> dict[str, dict[str, object]]:
        """The contract's form of this folder."""
        return {path: node_to_json(node) for path, node in self._nodes.items()}


def node_to_json(node: Node) -> dict[str, object]:
    """The contract's form of one entry."""
    match node:
        case Folder():
            return {"dir": True}
        case Link(target):
            return {"link": target}
        case File(data, executable):
            form: dict[str, object] = text_to_json(data)
            if executable:
                form["executable"] = True
            return form


def text_to_json(data: bytes) -> dict[str, object]:
    """`{"text": ...}`, or `{"base64": ...}` where the bytes are not UTF-8."""
    try:
        return {"text": data.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode("ascii")}


def _node_from_json(path: str, entry: object) -> Node:
    match entry:
        case {"dir": True}:
            return FOLDER
        case {"link": str(target)}:
            return Link(target)
        case {"text": str(text)}:
            return File(encode_text(text), _executable(path, entry))
        case {"base64": str(code)}:
            try:
                return File(base64.b64decode(code, validate=True), _executable(path, entry))
            except ValueError as error:
                raise StateError(f"The base64 of {path!r} cannot be decoded.") from error
        case _:
            raise StateError(f"The entry {path!r} is no file, folder or link.", 'Use {"text": ...}, {"dir": true} ...')


def _executable(path: str, entry: object) -> bool:
    value = entry.get("executable", False) if isinstance(entry, Mapping) else False
    if not isinstance(value, bool):
        raise StateError(f'"executable" of {path!r} must be true or false.')
    return value


def _require_relative(path: str) -> None:
    if not path or "\0" in path or any(part in ("", ".", "..") for part in path.split("/")):
        raise StateError(f"{path!r} is not a relative path inside the folder.")


def _add_parents(path: str, nodes: dict[str, Node]) -> None:
    parent = parent_of(path)
    while parent:
        if not isinstance(nodes.setdefault(parent, FOLDER), Folder):
            raise StateError(f"{path!r} lies below {parent!r}, which is not a folder.")
        parent = parent_of(parent)
