"""Fields whose type drifts between versions: each is read by itself, and one of another type counts as absent."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TypeVar

import msgspec

ABSENT = msgspec.Raw(b"null")
"""What a field holds that is not there."""

MENDED = 4 << 20
"""Bytes of the longest field whose letters are mended: doing so takes many times its size."""

Shape = TypeVar("Shape", bound=msgspec.Struct)


def value(raw: msgspec.Raw) -> object:
    """The value of a field, of whatever type it is; None for what cannot be taken in (too deep, too large a number)."""
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return None


def mended(raw: msgspec.Raw) -> tuple[object, bool]:
    """The value of a field, and whether letters in it had to be replaced because they are no Unicode."""
    try:
        return msgspec.json.decode(raw), False
    except (msgspec.DecodeError, RecursionError):
        said = bytes(raw).decode("utf-8", "replace") if len(memoryview(raw)) <= MENDED else "null"
    try:
        clean = json.dumps(json.loads(said, strict=False), ensure_ascii=False).encode("utf-8", "surrogatepass")
        found = json.loads(clean.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None, False
    return found, found is not None


def text(raw: msgspec.Raw) -> str | None:
    """The text of a field that holds one."""
    return as_text(value(raw)) if bytes(memoryview(raw)[:1]) == b'"' else None


def shaped(raw: msgspec.Raw, decoder: msgspec.json.Decoder[Shape]) -> Shape | None:
    """The object of a field that holds one."""
    if bytes(memoryview(raw)[:1]) != b"{":
        return None
    try:
        return decoder.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return None


def items(raw: msgspec.Raw) -> list[msgspec.Raw]:
    """The elements of a field that holds a list, none of them looked at."""
    if bytes(memoryview(raw)[:1]) != b"[":
        return []
    try:
        return _RAWS.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return []


_RAWS = msgspec.json.Decoder(list[msgspec.Raw])


def as_text(found: object) -> str | None:
    """A text, if it is one."""
    return found if isinstance(found, str) else None


def as_mapping(found: object) -> Mapping[str, object]:
    """An object, if it is one, else an empty one."""
    return found if isinstance(found, dict) else {}


def as_whole(found: object) -> int | None:
    """A whole number that an exit code can be, if it is one."""
    if isinstance(found, bool) or not isinstance(found, int):
        return None
    return found if -(2**31) <= found < 2**32 else None


def as_number(found: object) -> float | None:
    """A finite number, if it is one."""
    if isinstance(found, bool) or not isinstance(found, int | float):
        return None
    return float(found) if abs(found) < 1e15 else None


def as_words(found: object) -> list[str] | None:
    """A list of texts that is not empty, if it is one."""
    if not isinstance(found, list) or not found or not all(isinstance(word, str) for word in found):
        return None
    return found


def joined(found: object) -> str | None:
    """The text of content that may be a string, one block, or a list of blocks and strings."""
    if isinstance(found, str):
        return found
    if isinstance(found, dict):
        return as_text(found.get("text"))
    if not isinstance(found, list):
        return None
    return "".join(_texts(found)) if found else ""


def _texts(blocks: Sequence[object]) -> list[str]:
    return [said for block in blocks if (said := joined(block) if not isinstance(block, list) else None) is not None]
