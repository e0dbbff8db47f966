"""Putting a filling into a template, so that every value arrives as exactly that value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from dabhand.commands.pieces import SLOT_KINDS, Dialect, Hole, Piece
from dabhand.commands.posix import PosixDialect
from dabhand.commands.powershell import PowerShellDialect
from dabhand.commands.template import Template
from dabhand.errors import TemplateError

Filling = Mapping[str, str | int]
"""Slot name to value. Bytes that are not UTF-8 are carried as Python's "surrogateescape" characters."""

_DIALECTS: dict[str, Dialect] = {"posix": PosixDialect(), "powershell": PowerShellDialect()}


def render(template: Template, filling: Filling, dialect: str = "posix") -> str:
    """The command line that runs `template` with `filling`.

    A path that starts with a dash at the start of an argument becomes `./-x`, which names the same file and is no
    option; words go through as they are, because a word may be meant as an option.

    Args:
        template: what `parse_template` gave.
        filling: a value for each of the template's slots and for no other.
        dialect: "posix" or "powershell".

    Raises:
        TemplateError: a value is missing, left over, or not of the slot's kind.
    """
    names = {slot.name for slot in template.slots}
    if odd := sorted(names.symmetric_difference(filling)):
        what = "is no value for" if odd[0] in names else "is no slot"
        raise TemplateError(f"In the filling of {template.text!r} there {what} {{{odd[0]}}}.")
    values = {name: _checked(template, name, filling[name]) for name in names}
    shell = _DIALECTS[dialect]
    return "".join(
        piece if isinstance(piece, str) else shell.quote(_as_argument(values[piece.name], piece), piece)
        for piece in _pieces(template.text, dialect)
    )


@lru_cache(maxsize=4096)
def _pieces(text: str, dialect: str) -> tuple[Piece, ...]:
    return _DIALECTS[dialect].scan(text)


def _checked(template: Template, name: str, value: str | int) -> str:
    """The value as text, or TemplateError."""
    kind = SLOT_KINDS[name]
    reason = ""
    if kind == "number":
        if isinstance(value, bool) or not re.fullmatch(r"-?[0-9]{1,18}", str(value)):
            reason = f"takes a whole number, not {value!r}"
        else:
            return str(int(value))
    elif not isinstance(value, str):
        reason = f"takes text, not {value!r}"
    elif "\0" in value:
        reason = "cannot hold a NUL character"
    elif kind == "path" and not value:
        reason = "takes a path, and a path cannot be empty"
    elif not _encodable(value):
        reason = f"cannot hold {value!r}, which is no text and no bytes"
    if reason:
        raise TemplateError(f"In {template.text!r}, slot {{{name}}} {reason}.")
    return str(value)


def _encodable(value: str) -> bool:
    try:
        value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


def _as_argument(value: str, hole: Hole) -> str:
    if SLOT_KINDS[hole.name] == "path" and hole.starts_argument and value.startswith("-"):
        return "./" + value
    return value
