"""A folder as tasks write it (contracts.md), read here anew: what reads it for the agent takes no part in a verdict."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Literal

import msgspec

HINT = 'An entry is {"text": ...} or {"base64": ...}, with "executable": true or not, {"dir": true}, or {"link": ...}.'


class Item(msgspec.Struct, frozen=True):
    """What is to be at a path.

    Attributes:
        kind: what it is.
        data: a file's bytes, or the bytes of what a link points to.
        executable: of a file, whether its owner may execute it.
    """

    kind: Literal["file", "folder", "link"]
    data: bytes = b""
    executable: bool = False


def folder_in(entries: Mapping[str, Mapping[str, object]]) -> dict[str, Item]:
    """Everything in a folder by its path, the folders above included, parents first.

    Raises:
        ValueError: it is not such a folder; the message names the path.
    """
    found: dict[str, Item] = {}
    for given, entry in entries.items():
        path = _bytes(given, given).decode("utf-8", "surrogateescape")
        item = _item(path, entry)
        path = path.removesuffix("/") if item.kind == "folder" else path
        if not path or "\0" in path or any(part in ("", ".", "..") for part in path.split("/")):
            raise ValueError(f"{path!r} is not a relative path inside the folder")
        if path in found:
            raise ValueError(f"{path!r} stands twice in the folder")
        found[path] = item
    for path in tuple(found):
        for at in (at for at, letter in enumerate(path) if letter == "/"):
            if found.setdefault(path[:at], Item("folder")).kind != "folder":
                raise ValueError(f"{path!r} lies below {path[:at]!r}, which is not a folder")
    return {path: found[path] for path in sorted(found)}


def _item(path: str, entry: Mapping[str, object]) -> Item:
    match dict(entry):
        case {"dir": True, **rest} if not rest and entry["dir"] is True:
            return Item("folder")
        case {"link": str(target), **rest} if not rest and target and "\0" not in target:
            return Item("link", _bytes(path, target))
        case {"text": str(text), **rest}:
            return Item("file", _bytes(path, text), _executable(path, rest))
        case {"base64": str(code), **rest}:
            try:
                return Item("file", base64.b64decode(code, validate=True), _executable(path, rest))
            except ValueError as error:
                raise ValueError(f"the base64 of {path!r} cannot be decoded") from error
    raise ValueError(f"{path!r} is no file, folder or link")


def _executable(path: str, rest: Mapping[str, object]) -> bool:
    """Whether a file is executable, as what its entry says beside its content has it."""
    if rest.keys() - {"executable"} or not isinstance(rest.get("executable", False), bool):
        raise ValueError(f"{path!r} is no file, folder or link")
    return rest.get("executable") is True


def _bytes(path: str, text: str) -> bytes:
    """The bytes of a text, where lone surrogates stand for bytes that are not UTF-8 (PEP 383)."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise ValueError(f"{path!r} is or holds what is no text and no bytes") from error
