"""What a scanned template is made of: fixed text, and holes that know the quoting context they stand in."""

from __future__ import annotations

import re
from typing import Literal, Protocol

import msgspec

SlotKind = Literal["path", "word", "number"]
Quotes = Literal["bare", "single", "double", "ansi"]

SLOT_KINDS: dict[str, SlotKind] = {"A": "path", "B": "path", "C": "path", "T": "word", "U": "word", "N": "number"}
"""Every slot there is. Their order is the order of `Template.slots`."""

ANY_NAME = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
"""Outside quotes, whatever looks like a slot is one (and an error if there is no such slot)."""

CAPITAL_NAME = re.compile(r"\{([A-Z][A-Z0-9_]*)\}")
"""Inside quotes only capitals are, so that awk '{print}' and sed '/x/{p}' mean what they say."""


class Hole(msgspec.Struct, frozen=True):
    """The place of a slot in a template.

    Attributes:
        name: the slot's name, a key of `SLOT_KINDS`.
        quotes: the quotes around it.
        starts_argument: nothing of the argument comes before it, so a leading dash would read as an option.
        force_quotes: its neighbours could give even harmless characters a meaning, as in `{N}>x` or `~{A}`.
    """

    name: str
    quotes: Quotes
    starts_argument: bool
    force_quotes: bool


Piece = str | Hole


class Dialect(Protocol):
    """A shell language: how to read its quoting, and how to write a value so that it stays a value."""

    def scan(self, text: str) -> tuple[Piece, ...]:
        """Split a template into fixed text and holes; raises TemplateError where a hole would not be safe."""
        ...

    def quote(self, value: str, hole: Hole) -> str:
        """`value` written so that the shell reads exactly `value` at this hole."""
        ...
