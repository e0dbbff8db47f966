"""What goes to standard output and standard error: JSON for programs, plain text that cannot play tricks for people."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

WIDTH_OF_FILES = 160
SIGNS = {"created": "+", "modified": "~", "deleted": "-", "mode": "m"}
"""How a change of a path is marked."""

# ASCII only: a name that is not UTF-8 is an escaped lone surrogate in JSON, which no stream's encoding would take.
_encode = json.JSONEncoder(ensure_ascii=True, allow_nan=False).encode


def write_document(document: object) -> None:
    """Write one JSON document as one line to standard output, at once."""
    sys.stdout.write(_encode(document) + "\n")
    sys.stdout.flush()


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
