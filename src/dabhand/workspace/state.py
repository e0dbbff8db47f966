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


def canonical(text: str, what: str) -> str:
    """The one text that stands for the same bytes: stray surrogates that together are UTF-8 become its characters.

    Args:
        text: from outside.
        what: names it in the error.

    Raises:
        StateError: it stands for no bytes, having a lone surrogate other than those for one byte each (PEP 383).
    """
    if text.isascii():
        return text
    try:
        return encode_text(text).decode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise StateError(f"{what} is no text and no bytes.", _NO_BYTES) from error


_NO_BYTES = "Only surrogates from \\udc80 to \\udcff, each for one byte that is not UTF-8, may stand alone."


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
            if isinstance(node, Folder):
                continue
            # Only a folder has something below it; looking for that takes a pass over everything.
            below = self.below(path) if isinstance(nodes.get(path), Folder) else ()
            for gone in (path, *below):
                nodes.pop(gone, None)
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
            raise StateError("A state must be a JSON object from paths to entries.", f"Such as {_EXAMPLE}.")
        nodes: dict[str, Node] = {}
        for given, entry in value.items():
            path = canonical(str(given), f"The path {given!r}")
            node = _node_from_json(path, entry)
            path = path.removesuffix("/") if isinstance(node, Folder) else path
            if path in nodes:
                raise StateError(f"{path!r} stands twice in the state.", "Give every path once.")
            nodes[path] = node
        return cls(nodes)

    def to_json(self) -> dict[str, dict[str, object]]:
        """The contract's form of this folder."""
        return {path: node_to_json(node) for path, node in self._nodes.items()}


_EXAMPLE = '{"a.txt": {"text": "b\\na\\n"}, "box": {"dir": true}}'


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


_FORMS = (
    'An entry is {"text": ...} or {"base64": ...}, either with "executable": true or without, {"dir": true},'
    ' or {"link": ...}.'
)


def _node_from_json(path: str, entry: object) -> Node:
    if not isinstance(entry, Mapping):
        raise StateError(f"The entry {path!r} is no JSON object.", _FORMS)
    if entry.keys() == {"dir"}:
        if entry["dir"] is True:
            return FOLDER
        raise StateError(f'"dir" of {path!r} must be true.', _FORMS)
    if entry.keys() == {"link"}:
        return Link(_target(path, entry["link"]))
    if entry.keys() - {"executable"} in ({"text"}, {"base64"}):
        data = _data(path, entry["text"]) if "text" in entry else _decoded(path, entry["base64"])
        return File(data, _executable(path, entry.get("executable", False)))
    raise StateError(f"The entry {path!r} is no file, folder or link: it has {_named(entry)}.", _FORMS)


def _named(entry: Mapping[object, object]) -> str:
    return ", ".join(repr(key) for key in entry) or "nothing"


def _target(path: str, target: object) -> str:
    if not isinstance(target, str) or not target or "\0" in target:
        raise StateError(f'"link" of {path!r} must be text, not empty and without NUL.', _FORMS)
    return canonical(target, f"What the link {path!r} points to")


def _data(path: str, text: object) -> bytes:
    if not isinstance(text, str):
        raise StateError(f'"text" of {path!r} must be text.', _FORMS)
    return encode_text(canonical(text, f"The text of {path!r}"))


def _decoded(path: str, code: object) -> bytes:
    if not isinstance(code, str):
        raise StateError(f'"base64" of {path!r} must be text.', _FORMS)
    try:
        return base64.b64decode(code, validate=True)
    except ValueError as error:
        raise StateError(f"The base64 of {path!r} cannot be decoded.", "Use the standard alphabet.") from error


def _executable(path: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise StateError(f'"executable" of {path!r} must be true or false.', _FORMS)
    return value


def _require_relative(path: str) -> None:
    if not path or "\0" in path or any(part in ("", ".", "..") for part in path.split("/")):
        raise StateError(
            f"{path!r} is not a relative path inside the folder.",
            "Give paths such as a.txt or box/a.txt: no leading or doubled slash, no . or .., and no NUL.",
        )


def _add_parents(path: str, nodes: dict[str, Node]) -> None:
    parent = parent_of(path)
    while parent:
        if not isinstance(nodes.setdefault(parent, FOLDER), Folder):
            raise StateError(f"{path!r} lies below {parent!r}, which is not a folder.", "Leave out one of the two.")
        parent = parent_of(parent)
