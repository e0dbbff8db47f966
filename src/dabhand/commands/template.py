r"""Command templates: shell text in which `{A}` to `{C}` are paths, `{T}` and `{U}` words, `{N}` a number.

Outside quotes every `{name}` is a slot; inside quotes only `{CAPITALS}` are, so that `awk '{print $1}'`,
`awk '{print}'`, `xargs -I{}`, `{a,b}` and `a{2}` keep their own meaning. `\{A}` (or `'{''A}'` inside quotes) is the
text itself. A slot that does not exist is an error, never silently text.
"""

from __future__ import annotations

import msgspec

from dabhand.commands.pieces import SLOT_KINDS, Hole, SlotKind
from dabhand.commands.posix import PosixDialect
from dabhand.errors import TemplateError


class Slot(msgspec.Struct, frozen=True):
    """A named place for a value."""

    name: str
    kind: SlotKind


class Template(msgspec.Struct, frozen=True):
    """A command line with slots; two templates with the same text are the same.

    Attributes:
        text: the template as it was written.
        slots: its slots, each once, in the order A, B, C, T, U, N.
    """

    text: str
    slots: tuple[Slot, ...]


def parse_template(text: str) -> Template:
    """Read a template in the POSIX shell's language.

    Raises:
        TemplateError: an unknown slot, no slot at all, an open quote, or a slot where no quoting could keep its
            value from becoming syntax.
    """
    if "\0" in text:
        raise TemplateError(f"The template {text!r} cannot be used: it holds a NUL character.")
    used = {piece.name for piece in PosixDialect().scan(text) if isinstance(piece, Hole)}
    if not used:
        raise TemplateError(
            f"The template {text!r} cannot be used: it has no slots.",
            "Put {A}, {B} or {C} where a path goes, {T} or {U} where a word goes, {N} where a number goes.",
        )
    return Template(text, tuple(Slot(name, kind) for name, kind in SLOT_KINDS.items() if name in used))
