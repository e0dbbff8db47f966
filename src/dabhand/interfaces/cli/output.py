"""What goes to standard output and standard error: JSON for programs, plain text that cannot play tricks for people."""

from __future__ import annotations

import binascii
import json
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

WIDTH_OF_FILES = 160
SIGNS = {"created": "+", "modified": "~", "deleted": "-", "mode": "m"}
"""How a change of a path is marked."""

SENTENCES = frozenset(
    (
        "condition",
        "effect",
        "hint",
        "message",
        "note",
        "plan",
        "predicted",
        "reason",
        "rival",
        "said",
        "sentence",
        "why",
    )
)
"""Fields that are read by people: what is not UTF-8 in them is shown as an escape."""

# ASCII only, so that any stream's encoding takes it.
_encode = json.JSONEncoder(ensure_ascii=True, allow_nan=False).encode


def write_document(document: object) -> None:
    """Write one JSON document as one line to standard output, at once.

    Text that is not UTF-8 (inside, lone surrogates stand for its bytes) is no JSON text: a value is carried as
    `{"base64": "..."}`, a sentence or a key with those bytes as escapes.
    """
    line = _encode(document)
    sys.stdout.write((_encode(strict(document)) if "\\ud" in line else line) + "\n")
    sys.stdout.flush()


def strict(value: object, field: str = "") -> object:
    """A document without lone surrogates, see `write_document`."""
    match value:
        case str():
            return _carried(value, field)
        case dict():
            return {visible_bytes(key): strict(inner, key) for key, inner in value.items()}
        case list() | tuple():
            return [strict(inner, field) for inner in value]
        case _:
            return value


def _carried(text: str, field: str) -> object:
    shown = visible_bytes(text)
    if shown == text or field in SENTENCES:
        return shown
    try:
        return {"base64": binascii.b2a_base64(text.encode("utf-8", "surrogateescape"), newline=False).decode()}
    except UnicodeEncodeError:  # half a pair of surrogates, which stands for no byte
        return shown


def visible_bytes(text: str) -> str:
    r"""Text with each byte that is not UTF-8 as an escape such as `\xff`, and all else as it is."""
    return "".join(_escaped(letter) if "\ud800" <= letter <= "\udfff" else letter for letter in text)


def visible(text: str) -> str:
    r"""Text for a terminal: what is not printable, such as ESC, a newline, a byte that is not UTF-8, as an escape."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else _escaped(letter) for letter in text)


def _escaped(letter: str) -> str:
    if "\udc80" <= letter <= "\udcff":
        return f"\\x{ord(letter) - 0xDC00:02x}"
    return letter.encode("unicode_escape").decode("ascii")


def console(*, error: bool = False) -> Console:
    """A rich console on standard output, or on standard error; plain where it is no terminal."""
    from rich.console import Console

    made = Console(stderr=error, highlight=False, emoji=False, markup=False)
    if not made.is_terminal and "COLUMNS" not in os.environ:
        made.width = WIDTH_OF_FILES
    return made
